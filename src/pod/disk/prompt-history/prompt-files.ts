import {constants} from 'node:fs';
import {open, readdir, unlink, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import {ownUid} from '../../platform/system.ts';
import {flatten} from '../../protocol/immutable.ts';
import {commandNameSchema} from '../../protocol/prompts.ts';
import {segmentSchema, type Segment} from '../../protocol/segment.ts';
import {fileMode, quietly, ShortWrite, WrongKind} from '../files.ts';

/** A prompt in a file: its time (ISO), the id of its session, and the segments that were sent. */
export type StoredPrompt = {readonly at: string; readonly session: string; readonly segments: readonly Segment[]};

/** A use of a slash command in a file: its time (ISO), the id of its session, and its name without the argument. */
export type StoredUse = {readonly at: string; readonly session: string; readonly command: string};

/**
Adds prompts to the files of a project, which are beside its sessions: `prompts-1.jsonl`, `prompts-2.jsonl`, … A full
file is never changed again. The next prompt begins a new file, and all files except the last two are removed. So
several processes can add prompts at the same time, and no file is ever rewritten.
*/
export type PromptWriter = {
	/** Adds a prompt or a use in a single write. A very long prompt is left out. Rejects with the system's error. */
	add(project: string, stored: StoredPrompt | StoredUse): Promise<void>;
};

type PromptLimits = {readonly maxPromptBytes: number; readonly maxFileBytes: number};

export function createPromptWriter({maxPromptBytes, maxFileBytes}: PromptLimits = promptLimits): PromptWriter {
	/** The number in the name of each project's last file, as far as this process knows. */
	const known = new Map<string, number>();

	return {
		async add(project, stored) {
			if ('segments' in stored && flatten(stored.segments).length > maxPromptBytes) return;
			// A newline also comes before the line, so that it never continues an incomplete line.
			const bytes = Buffer.from(`\n${JSON.stringify(stored)}\n`);
			if (bytes.length > maxPromptBytes) return;
			const last = known.get(project);
			if (last !== undefined && (await append(join(project, nameOf(last)), bytes, maxFileBytes, false))) return;
			const numbers = await promptFileNumbers(project);
			const newest = numbers.at(-1) ?? 1;
			const isAdded = await append(join(project, nameOf(newest)), bytes, maxFileBytes, true);
			if (!isAdded) {
				await append(join(project, nameOf(newest + 1)), bytes, Number.POSITIVE_INFINITY, true);
				for (const old of numbers.slice(0, -1)) await quietly(unlink(join(project, nameOf(old))));
			}
			known.set(project, isAdded ? newest : newest + 1);
		},
	};
}

/**
Returns the paths of a project's prompt files, the oldest first. The result is empty if the folder cannot be read.
*/
export async function promptFiles(project: string): Promise<readonly string[]> {
	const numbers = await promptFileNumbers(project).catch(() => []);
	return numbers.slice(-keptFiles).map(number => join(project, nameOf(number)));
}

/** The complete lines of a file from a position on. `end` is the position after the last complete line. */
export type PromptLines = {
	readonly ino: number;
	readonly size: number;
	readonly mtimeMs: number;
	readonly bytes: Buffer;
	readonly end: number;
};

/**
Reads the lines that were added to a file after `known`, or all lines if `path` now leads to another file. Returns
`undefined` if the file is not a regular file of this user, or is too large.
*/
export async function readPromptLines(
	path: string,
	known?: Pick<PromptLines, 'ino' | 'end'>,
): Promise<PromptLines | undefined> {
	try {
		const file = await openOwn(path, constants.O_RDONLY);
		try {
			const {ino, size, mtimeMs} = await file.stat();
			const {maxFileBytes, maxPromptBytes} = promptLimits;
			if (size > maxFileBytes + maxPromptBytes) return undefined;
			const start = known?.ino === ino && known.end <= size ? known.end : 0;
			const bytes = Buffer.alloc(size - start);
			const {bytesRead} = await file.read(bytes, 0, bytes.length, start);
			const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(newline) + 1);
			return {ino, size, mtimeMs, bytes: whole, end: start + whole.length};
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

/** Parses the lines of a file. Yields `undefined` for a line that is damaged or not a prompt. */
export function* parsePrompts(bytes: Buffer): Generator<StoredPrompt | undefined> {
	for (const stored of parseStored(bytes)) yield stored !== undefined && 'segments' in stored ? stored : undefined;
}

/** Parses the lines of a prompt file. Yields `undefined` for a damaged line. */
export function* parseStored(bytes: Buffer): Generator<StoredPrompt | StoredUse | undefined> {
	for (let start = 0; start < bytes.length;) {
		const end = bytes.indexOf(newline, start);
		if (end === -1) return;
		if (end > start) yield parseLine(bytes.toString('utf8', start, end));
		start = end + 1;
	}
}

const promptLimits: PromptLimits = {maxPromptBytes: 64 * 1024, maxFileBytes: 8 * 1024 * 1024};

const keptFiles = 2;
const newline = 0x0a;
const namePattern = /^prompts-(\d{1,9})\.jsonl$/;

const lineSchema = z.union([
	z.object({at: z.iso.datetime(), session: z.string(), segments: z.array(segmentSchema).min(1)}),
	z.object({at: z.iso.datetime(), session: z.string(), command: commandNameSchema}),
]);

function nameOf(number: number): string {
	return `prompts-${number}.jsonl`;
}

async function promptFileNumbers(project: string): Promise<readonly number[]> {
	const numbers = (await readdir(project)).flatMap(name => {
		const [, number] = namePattern.exec(name) ?? [];
		return number === undefined ? [] : [Number(number)];
	});
	return numbers.toSorted((one, other) => one - other);
}

/** Appends bytes to a file. Returns false if the file is full, or if it is missing and must not be created. */
async function append(path: string, bytes: Buffer, maxBytes: number, creates: boolean): Promise<boolean> {
	try {
		const file = await openOwn(path, constants.O_WRONLY | constants.O_APPEND | (creates ? constants.O_CREAT : 0));
		try {
			if ((await file.stat()).size + bytes.length > maxBytes) return false;
			const {bytesWritten} = await file.write(bytes);
			if (bytesWritten < bytes.length) throw new ShortWrite(bytesWritten, bytes.length);
			return true;
		} finally {
			await file.close();
		}
	} catch (error) {
		if (!creates && errorCode(error) === 'ENOENT') return false;
		throw error;
	}
}

/** Opens a regular file of this user. Follows no link, and does not wait for the other end of a pipe. */
async function openOwn(path: string, flags: number): Promise<FileHandle> {
	const file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY, fileMode);
	const stats = await file.stat();
	if (stats.isFile() && stats.uid === ownUid()) return file;
	await file.close();
	throw new WrongKind('own', path);
}

function parseLine(line: string): StoredPrompt | StoredUse | undefined {
	try {
		return lineSchema.safeParse(JSON.parse(line)).data;
	} catch {
		return undefined;
	}
}
