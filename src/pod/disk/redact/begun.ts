import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {Files} from '../files.ts';

/** Returns the folder in a session's folder that exists while files of the session are replaced. */
export function replacementFolder(dir: string): string {
	return join(dir, 'redaction');
}

/** Tells whether a replacement of files in this session's folder has begun and is not finished. */
export async function isBegun(dir: string, files: Files): Promise<boolean> {
	try {
		await files.stat(replacementFolder(dir));
		return true;
	} catch (error) {
		if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
		throw error;
	}
}
