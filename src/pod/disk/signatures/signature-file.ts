import {constants} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';
import {t} from '../../../language/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {
	failureOf,
	failureSentence,
	fileMode,
	openFile,
	readAt,
	realFiles,
	syncDir,
	writeAt,
	type Files,
	type OpenFile,
} from '../files.ts';
import {closing} from '../format/line.ts';
import type {StoredSession} from '../log/read.ts';
import {historyFile} from '../paths.ts';

/** What a signature covers: the first `count` items of a session. `head` is the sum of the last of their lines. */
export type Signed = {readonly session: string; readonly count: number; readonly head: string};

/** A line of signatures.jsonl. `signature` is what `ssh-keygen -Y sign` printed. */
export type Signature = z.infer<typeof signatureSchema>;

/** The namespace of the signatures, which is part of what is signed. */
export const namespace = 'inkpod.record';

/** Returns the bytes that are signed. */
export function signedBytes({session, count, head}: Signed): string {
	return `${namespace}/1\n${session}\n${count}\n${head}\n`;
}

export const signaturesName = 'signatures.jsonl';

export function signaturesPath(dir: string): string {
	return join(dir, signaturesName);
}

/**
The signatures of a session in the order of their file. `others` counts the lines that are no signature of this session.
`problem` is a sentence that says why the file was not read.
*/
export type SignaturesRead = {
	readonly signatures: readonly Signature[];
	readonly others: number;
	readonly problem?: string;
};

/** Reads the signatures of a session. A missing file has none. Never rejects. */
export async function readSignatures(dir: string, session: string, files: Files = realFiles): Promise<SignaturesRead> {
	const text = await readWhole(signaturesPath(dir), files);
	if (typeof text !== 'string') return {signatures: [], others: 0, ...text};
	const lines = text.split('\n');
	const found = lines.filter(line => line !== '').map(parseLine);
	const signatures = found.flatMap(one => (one?.session === session ? [one] : []));
	return {signatures, others: found.length - signatures.length};
}

/** Appends a signature in one write, and makes it durable. Rejects with the error of the system. */
export async function addSignature(dir: string, signature: Signature, files: Files = realFiles): Promise<void> {
	const path = signaturesPath(dir);
	const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
	const file = await files.open(path, flags | constants.O_NONBLOCK, fileMode);
	try {
		const {size} = await file.stat();
		// A kill may have left an incomplete line, which the next line must not continue.
		const last = size === 0 ? undefined : (await readAt(file, size - 1, 1))[0];
		const start = last === undefined || last === newline ? '' : '\n';
		await writeAt(file, Buffer.from(`${start}${JSON.stringify(signature)}\n`), size);
		await file.datasync();
	} finally {
		await file.close();
	}
	await syncDir(files, dir);
}

/**
Returns a function that returns the sum of the nth item's line, counted from 1. It returns `undefined` if there is no
such line.
*/
export async function openSums(
	{dir, decoded: {lines}}: Pick<StoredSession, 'dir' | 'decoded'>,
	files: Files = realFiles,
): Promise<{readonly sumAt: (count: number) => Promise<string | undefined>; readonly close: () => Promise<void>}> {
	const items = lines.filter(line => 'item' in line);
	const file = await openFile(files, historyFile(dir));
	return {
		async sumAt(count) {
			const line = items[count - 1];
			return line === undefined ? undefined : sumBefore(file, line.end);
		},
		close: async () => file.close(),
	};
}

async function sumBefore(file: OpenFile, end: number): Promise<string | undefined> {
	const bytes = await readAt(file, Math.max(0, end - tailLength), tailLength + closing.length);
	return /"sum":"([0-9a-f]{32})"\}/.exec(bytes.toString('latin1'))?.[1];
}

/** The length of the end of a line, from `"sum"` on. */
const tailLength = 41;

async function readWhole(path: string, files: Files): Promise<string | {readonly problem: string}> {
	try {
		const file = await openFile(files, path);
		try {
			const {size} = await file.stat();
			if (size > maxFileBytes) return {problem: t`${signaturesName} is larger than 16 MB.`};
			return (await readAt(file, 0, size)).toString('utf8');
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return errorCode(error) === 'ENOENT' ? '' : {problem: failureSentence(failureOf(error), path, error)};
	}
}

function parseLine(line: string): Signature | undefined {
	try {
		return signatureSchema.parse(JSON.parse(line));
	} catch {
		return undefined;
	}
}

const signatureSchema = z.object({
	/** The time of the signature (ISO), by the clock of the signer. It is not signed. */
	at: z.string().max(40),
	session: z.string().max(64),
	count: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
	head: z.string().regex(/^[0-9a-f]{32}$/),
	signature: z
		.string()
		.max(16_384)
		.regex(/^-----BEGIN SSH SIGNATURE-----\n[\w+/=\n]+-----END SSH SIGNATURE-----\n$/),
});

const maxFileBytes = 16 * 1024 * 1024;

const newline = 0x0a;
