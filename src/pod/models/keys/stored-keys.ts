import type {Env} from '../../ground/env/env.ts';
import type {KeyPlace, StoredKeys} from '../../ground/env/found-key.ts';
import {nameOf, readUpTo} from '../../scope/small-file.ts';
import {credentialsFile} from './credentials-path.ts';
import {findKeychain, type KeychainOptions} from '../../platform/keychain.ts';
import {ownUid} from '../../platform/system.ts';
import {keyTexts, fileTexts} from './texts.ts';
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import {writePrivateFile} from '../../permissions/trust/private-file.ts';

/** The providers whose keys are stored. `sentence`: the reason why the file with the keys is not used. */
export type ListedKeys = {readonly stored: StoredKeys; readonly sentence?: string};

/** Lists the providers whose keys are stored. Reads no key from the keychain. */
export async function listStoredKeys(env: Env): Promise<ListedKeys> {
	const read = await readCredentials(env);
	if (!read.ok) return {stored: new Map(), sentence: read.sentence};
	const places = [...read.credentials].map(([provider, credential]): [string, KeyPlace] => [
		provider,
		'key' in credential ? 'file' : 'keychain',
	]);
	return {stored: new Map(places)};
}

export type LookedUp =
	| {readonly ok: true; readonly key: string}
	/** The reason why there is no key, as a sentence. */
	| {readonly ok: false; readonly sentence: string};

/** Looks up a stored key. */
export async function lookUpKey(provider: string, options: KeychainOptions): Promise<LookedUp> {
	const read = await readCredentials(options.env);
	if (!read.ok) return read;
	const credential = read.credentials.get(provider);
	if (credential === undefined) return {ok: false, sentence: keyTexts.nothingStored(provider)};
	if ('key' in credential) return {ok: true, key: credential.key};
	const keychain = findKeychain(options);
	const found = await keychain?.lookUp(provider);
	if (found?.kind === 'done' && found.key !== '') return {ok: true, key: found.key};
	const isLate = keychain !== undefined && found?.kind === 'timed_out';
	return {ok: false, sentence: isLate ? keyTexts.keychainTimedOut(keychain.program) : keyTexts.keyLost(provider)};
}

type Stored =
	| {
			readonly ok: true;
			readonly place: KeyPlace;
			/** The name of the place, for use in a sentence. */
			readonly where: string;
			/** The reason why the keychain is not used, although there is one. */
			readonly remark?: string;
	  }
	| {readonly ok: false; readonly sentence: string};

/** Stores a key in the keychain, or in the file if the keychain is missing, does not answer in time, or refuses. */
export async function storeKey(provider: string, key: string, options: KeychainOptions): Promise<Stored> {
	const {env} = options;
	// The file is checked first, because without the file inkpod would not find the key in the keychain.
	const read = await readCredentials(env);
	if (!read.ok) return read;
	const keychain = findKeychain(options);
	const answer = await keychain?.store(provider, key);
	const isKept = answer?.kind === 'done';
	const problem = await changeCredential(env, provider, isKept ? {keychain: true} : {key});
	if (problem !== undefined) return {ok: false, sentence: problem};
	if (isKept) return {ok: true, place: 'keychain', where: keyTexts.keychain};
	const remark = keychain === undefined ? undefined : whyNot[answer?.kind ?? 'failed'](keychain.program);
	return {
		ok: true,
		place: 'file',
		where: nameOf(credentialsFile(env)),
		remark,
	};
}

const whyNot = {
	done: keyTexts.keychainFailed,
	failed: keyTexts.keychainFailed,
	timed_out: keyTexts.keychainTimedOut,
	unfit: keyTexts.keychainUnfit,
} as const;

export type Removed = {
	/** The places that had a key. */
	readonly from: readonly string[];
	/** The reason why a key may still be stored. */
	readonly problem?: string;
};

/** Removes the key of a provider from the keychain and from the file. */
export async function removeKey(provider: string, options: KeychainOptions): Promise<Removed> {
	const {env} = options;
	const read = await readCredentials(env);
	const credential = read.ok ? read.credentials.get(provider) : undefined;
	const keychain = findKeychain(options);
	const found = await keychain?.lookUp(provider);
	const isThere = found?.kind === 'done' && found.key !== '';
	const cleared = isThere ? await keychain?.remove(provider) : found;
	const isLate = cleared?.kind === 'timed_out';
	const mayRemain = keychain !== undefined && (isLate || (isThere && cleared?.kind !== 'done'));
	const problems = [
		...(read.ok ? [] : [read.sentence]),
		...(mayRemain
			? [
					isLate ? keyTexts.keychainTimedOut(keychain.program) : keyTexts.keychainFailed(keychain.program),
					keyTexts.mayRemain(provider),
				]
			: []),
	];
	// If the entry were removed, inkpod would not find a key that is still in the keychain, so the entry stays.
	const isKept = mayRemain && credential !== undefined && 'keychain' in credential;
	const unwritten = credential === undefined || isKept ? undefined : await changeCredential(env, provider, undefined);
	if (unwritten !== undefined) problems.push(unwritten);
	const isInFile = credential !== undefined && 'key' in credential && unwritten === undefined;
	return {
		from: [
			...(isThere && !mayRemain ? [keyTexts.keychain] : []),
			...(isInFile ? [nameOf(credentialsFile(env))] : []),
		],
		...(problems.length > 0 && {problem: problems.join(' ')}),
	};
}

/**
Reads the file with the keys. It must be a regular file, not a link. It must belong to this user, and nobody else may
read or change it. A missing file has no keys.
*/
export async function readCredentials(env: Env): Promise<ReadCredentials> {
	const file = credentialsFile(env);
	const refuse = (sentence: string): ReadCredentials => ({ok: false, sentence});
	try {
		await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const {uid, mode, ...stats} = await handle.stat();
		const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
		if (!isFile) return refuse(fileTexts.notRegular(nameOf(file)));
		if (uid !== ownUid()) return refuse(fileTexts.owner(nameOf(file), uid));
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
Changes the entry of one provider. `undefined` removes it. If this fails, it resolves with a sentence, and the file is
unchanged.
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

/** The stored key of a provider: the key itself, or a note that the keychain has it. */
type Credential = {readonly key: string} | {readonly keychain: true};

type Credentials = ReadonlyMap<string, Credential>;

type ReadCredentials =
	| {readonly ok: true; readonly credentials: Credentials}
	/** The reason why the file with the keys is not used, as a sentence. */
	| {readonly ok: false; readonly sentence: string};

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
