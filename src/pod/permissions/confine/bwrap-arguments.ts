import type {Env} from '../../ground/env/env.ts';
import type {Cache} from './caches.ts';
import {contains} from '../../ground/files/contains.ts';
import type {DescriptorContents} from '../../platform/process-identity.ts';
import type {ConfinedFile} from './generated-files.ts';
import type {Place} from './places.ts';
import type {Shown, Link} from './shown.ts';

/**
What a confined command can reach: nothing but this. All paths are real paths, except that the path of a shown place may
be the name under which programs look for it.
*/
export type Walls = {
	readonly pwd: string;
	readonly isWritable: boolean;
	/** Folders that are empty at first, and the command's own: /tmp, and usually the home folder. */
	readonly own: readonly string[];
	/** What is read-only: the system, tool chains, added folders, and the repository around the project. */
	readonly shown: readonly Shown[];
	readonly links: readonly Link[];
	/** Files with contents that inkpod wrote, and copies of small files of the system. */
	readonly files: readonly ConfinedFile[];
	/** Folders that are writable: those that the user named, and the git folder of a worktree in a writable scope. */
	readonly writable: readonly string[];
	readonly caches: readonly Cache[];
	/**
	What is mounted at a place instead of the place itself. The names below it are those of the source. It applies to
	`pwd`, `writable`, `caches`, `readOnly` and `held`, and everything in them.
	*/
	readonly sources: ReadonlyMap<string, string>;
	/** Writable folders that keep their names. */
	readonly held: readonly Place[];
	/** What other programs run: read-only again inside the writable folders. */
	readonly readOnly: readonly Place[];
	/** inkpod's own folders, and sockets on which programs listen, as far as they are inside of a place above. */
	readonly covered: readonly Place[];
	/** `none`: a network of its own, with nothing in it but loopback. */
	readonly network: 'open' | 'none';
	/** The filter of system calls in the kernel's format. It is absent for processors whose calls inkpod does not know. */
	readonly filter: Uint8Array | undefined;
	/** The ids of the command in its user namespace, in which it cannot create another one. Absent without namespace. */
	readonly user: {readonly uid: number; readonly gid: number} | undefined;
	/** Variables that only the command gets, because the programs around it would obey them. */
	readonly variables?: Env;
};

/** What a program reads from a descriptor with this number. */
type Descriptor = DescriptorContents & {readonly fd: number};

/** Returns the descriptors that the arguments name. Their numbers are 4 and those that follow. */
export function bwrapDescriptors({filter, files}: Pick<Walls, 'filter' | 'files'>): readonly Descriptor[] {
	const all = [...(filter === undefined ? [] : [{bytes: filter}]), ...files];
	return all.map((contents, index) => ({...contents, fd: firstDescriptor + index}));
}

/** Descriptor 3 is the socket of a cell. */
const firstDescriptor = 4;

/**
Returns the arguments of bubblewrap. Read this table from top to bottom: a later line covers an earlier one. The root is
an empty folder at first.
*/
export function bwrapArguments(walls: Walls): readonly string[] {
	const {pwd, network, user, filter} = walls;
	const folders = walls.covered.filter(({isFolder}) => isFolder).map(({path}) => path);
	const firstFile = firstDescriptor + (filter === undefined ? 0 : 1);
	const rows: ReadonlyArray<readonly string[]> = [
		// Everything dies with the command, which has no terminal, no other processes and no privileges.
		[
			'--die-with-parent',
			'--new-session',
			'--unshare-pid',
			'--as-pid-1',
			'--unshare-ipc',
			'--unshare-uts',
			'--unshare-cgroup-try',
		],
		user ? ['--unshare-user', '--disable-userns', '--uid', String(user.uid), '--gid', String(user.gid)] : [],
		['--cap-drop', 'ALL'],
		network === 'none' ? ['--unshare-net'] : [],
		filter ? ['--seccomp', String(firstDescriptor)] : [],
		...['/etc', '/var'].map(path => ['--dir', path]),
		...foldersOf(walls).map(({words}) => words),
		['--dev', '/dev'],
		// Read-only, because root may write the settings of the kernel even without privileges.
		['--proc', '/proc', '--remount-ro', '/proc'],
		...walls.links.map(({path, target}) => ['--symlink', target, path]),
		...walls.files.map((file, index) => {
			const mode = 'mode' in file ? file.mode : 0o644;
			return ['--perms', mode.toString(8), '--file', String(firstFile + index), file.path];
		}),
		...walls.covered.filter(({isFolder}) => !isFolder).map(({path}) => ['--ro-bind', '/dev/null', path]),
		...folders.map(path => ['--remount-ro', path]),
		pwd === '/' ? [] : ['--remount-ro', '/'],
		['--chdir', pwd],
		...Object.entries(walls.variables ?? {}).map(([name, value = '']) => ['--setenv', name, value]),
	];
	return [...rows.flat(), '--'];
}

