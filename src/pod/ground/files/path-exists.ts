import {lstat} from 'node:fs/promises';
import {errorCode} from './fs-error.ts';

/**
Tells whether a path exists. A dangling link counts as existing, so that inkpod reports it instead of using a file in a
parent folder.
*/
export async function pathExists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(error: unknown) => !['ENOENT', 'ENOTDIR'].includes(errorCode(error)),
	);
}
