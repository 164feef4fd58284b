import {existsSync} from 'node:fs';
import {systemOf} from './system.ts';

/**
The device and the inode of a file or folder. These numbers identify the file or folder on this machine, even under
another name.
*/
export type FileIdentity = {readonly dev: number; readonly ino: number};

/** Returns the identity as the text `device:inode`. */
export function identityOf({dev, ino}: FileIdentity): string {
	return `${dev}:${ino}`;
}

/** Tells whether two stats describe the same file. A missing file is not the same as any other. */
export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
	return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/**
Returns a path of an open file or folder, which stays valid if somebody renames the file or folder. Such a path exists
only on systems with handle paths.
*/
export function handleOf(fd: number): string {
	return `/proc/self/fd/${fd}`;
}

/** Whether the system gives an open file its own path, `/proc/self/fd/N`. No swapped link can redirect that path. */
export const hasHandlePaths = systemOf().hasProc && existsSync('/proc/self/fd');
