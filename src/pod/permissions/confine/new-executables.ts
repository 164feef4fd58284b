import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	renameSync,
	statSync,
	type PathLike,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {encodePath} from '../../ground/files/byte-path.ts';
import {identityOf} from '../../platform/file-identity.ts';
import {handleOf, hasHandlePaths} from '../../platform/file-identity.ts';
import {openDirHandle} from '../../scope/dir-handle.ts';
import {pathOnly} from './copy-tree.ts';
import {linkedIdentity} from './linked-places.ts';
import {createFolderList, type RunLater} from './folder-list.ts';
import {presentRunLater} from './protected-places.ts';

/**
`created`: new or replaced paths that other programs run, and folders whose permissions inkpod restored to check their
contents. `setAside`: the files that inkpod renamed in new repositories, so that git does not find them, with their new
names.
*/
export type NewExecutables = {
	readonly created: readonly string[];
	readonly setAside: ReadonlyArray<readonly [from: string, to: string]>;
};

/**
Compares a project with its earlier state, and disables each new repository, because it would control git. A repository
inside another one is found only after the outer one is disabled.
*/
export async function findNewExecutables(pwd: string, before: RunLater): Promise<NewExecutables> {
	const setAside: Array<readonly [string, string]> = [];
	const opened = new Set<string>();
	/**
	Restores permissions and disables repositories. Returns the folders whose contents can be checked from now on.
	*/
	const undo = async (found: RunLater, top: string): Promise<readonly string[]> => {
		const isInside = ([path]: Identified) => path !== top;
		const open = fresh(found.closed, before.closed).filter(isInside).filter(openAgain);
		for (const [path] of open) opened.add(path);
		const renamed = await disableAll(pwd, fresh(found.repositories, before.repositories).filter(isInside));
		setAside.push(...renamed);
		const folders = renamed.flatMap(([from]) => (basename(from) === 'HEAD' ? [dirname(from)] : []));
		return [...open.map(([path]) => path), ...folders];
	};
	for (let round = 0; ; round++) {
		const now = await presentRunLater(pwd);
		if (now === before) return {created: [], setAside};
		const folders = [...(await undo(now, ''))];
		// A running command may create repositories faster than this loop, so the number of rounds is limited.
		if (folders.length === 0 || round === maxRounds) {
			const files = fresh(now.files, before.files).map(([path]) => path);
			return {created: [...new Set([...opened, ...files, ...redirected(before)])], setAside};
		}
		// Each look finds only deeper folders, so this loop ends.
		for (let top = folders.pop(); top !== undefined; top = folders.pop())
			if (top !== pwd) folders.push(...(await undo(await createFolderList(top).look(), top)));
	}
}

const maxRounds = 100;

/**
Restores the user's permissions that inkpod needs to look into a folder. Returns whether it did. It does not follow a
link that has replaced the folder.
*/
function openAgain([path, id]: Identified): boolean {
	try {
		const fd = openSync(encodePath(path), pathOnly | constants.O_NOFOLLOW);
		try {
			const stats = fstatSync(fd);
			if (identityOf(stats) !== id) return false;
			chmodSync(handleOf(fd), (stats.mode & 0o1777) | 0o700);
			return true;
		} finally {
			closeSync(fd);
		}
	} catch {
		return false;
	}
}

/**
`led`: the targets of links before the command ran, and the links on the way to these targets. Returns the paths in
`led` that the command has created or replaced.
*/
function redirected({led = new Map()}: RunLater): readonly string[] {
	return [...led].flatMap(([path, id]) => (['', id].includes(linkedIdentity(path)) ? [] : [path]));
}

type Identified = readonly [path: string, id: string];

function fresh(now: RunLater['files'], before: RunLater['files']): readonly Identified[] {
	return [...now].filter(([path, id]) => before.get(path) !== id);
}

async function disableAll(pwd: string, repositories: readonly Identified[]): Promise<NewExecutables['setAside']> {
	const renamed: Array<readonly [string, string]> = [];
	for (const one of repositories) renamed.push(...(await disable(pwd, one)));
	return renamed;
}

/**
Disables a repository: renames its `HEAD`, or the `.git` file or link that leads to it. It opens the folder and compares
the identity, so that a running command cannot make inkpod rename another file.
*/
async function disable(pwd: string, [path, id]: Identified): Promise<NewExecutables['setAside']> {
	const isFolder = lstatSync(encodePath(path), {throwIfNoEntry: false})?.isDirectory() === true;
	const from = isFolder ? join(path, 'HEAD') : path;
	try {
		const dir = await openDirHandle(pwd, dirname(from), hasHandlePaths);
		if (typeof dir === 'string') return [];
		try {
			const entry = (name: string) => encodePath(dir.entry(name));
			const stats = isFolder ? statSync(entry('.')) : lstatSync(entry(basename(path)));
			if (identityOf(stats) !== id) return [];
			const to = freeName(`${basename(from)}.set-aside`, name => existsLink(entry(name)));
			renameIn(entry('.'), entry(basename(from)), entry(to));
			return [[from, join(dirname(from), to)]];
		} finally {
			await dir.close();
		}
	} catch {
		// The file no longer exists, or the folder is only named `.git` and has no `HEAD`.
		return [];
	}
}

/**
Renames an entry. If the user lacks write permission in the folder, the permission is added for the rename and then
removed again.
*/
function renameIn(folder: PathLike, from: PathLike, to: PathLike): void {
	const {mode} = statSync(folder);
	const isWritable = (mode & 0o200) !== 0;
	if (!isWritable) chmodSync(folder, (mode & 0o1777) | 0o200);
	try {
		renameSync(from, to);
	} finally {
		if (!isWritable) chmodSync(folder, mode & 0o1777);
	}
}

function existsLink(path: string | Buffer): boolean {
	return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
}

function freeName(wanted: string, isTaken: (name: string) => boolean): string {
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : `${wanted}-${n}`;
		if (!isTaken(name)) return name;
	}
}
