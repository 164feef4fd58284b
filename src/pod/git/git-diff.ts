import type {Env} from '../env/env.ts';
import type {SessionChanges} from '../protocol.ts';
import {resolveLinks} from '../scope/locate.ts';
import type {Scope} from '../scope/scope.ts';
import {gitRoot} from '../tools/ignore-rules.ts';
import {readRepository, type Repository} from './repository.ts';
import {findGit, runGit, whyFailed, type GitRun} from './run-git.ts';
import {withPlainRepository} from './plain-repository.ts';
import {gitTexts} from './texts.ts';
import {untrackedIn} from './untracked.ts';

type GitChanges = SessionChanges['git'];

/** The maximum length of the diff. */
const maxDiffBytes = 262_144;

/**
Returns the uncommitted changes below `pwd`: of tracked files as `git diff HEAD` shows them, and the untracked files.
A configuration can make `git diff` run programs (filters, textconv, external diffs, fsmonitor). Here git reads only a
configuration that inkpod writes, so nothing in the repository can make it run a program or access the network.
*/
export async function gitDiff(scope: Scope, env: Env): Promise<GitChanges> {
	const {pwd, owners} = scope;
	const root = gitRoot(pwd, owners);
	if (root === undefined) return {kind: 'none'};
	const git = findGit(env, root);
	if (git === undefined) return failed(gitTexts.missing);
	if ((await resolveLinks(pwd)) !== pwd) return failed(gitTexts.moved);
	const found = await readRepository(git, pwd, env);
	if (!found.ok) return failed(found.sentence);
	if (found.repository.top !== root) return failed(gitTexts.otherRoot);
	return diffOf(git, scope, found.repository);
}

async function diffOf(git: string, scope: Scope, repository: Repository): Promise<GitChanges> {
	const made = await withPlainRepository(repository, async env => {
		const run = await runGit(git, [...diffCommand, ...repository.head, '--', '.'], {
			cwd: scope.pwd,
			env,
			maxBytes: maxDiffBytes,
		});
		const changes = changesOf(run);
		return changes.kind === 'diff'
			? {...changes, untracked: await untrackedIn(git, scope, repository, env)}
			: changes;
	});
	return made.ok ? made.value : failed(made.sentence);
}

/** A submodule has a configuration of its own, so git does not look into it. */
const diffCommand = [
	'diff',
	'--no-color',
	'--no-ext-diff',
	'--no-textconv',
	'--submodule=short',
	'--ignore-submodules=dirty',
	'--relative',
	'--src-prefix=a/',
	'--dst-prefix=b/',
];

function changesOf(run: GitRun): GitChanges {
	if (run.type !== 'done' && run.type !== 'too_long') return failed(whyFailed(run));
	const text = run.output.toString();
	const truncated = run.type === 'too_long';
	return {kind: 'diff', text: truncated ? wholeLines(text) : text, truncated};
}

function wholeLines(text: string): string {
	return text.slice(0, text.lastIndexOf('\n') + 1);
}

function failed(sentence: string): GitChanges {
	return {kind: 'failed', sentence};
}
