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

/** Bytes of one file that are kept at most. */
export const maxBackupBytes = 16 * 1024 * 1024;

/** The folder of a session that holds what stood in files before they were changed, each content under its sha256. */
export function backupsDir(dir: string): string {
	return join(dir, 'kept');
}

/**
Keeps the bytes of a file that is about to be changed with the session, so that a rewind can put them back. They are
durable when it resolves.
`sha256` is theirs, hex. The session's folder is made where its first commit has not made it yet. Rejects never: why
they are not kept is a sentence.
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
		if (await isKept(join(folder, sha256), bytes.length, files)) return {ok: true};
		await makeDir(files, folder);
		await writeWhole(folder, sha256, bytes, files);
		return {ok: true};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return {ok: false, sentence: failureSentence(failureOf(cause), folder, cause)};
	}
}

/** The bytes that are kept under a hash. `undefined`: they are not, or are no longer what was kept. */
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
Gives another session what this one keeps under these hashes, as links where the disk has them. Answers how many could
not be given.
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

/** A name appears with its whole content or not at all. */
async function isKept(path: string, size: number, files: Files): Promise<boolean> {
	return files.stat(path).then(
		stat => stat.size === size,
		() => false,
	);
}

async function writeWhole(folder: string, name: string, bytes: Uint8Array, files: Files): Promise<void> {
	const draft = join(folder, `${name}.${randomBytes(4).toString('hex')}.new`);
	const file = await files.open(draft, 'wx', fileMode);
	try {
		await writeAt(file, bytes, 0);
		await file.datasync();
		await files.rename(draft, join(folder, name));
	} catch (cause) {
		await quietly(files.unlink(draft));
		throw cause;
	} finally {
		await file.close();
	}
	await syncDir(files, folder);
}
