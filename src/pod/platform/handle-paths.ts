import {existsSync} from 'node:fs';
import {systemOf} from './system.ts';

/** Returns a path that leads to what is open, whatever its name is now. Only a system with handle paths has it. */
export function handleOf(fd: number): string {
	return `/proc/self/fd/${fd}`;
}

/** Whether the system gives an open file its own path, `/proc/self/fd/N`. No swapped link can redirect that path. */
export const hasHandlePaths = systemOf().hasProc && existsSync('/proc/self/fd');
