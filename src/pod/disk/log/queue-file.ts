import {closeSync, constants, fstatSync, linkSync, openSync, readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {ulid} from 'ulid';
import type {Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {messageIdOf} from '../../protocol/message-id.ts';
import {type QueueMessage, queueMessageSchema} from '../../protocol/queue.ts';
import {failureOf, failureSentence, fileMode, quietly, realFiles, syncDir, writeAt, type Files} from '../files.ts';
import {readSmall} from './recover-stream.ts';
import {queueTexts} from '../texts.ts';
import {hash} from 'node:crypto';
import {z} from 'zod';

/** The messages in a session's queue.json, and a warning if some of them could not be read. */
export type QueueRead = {readonly messages: readonly QueueMessage[]; readonly warning?: string};

/**
Reads queue.json of a session's folder. Whatever the file is, this function does not throw or block, and the number of
bytes that it reads is limited. It gives a damaged file another name, so that nothing overwrites it, unless the session
can only be read. If some messages are readable, the file also keeps its old name until these messages are saved again.
*/
export function readQueue(dir: string, isReadOnly = false): QueueRead {
	const path = queuePath(dir);
	const text = readText(path);
	if (text === undefined) return {messages: []};
	const {messages, isDamaged} = parseQueue(text);
	if (!isDamaged) return {messages};
	const name = messages.length > 0 ? linkSync : renameSync;
	return {messages, warning: queueTexts.damaged(isReadOnly ? undefined : setAside(path, name))};
}

/**
Returns the messages of queue.json that are not in the history yet, as the next start would queue them. It changes no
file.
*/
export async function readWaiting(
	dir: string,
	items: readonly Item[],
	files: Files = realFiles,
): Promise<readonly QueueMessage[]> {
	const text = items.length === 0 ? undefined : await readSmall(queuePath(dir), maxBytes, files);
	return text === undefined ? [] : undelivered(parseQueue(text).messages, items);
}

/** Tells whether a session has a queue.json. */
export async function hasQueue(dir: string, files: Files): Promise<boolean> {
	return files.stat(queuePath(dir)).then(
		() => true,
		() => false,
	);
}

/** Returns the messages that are not among these items. */
export function undelivered(messages: readonly QueueMessage[], items: readonly Item[]): readonly QueueMessage[] {
	if (messages.length === 0) return messages;
	const delivered = new Set(items.map(messageIdOf));
	return messages.filter(({id}) => !delivered.has(id));
}

/** Writes the messages of a queue. A failed write rejects with a QueueError, and the file keeps its contents. */
export type QueueFile = {
	/**
	Makes the current messages durable. Calls during a write share the next write. Resolves with the ids in the file.
	*/
	save(): Promise<ReadonlySet<string>>;
	/** Resolves when no write is pending. */
	settled(): Promise<void>;
};

/** `message` is a sentence for the user. */
export class QueueError extends Error {
	constructor(message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'QueueError';
	}
}

/** Saves waiting messages for a new session. Rejects with a QueueError if they cannot be saved. */
export async function saveWaiting(
	{dir, isMine}: {readonly dir: string; readonly isMine: () => Promise<boolean>},
	waiting: readonly QueueMessage[],
	files: Files,
): Promise<void> {
	if (waiting.length > 0) await createQueueFile({dir: () => dir, messages: () => waiting, isMine, files}).save();
}

type QueueFileOptions = {
	/** Returns the folder of the session. The folder changes if the session is saved again in another folder. */
	readonly dir: () => string;
	/** Returns the messages of the next write. */
	readonly messages: () => readonly QueueMessage[];
	/** Tells whether this process may write the session. */
	readonly isMine: () => Promise<boolean>;
	readonly files?: Files;
};

export function createQueueFile({dir, messages, isMine, files = realFiles}: QueueFileOptions): QueueFile {
	let running: Promise<unknown> = Promise.resolve();
	let next: Promise<ReadonlySet<string>> | undefined;

	async function write(): Promise<ReadonlySet<string>> {
		const [now, folder] = [messages(), dir()];
		const path = queuePath(folder);
		try {
			if (!(await isMine())) throw new QueueError(queueTexts.unlocked(path));
			if (now.length === 0) await remove(path, folder, files);
			else await replace(path, folder, encode(now), files);
			return new Set(now.map(({id}) => id));
		} catch (error) {
			if (error instanceof QueueError) throw error;
			throw new QueueError(failureSentence(failureOf(error), path, error), {cause: error});
		}
	}

	return {
		async save() {
			next ??= running.then(async () => {
				next = undefined;
				return write();
			});
			running = next.catch(() => {});
			return next;
		},
		settled: async () => void (await running),
	};
}

/** Returns the path of a session's queue. */
export function queuePath(dir: string): string {
	return join(dir, 'queue.json');
}

/**
Returns the text of queue.json: `{"format": "inkpod.queue/1", "messages": [{"id", "segments", "command"?, "sum"}…]}`,
with one message on each line. `sum` is the last key of a message: the first 32 hex digits of sha256 of the message
without `sum`. So a cut or changed line affects only its own message.
*/
export function encodeQueue(messages: readonly QueueMessage[]): string {
	return `${head}\n${messages.map(message => withSum(JSON.stringify({...message, sum: undefined}))).join(',\n')}${end}`;
}

/** Parses the text of queue.json. Files of earlier versions are one line without sums. */
export function parseQueue(text: string): QueueText {
	const isLines = text.indexOf('\n') !== text.length - 1 && text.includes('\n');
	const {values, isWhole} = isLines ? readLines(text) : readOneLine(text);
	const messages = new Map<string, QueueMessage>();
	for (const value of values) {
		const message = queueMessageSchema.safeParse(value).data;
		if (message !== undefined && !messages.has(message.id)) messages.set(message.id, message);
	}
	return {messages: [...messages.values()], isDamaged: !isWhole || messages.size < values.length};
}

/**
The maximum size of the file in bytes. A paste has at most 10 MB of text, and JSON escapes need at most six bytes for
each byte.
*/
const maxBytes = 64 * 1024 * 1024;

function encode(messages: readonly QueueMessage[]): Buffer {
	const bytes = Buffer.from(encodeQueue(messages));
	if (bytes.length > maxBytes) throw new QueueError(queueTexts.full);
	return bytes;
}

/** Returns the text of the file, '' if it cannot be read, or `undefined` if it does not exist. */
function readText(path: string): string | undefined {
	try {
		const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
		try {
			const stats = fstatSync(fd);
			return stats.isFile() && stats.size <= maxBytes ? readFileSync(fd, 'utf8') : '';
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		return ['ENOENT', 'ENOTDIR'].includes(errorCode(error)) ? undefined : '';
	}
}

/**
Renames or links a damaged file to a new name. Returns the new path, or `undefined` if the disk does not permit it.
*/
function setAside(path: string, name: (from: string, to: string) => void): string | undefined {
	const aside = `${path}.damaged-${ulid()}`;
	try {
		name(path, aside);
		return aside;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

async function replace(path: string, dir: string, bytes: Buffer, files: Files): Promise<void> {
	const draft = `${path}.new`;
	await unlinkIfThere(draft, files);
	try {
		const file = await files.open(draft, 'wx', fileMode);
		try {
			await writeAt(file, bytes, 0);
			await file.datasync();
		} finally {
			await file.close();
		}
		await files.rename(draft, path);
		await syncDir(files, dir);
	} catch (error) {
		await quietly(files.unlink(draft));
		throw error;
	}
}

async function remove(path: string, dir: string, files: Files): Promise<void> {
	if (await unlinkIfThere(path, files)) await syncDir(files, dir);
}

async function unlinkIfThere(path: string, files: Files): Promise<boolean> {
	try {
		await files.unlink(path);
		return true;
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return false;
		throw error;
	}
}

/** The readable messages of a queue.json. `isDamaged`: the file also contains something else. */
type QueueText = {readonly messages: readonly QueueMessage[]; readonly isDamaged: boolean};

/** The maximum number of messages in a queue. */
export const maxQueued = 1000;

type Values = {readonly values: readonly unknown[]; readonly isWhole: boolean};

function readLines(text: string): Values {
	const lines = text.split('\n', maxQueued + linesAround + 1);
	const isFramed = lines[0] === head && text.endsWith(end) && lines.length <= maxQueued + linesAround;
	const within = isFramed ? lines.slice(1, -2) : lines;
	const values = within.map(line => summed(line.endsWith(',') ? line.slice(0, -1) : line));
	const isSeparated = within.every((line, index) => line.endsWith(',') === index < within.length - 1);
	return {values: isFramed ? values : values.filter(value => value !== undefined), isWhole: isFramed && isSeparated};
}

/** Returns the message of a line, or `undefined` if the line does not match its checksum. */
function summed(line: string): unknown {
	const at = line.lastIndexOf(sumKey);
	const body = `${line.slice(0, at)}}`;
	return at !== -1 && withSum(body) === line ? parseJson(body) : undefined;
}

function withSum(text: string): string {
	return `${text.slice(0, -1)}${sumKey}${hash('sha256', text, 'hex').slice(0, sumLength)}"}`;
}

function readOneLine(text: string): Values {
	const values = fileSchema.safeParse(parseJson(text)).data?.messages;
	return values === undefined ? {values: [], isWhole: false} : {values, isWhole: true};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const format = 'inkpod.queue/1';

const fileSchema = z.object({format: z.literal(format), messages: z.array(z.unknown()).max(maxQueued)});

const head = `{"format":"${format}","messages":[`;

const end = '\n]}\n';

/**
The number of lines that are not messages: the head, the closing brackets, and the empty text after the last newline.
*/
const linesAround = 3;

const sumKey = ',"sum":"';

const sumLength = 32;
