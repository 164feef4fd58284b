import {hash, randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {errorCode} from '../files/fs-error.ts';
import {
	failureOf,
	failureSentence,
	fileMode,
	makeDir,
	openFile,
	quietly,
	readAt,
	realFiles,
	syncDir,
	writeAt,
	type Files,
} from './files.ts';

/** The maximum bytes of a file that gets a backup. */
export const maxBackupBytes = 16 * 1024 * 1024;

/**
Returns the backup folder of a session. It contains the earlier contents of changed files, each under its sha256.
*/
export function backupsDir(dir: string): string {
	return join(dir, 'kept');
}

/**
Saves the bytes of a file with the session before a change, so that a rewind can restore them.
They are durable when it resolves. `sha256` is their hash in hex.
It creates the session's folder if that does not exist yet. It never rejects, and returns a sentence about a failure.
*/
export async function saveBackup(
	dir: string,
	sha256: string,
	bytes: Uint8Array,
	files: Files = realFiles,
): Promise<{readonly ok: true} | {readonly ok: false; readonly sentence: string}> {
	if (bytes.length > maxBackupBytes)
		return {ok: false, sentence: `it is larger than ${maxBackupBytes / 1024 / 1024} MiB`};
	const folder = backupsDir(dir);
	try {
		if (await isSaved(join(folder, sha256), bytes.length, files)) return {ok: true};
		await makeDir(files, folder);
		await writeWhole(folder, sha256, bytes, files);
		return {ok: true};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return {ok: false, sentence: failureSentence(failureOf(cause), folder, cause)};
	}
}

/** Returns the backup with a hash, or `undefined` if it is missing or was changed. */
export async function readBackup(dir: string, sha256: string, files: Files = realFiles): Promise<Buffer | undefined> {
	if (!isHash.test(sha256)) return undefined;
	try {
		const file = await openFile(files, join(backupsDir(dir), sha256));
		try {
			const bytes = await readAt(file, 0, Math.min((await file.stat()).size, maxBackupBytes));
			return hash('sha256', bytes, 'hex') === sha256 ? bytes : undefined;
		} finally {
			await file.close();
		}
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
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
	let missing = 0;
	let isMade = false;
	for (const sha256 of hashes) {
		if (!isHash.test(sha256)) continue;
		if (!isMade) await makeDir(files, backupsDir(to));
		isMade = true;
		const isLinked = await files.link(join(backupsDir(from), sha256), join(backupsDir(to), sha256)).then(
			() => true,
			() => false,
		);
		if (isLinked) continue;
		const bytes = await readBackup(from, sha256, files);
		if (bytes === undefined || !(await saveBackup(to, sha256, bytes, files)).ok) missing += 1;
	}
	if (isMade) await syncDir(files, backupsDir(to));
	return missing;
}

const isHash = /^[\da-f]{64}$/;

/** Tells whether a backup is saved. It is renamed into place when it is complete. */
async function isSaved(path: string, size: number, files: Files): Promise<boolean> {
	return files.stat(path).then(
		stat => stat.size === size,
		() => false,
	);
}

async function writeWhole(folder: string, name: string, bytes: Uint8Array, files: Files): Promise<void> {
	const unfinished = join(folder, `${name}.${randomBytes(4).toString('hex')}.new`);
	const file = await files.open(unfinished, 'wx', fileMode);
	try {
		await writeAt(file, bytes, 0);
		await file.datasync();
		await files.rename(unfinished, join(folder, name));
	} catch (cause) {
		await quietly(files.unlink(unfinished));
		throw cause;
	} finally {
		await file.close();
	}
	await syncDir(files, folder);
}
