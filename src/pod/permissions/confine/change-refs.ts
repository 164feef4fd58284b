import {
	closeSync,
	fchmodSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	rmdirSync,
	rmSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import {createHash} from 'node:crypto';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {bytesOf, createPace, foldersAbove, statsOf} from './effects.ts';
import {readTextIn} from './git-files.ts';
import {isObjectName} from './git-refs.ts';
import type {RefUpdate} from './layer.ts';
import {createOpenFolder, setMode, type OpenFolder} from './open-folder.ts';
import {packedIn, packedWithout, type Packed} from './packed-refs.ts';

/**
Changes references as git does (gitrepository-layout(5)): with git's own locks, and only references that still have
their old value. An empty `old` means any value. If a link takes the place of a folder, git itself would follow it to
another repository. So this function changes each file through a folder that is open and checked. `roots`: the real
folders that may change. All paths have the form of `layerPath`. Returns the updates that were not possible.
*/
export async function changeRefs(
	gitDir: string,
	updates: readonly RefUpdate[],
	roots: readonly string[],
): Promise<readonly RefUpdate[]> {
	const store = openStore(gitDir, updates, roots);
	const pace = createPace();
	const tried = async (some: readonly RefUpdate[], change: (update: RefUpdate) => boolean) => {
		const failed: RefUpdate[] = [];
		for (const update of some) {
			await pace.breathe();
			if (!change(update)) failed.push(update);
		}
		return failed;
	};
	try {
		const deleted = updates.filter(update => isNone(update.new));
		const written = updates.filter(update => !isNone(update.new));
		const conflicts = await tried(written, update => writeRef(store, update));
		// After a deletion, the updates that failed are tried again, because the name of the deleted reference may have
		// conflicted with theirs.
		const kept = forgetPacked(store, deleted);
		const left = await tried(deleted, update => !kept.has(update) && deleteRef(store, update));
		return [
			...(left.length < deleted.length ? await tried(conflicts, update => writeRef(store, update)) : conflicts),
			...left,
		];
	} finally {
		store.files.close();
		store.top.close();
	}
}

/** Tells whether a value means that there is no reference. */
export function isNone(value: string): boolean {
	return /^0+$/.test(value);
}

type Store = {
	readonly gitDir: string;
	/** Opens and caches the folders of references. */
	readonly files: OpenFolder;
	/** Opens and caches the git folder. */
	readonly top: OpenFolder;
	/** The permissions of new folders. New files get the same permissions without the execute bits. */
	readonly mode: number;
	/**
	A part of the names of this change's own files. After an interruption, the same change recognizes its own locks.
	*/
	readonly token: string;
	/** Returns the current contents of `packed-refs`, or `undefined` if it is not a file, or is too large. */
	readonly packed: () => Packed | undefined;
};

function openStore(gitDir: string, updates: readonly RefUpdate[], roots: readonly string[]): Store {
	const [files, top] = [createOpenFolder(roots), createOpenFolder(roots)];
	const parent = files.entry(gitDir);
	const stats = parent && statsOf(parent);
	const text = JSON.stringify([gitDir, updates]);
	let packed: Packed | undefined;
	return {
		...{gitDir, files, top, mode: (stats?.mode ?? 0o755) & 0o2777},
		token: createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 24),
		packed() {
			const entry = top.entry(`${gitDir}/packed-refs`);
			packed = entry && packedIn(entry, packed);
			return packed;
		},
	};
}

/**
Returns the file of a reference, `none` if a folder for it is missing, or `undefined` if something else is in the place
of such a folder.
*/
function fileOf({gitDir, files, mode}: Store, ref: string, isMade: boolean): Buffer | 'none' | undefined {
	for (const name of foldersAbove(ref).slice(1)) {
		const entry = files.entry(`${gitDir}/${name}`);
		const stats = entry && statsOf(entry);
		if (entry === undefined || (stats !== undefined && !stats.isDirectory())) return undefined;
		if (stats !== undefined) continue;
		if (!isMade) return 'none';
		mkdirSync(entry, {mode: 0o700});
		if (!setMode(entry, mode)) return undefined;
	}
	return files.entry(`${gitDir}/${ref}`);
}

/**
Returns the value in the file of a reference, an empty string if there is no file, or `undefined` for other contents. A
folder counts as no file, because a packed reference may have an empty folder in its place.
*/
function looseAt(file: Buffer | 'none'): string | undefined {
	const stats = file === 'none' ? undefined : statsOf(file);
	if (file === 'none' || stats === undefined || stats.isDirectory()) return '';
	const text = readTextIn(file.toString('latin1'), '', 4096)?.trimEnd();
	return text !== undefined && isObjectName(text) ? text : undefined;
}

/**
Returns the value of a reference, zeros if the reference does not exist, or `undefined` if its value cannot be read.
*/
function valueOf(store: Store, file: Buffer | 'none', {ref, new: made}: RefUpdate): string | undefined {
	const packed = store.packed();
	const loose = looseAt(file);
	if (packed === undefined || loose === undefined) return undefined;
	return loose === '' ? (packed.refs.get(ref) ?? '0'.repeat(made.length)) : loose;
}

function writeRef(store: Store, update: RefUpdate): boolean {
	const {ref, old, new: made} = update;
	if (store.packed()?.hasRoomFor(ref) !== true || !clearFolder(store, `${store.gitDir}/${ref}`)) return false;
	const file = fileOf(store, ref, true);
	if (!Buffer.isBuffer(file)) return false;
	const now = valueOf(store, file, update);
	if (now === made) {
		clean(store, file);
		return true;
	}
	const isStill = () => {
		const value = valueOf(store, file, update);
		return value !== undefined && (old === '' || value === old) && store.packed()?.hasRoomFor(ref) === true;
	};
	return isStill() && underLock(store, file, {text: `${made}\n`, isStill});
}

