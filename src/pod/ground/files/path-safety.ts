import {lstatSync, readlinkSync} from 'node:fs';
import {dirname, isAbsolute, join, sep} from 'node:path';

/** The facts about a file system entry that matter for safety. */
export type PathEntry = {readonly uid: number; readonly mode: number} & (
	| {readonly kind: 'directory' | 'other'}
	| {readonly kind: 'link'; /** The path that the link points to. */ readonly target: string}
);

/** Reads one entry and does not follow links. Throws system errors. */
type LookAt = (path: string) => PathEntry;

/** The first entry that would let another user replace the folder. */
type UnsafeEntry = {readonly reason: 'foreign' | 'open' | 'misshapen'; readonly path: string};

/**
`writers` are the permission bits that let others change a folder, by default the write bits for its group and for
everybody.
*/
type SafetyOptions = {
	readonly uids: readonly number[];
	readonly writers?: number;
	readonly lookAt?: LookAt;
};

/**
Follows an absolute path from the root, through every link, and checks each folder and link. Each of them must belong to
one of `uids`. No other user may write to a folder unless the folder is sticky. Returns `undefined` if only these users
can change the target of the path. Throws system errors. Does not check access control lists, because Node cannot read
them.
*/
export function unsafeEntry(
	path: string,
	{uids, writers = othersWrite, lookAt = lookAtDisk}: SafetyOptions,
): UnsafeEntry | undefined {
	const problemAt = (entry: PathEntry, at: string) => problemOf(entry, at, {uids, writers});
	const names = path.split(sep);
	let folder: string = sep;
	let links = 0;
	const problem = problemAt(lookAt(sep), sep);
	if (problem !== undefined) return problem;
	for (let name = names.shift(); name !== undefined; name = names.shift()) {
		if (name === '' || name === '.') continue;
		if (name === '..') {
			folder = dirname(folder);
			continue;
		}
		const at = join(folder, name);
		const entry = lookAt(at);
		const found = problemAt(entry, at);
		if (found !== undefined) return found;
		if (entry.kind !== 'link') {
			folder = at;
			continue;
		}
		links += 1;
		if (links > maxLinks) return {reason: 'misshapen', path: at};
		names.unshift(...entry.target.split(sep));
		if (isAbsolute(entry.target)) folder = sep;
	}
	return undefined;
}

const maxLinks = 40;
const othersWrite = 0o022;
const sticky = 0o1000;

function problemOf(
	{kind, uid, mode}: PathEntry,
	path: string,
	{uids, writers}: {readonly uids: readonly number[]; readonly writers: number},
): UnsafeEntry | undefined {
	if (kind === 'other') return {reason: 'misshapen', path};
	if (!uids.includes(uid)) return {reason: 'foreign', path};
	const isOpen = kind === 'directory' && (mode & writers) !== 0 && (mode & sticky) === 0;
	return isOpen ? {reason: 'open', path} : undefined;
}

function lookAtDisk(path: string): PathEntry {
	const stats = lstatSync(path);
	if (stats.isSymbolicLink()) return {kind: 'link', uid: stats.uid, mode: stats.mode, target: readlinkSync(path)};
	return {kind: stats.isDirectory() ? 'directory' : 'other', uid: stats.uid, mode: stats.mode};
}
