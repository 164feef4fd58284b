import {endSentence, t} from '../../../language/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {Keygen} from '../../platform/ssh-keygen.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {addSignature, namespace, signaturesPath, signedBytes, type Signed} from './signature-file.ts';

/** The place and the key of a signature. `key` is the path of a private or a public key. */
type SigningOptions = {
	readonly dir: string;
	readonly key: string;
	readonly keygen: Keygen;
	/** The present time (ISO). */
	readonly now: () => string;
	readonly files?: Files;
};

type Failed = {readonly ok: false; readonly sentence: string};

/** A key as ssh-keygen describes it. `needsTouch`: it is in a device that waits for a touch. */
export type KeyFacts = {readonly ok: true; readonly fingerprint: string; readonly needsTouch: boolean} | Failed;

/** Asks ssh-keygen about a key. inkpod itself never reads a key. */
export async function describeKey(keygen: Keygen, key: string): Promise<KeyFacts> {
	const end = await keygen(['-l', '-f', key], '');
	if (!end.ok) return {ok: false, sentence: signTexts.noKey(key, end.said)};
	const [, fingerprint = '', type = ''] = /^\d+ (\S+) .*\(([\w-]+)\)\s*$/.exec(end.output) ?? [];
	return {ok: true, fingerprint, needsTouch: type.endsWith('-SK')};
}

/**
Signs the items of a session with ssh-keygen, and adds the signature to the session's folder. The key is in an agent, or
has no passphrase. Never rejects.
*/
export async function makeSignature(
	signed: Signed,
	{dir, key, keygen, now, files = realFiles}: SigningOptions,
): Promise<{readonly ok: true} | Failed> {
	const end = await keygen(['-Y', 'sign', '-q', '-n', namespace, '-f', key], signedBytes(signed));
	if (!end.ok) {
		const {reason, said} = end;
		return {ok: false, sentence: reason === 'timed_out' ? signTexts.timedOut(key) : signTexts.failed(key, said)};
	}
	try {
		await addSignature(dir, {at: now(), ...signed, signature: end.output}, files);
		return {ok: true};
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: failureSentence(failureOf(error), signaturesPath(dir), error)};
	}
}

/** Returns a sentence with the words of ssh-keygen, if it printed any. */
function withWords(sentence: string, said: string): string {
	return said === '' ? `${sentence}.` : endSentence(`${sentence}: ${said}`);
}

export const signTexts = {
	noProgram: t`ssh-keygen was not found. Signatures need it.`,
	noKey: (key: string, said: string) => withWords(t`ssh-keygen cannot read the key ${key}`, said),
	failed: (key: string, said: string) => withWords(t`ssh-keygen did not sign with ${key}`, said),
	timedOut: (key: string) => t`ssh-keygen did not sign with ${key} in time. Its agent may be waiting for you.`,
	needsTouch: (key: string) => t`The key ${key} needs a touch. Sign with: inkpod sign ID`,
	damaged: t`The session is damaged, so it was not signed.`,
} as const;
