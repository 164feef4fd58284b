import {mkdirSync, renameSync, rmSync, type Stats} from 'node:fs';
import {createHash, randomBytes} from 'node:crypto';
import {errorCode} from '../../ground/files/fs-error.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {copyTree} from './copy-tree.ts';
import {bytesOf, createPace, stampOf, statsOf} from './effects.ts';
import type {Step} from './layer.ts';
import {createOpenFolder, setMode, type OpenFolder} from './open-folder.ts';

/**
Runs a git step. `roots`: the real folders that steps may change. Resolves with the paths that it did not change, and
with sentences for the model and the user.
*/
export type RunGitStep = (
	step: GitStep,
	roots: readonly string[],
) => Promise<{readonly conflicts: readonly string[]; readonly notes: readonly string[]}>;

type RunOptions = {
	/** The real folders that steps may change, in the form of `layerPath`. */
	readonly roots: readonly string[];
	/** inkpod's folder to which removed files and folders are moved, if it is on the same file system. */
	readonly removed: string;
	readonly runGitStep: RunGitStep;
};

/**
The result of the steps. `conflicts`: the absolute paths that stay as they are, because they were changed from outside.
*/
export type Ran = {readonly conflicts: readonly string[]; readonly notes: readonly string[]};

/**
Runs the steps of a take-over in order. Each step changes an entry through a folder that is open and checked, so a link
that replaces a folder has no effect. Throws errors of the disk. After an error, the steps can be run again.
*/
export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<Ran> {
	const pace = createPace();
	const folders = createOpenFolder(options.roots);
	const [conflicts, notes]: [string[], string[]] = [[], []];
	try {
		for (const step of steps) {
			if (pace.isDue()) await pace.breathe();
			if (step.type === 'refs' || step.type === 'move_locked') {
				const ran = await runStepOfGit(step, folders, options);
				conflicts.push(...ran.conflicts);
				notes.push(...ran.notes);
			} else if (!runStep(step, folders, options.removed)) conflicts.push('to' in step ? step.to : step.path);
		}
	} finally {
		folders.close();
	}
	return {conflicts, notes};
}

/** Runs a git step through open and checked folders, because a link could replace a folder. */
async function runStepOfGit(step: GitStep, folders: OpenFolder, {roots, runGitStep}: RunOptions): Promise<Ran> {
	const path = step.type === 'refs' ? step.gitDir : step.to;
	const entry = folders.entry(step.type === 'refs' ? `${path}/HEAD` : path);
	if (entry === undefined) return {conflicts: [path], notes: []};
	if (step.type === 'refs') return runGitStep(step, roots);
	const {conflicts, notes} = await runGitStep({...step, to: entry.toString('latin1')}, roots);
	return {conflicts: conflicts.map(() => path), notes};
}

type GitStep = Extract<Step, {type: 'refs' | 'move_locked'}>;
type PlainStep = Exclude<Step, {type: 'refs' | 'move_locked'}>;

/** Runs a step. Returns false if a change from outside prevents it. */
function runStep(step: PlainStep, folders: OpenFolder, removed: string): boolean {
	const entry = folders.entry('to' in step ? step.to : step.path);
	if (entry === undefined) return false;
	const now = statsOf(entry);
	switch (step.type) {
		case 'move': {
			if (statsOf(bytesOf(step.from)) === undefined) return true;
			if (now?.isDirectory() === true || !isStill(now, step.was)) return false;
			move(step.from, entry);
			return true;
		}
		case 'move_folder': {
			if (statsOf(bytesOf(step.from)) === undefined) return true;
			if (now !== undefined) return false;
			move(step.from, entry);
			return true;
		}
		case 'folder': {
			if (now === undefined) mkdirSync(entry, {mode: 0o700});
			else if (!now.isDirectory()) return false;
			return setMode(entry, step.mode | 0o700);
		}
		case 'mode': {
			return now !== undefined && setMode(entry, step.mode);
		}
		case 'remove': {
			if (now === undefined) return true;
			if (step.unless?.some(path => statsOf(bytesOf(path)) !== undefined) === true) return false;
			if (!isStill(now, step.was)) return false;
			remove(entry, now, removed);
			return true;
		}
		default:
			return step satisfies never;
	}
}

/**
Tells whether an entry still has its stamp. The stamp of a folder is only its identity, because changes of its contents
change its size and times.
*/
function isStill(now: Stats | undefined, was: string | undefined): boolean {
	if (was === undefined) return true;
	const stamp = now === undefined ? '' : now.isDirectory() ? identityOf(now) : stampOf(now);
	return stamp === was;
}

function move(from: string, to: Buffer): void {
	try {
		renameSync(bytesOf(from), to);
	} catch (cause) {
		if (errorCode(cause) !== 'EXDEV') throw cause;
		const temporary = temporaryFor(from, to.toString('latin1'));
		rmSync(bytesOf(temporary), {recursive: true, force: true});
		copyTree(from, temporary);
		renameSync(bytesOf(temporary), to);
		rmSync(bytesOf(from), {recursive: true, force: true});
	}
}

/**
Returns the path of a temporary copy beside `to`. The path is the same when the step runs again after a kill, so the
step finds its earlier copy. The path depends on `from`, which contains the random name of the cell, so no other program
uses it.
*/
export function temporaryFor(from: string, to: string): string {
	const name = createHash('sha256').update(from, 'latin1').digest('hex').slice(0, 24);
	return `${to.slice(0, to.lastIndexOf('/'))}/.${name}.inkpod`;
}

function remove(entry: Buffer, now: Stats, removed: string): void {
	try {
		mkdirSync(bytesOf(removed), {recursive: true, mode: 0o700});
		renameSync(entry, bytesOf(`${removed}/${randomBytes(8).toString('hex')}`));
	} catch {
		// The entry is on another file system, or the folder cannot be moved.
		rmSync(entry, {recursive: now.isDirectory(), force: true});
	}
}
