import {linkSync, renameSync, rmSync, unlinkSync} from 'node:fs';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {withOwnGit, type OwnGit} from '../../scope/git/own-git.ts';
import {readRepository} from '../../scope/git/repository.ts';
import {copyTree} from './copy-tree.ts';
import {bytesOf, foldersAbove, plainPath, stampOf, statsOf} from './effects.ts';
import {keptRef, named} from './git-effects.ts';
import {statsIn} from './git-files.ts';
import type {RefUpdate, Step} from './layer.ts';
import {temporaryFor, type RunGitStep} from './run-steps.ts';
import {gitCellTexts} from './texts.ts';

type Result = Awaited<ReturnType<RunGitStep>>;
type RefStep = Extract<Step, {type: 'refs'}>;
type LockedStep = Extract<Step, {type: 'move_locked'}>;

/** Returns what runs the steps of git in a take-over. */
export function gitStepRunner(env: Env): RunGitStep {
	return async step => (step.type === 'refs' ? changeRefs(step, env) : moveLocked(step));
}

/**
Changes references in one transaction. A reference that was changed from outside stays, and what the command made of it
is kept under another name. One that a link leads to another place stays, too.
*/
async function changeRefs({gitDir, updates}: RefStep, env: Env): Promise<Result> {
	const folder = plainPath(gitDir);
	const found = await readRepository({folder, common: folder}, env);
	if (!found.ok) return {conflicts: [gitDir], notes: [found.sentence]};
	const {linked = [], own = []} = Object.groupBy(updates, ({ref}) =>
		[ref, keptRef(ref)].some(name => isLinked(gitDir, name)) ? 'linked' : 'own',
	);
	const used = await withOwnGit(found.repository, {env, isUnlogged: true}, async git => applyRefs(git, own));
	if (!used.ok) return {conflicts: [gitDir], notes: [used.sentence]};
	const {conflicts, kept} = used.value;
	return {
		conflicts: [...linked, ...conflicts].map(({ref}) => `${gitDir}/${ref}`),
		notes: kept.map(({ref}) => gitCellTexts.kept(named(ref), named(keptRef(ref)))),
	};
}

/** git follows links, also into another repository. To delete a reference, it writes `packed-refs`. */
function isLinked(gitDir: string, ref: string): boolean {
	return [...foldersAbove(ref), 'packed-refs'].some(path => statsIn(gitDir, path)?.isSymbolicLink() === true);
}

/** `conflicts`: the updates that were not possible. `kept`: those of them whose value has another name now. */
type Applied = {readonly conflicts: readonly RefUpdate[]; readonly kept: readonly RefUpdate[]};

async function applyRefs(git: OwnGit, updates: readonly RefUpdate[]): Promise<Applied> {
	const now = await valuesOf(git);
	const at = ({ref, old}: RefUpdate) => now.get(ref) ?? '0'.repeat(old.length);
	const open = updates.filter(update => at(update) !== update.new);
	const possible = open.filter(update => at(update) === update.old);
	const conflicts = [...open.filter(update => at(update) !== update.old), ...(await transact(git, possible))];
	const kept: RefUpdate[] = [];
	for (const one of conflicts) {
		const isKeepable = !isNone(one.new) && !one.ref.startsWith('refs/inkpod/');
		if (isKeepable && (await update(git, [{ref: keptRef(one.ref), old: '', new: one.new}]))) kept.push(one);
	}
	return {conflicts, kept};
}

/** A name that becomes a folder of names must be deleted first, which one transaction cannot do. */
async function transact(git: OwnGit, updates: readonly RefUpdate[]): Promise<readonly RefUpdate[]> {
	if (updates.length === 0 || (await update(git, updates))) return [];
	const failed: RefUpdate[] = [];
	for (const one of updates.toSorted((one, other) => Number(isNone(other.new)) - Number(isNone(one.new))))
		if (!(await update(git, [one]))) failed.push(one);
	return failed;
}

/** An empty `old` means any value. */
async function update(git: OwnGit, updates: readonly RefUpdate[]): Promise<boolean> {
	const lines = updates.map(({ref, old, new: made}) =>
		isNone(made) ? `delete ${ref}\0${old}\0` : `update ${ref}\0${made}\0${old}\0`,
	);
	const input = Buffer.from(lines.join(''), 'latin1');
	const run = await git(['update-ref', '--no-deref', '-z', '--stdin'], {input, maxMs});
	return run.type === 'done';
}

async function valuesOf(git: OwnGit): Promise<ReadonlyMap<string, string>> {
	const run = await git(['for-each-ref', '--format=%(objectname) %(refname)'], {maxBytes: maxList, maxMs});
	const text = run.type === 'done' ? run.output.toString('latin1') : '';
	return new Map(
		text.split('\n').flatMap(line => {
			const [, value = '', ref = ''] = /^([\da-f]+) (.+)$/.exec(line) ?? [];
			return ref === '' ? [] : [[ref, value] as const];
		}),
	);
}

const maxList = 64 * 1024 * 1024;
const maxMs = 120_000;

function isNone(value: string): boolean {
	return /^0+$/.test(value);
}

/**
Replaces a file under git's lock. The lock is a second name of the complete file, so that a take-over that was
interrupted knows its own lock.
*/
function moveLocked({from, to, was}: LockedStep): Result {
	const lock = `${to}.lock`;
	const copy = temporaryFor(from, to);
	const staged = statsOf(bytesOf(copy)) === undefined ? from : copy;
	const isDone = areOneFile(staged, to);
	if (!isDone && statsOf(bytesOf(from)) === undefined) return nothing;
	if (!isDone) {
		const locked = areOneFile(staged, lock) ? staged : lockWith(from, copy, lock);
		if (locked === undefined) return {conflicts: [to], notes: []};
		const now = statsOf(bytesOf(to));
		if (was !== undefined && was !== (now === undefined ? '' : stampOf(now))) {
			unlinkSync(bytesOf(lock));
			rmSync(bytesOf(copy), {force: true});
			return {conflicts: [to], notes: []};
		}
		renameSync(bytesOf(lock), bytesOf(to));
	}
	rmSync(bytesOf(copy), {force: true});
	rmSync(bytesOf(from), {force: true});
	return nothing;
}

const nothing: Result = {conflicts: [], notes: []};

/** Creates a lock. Returns the other name of the file, or `undefined` if somebody else has the lock. */
function lockWith(from: string, copy: string, lock: string): string | undefined {
	try {
		linkSync(bytesOf(from), bytesOf(lock));
		return from;
	} catch (cause) {
		if (['EEXIST', 'ENOENT', 'ENOTDIR'].includes(errorCode(cause))) return undefined;
	}
	// The layer is on another file system.
	rmSync(bytesOf(copy), {recursive: true, force: true});
	copyTree(from, copy);
	try {
		linkSync(bytesOf(copy), bytesOf(lock));
		return copy;
	} catch (cause) {
		rmSync(bytesOf(copy), {force: true});
		if (errorCode(cause) === 'EEXIST') return undefined;
		throw cause;
	}
}

function areOneFile(one: string, other: string): boolean {
	return isSameFile(statsOf(bytesOf(one)), statsOf(bytesOf(other)));
}
