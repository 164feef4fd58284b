import {linkSync, renameSync, rmSync, unlinkSync} from 'node:fs';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {withOwnGit, type OwnGit} from '../../scope/git/own-git.ts';
import {readRepository} from '../../scope/git/repository.ts';
import {changeRefs, isNone} from './change-refs.ts';
import {copyTree} from './copy-tree.ts';
import {bytesOf, plainPath, stampOf, statsOf} from './effects.ts';
import {named} from './git-effects.ts';
import {keptRef, realRef} from './git-refs.ts';
import type {RefUpdate, Step} from './layer.ts';
import {temporaryFor, type RunGitStep} from './run-steps.ts';
import {gitCellTexts} from './texts.ts';

type Result = Awaited<ReturnType<RunGitStep>>;
type RefStep = Extract<Step, {type: 'refs'}>;
type LockedStep = Extract<Step, {type: 'move_locked'}>;

/** Returns a function that runs the git steps of a take-over. */
export function gitStepRunner(env: Env): RunGitStep {
	return async (step, roots) => (step.type === 'refs' ? takeRefs(step, roots, env) : moveLocked(step));
}

/**
Changes references. A reference that was changed from outside stays as it is, and the command's value is saved under
another name. git itself only checks whether the objects exist.
*/
async function takeRefs({gitDir, updates}: RefStep, roots: readonly string[], env: Env): Promise<Result> {
	const folder = plainPath(gitDir);
	const found = await readRepository({folder, common: folder}, env);
	if (!found.ok) return {conflicts: [gitDir], notes: [found.sentence]};
	const used = await withOwnGit(found.repository, {env, isHeadless: true}, async git => typesOf(git, updates));
	if (!used.ok) return {conflicts: [gitDir], notes: [used.sentence]};
	const isUsable = ({ref, new: made}: RefUpdate) => {
		const type = used.value.get(made);
		return isNone(made) || (ref.startsWith('refs/heads/') ? type === 'commit' : type !== undefined);
	};
	const usable = updates.filter(isUsable);
	const failed = await changeRefs(gitDir, usable, roots);
	const conflicts = [...updates.filter(update => !usable.includes(update)), ...failed];
	const others = conflicts.filter(({ref, new: made}) => used.value.has(made) && !ref.startsWith('refs/inkpod/'));
	const copies = others.map(({ref, new: made}) => ({
		from: ref,
		...{ref: keptRef({path: gitDir}, '', ref, made), old: '', new: made},
	}));
	const lost = new Set((await changeRefs(gitDir, copies, roots)).map(({ref}) => ref));
	return {
		conflicts: conflicts.map(({ref}) => `${gitDir}/${ref}`),
		notes: copies.flatMap(({from, ref}) => (lost.has(ref) ? [] : [gitCellTexts.kept(named(from), named(ref))])),
	};
}

/** Maps the names of existing objects to their types. */
async function typesOf(git: OwnGit, updates: readonly RefUpdate[]): Promise<ReadonlyMap<string, string>> {
	const input = updates.map(update => `${update.new}\n`).join('');
	const run = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {input, maxBytes: maxList, maxMs});
	const text = run.type === 'done' ? run.output.toString('latin1') : '';
	return new Map(
		text.split('\n').flatMap(line => {
			const [, name = '', type = ''] = /^([\da-f]+) (commit|tree|blob|tag)$/.exec(line) ?? [];
			return name === '' ? [] : [[name, type] as const];
		}),
	);
}

const maxList = 64 * 1024 * 1024;
const maxMs = 120_000;

/**
Replaces a file while it has git's lock. The lock is a hard link to the complete new file, so an interrupted take-over
recognizes its own lock later.
*/
function moveLocked({from, to, was, only}: LockedStep): Result {
	const lock = `${to}.lock`;
	const copy = temporaryFor(from, to);
	const staged = statsOf(bytesOf(copy)) === undefined ? from : copy;
	const isDone = areOneFile(staged, to);
	if (!isDone && statsOf(bytesOf(from)) === undefined) return nothing;
	if (!isDone) {
		const locked = areOneFile(staged, lock) ? staged : lockWith(from, copy, lock);
		if (locked === undefined) return {conflicts: [to], notes: []};
		const now = statsOf(bytesOf(to));
		const isStill = only?.values.every(({ref, value}) => realRef({path: only.gitDir}, '', ref) === value) ?? true;
		if (!isStill || (was !== undefined && was !== (now === undefined ? '' : stampOf(now)))) {
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

/**
Creates a lock. Returns the path of the file that the lock is a hard link to. Returns `undefined` if the lock cannot be
created, for example because another program has it.
*/
function lockWith(from: string, copy: string, lock: string): string | undefined {
	try {
		linkSync(bytesOf(from), bytesOf(lock));
		return from;
	} catch (cause) {
		if (['EEXIST', 'ENOENT', 'ENOTDIR'].includes(errorCode(cause))) return undefined;
	}
	// A hard link was not possible, for example because the layer is on another file system. So the file is copied
	// first.
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
