import {lstat} from 'node:fs/promises';
import {errorCode} from './fs-error.ts';

/** Whether a name exists. A dangling link does: it is reported instead of a file further up. */
export async function pathExists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(error: unknown) => !['ENOENT', 'ENOTDIR'].includes(errorCode(error)),
	);
}
