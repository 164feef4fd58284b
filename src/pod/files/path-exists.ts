import {lstat} from 'node:fs/promises';
import {errorCode} from './fs-error.ts';

/** Tells whether a name exists. A dangling link exists, so it is reported instead of a file in a parent folder. */
export async function pathExists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(error: unknown) => !['ENOENT', 'ENOTDIR'].includes(errorCode(error)),
	);
}
