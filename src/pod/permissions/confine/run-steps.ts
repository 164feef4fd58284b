import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	mkdirSync,
	openSync,
	readlinkSync,
	renameSync,
	rmSync,
	type Stats,
} from 'node:fs';
import {createHash, randomBytes} from 'node:crypto';
import {errorCode} from '../../ground/files/fs-error.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {handleOf} from '../../platform/file-identity.ts';
import {copyTree, pathOnly} from './copy-tree.ts';
import {bytesOf, createPace, stampOf, statsOf} from './effects.ts';
import type {Step} from './layer.ts';

/** Runs a step of git. Returns the paths that it left out, and sentences for the model and the user. */
export type RunGitStep = (
	step: GitStep,
) => Promise<{readonly conflicts: readonly string[]; readonly notes: readonly string[]}>;

type RunOptions = {
	/** The real folders that steps may change, in the notation of a layer. */
	readonly roots: readonly string[];
	/** A folder of inkpod's for what the steps remove, if it is on the same file system. */
	readonly removed: string;
	readonly runGitStep: RunGitStep;
};

/** `conflicts`: the absolute paths that were changed at the last moment, and stay as they are. */
export type Ran = {readonly conflicts: readonly string[]; readonly notes: readonly string[]};

/**
Runs the steps of a take-over in order. Each changes an entry of a folder that is open and checked, so a path that is
replaced by a link meanwhile leads nowhere. It throws errors of the disk. Then the steps can run again.
*/
export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<Ran> {
	const pace = createPace();
	const folders = createOpenFolder(options.roots);
	const [conflicts, notes]: [string[], string[]] = [[], []];
	try {
		for (const step of steps) {
			if (pace.isDue()) await pace.breathe();
			if (step.type === 'refs' || step.type === 'move_locked') {
				const ran = await runGitSafely(step, folders, options.runGitStep);
				conflicts.push(...ran.conflicts);
				notes.push(...ran.notes);
			} else if (!runStep(step, folders, options.removed)) conflicts.push('to' in step ? step.to : step.path);
		}
	} finally {
		folders.close();
	}
	return {conflicts, notes};
}

/** git must not follow a link that took the place of a folder, so the folder is open and checked here, too. */
async function runGitSafely(step: GitStep, folders: OpenFolder, run: RunGitStep): Promise<Ran> {
	const path = step.type === 'refs' ? step.gitDir : step.to;
	const entry = folders.entry(step.type === 'refs' ? `${path}/HEAD` : path);
	if (entry === undefined) return {conflicts: [path], notes: []};
	if (step.type === 'refs') return run(step);
	const {conflicts, notes} = await run({...step, to: entry.toString('latin1')});
	return {conflicts: conflicts.map(() => path), notes};
}

type GitStep = Extract<Step, {type: 'refs' | 'move_locked'}>;
type PlainStep = Exclude<Step, {type: 'refs' | 'move_locked'}>;

/** Returns whether the step is done. Otherwise something from outside is in the way. */
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

/** A link may take the place of the entry at any moment, so its permissions change through its own descriptor. */
function setMode(entry: Buffer, mode: number): boolean {
	const fd = openSync(entry, pathOnly | constants.O_NOFOLLOW);
	try {
		if (fstatSync(fd).isSymbolicLink()) return false;
		chmodSync(handleOf(fd), mode);
		return true;
	} finally {
		closeSync(fd);
	}
}

/** The stamp of a folder is shorter, because what is in it changes its size and times. */
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
Returns the path of a copy beside `to`. A step that runs again after a kill finds what it left. The path in the cell is
random, so nobody else has this name.
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
		// It is on another file system, or its folder may not be moved.
		rmSync(entry, {recursive: now.isDirectory(), force: true});
	}
}

type OpenFolder = {
	/** Returns a path to an entry through its open folder, or `undefined` if the folder is not where it should be. */
	readonly entry: (path: string) => Buffer | undefined;
	readonly close: () => void;
};

/** Keeps the folder of the last entry open, because most steps change the same folder as the one before. */
function createOpenFolder(roots: readonly string[]): OpenFolder {
	let held: {readonly path: string; readonly fd: number} | undefined;
	const close = () => {
		if (held !== undefined) closeSync(held.fd);
		held = undefined;
	};
	return {
		close,
		entry(path) {
			const at = path.lastIndexOf('/');
			const folder = path.slice(0, at);
			if (!roots.some(root => folder === root || folder.startsWith(`${root}/`))) return undefined;
			if (held?.path !== folder) {
				close();
				const fd = openFolder(folder);
				if (fd === undefined) return undefined;
				held = {path: folder, fd};
			}
			const handle = handleOf(held.fd);
			if (readlinkSync(handle, 'buffer').toString('latin1') !== folder) return undefined;
			return bytesOf(`${handle}/${path.slice(at + 1)}`);
		},
	};
}

function openFolder(path: string): number | undefined {
	try {
		return openSync(bytesOf(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	} catch (cause) {
		if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(cause))) return undefined;
		throw cause;
	}
}
