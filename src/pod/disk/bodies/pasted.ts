import {hash} from 'node:crypto';
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {mediaType} from '../../ground/files/media-type.ts';
import type {KeptImage} from '../../protocol/kept-image.ts';
import type {ReadMediaFile} from '../../scope/read-media.ts';
import {maxBlobBytes, isHash, readHashed, saveHashed, type HashedFolder, shareHashed} from './hashed-files.ts';
import {failureOf, failureSentence, quietly, realFiles, type Files, recordedFailure} from '../files.ts';
import {pastedTexts} from '../texts.ts';
import {en} from '../../../language/index.ts';

/**
Returns the folder of the pasted images of all sessions. A draft or a queued message refers to an image by its hash
until the message is sent.
*/
export function pastedFolder(stateHome: string): HashedFolder {
	return {folder: join(stateHome, 'pasted'), maxBytes: maxBlobBytes};
}

/**
Saves a pasted image, so that it survives a restart before its message is sent. `data` is base64 of any contents, and is
checked. Also removes the oldest images.
*/
export async function keepPasted(at: HashedFolder, data: string, files: Files = realFiles): Promise<KeptImage> {
	const bytes = Buffer.from(data, 'base64');
	if (bytes.length > at.maxBytes) return {ok: false, sentence: pastedTexts.tooLarge};
	const type = mediaType(bytes);
	if (type?.kind !== 'image') return {ok: false, sentence: pastedTexts.noImage};
	const sha256 = hash('sha256', bytes, 'hex');
	try {
		await saveHashed(at, sha256, bytes, files);
		await removeOld(at, sha256, files);
		return {ok: true, sha256, extension: type.mime.slice('image/'.length).replace('jpeg', 'jpg')};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return {ok: false, sentence: failureSentence(failureOf(cause), at.folder, cause)};
	}
}

/** Returns a pasted image, or `undefined` if its file is missing or was changed. */
export async function readPasted(at: HashedFolder, sha256: string): Promise<ReadMediaFile | undefined> {
	const bytes = await readHashed(at, sha256, realFiles);
	const type = bytes === undefined ? undefined : mediaType(bytes);
	return bytes === undefined || type === undefined ? undefined : {ok: true, type, bytes, sha256};
}

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
when the promise resolves. `sha256` is the hash of the bytes in hex. Creates the session's folder if necessary. Does not
reject if the disk fails, but returns a sentence.
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

/** Removes all images except the latest ones. Images that were sent are also stored with their sessions. */
async function removeOld({folder}: HashedFolder, newest: string, files: Files): Promise<void> {
	const names = (await files.readdir(folder)).filter(name => isHash(name) && name !== newest);
	if (names.length < maxKept) return;
	const found = await Promise.all(
		names.map(async name => {
			const stat = await files.stat(join(folder, name)).catch(() => undefined);
			return {name, at: stat?.mtimeMs ?? 0};
		}),
	);
	const old = found.toSorted((a, b) => b.at - a.at).slice(maxKept - 1);
	for (const {name} of old) await quietly(files.unlink(join(folder, name)));
}

const maxKept = 64;

function backupsOf(dir: string): HashedFolder {
	return {folder: backupsDir(dir), maxBytes: maxBackupBytes};
}
