import {t} from '../../language/index.ts';
import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {configDirectory, type Env} from '../ground/env/env.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {ownUid} from '../platform/system.ts';
import {
	foreignOpened,
	foreignSentence,
	ownersOf,
	reasonOf,
	strictOwners,
	type Finding,
	type Foreign,
} from './owners.ts';
import type {Owners} from './scope.ts';

/**
The whole text of a configuration file, or the reason for a failure. `sentence` names the file and is safe to print.
*/
type SmallFile = {readonly ok: true; readonly text: string} | NoSmallFile;
export type NoSmallFile =
	| {readonly ok: false; readonly reason: 'missing' | 'unreadable'; readonly sentence: string}
	/** Another user could have written the file. */
	| {readonly ok: false; readonly reason: 'foreign'; readonly sentence: string; readonly foreign: Foreign};

/** `top` is the folder where inkpod found a file of a project. Absent for a file that the user named. */
export type SmallFileOptions = {
	readonly maxBytes: number;
	readonly top?: Finding['top'] | undefined;
	readonly owners?: Owners | undefined;
};

/**
Reads a file of at most `maxBytes`, whatever size the file reports. The file is opened without waiting, so a FIFO cannot
delay the start. If `top` is given, the owner of the opened file is checked.
*/
export async function readSmall(
	file: string,
	{maxBytes, top, owners = strictOwners}: SmallFileOptions,
): Promise<SmallFile> {
	try {
		await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
		if (!(await handle.stat()).isFile()) return unreadable(t`${nameOf(file)} is not a regular file.`);
		const foreign = top === undefined ? undefined : foreignOpened(handle.fd, {top, named: file}, owners);
		if (foreign !== undefined)
			return {ok: false, reason: 'foreign', sentence: foreignSentence(t, foreign, owners), foreign};
		const bytes = await readUpTo(maxBytes + 1, handle);
		if (bytes.length > maxBytes) {
			const bound = t`${maxBytes / 1024} KB, the most that inkpod reads of such a file`;
			return unreadable(t`${nameOf(file)} is larger than ${bound}. Make it shorter.`);
		}
		return {ok: true, text: new TextDecoder('utf-8', {fatal: true}).decode(bytes)};
	} catch (error) {
		if (error instanceof TypeError) return unreadable(t`${nameOf(file)} is not UTF-8 text. Save it as UTF-8.`);
		const code = errorCode(error);
		if (code === '') throw error;
		if (missing.has(code)) return {ok: false, reason: 'missing', sentence: t`${nameOf(file)} does not exist.`};
		return unreadable(t`${nameOf(file)} cannot be read (${code}).`);
	}
}

/**
Returns the `readSmall` options for the user's own configuration. Only the user and root may be able to write its files.
*/
export function ownFile(env: Env): Required<Pick<SmallFileOptions, 'top' | 'owners'>> {
	return {top: configDirectory(env), owners: {...ownersOf(env), strictGroups: true}};
}

/** Returns a sentence that explains why a file of the user's own configuration is not used, and what to do. */
export function ownFileSentence({path, at, why}: Foreign): string {
	const reason = reasonOf(t, why, at === path ? undefined : nameOf(at));
	const command = `chown ${why.kind === 'owner' && why.isLink ? '-h ' : ''}${ownUid()} ${nameOf(at)}`;
	return why.kind === 'owner'
		? t`${nameOf(path)} is not used: ${reason}. Check its contents, then run as root: ${command}.`
		: t`${nameOf(path)} is not used: ${reason}. Check its contents, then run: chmod go-w ${nameOf(at)}.`;
}

/** Returns a path for a sentence. A path with unusual characters is quoted. */
export function nameOf(file: string): string {
	return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(file) ? file : quoteUntrusted(file);
}

/** Reads the first bytes of an open file, whatever size the file reports. Throws system errors. */
export async function readUpTo(maxBytes: number, handle: FileHandle): Promise<Buffer> {
	const buffer = Buffer.alloc(maxBytes);
	let length = 0;
	while (length < maxBytes) {
		const {bytesRead} = await handle.read(buffer, length, maxBytes - length, length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return buffer.subarray(0, length);
}

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

function unreadable(sentence: string): NoSmallFile {
	return {ok: false, reason: 'unreadable', sentence};
}
