import {constants, existsSync} from 'node:fs';
import {copyFile, open} from 'node:fs/promises';
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {handleOf} from '../../platform/file-identity.ts';

/**
Copies the index of the repository in a folder, so that it can be compared later. If there is no index or it is very
large, the function makes no copy.
*/
export async function keepIndex(folder: string, copy: string): Promise<void> {
	const {O_RDONLY, O_NONBLOCK, O_NOFOLLOW, COPYFILE_FICLONE} = constants;
	const path = join(folder, '.git/index');
	// This check is faster than the error for a missing file.
	if (!existsSync(path)) return;
	try {
		// Another command may put a link or a FIFO in place of the index.
		await using file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
		const stats = await file.stat();
		if (stats.isFile() && stats.size <= maxKeptBytes) await copyFile(handleOf(file.fd), copy, COPYFILE_FICLONE);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
	}
}

/** The size of an index of about 500,000 files. */
export const maxKeptBytes = 64 * 1024 * 1024;