/**
Removes a folder in the place of a reference if it contains only empty folders. Returns whether the place is free of
folders.
*/
function clearFolder(store: Store, path: string): boolean {
	const entry = store.files.entry(path);
	if (entry === undefined || statsOf(entry)?.isDirectory() !== true) return true;
	const names = readdirSync(entry, 'latin1');
	return names.every(name => isCleared(store, `${path}/${name}`)) && isRemoved(store, path);
}

function isCleared(store: Store, path: string): boolean {
	const entry = store.files.entry(path);
	return entry !== undefined && statsOf(entry)?.isDirectory() === true && clearFolder(store, path);
}

/** Removes an empty folder. Returns false if that failed. */
function isRemoved({files}: Store, path: string): boolean {
	try {
		const entry = files.entry(path);
		if (entry !== undefined) rmdirSync(entry);
		return entry !== undefined;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return false;
	}
}

/**
Removes references from `packed-refs` with one write, before their own files are removed. Returns the references that
are not removed, for example because they have another value now.
*/
function forgetPacked(store: Store, updates: readonly RefUpdate[]): ReadonlySet<RefUpdate> {
	const isOld = (update: RefUpdate) => {
		const file = fileOf(store, update.ref, false);
		const now = file && valueOf(store, file, update);
		return now !== undefined && (now === update.old || isNone(now));
	};
	const [old, kept] = [updates.filter(isOld), new Set(updates.filter(update => !isOld(update)))];
	const packed = store.packed();
	const names = new Set(old.map(({ref}) => ref).filter(ref => packed?.refs.has(ref) === true));
	const file = updates.length === 0 ? undefined : store.top.entry(`${store.gitDir}/packed-refs`);
	if (packed === undefined || file === undefined) return new Set(updates);
	if (names.size === 0) {
		clean(store, file);
		return kept;
	}
	const isStill = () => store.packed() === packed;
	const isDone = underLock(store, file, {text: packedWithout(packed, names), isStill});
	return isDone ? kept : new Set(updates);
}

function deleteRef(store: Store, update: RefUpdate): boolean {
	const {gitDir} = store;
	const isFree = clearFolder(store, `${gitDir}/${update.ref}`);
	const file = fileOf(store, update.ref, false);
	if (file === undefined) return false;
	if (isFree && file !== 'none' && statsOf(file) !== undefined) {
		const isStill = () => looseAt(file) === update.old;
		if (!isStill() || !underLock(store, file, {isStill})) return false;
	} else if (file !== 'none') clean(store, file);
	// git removes empty folders, except folders like `refs/heads`.
	for (const name of foldersAbove(update.ref).slice(3).toReversed())
		if (!isRemoved(store, `${gitDir}/${name}`)) break;
	return true;
}

type Change = {
	/** The new contents of the file. If they are absent, the file is removed. */
	readonly text?: string;
	/** Tells whether the old value is still the expected value. The function is called while the file is locked. */
	readonly isStill: () => boolean;
};

/**
Changes a file while it has git's lock. The lock is a hard link to inkpod's own file, so an interrupted change
recognizes its own lock later. Returns whether the file was changed.
*/
function underLock(store: Store, file: Buffer, {text, isStill}: Change): boolean {
	const lock = Buffer.concat([file, bytesOf('.lock')]);
	const own = besideOf(file, store);
	if (!isSameFile(statsOf(own), statsOf(lock))) {
		rmSync(own, {force: true});
		writeOwn(own, text ?? '', store.mode & 0o666);
		if (!isLinked(own, lock)) return false;
	}
	const isDone = isStill();
	if (isDone && text !== undefined) renameSync(lock, file);
	else {
		if (isDone) rmSync(file, {force: true});
		unlinkSync(lock);
	}
	rmSync(own, {force: true});
	return isDone;
}

/** If a change was interrupted after it was complete, removes its lock and inkpod's own file beside a file. */
function clean(store: Store, file: Buffer): void {
	const lock = Buffer.concat([file, bytesOf('.lock')]);
	const own = besideOf(file, store);
	if (isSameFile(statsOf(own), statsOf(lock))) unlinkSync(lock);
	rmSync(own, {force: true});
}

/**
Returns the path of inkpod's own file beside a file. The name of this file begins with a dot, so git does not read it as
a reference.
*/
function besideOf(file: Buffer, {token}: Store): Buffer {
	const path = file.toString('latin1');
	const name = createHash('sha256')
		.update(`${token} ${path.slice(path.lastIndexOf('/'))}`, 'latin1')
		.digest('hex');
	return bytesOf(`${path.slice(0, path.lastIndexOf('/'))}/.${name.slice(0, 24)}.inkpod`);
}

function writeOwn(own: Buffer, text: string, mode: number): void {
	const fd = openSync(own, 'wx', 0o600);
	try {
		writeFileSync(fd, text, 'latin1');
		fchmodSync(fd, mode);
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}

/** Takes the lock. Returns false if another program has it. */
function isLinked(own: Buffer, lock: Buffer): boolean {
	try {
		linkSync(own, lock);
		return true;
	} catch (cause) {
		rmSync(own, {force: true});
		if (errorCode(cause) === 'EEXIST') return false;
		throw cause;
	}
}
