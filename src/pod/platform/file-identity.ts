import {existsSync} from 'node:fs';
import {systemOf} from './system.ts';

/** What identifies a file or folder on this machine, whatever its name is: its device and its inode. */
export type FileIdentity = {readonly dev: number; readonly ino: number};

/** Returns the identity as a text. A lock has it in its file. */
export function identityOf({dev, ino}: FileIdentity): string {
	return `${dev}:${ino}`;
}

/** Tells whether two stats describe the same file. Nothing is the same as a file that is missing. */
export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
	return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Returns a path that leads to what is open, whatever its name is now. Only a system with handle paths has it. */
export function handleOf(fd: number): string {
	return `/proc/self/fd/${fd}`;
}

/** Whether the system gives an open file its own path, `/proc/self/fd/N`. No swapped link can redirect that path. */
export const hasHandlePaths = systemOf().hasProc && existsSync('/proc/self/fd');
