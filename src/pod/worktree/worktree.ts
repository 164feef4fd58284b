import {mkdir, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import {homeOf, xdgFolder, type Env} from '../env/env.ts';
import {pathExists} from '../files/path-exists.ts';
import {gitDiff} from '../git/git-diff.ts';
import type {Scope} from '../scope/scope.ts';
import {gitRoot} from '../tools/ignore-rules.ts';
import {guardedGit, whyFailed, type GuardedGit} from './guarded-git.ts';
import {worktreeTexts} from './texts.ts';

/** A working tree of its own for a child session, linked to the repository of its parent. */
export type Worktree = {
	/** The folder of the worktree. */
	readonly path: string;
	/** The top of the parent's working tree. */
	readonly root: string;
	/** The commit with which it began. */
	readonly base: string;
};

export type Planned =
	| {readonly ok: true; readonly worktree: Worktree; /** The child's working directory in it. */ readonly pwd: string}
	| {readonly ok: false; readonly sentence: string};

type Done = {readonly ok: true} | {readonly ok: false; readonly sentence: string};

/** Returns the folder of a child's worktree. It depends only on this machine and on the id of the child. */
export function worktreePath(env: Env, child: string): string {
	return join(xdgFolder(env, 'XDG_CACHE_HOME', join(homeOf(env), '.cache')), 'worktrees', child);
}

/** Finds out whether a child can have a worktree. Nothing is created yet. */
export async function planWorktree(scope: Scope, env: Env, child: string): Promise<Planned> {
	if (!scope.writable) return {ok: false, sentence: worktreeTexts.readOnly};
	const root = gitRoot(scope.pwd, scope.owners);
	if (root === undefined) return {ok: false, sentence: worktreeTexts.noRepository};
	const git = await guardedGit(env, root);
	if (git === undefined) return {ok: false, sentence: worktreeTexts.noGit};
	if (await pathExists(join(root, '.gitmodules'))) return {ok: false, sentence: worktreeTexts.submodules};
	const head = await git(['rev-parse', '--quiet', '--verify', 'HEAD'], root);
	if (head.type !== 'done') return {ok: false, sentence: worktreeTexts.noCommit};
	const changes = await gitDiff({...scope, pwd: root}, env);
	if (changes.kind === 'failed') return {ok: false, sentence: changes.sentence};
	const isClean =
		changes.kind === 'diff' &&
		changes.text === '' &&
		changes.untracked?.files.length === 0 &&
		!changes.untracked.hasMore;
	if (!isClean) return {ok: false, sentence: worktreeTexts.dirty};
	const path = worktreePath(env, child);
	const worktree = {path, root, base: head.output.toString().trim()};
	return {ok: true, worktree, pwd: join(path, relative(root, scope.pwd))};
}

/** Creates the worktree at its commit. No hook and no filter of the repository runs. */
export async function createWorktree({path, root, base}: Worktree, env: Env): Promise<Done> {
	const git = await guardedGit(env, root);
	if (git === undefined) return {ok: false, sentence: worktreeTexts.noGit};
	await mkdir(dirname(path), {recursive: true, mode: 0o700});
	const added = await git(['worktree', 'add', '--detach', path, base], root);
	return added.type === 'done' ? {ok: true} : {ok: false, sentence: worktreeTexts.failed(whyFailed(added))};
}

export type WorktreeDiff =
	/** `text` is empty if nothing changed. */
	{readonly ok: true; readonly text: string} | {readonly ok: false; readonly sentence: string};

/** Returns everything that the child changed, whether committed or not, as a patch. */
export async function worktreeDiff(worktree: Worktree, env: Env): Promise<WorktreeDiff> {
	const git = await guardedGit(env, worktree.root);
	if (git === undefined) return {ok: false, sentence: worktreeTexts.noGit};
	const options = await optionsIn(worktree, git);
	if (options === undefined) return {ok: false, sentence: worktreeTexts.gone(worktree.path)};
	const added = await git([...options, 'add', '--all'], worktree.path);
	if (added.type !== 'done') return {ok: false, sentence: whyFailed(added)};
	const diff = await git([...options, ...diffCommand, worktree.base], worktree.path, maxPatchBytes);
	if (diff.type === 'too_long') return {ok: false, sentence: worktreeTexts.tooLarge};
	return diff.type === 'done'
		? {ok: true, text: diff.output.toString('latin1')}
		: {ok: false, sentence: whyFailed(diff)};
}

/** Applies the child's patch to the parent's working tree. If it does not fit as a whole, nothing changes. */
export async function mergeWorktree({path, root}: Worktree, patch: string, env: Env): Promise<Done> {
	const git = await guardedGit(env, root);
	if (git === undefined) return {ok: false, sentence: worktreeTexts.noGit};
	const file = `${path}.patch`;
	try {
		await writeFile(file, patch, {encoding: 'latin1', mode: 0o600, flag: 'wx'});
		const applied = await git(['apply', '--whitespace=nowarn', file], root);
		return applied.type === 'done' ? {ok: true} : {ok: false, sentence: whyFailed(applied)};
	} finally {
		await rm(file, {force: true});
	}
}

/** Removes the worktree with everything in it. */
export async function removeWorktree({path, root}: Worktree, env: Env): Promise<void> {
	const git = await guardedGit(env, root);
	await git?.(['worktree', 'remove', '--force', '--force', path], root);
	await rm(path, {recursive: true, force: true});
	await git?.(['worktree', 'prune'], root);
}

/** The git folders that commands in a worktree write: the common one, and the part of it that is the worktree's own. */
export type WorktreeGit = {readonly common: string; readonly own: string};

/** Asks the parent's repository, because the child could change the `.git` file of its worktree. */
export async function gitFoldersOf(worktree: Worktree, env: Env): Promise<WorktreeGit | undefined> {
	const git = await guardedGit(env, worktree.root);
	return git && foldersOf(worktree, git);
}

async function foldersOf({path, root}: Worktree, git: GuardedGit): Promise<WorktreeGit | undefined> {
	const asked = await git(['rev-parse', '--path-format=absolute', '--git-common-dir'], root);
	if (asked.type !== 'done') return undefined;
	const common = asked.output.toString().replace(/\n$/, '');
	return {common, own: join(common, 'worktrees', basename(path))};
}

/** Returns options that name the folders of the worktree, instead of its `.git` file. */
async function optionsIn(worktree: Worktree, git: GuardedGit): Promise<readonly string[] | undefined> {
	const folders = await foldersOf(worktree, git);
	if (folders === undefined || !(await pathExists(folders.own)) || !(await pathExists(worktree.path)))
		return undefined;
	return [`--git-dir=${folders.own}`, `--work-tree=${worktree.path}`];
}

const maxPatchBytes = 64 * 1024 * 1024;
const diffCommand = [
	'diff',
	'--cached',
	'--binary',
	'--no-color',
	'--no-ext-diff',
	'--no-textconv',
	'--no-renames',
	'--src-prefix=a/',
	'--dst-prefix=b/',
];
