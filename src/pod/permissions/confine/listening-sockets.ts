import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {dirname, isAbsolute, join, relative as relativePath} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {canBeEntered, type Shown} from './shown.ts';

/**
Returns the socket files that a program on this machine has bound and that can be reached (proc(5), /proc/net/unix). A
relative path starts from the working folder of the program, which is found through its descriptors in /proc. `folders`:
more folders in which a relative path is tried, because the folder of another user's program is unknown. `places`:
where confined commands see other folders. A socket that such a command has bound is in the source folder.
*/
export function listeningSockets(folders: readonly string[], places: readonly Shown[] = []): readonly string[] {
	const bound = boundSockets();
	const relative = bound.filter(({path}) => !isAbsolute(path));
	const owners = ownersOf(relative.map(({inode}) => inode));
	const paths = bound.flatMap(({path, inode}) =>
		isAbsolute(path) ? [path] : [...(owners.get(inode) ?? []), ...folders].map(folder => join(folder, path)),
	);
	const sources = paths.flatMap(named =>
		places
			.filter(({path}) => contains(path, named))
			.map(({path, source}) => join(source, relativePath(path, named))),
	);
	return [...new Set([...paths, ...sources])].filter(isSocket);
}

type Bound = {readonly inode: string; readonly path: string};

/** Returns the sockets with a path. A stream socket counts only if it listens. A datagram socket always counts. */
function boundSockets(): readonly Bound[] {
	const text = contents('/proc/net/unix');
	const found = text.matchAll(/^\S+: \S+ \S+ (\S+) (\S+) \S+ +(\d+) ([^@\n].*)$/gm);
	return [...found].flatMap(([, flags = '', type, inode = '', path = '']) =>
		type === datagram || (Number.parseInt(flags, 16) & listens) !== 0 ? [{inode, path}] : [],
	);
}

const datagram = '0002';
/** The flag __SO_ACCEPTCON (linux/net.h). */
const listens = 0x1_00_00;

/** Returns the working folders of the processes that have these sockets open. Reads a limited number of descriptors. */
function ownersOf(inodes: readonly string[]): ReadonlyMap<string, readonly string[]> {
	const wanted = new Set(inodes.filter(inode => !known.has(inode)));
	for (const inode of known.keys()) if (!inodes.includes(inode)) known.delete(inode);
	for (const inode of wanted) known.set(inode, []);
	let left = wanted.size === 0 ? 0 : maxDescriptors;
	for (const pid of left === 0 ? [] : names('/proc').filter(name => /^\d+$/.test(name))) {
		for (const fd of names(`/proc/${pid}/fd`)) {
			if (left-- <= 0) return known;
			const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(target(`/proc/${pid}/fd/${fd}`)) ?? [];
			if (wanted.has(inode)) known.set(inode, [...(known.get(inode) ?? []), target(`/proc/${pid}/cwd`)]);
		}
	}
	return known;
}

/** A cache of the folders of sockets by inode. The kernel does not reuse an inode number soon. */
const known = new Map<string, readonly string[]>();
const maxDescriptors = 20_000;

/**
Tells whether a path is a socket in a folder that can be entered. inkpod cannot cover any other socket, but a command
cannot reach it, either.
*/
function isSocket(path: string): boolean {
	try {
		return lstatSync(path).isSocket() && canBeEntered(dirname(path));
	} catch {
		return false;
	}
}

function contents(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}

function names(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function target(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}
