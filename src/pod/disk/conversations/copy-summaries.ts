import {errorCode} from '../../ground/files/fs-error.ts';
import {copyFile} from '../bodies/copy-file.ts';
import type {Files} from '../files.ts';
import {historyFile, sideDir, sideId} from '../paths.ts';

/**
Copies side sessions from one session's folder to another's, byte by byte, so that their chains stay the same. Returns
the ids of those that could not be copied. An id may come from a history by someone else.
*/
export async function copySummaries(
	from: string,
	to: string,
	ids: readonly string[],
	files: Files,
): Promise<readonly string[]> {
	const failed: string[] = [];
	for (const id of ids) {
		if (!sideId.test(id) || !(await isCopied(id, {from, to}, files))) failed.push(id);
	}
	return failed;
}

async function isCopied(
	id: string,
	{from, to}: {readonly from: string; readonly to: string},
	files: Files,
): Promise<boolean> {
	try {
		await copyFile(historyFile(sideDir(from, id)), historyFile(sideDir(to, id)), maxBytes, files);
		return true;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return false;
	}
}

/**
The maximum size of a copied file. The conversation of a compaction fits in the model's window and is much smaller, so
only a wrong file can exceed this limit.
*/
const maxBytes = 256 * 1024 * 1024;
