import {existsSync, readFileSync} from 'node:fs';
import {errorCode} from '../ground/files/fs-error.ts';

/**
What differs by system, apart from the code in this folder. A port adds an entry to `systems`, and the types then show
which code needs its words.
*/
type Differences = {
	/** The program that stores keys. */
	readonly keychain: 'secret-tool' | 'security';
	/** The program that opens an address in the user's browser. */
	readonly browser: 'xdg-open' | 'open';
	/** The program that confines commands. */
	readonly sandbox: 'bwrap' | 'sandbox-exec' | undefined;
	/** What starts the programs of a user. */
	readonly supervisor: 'systemd' | 'launchd';
	/** Whether `/proc` describes processes and open files. */
	readonly hasProc: boolean;
	/** Whether file systems usually take names for the same that differ in case. */
	readonly foldsNames: boolean;
	/** The maximum bytes of a socket's path (sun_path in unix(7)). */
	readonly maxSocketPath: number;
	/** The maximum bytes of one argument of a program, with its final zero. */
	readonly maxArgument: number;
};

type System = Differences & {readonly name: NodeJS.Platform};

/** Returns the facts about a system, usually the one that inkpod runs on. */
export function systemOf(name: NodeJS.Platform = process.platform): System {
	return {...(systems[name] ?? unix), name};
}

/** Returns the user who started this process. */
export function ownUid(): number {
	return process.getuid?.() ?? noId;
}

/** Returns the ids by which the system judges what this process may do. */
export function effectiveIds(): {readonly uid: number; readonly gid: number} {
	return {uid: process.geteuid?.() ?? noId, gid: process.getegid?.() ?? noId};
}

/** Returns the groups of this process. */
export function ownGroups(): readonly number[] {
	return [effectiveIds().gid, ...(process.getgroups?.() ?? [])];
}

/** Returns the uid of unmapped owners, if this process can meet one. Elsewhere it is an ordinary user, `nobody`. */
export function unmappedOwners(): readonly number[] {
	known ??= systemOf().hasProc && !mapsOverflowUid(readMap()) ? [overflowUid] : [];
	return known;
}

/**
Tells whether a map (user_namespaces(7)) contains the uid. Each line has the first uid inside, the first one outside,
and their number. Without a map, nothing is known to be mapped.
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
The users of Unix. Windows has none, but inkpod runs there only in WSL: an id that is missing equals that of no file.
*/
const noId = -1;

/**
The uid that the system reports for an owner whom the user namespace of this process does not map, in a container or a
sandbox (`/proc/sys/kernel/overflowuid`). Such an owner counts as the system: `/` and `/usr` belong to it there.
*/
const overflowUid = 65_534;

let known: readonly number[] | undefined;

/** Without /proc this is likely a sandbox. A system without user namespaces has /proc and maps every uid to itself. */
function readMap(): string {
	try {
		return readFileSync('/proc/self/uid_map', 'utf8');
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return existsSync('/proc/self') ? `0 0 ${2 ** 32 - 1}` : '';
	}
}
