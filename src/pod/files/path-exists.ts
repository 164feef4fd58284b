import {lstat} from 'node:fs/promises';
import {errorCode} from './fs-error.ts';

/** Whether a name exists. A dangling link does: the person hears of it, rather than of what lies further up. */
export async function pathExists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(error: unknown) => !['ENOENT', 'ENOTDIR'].includes(errorCode(error)),
	);
}
