import type {Place} from './places.ts';

/** What a confined command may reach. All paths are real paths. */
export type Walls = {
	readonly pwd: string;
	readonly isWritable: boolean;
	/** Folders that are readable although they are inside a hidden one, such as a project in /tmp. */
	readonly readRoots: readonly string[];
	/** Further writable folders: caches that the user named. */
	readonly writable: readonly Place[];
	/** What other programs run: read-only again inside the writable folders. */
	readonly readOnly: readonly Place[];
	/** Writable folders that keep their names. */
	readonly held: readonly Place[];
	/** inkpod's state, and secrets. */
	readonly hidden: readonly Place[];
	/** Folders and files with sockets. */
	readonly sockets: readonly Place[];
	/** The files of the resolver that are in a hidden folder. */
	readonly resolver: readonly Place[];
	readonly network: 'open' | 'none';
	/** Whether the command gets a user namespace of its own, in which it cannot create another one. */
	readonly hasUserNamespace: boolean;
};

/**
Returns the arguments of bubblewrap, in the order in which they apply. Read this table from top to bottom: a later line
covers an earlier one.
*/
export function bwrapArguments(walls: Walls): readonly string[] {
	const {pwd, isWritable, network, hasUserNamespace} = walls;
	const rows: ReadonlyArray<readonly string[]> = [
		// Everything dies with the command, which has no terminal, no other processes and no privileges.
		[
			'--die-with-parent',
			'--new-session',
			'--unshare-pid',
			'--unshare-ipc',
			'--unshare-uts',
			'--unshare-cgroup-try',
		],
		hasUserNamespace ? ['--unshare-user', '--disable-userns'] : [],
		['--cap-drop', 'ALL'],
		network === 'none' ? ['--unshare-net'] : [],
		// The whole file system, read-only
		['--ro-bind', '/', '/'],
		['--dev', '/dev'],
		// Read-only, because root may write the settings of the kernel even without privileges.
		['--proc', '/proc', '--remount-ro', '/proc'],
		// Folders with sockets are empty. /tmp is the command's own.
		...walls.sockets.map(hide),
		...walls.resolver.map(({path}) => ['--ro-bind', path, path]),
		// The project
		...walls.readRoots.map(path => ['--ro-bind', path, path]),
		[isWritable ? '--bind' : '--ro-bind', pwd, pwd],
		...walls.writable.map(({path}) => ['--bind', path, path]),
		// A mounted folder cannot be renamed.
		...walls.held.map(({path}) => [isWritable ? '--bind' : '--ro-bind', path, path]),
		...walls.readOnly.map(({path}) => ['--ro-bind', path, path]),
		...walls.hidden.flatMap(place => [hide(place), place.isFolder ? ['--remount-ro', place.path] : []]),
		['--chdir', pwd],
	];
	return [...rows.flat(), '--'];
}

/** An empty folder or file takes the place of a hidden one. */
function hide({path, isFolder}: Place): readonly string[] {
	return isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}
