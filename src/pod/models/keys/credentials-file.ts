import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {z} from 'zod';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {nameOf, readUpTo} from '../../scope/small-file.ts';
import {writePrivateFile} from '../../permissions/trust/private-file.ts';
import {credentialsFile} from './credentials-path.ts';
import {fileTexts} from './texts.ts';

/** The stored key of a provider: the key itself, or a note that the keychain has it. */
type Credential = {readonly key: string} | {readonly keychain: true};
type Credentials = ReadonlyMap<string, Credential>;

type ReadCredentials =
	| {readonly ok: true; readonly credentials: Credentials}
	/** Why the file is not used, as a sentence. */
	| {readonly ok: false; readonly sentence: string};

/**
Reads the file. It must be a regular file of this user, which nobody else can read or change, and no link. A missing
file has no keys.
*/
export async function readCredentials(env: Env): Promise<ReadCredentials> {
	const file = credentialsFile(env);
	const refuse = (sentence: string): ReadCredentials => ({ok: false, sentence});
	try {
		await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const {uid, mode, ...stats} = await handle.stat();
		const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
		if (!isFile) return refuse(fileTexts.notRegular(nameOf(file)));
		if (process.getuid !== undefined && uid !== process.getuid()) return refuse(fileTexts.owner(nameOf(file), uid));
		if ((mode & 0o077) !== 0) return refuse(fileTexts.open(nameOf(file)));
		if (stats.size > maxBytes) return refuse(fileTexts.tooLarge(nameOf(file)));
		const credentials = parsed((await readUpTo(maxBytes, handle)).toString('utf8'));
		return credentials === undefined ? refuse(fileTexts.invalid(nameOf(file))) : {ok: true, credentials};
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		if (code === 'ENOENT' || code === 'ENOTDIR') return {ok: true, credentials: new Map()};
		if (code === 'ELOOP') return refuse(fileTexts.notRegular(nameOf(file)));
		return refuse(fileTexts.unreadable(nameOf(file), code));
	}
}

/**
Changes the entry of one provider. `undefined` removes it. Resolves with a sentence when this fails, and then the file
is as before.
*/
export async function changeCredential(
	env: Env,
	provider: string,
	credential: Credential | undefined,
): Promise<string | undefined> {
	const read = await readCredentials(env);
	if (!read.ok) return read.sentence;
	const entries = new Map(read.credentials);
	if (credential === undefined) entries.delete(provider);
	else entries.set(provider, credential);
	const file = credentialsFile(env);
	try {
		await writePrivateFile(file, `${JSON.stringify({keys: Object.fromEntries(entries)}, null, '\t')}\n`);
		return undefined;
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		return fileTexts.unwritable(nameOf(file), code);
	}
}

const maxBytes = 256 * 1024;

const schema = z.object({
	keys: z.record(
		z.string().max(100),
		z.union([z.object({key: z.string().min(1)}), z.object({keychain: z.literal(true)})]),
	),
});

function parsed(text: string): Credentials | undefined {
	try {
		const {keys} = schema.parse(JSON.parse(text));
		return new Map(Object.entries(keys));
	} catch {
		return undefined;
	}
}
