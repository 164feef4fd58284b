import {lstat} from 'node:fs/promises';

/** Whether a name exists. A dangling link does: the person hears of it, rather than of what lies further up. */
export async function isThere(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
	);
}
