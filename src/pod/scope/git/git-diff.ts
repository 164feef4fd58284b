import type {Env} from '../../ground/env/env.ts';
import type {SessionChanges} from '../../protocol.ts';
import {resolveLinks} from '../locate.ts';
import type {Scope} from '../scope.ts';
import {withOwnGit, type OwnGit} from './own-git.ts';
import {findRepository} from './repository.ts';
import {whyFailed, type GitRun} from './run-git.ts';
import {gitTexts} from './texts.ts';
import {untrackedIn} from './untracked.ts';

type GitChanges = SessionChanges['git'];

/** The maximum length of the diff. */
const maxDiffBytes = 262_144;

/**
Returns the uncommitted changes below `pwd`: of tracked files as `git diff HEAD` shows them, and the untracked files.
*/
export async function gitDiff(scope: Scope, env: Env): Promise<GitChanges> {
	const {pwd, owners} = scope;
	const found = await findRepository(pwd, owners, env);
	if (found === undefined) return {kind: 'none'};
	if ((await resolveLinks(pwd)) !== pwd) return failed(gitTexts.moved);
	if (!found.ok) return failed(found.sentence);
	const made = await withOwnGit(found.repository, {env}, async git => diffOf(git, scope));
	return made.ok ? made.value : failed(made.sentence);
}

async function diffOf(git: OwnGit, scope: Scope): Promise<GitChanges> {
	const head = await git(['rev-parse', '--quiet', '--verify', 'HEAD']);
	const commit = head.type === 'done' ? [head.output.toString().trim()] : [];
	const run = await git([...diffCommand, ...commit, '--', '.'], {cwd: scope.pwd, maxBytes: maxDiffBytes});
	const changes = changesOf(run);
	return changes.kind === 'diff' ? {...changes, untracked: await untrackedIn(git, scope)} : changes;
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
