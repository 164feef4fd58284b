import {existsSync, readFileSync} from 'node:fs';
import {errorCode} from '../ground/files/fs-error.ts';

/**
The differences between operating systems, apart from the code in this folder. To port inkpod, add an entry to
`systems`. Type errors then show which code needs texts for the system.
*/
type Differences = {
	/** The program that stores keys. */
	readonly keychain: 'secret-tool' | 'security';
	/** The program that opens an address in the user's browser. */
	readonly browser: 'xdg-open' | 'open';
	/** The program that confines commands. */
	readonly sandbox: 'bwrap' | 'sandbox-exec' | undefined;
	/** The service manager that starts the programs of a user. */
	readonly supervisor: 'systemd' | 'launchd';
	/** Whether `/proc` describes processes and open files. */
	readonly hasProc: boolean;
	/** Whether file systems usually ignore the case of names. */
	readonly foldsNames: boolean;
	/** The maximum number of bytes of a socket's path (sun_path in unix(7)). */
	readonly maxSocketPath: number;
	/** The maximum number of bytes of one argument of a program, with its final zero. */
	readonly maxArgument: number;
};

type System = Differences & {readonly name: NodeJS.Platform};

/** Returns the facts about a system, usually the system that inkpod runs on. */
export function systemOf(name: NodeJS.Platform = process.platform): System {
	return {...(systems[name] ?? unix), name};
}

/** Returns the user who started this process. */
export function ownUid(): number {
	return process.getuid?.() ?? noId;
}

/** Returns the effective ids, by which the system checks the permissions of this process. */
export function effectiveIds(): {readonly uid: number; readonly gid: number} {
	return {uid: process.geteuid?.() ?? noId, gid: process.getegid?.() ?? noId};
}

/** Returns the groups of this process. */
export function ownGroups(): readonly number[] {
	return [effectiveIds().gid, ...(process.getgroups?.() ?? [])];
}

/**
Returns the uid of unmapped owners, if this process can see files of such owners. Otherwise the result is empty, because
this uid then belongs to an ordinary user, `nobody`.
*/
export function unmappedOwners(): readonly number[] {
	known ??= systemOf().hasProc && !mapsOverflowUid(readMap()) ? [overflowUid] : [];
	return known;
}

/**
Tells whether a map (user_namespaces(7)) contains the uid. Each line contains the first uid inside the namespace, the
first uid outside, and the number of uids. If the map is empty, the result is false.
*/
export function mapsOverflowUid(map: string): boolean {
	return map.split('\n').some(line => {
		const [first = NaN, , count = NaN] = line.trim().split(/\s+/).map(Number);
		return first <= overflowUid && overflowUid < first + count;
	});
}

/** Any other Unix. No one has tested inkpod there. */
const unix: Differences = {
	keychain: 'secret-tool',
	browser: 'xdg-open',
	sandbox: undefined,
	supervisor: 'systemd',
	hasProc: false,
	foldsNames: false,
	maxSocketPath: 103,
	maxArgument: Infinity,
};

const systems: {readonly [name in NodeJS.Platform]?: Differences} = {
	linux: {
		...unix,
		sandbox: 'bwrap',
		hasProc: true,
		maxSocketPath: 107,
		// MAX_ARG_STRLEN in execve(2).
		maxArgument: 128 * 1024,
	},
	darwin: {
		...unix,
		keychain: 'security',
		browser: 'open',
		sandbox: 'sandbox-exec',
		supervisor: 'launchd',
		foldsNames: true,
	},
};

/**
The id on a system without the user ids of Unix. No file has this id. inkpod runs on Windows only in WSL, which has user
ids.
*/
const noId = -1;

/**
The uid that the system reports for an owner whom the user namespace of this process does not map, in a container or a
sandbox (`/proc/sys/kernel/overflowuid`). Such an owner counts as the system, because `/` and `/usr` belong to this
owner there.
*/
const overflowUid = 65_534;

let known: readonly number[] | undefined;

/**
Returns the uid map of this process. If the system has no user namespaces, there is no map, and every uid maps to
itself. If /proc is missing, the process is probably in a sandbox, and the result is empty.
*/
function readMap(): string {
	try {
		return readFileSync('/proc/self/uid_map', 'utf8');
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return existsSync('/proc/self') ? `0 0 ${2 ** 32 - 1}` : '';
	}
}
