import {mkdir, realpath, rm, rmdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import {homeOf, xdgFolder, type Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {decodePath} from '../../ground/files/byte-path.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {heldNames, runsLater} from '../../permissions/approval/runs-later.ts';
import {obeyedPlaces} from '../../permissions/confine/git-places.ts';
import {presentRunLater} from '../../permissions/confine/protected-places.ts';
import {gitDiff} from '../../scope/git/git-diff.ts';
import {withOwnGit, type OwnGit} from '../../scope/git/own-git.ts';
import {findRepository, readRepository} from '../../scope/git/repository.ts';
import {whyFailed, type GitRun} from '../../scope/git/run-git.ts';
import {gitTexts} from '../../scope/git/texts.ts';
import type {Scope} from '../../scope/scope.ts';
import {worktreeTexts} from './texts.ts';

/** The git worktree of a child session, linked to the repository of its parent. */
export type Worktree = {
	/** The folder of the worktree. */
	readonly path: string;
	/** The top folder of the parent's working tree. */
	readonly root: string;
	/** The commit that the worktree started from. */
	readonly base: string;
};

type Planned =
	| {readonly ok: true; readonly worktree: Worktree; /** The child's working directory. */ readonly pwd: string}
	| {readonly ok: false; readonly sentence: string};

/** The facts that decide whether inkpod may use the parent's repository, and with which git. */
type Place = {readonly owners?: Scope['owners']; readonly env: Env};

type Done = {readonly ok: true} | {readonly ok: false; readonly sentence: string};

/**
Returns the folder of a child's worktree. The path depends only on this machine's environment and on the child's id.
*/
export function worktreePath(env: Env, child: string): string {
	return join(xdgFolder(env, 'XDG_CACHE_HOME', join(homeOf(env), '.cache')), 'worktrees', child);
}

/** Finds out whether a child can have a worktree. The function does not create anything. */
export async function planWorktree(scope: Scope, env: Env, child: string): Promise<Planned> {
	if (!scope.writable) return failed(worktreeTexts.readOnly);
	const found = await findRepository(scope.pwd, scope.owners, env);
	if (found === undefined) return failed(worktreeTexts.noRepository);
	if (!found.ok) return found;
	const root = found.repository.top;
	if (await pathExists(join(root, '.gitmodules'))) return failed(worktreeTexts.submodules);
	const head = await withOwnGit(found.repository, {env}, async git =>
		git(['rev-parse', '--quiet', '--verify', 'HEAD']),
	);
	if (!head.ok) return head;
	if (head.value.type !== 'done') return failed(worktreeTexts.noCommit);
	const changes = await gitDiff({...scope, pwd: root}, env);
	if (changes.kind === 'failed') return failed(changes.sentence);
	const isClean =
		changes.kind === 'diff' &&
		changes.text === '' &&
		changes.untracked?.files.length === 0 &&
		!changes.untracked.hasMore;
	if (!isClean) return failed(worktreeTexts.dirty);
	const path = worktreePath(env, child);
	const worktree = {path, root, base: head.value.output.toString().trim()};
	return {ok: true, worktree, pwd: join(path, relative(root, scope.pwd))};
}

/**
Creates the worktree at its base commit, in the same way as `git worktree add --detach` (gitrepository-layout(5)).
*/
export async function createWorktree(worktree: Worktree, place: Place): Promise<Done> {
	const folders = await gitFoldersOf(worktree, place);
	if (folders === undefined) return failed(worktreeTexts.failed(worktreeTexts.noRepository));
	try {
		await link(worktree, folders);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return failed(worktreeTexts.failed(gitTexts.failed(errorCode(cause))));
	}
	const used = await inWorktree(worktree, place, async git =>
		git(['read-tree', '--reset', '-u', worktree.base], {maxMs: checkoutMs}),
	);
	if (used.ok && used.value.type === 'done') return {ok: true};
	await removeWorktree(worktree, place);
	return failed(worktreeTexts.failed(used.ok ? whyFailed(used.value) : used.sentence));
}

/** Creates the folder of a worktree and its git folder. Throws if one of them exists. */
async function link({path, base}: Worktree, {common, own}: WorktreeGit): Promise<void> {
	await mkdir(dirname(path), {recursive: true, mode: 0o700});
	await mkdir(path);
	try {
		const real = await realpath(path);
		await mkdir(join(common, 'worktrees'), {recursive: true});
		await mkdir(own);
		const files = {
			[join(own, 'gitdir')]: join(real, '.git'),
			[join(own, 'commondir')]: '../..',
			[join(own, 'HEAD')]: base,
			[join(real, '.git')]: `gitdir: ${own}`,
		};
		for (const [file, line] of Object.entries(files)) await writeFile(file, `${line}\n`, {flag: 'wx'});
	} catch (cause) {
		await rm(path, {recursive: true, force: true});
		throw cause;
	}
}

type WorktreeDiff =
	/** `text` is empty if nothing changed. `runLater`: the changed files that other programs run in the parent. */
	| {readonly ok: true; readonly text: string; readonly runLater: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/** Returns everything that the child changed, whether committed or not, as a patch. */
export async function worktreeDiff(worktree: Worktree, place: Place): Promise<WorktreeDiff> {
	let names: readonly string[] = [];
	const used = await inWorktree(worktree, place, async git => {
		const added = await addAll(git);
		if (added.type !== 'done') return added;
		const listed = await git([...diffCommand, '--name-only', '-z', worktree.base], {maxBytes: maxPatchBytes});
		if (listed.type !== 'done') return listed;
		names = namesOf(listed.output);
		return git([...diffCommand, worktree.base], {maxBytes: maxPatchBytes});
	});
	if (!used.ok) return used;
	const {value} = used;
	if (value.type === 'too_long') return failed(worktreeTexts.tooLarge);
	if (value.type !== 'done') return failed(whyFailed(value));
	return {ok: true, text: value.output.toString('latin1'), runLater: await runLaterIn(worktree, names, place)};
}

function namesOf(output: Buffer): readonly string[] {
	const names = output.toString('latin1').split('\0');
	return names.filter(name => name !== '').map(name => decodePath(Buffer.from(name, 'latin1')));
}

async function runLaterIn({root}: Worktree, names: readonly string[], {env}: Place): Promise<readonly string[]> {
	const {repositories} = await presentRunLater(root);
	const obeyed = await obeyedPlaces(root, repositories.keys(), env);
	const isObeyed = (path: string): boolean => obeyed.has(path) || (path !== root && isObeyed(dirname(path)));
	return names.filter(name => runsLater(name) || heldNames(name).length > 0 || isObeyed(join(root, name)));
}

/**
Adds the whole working tree to the index. `git add --all` is not safe here: it would run git in nested repositories,
with their own configurations.
*/
async function addAll(git: OwnGit): Promise<GitRun> {
	const compare = ['diff-files', '-z', '--name-only', '--ignore-submodules=dirty'];
	const list = {maxBytes: maxPatchBytes, maxMs: checkoutMs};
	const removed = await git([...compare, '--diff-filter=D'], list);
	const changed = await git([...compare, '--diff-filter=d'], list);
	const others = await git(['ls-files', '-z', '--others', '--exclude-standard'], list);
	for (const run of [removed, changed, others]) if (run.type !== 'done') return run;
	const update = async (runs: readonly GitRun[], ...options: readonly string[]) =>
		git(['update-index', ...options, '-z', '--stdin'], {...list, input: namesIn(runs)});
	const done = await update([removed], '--force-remove');
	return done.type === 'done' ? update([changed, others], '--add', '--remove') : done;
}

/** Joins lists of names that end with NUL bytes. Removes the slash at the end of a nested repository's name. */
function namesIn(runs: readonly GitRun[]): Uint8Array {
	const lists = runs.flatMap(run => (run.type === 'done' ? [run.output.toString('latin1')] : []));
	return Buffer.from(lists.join('').replaceAll('/\0', '\0'), 'latin1');
}

/** Applies the child's patch to the parent's working tree. If a part of the patch does not apply, nothing changes. */
export async function mergeWorktree({root}: Worktree, patch: string, {owners, env}: Place): Promise<Done> {
	const found = await findRepository(root, owners, env);
	if (found?.ok !== true) return failed(found?.sentence ?? worktreeTexts.noRepository);
	const used = await withOwnGit(found.repository, {env}, async git =>
		git(['apply', '--whitespace=nowarn', '-'], {input: Buffer.from(patch, 'latin1'), maxMs: checkoutMs}),
	);
	if (!used.ok) return used;
	return used.value.type === 'done' ? {ok: true} : failed(whyFailed(used.value));
}

/** Removes the worktree and all of its files. */
export async function removeWorktree(worktree: Worktree, place: Place): Promise<void> {
	await rm(worktree.path, {recursive: true, force: true});
	const folders = await gitFoldersOf(worktree, place);
	if (folders === undefined) return;
	await rm(folders.own, {recursive: true, force: true});
	// Like git, removes the folder `worktrees` after the last worktree.
	await rmdir(dirname(folders.own)).catch(() => {});
}

/** The git folders that commands in a worktree write: the common git folder, and the worktree's own folder in it. */
export type WorktreeGit = {readonly common: string; readonly own: string};

/**
Returns the git folders of a worktree. Finds them through the parent's repository, because the child could change the
`.git` file of its worktree.
*/
export async function gitFoldersOf({path, root}: Worktree, {owners, env}: Place): Promise<WorktreeGit | undefined> {
	const found = await findRepository(root, owners, env);
	if (found?.ok !== true) return undefined;
	const {common} = found.repository;
	return {common, own: join(common, 'worktrees', basename(path))};
}

/** Calls `use` with git in the worktree. Ignores the `.git` file of the worktree. */
async function inWorktree(
	worktree: Worktree,
	place: Place,
	use: (git: OwnGit) => Promise<GitRun>,
): Promise<{readonly ok: true; readonly value: GitRun} | {readonly ok: false; readonly sentence: string}> {
	const {path} = worktree;
	const folders = await gitFoldersOf(worktree, place);
	if (folders === undefined || !(await pathExists(folders.own)) || !(await pathExists(path)))
		return failed(worktreeTexts.gone(path));
	const read = await readRepository({top: path, folder: folders.own, common: folders.common}, place.env);
	return read.ok ? withOwnGit(read.repository, place, use) : read;
}

function failed(sentence: string): {readonly ok: false; readonly sentence: string} {
	return {ok: false, sentence};
}

/** The maximum time of a git command in milliseconds. A checkout of a large repository takes long. */
const checkoutMs = 120_000;
const maxPatchBytes = 64 * 1024 * 1024;
const diffCommand = [
	'diff',
	'--cached',
	'--binary',
	'--no-color',
	'--no-ext-diff',
	'--no-textconv',
	'--no-renames',
	'--ignore-submodules=dirty',
	'--src-prefix=a/',
	'--dst-prefix=b/',
];
