import type {Env} from '../../ground/env/env.ts';
import type {SessionChanges, Untracked} from '../../protocol.ts';
import {resolveLinks} from '../locate.ts';
import type {Scope} from '../scope.ts';
import {withOwnGit, type OwnGit} from './own-git.ts';
import {findRepository} from './repository.ts';
import {whyFailed, type GitRun} from './run-git.ts';
import {gitTexts} from './texts.ts';
import {join} from 'node:path';
import {readText, type NotRead} from '../read.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

type GitChanges = SessionChanges['git'];

/** The maximum length of the diff, in bytes. */
const maxDiffBytes = 262_144;

/**
Returns the uncommitted changes below `pwd`: the changes of tracked files as `git diff HEAD` shows them, and the
untracked files.
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

/**
The arguments of git for the diff. git must not look into a submodule, because a submodule has its own configuration.
*/
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

type UntrackedFile = SessionChanges['files'][number];

/**
The limits for untracked files: the size of the list of names in bytes, the number of files, and the size of one file
and of all files in bytes.
*/
const maxListBytes = 65_536;

const maxFiles = 200;

const maxFileBytes = 32_768;

const maxBytes = 131_072;

/** The size in bytes above which a file is not read. */
const maxScanBytes = 1_048_576;

/** The maximum time to read the contents of all untracked files, in milliseconds. */
const maxMs = 3000;

/**
Returns the files below `pwd` that git neither tracks nor ignores. git only lists the names. inkpod reads the contents
through the scope, so no file outside the scope and no secret is shown.
*/
async function untrackedIn(git: OwnGit, scope: Scope): Promise<Untracked> {
	const run = await git(listCommand, {cwd: scope.pwd, maxBytes: maxListBytes});
	if (run.type !== 'done' && run.type !== 'too_long') return {files: [], hasMore: false, problem: whyFailed(run)};
	// Each name ends with a NUL byte. The part after the last NUL is empty, or is a name that was cut off.
	const names = run.output.toString().split('\0').slice(0, -1);
	const files = await readAll(scope, names.slice(0, maxFiles));
	return {files, hasMore: run.type === 'too_long' || names.length > maxFiles};
}

const listCommand = ['ls-files', '--others', '--exclude-standard', '-z', '--', '.'];

async function readAll(scope: Scope, names: readonly string[]): Promise<UntrackedFile[]> {
	const signal = AbortSignal.timeout(maxMs);
	const files: UntrackedFile[] = [];
	let bytes = 0;
	for (const name of names) {
		const file =
			bytes < maxBytes ? await readOne(scope, name, signal) : {path: name, diff: '', remark: gitTexts.notShown};
		bytes += Buffer.byteLength(file.diff);
		files.push(file);
	}
	return files;
}

async function readOne(scope: Scope, name: string, signal: AbortSignal): Promise<UntrackedFile> {
	// git does not look into a folder that is a repository, and lists this folder with a final slash.
	if (name.endsWith('/')) return {path: name, diff: '', remark: gitTexts.ownRepository};
	const path = join(scope.pwd, name);
	const read = await readText(scope, path, {maxBytes: maxFileBytes, maxScanBytes, signal});
	if (!read.ok) return {path: name, diff: '', remark: remarkOf(read)};
	if (read.real !== path) return {path: name, diff: '', remark: gitTexts.link};
	const diff = additionOf(name, read.body);
	return {path: name, diff, ...(read.truncated && {remark: gitTexts.tooLarge})};
}

function remarkOf({reason}: NotRead): string {
	if (reason === 'binary') return gitTexts.binary;
	if (reason === 'denied') return gitTexts.secret;
	if (reason === 'out_of_scope' || reason === 'is_directory') return gitTexts.link;
	if (reason === 'too_large') return gitTexts.tooLarge;
	return reason === 'aborted' ? gitTexts.notShown : gitTexts.unreadable;
}

/** Returns the diff that adds a file. */
function additionOf(name: string, body: string): string {
	if (body === '') return '';
	const lines = body.replace(/\n$/, '').split('\n');
	return [
		`--- /dev/null`,
		`+++ ${onOneLine(name)}`,
		`@@ -0,0 +1,${lines.length} @@`,
		...lines.map(line => `+${line}`),
	].join('\n');
}
