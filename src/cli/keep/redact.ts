import {isUtf8} from 'node:buffer';
import {buffer} from 'node:stream/consumers';
import {findStoredSession, idOf, redactStored, type StoredSessionOptions, type Unwanted} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {redactReport, redactTexts} from './redact-texts.ts';

/** What the arguments say about the text: on stdin, a pattern, or an item. */
export type UnwantedWish = Exclude<Unwanted, {kind: 'text'}> | {readonly kind: 'text'};

type RedactCommandOptions = StoredSessionOptions & {
	readonly unwanted: UnwantedWish;
	readonly isTrial: boolean;
	readonly isEverywhere: boolean;
	readonly stdin: NodeJS.ReadableStream & {readonly isTTY?: boolean};
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod redact <id>`: removes a text from all files of a session. The exit code is 0 (even if nothing was
found), 1 for a failure or if something was skipped, or 2 for bad usage or configuration.
*/
export async function redact({
	unwanted,
	isTrial,
	isEverywhere,
	stdin,
	stdout,
	stderr,
	...wanted
}: RedactCommandOptions) {
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const found = await findStoredSession(wanted);
	if (!found.ok) return refuse(found.sentence, found.code);
	if (unwanted.kind === 'text' && stdin.isTTY === true) stderr.write(`${redactTexts.paste}\n`);
	const asked = unwanted.kind === 'text' ? await readText(stdin) : unwanted;
	if (typeof asked === 'string') return refuse(asked, 2);
	const result = await redactStored({dir: found.dir, unwanted: asked, isTrial, isEverywhere, env: wanted.env});
	if (!result.ok) return refuse(result.sentence, 1);
	const lines = redactReport(idOf(found.dir), result, {isTrial, isEverywhere});
	stdout.write(lines.map(line => `${sanitizeLine(line)}\n`).join(''));
	for (const sentence of result.skipped) refuse(sentence, 1);
	return result.skipped.length > 0 ? 1 : 0;
}

/** Reads the text from stdin, without the newline at its end. Returns a sentence if it cannot be used. */
async function readText(stdin: NodeJS.ReadableStream): Promise<Unwanted | string> {
	const bytes = await buffer(stdin);
	if (!isUtf8(bytes)) return redactTexts.notUtf8;
	const text = bytes.toString().replace(/\r?\n$/, '');
	if (Buffer.byteLength(text) < leastBytes) return redactTexts.tooShort(leastBytes);
	return bytes.length > mostBytes ? redactTexts.tooLong : {kind: 'text', text};
}

const leastBytes = 4;
const mostBytes = 1024 * 1024;
