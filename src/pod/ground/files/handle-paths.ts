import {existsSync} from 'node:fs';

/** Whether the system gives an open file its own path, `/proc/self/fd/N`. No swapped link can redirect that path. */
export const hasHandlePaths = process.platform === 'linux' && existsSync('/proc/self/fd');