/** A mount that depends on folders in which commands write. */
type ProjectMount = {readonly path: string; readonly kind: 'top' | 'same' | 'own'};

/** Returns these mounts in the order of the arguments. `top` and `same` show what is at their path, `own` does not. */
export function projectMounts(walls: Walls): readonly ProjectMount[] {
	const folders = foldersOf(walls).flatMap(({words, kind}): readonly ProjectMount[] =>
		kind === undefined ? [] : [{path: words.at(-1) ?? '', kind}],
	);
	const files = walls.covered.filter(({isFolder}) => !isFolder);
	return [...folders, ...files.map(({path}) => ({path, kind: 'own' as const}))];
}

type Row = {readonly words: readonly string[]; readonly kind?: ProjectMount['kind']};

/** Returns the mounts of folders, and of what is read-only. Each folder comes before what is in it. */
function foldersOf(walls: Walls): readonly Row[] {
	const {pwd, isWritable, sources, writable} = walls;
	const project = isWritable ? '--bind' : '--ro-bind';
	const from = (path: string) => sourceOf(path, sources);
	const tops = [pwd, ...writable];
	// What is in another one is a part of it, unless it has a layer of its own.
	const kindOf = (path: string) =>
		!sources.has(path) && tops.some(top => top !== path && contains(top, path)) ? 'same' : 'top';
	return outerFirst([
		...walls.own.map(path => ({words: ['--tmpfs', path], ...(tops.includes(path) && {kind: 'own' as const})})),
		...walls.shown.map(({path, source}) => ({
			words: ['--ro-bind-try', path === source ? from(path) : source, path],
			...(path === source && kindOf(path) === 'same' && {kind: 'same' as const}),
		})),
		...walls.caches.map(({path, own}) => ({words: ['--bind', sources.get(path) ?? own, path]})),
		...writable.map(path => ({words: ['--bind', from(path), path], kind: kindOf(path)})),
		{words: [project, from(pwd), pwd], kind: kindOf(pwd)},
		// A mounted folder cannot be renamed.
		...walls.held.map(({path}) => ({words: [project, from(path), path], kind: 'same' as const})),
		...walls.readOnly.map(({path}) => ({words: ['--ro-bind', from(path), path], kind: 'same' as const})),
		...walls.covered
			.filter(({isFolder}) => isFolder)
			.map(({path}) => ({words: ['--tmpfs', path], kind: 'own' as const})),
	]);
}

/** Sorts rows by the depth of their last word, which is a path. */
function outerFirst(rows: readonly Row[]): readonly Row[] {
	const depth = ({words}: Row) => (words.at(-1) ?? '').split('/').filter(name => name !== '').length;
	return rows.toSorted((one, other) => depth(one) - depth(other));
}

/** Returns what is mounted at a path: the path in the source of the nearest folder that has one. */
function sourceOf(path: string, sources: Walls['sources']): string {
	let place = '';
	for (const each of sources.keys())
		if ((path === each || path.startsWith(`${each}/`)) && each.length > place.length) place = each;
	return `${sources.get(place) ?? place}${path.slice(place.length)}`;
}
