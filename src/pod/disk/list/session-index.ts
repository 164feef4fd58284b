import {hash} from 'node:crypto';
import {basename, join} from 'node:path';
import {z} from 'zod';
import {quickCheck} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {fileMode, quietly, ShortWrite, writeAt, type Files} from '../files.ts';
import {readSmallBytes} from '../log/recover-stream.ts';
import {stampsSchema} from './stamps.ts';
import {readSummarySchema} from './summary.ts';

/** The summary of a session for a list, and the state of the files from which it was read. All texts are untrusted. */
export type IndexEntry = Readonly<z.infer<typeof entrySchema>>;

/** Maps the ids of sessions to entries. */
export type Index = ReadonlyMap<string, IndexEntry>;

const entrySchema = stampsSchema.extend({id: z.string(), summary: readSummarySchema});

/**
Reads the index of a project's sessions. The result is empty if the file is missing, damaged, too large, of another
format or from another folder. The index only saves time: every process that lists sessions may write it, and it can be
deleted at any time.
*/
export async function readIndex(project: string, files: Files): Promise<Index> {
	const bytes = await readSmallBytes(indexFile(project), maxBytes + 1, files);
	if (bytes === undefined || bytes.length > maxBytes) return new Map();
	const end = bytes.indexOf(newline) + 1;
	if (!bytes.subarray(0, end).equals(headOf(project, bytes.subarray(end)))) return new Map();
	const entries = bytes.toString('utf8', end, bytes.length - closing.length).split(separator);
	return new Map(entriesIn(entries).map(entry => [entry.id, entry]));
}

/**
Replaces the index. Does not make the file durable, because a damaged index is ignored. Never rejects with an error of
the system, because without an index the next list only takes longer.
*/
export async function writeIndex(project: string, entries: readonly IndexEntry[], files: Files): Promise<void> {
	const lines = entries.map(entry => JSON.stringify(entry)).filter(({length}) => length <= maxLineLength);
	const body = Buffer.from(`${lines.join(separator)}${closing}`);
	const bytes = Buffer.concat([headOf(project, body), body]);
	if (bytes.length > maxBytes) return;
	const unfinished = unfinishedFile(project);
	try {
		// Another process may be writing the same file. In this case, the checksum of the mixed file is wrong, and the
		// file is ignored.
		await quietly(files.unlink(unfinished));
		const file = await files.open(unfinished, 'wx', fileMode);
		try {
			await writeAt(file, bytes, 0);
		} finally {
			await file.close();
		}
		await files.rename(unfinished, indexFile(project));
	} catch (error) {
		if (errorCode(error) === '' && !(error instanceof ShortWrite)) throw error;
		await quietly(files.unlink(unfinished));
	}
}

/** Removes the index, so that it contains no texts of deleted sessions. Rejects with the system's error. */
export async function removeIndex(project: string, files: Files): Promise<void> {
	for (const path of [indexFile(project), unfinishedFile(project)])
		await files.unlink(path).catch((error: unknown) => {
			if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
		});
}

function indexFile(project: string): string {
	return join(project, 'index.json');
}

function unfinishedFile(project: string): string {
	return `${indexFile(project)}.new`;
}

/**
Returns the first line of the index. Change the format number if a list reads a session in another way, or shows more
facts.
*/
function headOf(project: string, body: Buffer): Buffer {
	const head = {format: 'inkpod.index/2', project: basename(project), sha256: hash('sha256', body, 'hex')};
	return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"sessions":[\n`);
}

/**
Parses many lines together, which takes a third of the time of parsing them one by one. The limit protects against an
index with the right checksum that inkpod did not write: deeply nested JSON could need too much memory.
*/
function entriesIn(lines: readonly string[]): readonly IndexEntry[] {
	const entries: IndexEntry[] = [];
	for (let from = 0, to = 1; from < lines.length; from = to, to = from + 1) {
		let length = lines[from]?.length ?? 0;
		for (; to < lines.length && length <= maxLineLength; to++) length += lines[to]?.length ?? 0;
		if (length > 2 * maxLineLength) return [];
		const parsed = parseJson(`[${lines.slice(from, to).join(',')}]`);
		if (!areEntries(parsed)) return [];
		entries.push(...parsed);
	}
	return entries;
}

function areEntries(value: unknown): value is IndexEntry[] {
	return checkEntries(value);
}

const checkEntries = quickCheck(z.array(entrySchema));

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

const newline = 0x0a;

const separator = ',\n';

const closing = '\n]}\n';

/** The maximum length of an entry, in UTF-16 code units. An entry usually has about 500. */
const maxLineLength = 65_536;

const maxBytes = 32 * 1024 * 1024;
