import {access, constants} from 'node:fs/promises';
import {resolve} from 'node:path';
import {
	findKeygen,
	readSignatures,
	signTexts,
	verifySignatures,
	type Env,
	type Files,
	type StoredSession,
} from '../../pod/index.ts';
import {finding} from '../texts.ts';
import {signingTexts} from './texts.ts';

/** How signatures are checked. If `with` is absent, inkpod only counts the signatures. */
export type SignatureCheck = {readonly with?: Omit<Parameters<typeof verifySignatures>[1], 'files'>};

/**
Prepares the check of signatures. Returns a sentence if the file that lists the signers or ssh-keygen cannot be used.
*/
export async function signatureCheck(
	signers: string | undefined,
	{env, cwd = '.'}: {readonly env: Env; readonly cwd?: string | undefined},
): Promise<SignatureCheck | {readonly sentence: string}> {
	if (signers === undefined) return {};
	const path = resolve(cwd, signers);
	const canRead = await access(path, constants.R_OK).then(
		() => true,
		() => false,
	);
	if (!canRead) return {sentence: signingTexts.noSigners(path)};
	const keygen = findKeygen({env, pwd: resolve(cwd), timeoutMs});
	return keygen === undefined ? {sentence: signTexts.noProgram} : {with: {keygen, signers: path}};
}

/** Checks the signatures of a session, or only counts them if no check was requested. A count of 0 needs no line. */
export async function checkSignatures(
	session: StoredSession,
	{with: how}: SignatureCheck,
	files: Files,
): Promise<{readonly ok: boolean; readonly lines: readonly string[]}> {
	if (how === undefined) {
		const {signatures} = await readSignatures(session.dir, session.id, files);
		const count = signatures.length;
		return {ok: true, lines: count === 0 ? [] : [`signed   ${signingTexts.unchecked(count)}`]};
	}
	const {ok, signed, items, by, findings} = await verifySignatures(session, {...how, files});
	const state = by === undefined ? signingTexts.none(items) : signingTexts.upTo(signed, items, by.name, by.at);
	return {
		ok,
		lines: [
			`signed   ${state}`,
			...(by !== undefined && signed < items
				? [finding('note', undefined, signingTexts.unsigned(items - signed))]
				: []),
			...findings.map(({level, sentence}) => finding(level, undefined, sentence)),
		],
	};
}

/** The time that ssh-keygen gets for a signature. */
const timeoutMs = 20_000;
