import {en} from '../../../language/index.ts';
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, recordedFailure, realFiles, type Files} from '../files.ts';
import {readHashed, saveHashed, shareHashed, type HashedFolder} from './hashed-files.ts';

/** The maximum number of bytes of a file that gets a backup. */
export const maxBackupBytes = 16 * 1024 * 1024;

/**
Returns the backup folder of a session. It contains the earlier contents of changed files, each under its sha256.
*/
export function backupsDir(dir: string): string {
	return join(dir, 'kept');
}

/**
Saves the bytes of a file with the session before a change, so that a rewind can restore them. The bytes are durable
when the promise resolves. `sha256` is the hash of the bytes in hex. It creates the session's folder if that does not
exist yet. It never rejects: it returns a sentence about a failure.
*/
export async function saveBackup(
	dir: string,
	sha256: string,
	bytes: Uint8Array,
	files: Files = realFiles,
): Promise<{readonly ok: true} | {readonly ok: false; readonly sentence: string}> {
	if (bytes.length > maxBackupBytes)
		return {ok: false, sentence: en`it is larger than ${maxBackupBytes / 1024 / 1024} MiB`};
	const backups = backupsOf(dir);
	try {
		await saveHashed(backups, sha256, bytes, files);
		return {ok: true};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return {ok: false, sentence: recordedFailure(failureOf(cause), backups.folder, cause)};
	}
}

/** Returns the backup with this hash, or `undefined` if the backup is missing or was changed. */
export async function readBackup(dir: string, sha256: string, files: Files = realFiles): Promise<Buffer | undefined> {
	return readHashed(backupsOf(dir), sha256, files);
}

/**
Shares the backups with these hashes with another session, as hard links if the disk supports them.
Returns the number of backups that could not be shared.
*/
export async function shareBackups(
	from: string,
	to: string,
	hashes: Iterable<string>,
	files: Files = realFiles,
): Promise<number> {
	return shareHashed(backupsOf(from), backupsOf(to), hashes, files);
}

function backupsOf(dir: string): HashedFolder {
	return {folder: backupsDir(dir), maxBytes: maxBackupBytes};
}
