import type {Env} from '../../ground/env/env.ts';
import type {Cache} from './caches.ts';
import {contains} from '../../ground/files/contains.ts';
import type {DescriptorContents} from '../../platform/process-identity.ts';
import type {ConfinedFile} from './generated-files.ts';
import type {Place} from './places.ts';
import type {Shown, Link} from './shown.ts';

/**
Everything that a confined command can reach. All paths are real paths, except that a path of `shown` may be the name
under which programs look for the folder.
*/
export type Walls = {
	readonly pwd: string;
	readonly isWritable: boolean;
	/** Private folders of the command, which are empty at first: /tmp, and usually the home folder. */
	readonly own: readonly string[];
	/**
	Everything that the command can only read: the system, tool chains, added folders, and the repository around the
	project.
	*/
	readonly shown: readonly Shown[];
	readonly links: readonly Link[];
	/** Files with contents from inkpod, and copies of small files of the system. */
	readonly files: readonly ConfinedFile[];
	/**
	The writable folders besides `pwd`: folders that the user named, and the git folder of a worktree in a writable
	scope.
	*/
	readonly writable: readonly string[];
	readonly caches: readonly Cache[];
	/**
	Maps a path to the folder that is mounted there instead of the real folder. The map applies to the paths of `pwd`,
	`writable`, `caches`, `readOnly` and `held`, and to all paths below them.
	*/
	readonly sources: ReadonlyMap<string, string>;
	/** Writable folders that the command cannot rename. */
	readonly held: readonly Place[];
	/** Files and folders that other programs run. They are read-only although they are inside writable folders. */
	readonly readOnly: readonly Place[];
	/**
	Places inside the folders of the fields above that the command cannot see: inkpod's own folders, and sockets of
	other programs.
	*/
	readonly covered: readonly Place[];
	/** Secrets of the project, and the files that a command finds in their places. */
	readonly hidden: readonly Shown[];
	/** `none`: a separate network that contains only loopback. */
	readonly network: 'open' | 'none';
	/**
	The filter of system calls in the kernel's format. Absent for processors whose system calls inkpod does not know.
	*/
	readonly filter: Uint8Array | undefined;
	/**
	The ids of the command in its user namespace. There, the command cannot create another user namespace. Absent if
	there is no user namespace.
	*/
	readonly user: {readonly uid: number; readonly gid: number} | undefined;
	/**
	Variables that only the command gets, because they would change the behaviour of the programs around the command.
	*/
	readonly variables?: Env;
};

/** A descriptor with its number, and the contents that a program reads from it. */
type Descriptor = DescriptorContents & {readonly fd: number};

/** Returns the descriptors that the arguments name. Their numbers begin at 4. */
export function bwrapDescriptors({filter, files}: Pick<Walls, 'filter' | 'files'>): readonly Descriptor[] {
	const all = [...(filter === undefined ? [] : [{bytes: filter}]), ...files];
	return all.map((contents, index) => ({...contents, fd: firstDescriptor + index}));
}

/** The first descriptor of the files. Descriptor 3 is the socket of a cell. */
const firstDescriptor = 4;

/**
Returns the arguments of bubblewrap. A later row of the table covers an earlier row. The root folder is empty at first.
*/
export function bwrapArguments(walls: Walls): readonly string[] {
	const {pwd, network, user, filter} = walls;
	const folders = walls.covered.filter(({isFolder}) => isFolder).map(({path}) => path);
	const firstFile = firstDescriptor + (filter === undefined ? 0 : 1);
	const rows: ReadonlyArray<readonly string[]> = [
		// All processes end with the command. It has no terminal, sees no other processes, and has no privileges.
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
		...walls.hidden.map(({path, source}) => ['--bind', source, path]),
		...folders.map(path => ['--remount-ro', path]),
		pwd === '/' ? [] : ['--remount-ro', '/'],
		['--chdir', pwd],
		...Object.entries(walls.variables ?? {}).map(([name, value = '']) => ['--setenv', name, value]),
	];
	return [...rows.flat(), '--'];
}

/** A mount at or in a folder in which commands write. */
type ProjectMount = {readonly path: string; readonly kind: 'top' | 'same' | 'own'};

/**
Returns the project mounts in the order of the arguments. A `top` or `same` mount shows the folder or file at its path.
An `own` mount shows something else. A `same` mount is inside a `top` mount.
*/
export function projectMounts(walls: Walls): readonly ProjectMount[] {
	const folders = foldersOf(walls).flatMap(({words, kind}): readonly ProjectMount[] =>
		kind === undefined ? [] : [{path: words.at(-1) ?? '', kind}],
	);
	const files = [...walls.covered.filter(({isFolder}) => !isFolder), ...walls.hidden];
	return [...folders, ...files.map(({path}) => ({path, kind: 'own' as const}))];
}

type Row = {readonly words: readonly string[]; readonly kind?: ProjectMount['kind']};

/** Returns the mounts of folders and of read-only files. Each folder comes before its contents. */
function foldersOf(walls: Walls): readonly Row[] {
	const {pwd, isWritable, sources, writable} = walls;
	const project = isWritable ? '--bind' : '--ro-bind';
	const from = (path: string) => sourceOf(path, sources);
	const tops = [pwd, ...writable];
	// A folder inside another writable folder is `same`, unless it has its own layer.
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
		// A command cannot rename a folder that is a mount point.
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

/**
Returns the path that is mounted at a path: the same relative path in the source of the nearest folder with a source.
*/
function sourceOf(path: string, sources: Walls['sources']): string {
	let place = '';
	for (const each of sources.keys())
		if ((path === each || path.startsWith(`${each}/`)) && each.length > place.length) place = each;
	return `${sources.get(place) ?? place}${path.slice(place.length)}`;
}
