import {existsSync, readFileSync} from 'node:fs';
import {errorCode} from '../ground/files/fs-error.ts';
import {systemOf} from './system.ts';

/**
The users of Unix. Windows has none, but inkpod runs there only in WSL: an id that is missing equals that of no file.
*/
const noId = -1;

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

/**
The uid that the system reports for an owner whom the user namespace of this process does not map, in a container or a
sandbox (`/proc/sys/kernel/overflowuid`). Such an owner counts as the system: `/` and `/usr` belong to it there.
*/
const overflowUid = 65_534;

/** Returns the uid of unmapped owners, if this process can meet one. Elsewhere it is an ordinary user, `nobody`. */
export function unmappedOwners(): readonly number[] {
	known ??= systemOf().hasProc && !mapsOverflowUid(readMap()) ? [overflowUid] : [];
	return known;
}

let known: readonly number[] | undefined;

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

/** Without /proc this is likely a sandbox. A system without user namespaces has /proc and maps every uid to itself. */
function readMap(): string {
	try {
		return readFileSync('/proc/self/uid_map', 'utf8');
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return existsSync('/proc/self') ? `0 0 ${2 ** 32 - 1}` : '';
	}
}
