import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {parse, TomlError} from 'smol-toml';
import {z} from 'zod';
import {inert} from './inert.ts';
import {errorCode} from './scope/fs-error.ts';

/** A parsed TOML file, or why there is none. `sentence` names file, line and key, and is safe to print. */
export type TomlResult<Value> =
	| {readonly ok: true; readonly value: Value; readonly text: string}
	| {readonly ok: false; readonly reason: 'missing' | 'unreadable' | 'invalid'; readonly sentence: string};

/** Bytes of a configuration file above which it is taken for something else. */
const maxBytes = 262_144;

/** Reads a configuration file and checks it against a strict schema. Never throws for what a file may hold. */
export async function readToml<Schema extends z.ZodObject>(file: string, schema: Schema): Promise<TomlResult<z.infer<Schema>>> {
	const read = await readSmall(file);
	if (!read.ok) return read;
	try {
		const parsed = schema.safeParse(parse(read.text));
		if (parsed.success) return {ok: true, value: parsed.data, text: read.text};
		return {ok: false, reason: 'invalid', sentence: describeIssue(file, read.text, schema, parsed.error.issues[0]!)};
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		const [headline = ''] = error.message.split('\n');
		return {ok: false, reason: 'invalid', sentence: `${at(file, error.line)}: this is not valid TOML (${headline.replace('Invalid TOML document: ', '')}, column ${error.column}).`};
	}
}

/** A sentence about one key of a file, with the key's line: for what a schema cannot check. */
export async function describeKey(file: string, path: readonly string[], complaint: string): Promise<string> {
	const read = await readSmall(file);
	return `${at(file, read.ok ? lineOf(read.text, path) : undefined)}: ${dotted(path)} ${complaint}`;
}

type Read = {readonly ok: true; readonly text: string} | Extract<TomlResult<never>, {ok: false}>;

/** The whole text of a configuration file. Non-blocking, so that a FIFO in the file's place cannot hold the start. */
export async function readSmall(file: string): Promise<Read> {
	try {
		await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
		const stats = await handle.stat();
		if (!stats.isFile()) return {ok: false, reason: 'unreadable', sentence: `${nameOf(file)} is not a regular file.`};
		if (stats.size > maxBytes) return {ok: false, reason: 'unreadable', sentence: `${nameOf(file)} is larger than ${maxBytes} bytes: no configuration is.`};
		const bytes = await handle.readFile();
		return {ok: true, text: new TextDecoder('utf-8', {fatal: true}).decode(bytes)};
	} catch (error) {
		if (error instanceof TypeError) return {ok: false, reason: 'unreadable', sentence: `${nameOf(file)} is not UTF-8 text.`};
		const code = errorCode(error);
		if (code === '') throw error;
		if (code === 'ENOENT' || code === 'ENOTDIR') return {ok: false, reason: 'missing', sentence: `${nameOf(file)} does not exist.`};
		return {ok: false, reason: 'unreadable', sentence: `${nameOf(file)} cannot be read (${code}).`};
	}
}

function describeIssue(file: string, text: string, schema: z.ZodObject, issue: z.core.$ZodIssue): string {
	const path = issue.path.map(String);
	if (issue.code === 'unrecognized_keys') {
		const key = [...path, issue.keys[0]!];
		const known = keysAt(schema, path);
		return `${at(file, lineOf(text, key))}: unknown key ${dotted(key)}${known.length === 0 ? '' : ` (known here: ${known.join(', ')})`}.`;
	}
	return `${at(file, lineOf(text, path))}: ${dotted(path)} ${complaintOf(issue)}`;
}

/** The end of a sentence that begins with a key. */
export function complaintOf(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}.`;
	if (issue.code === 'too_small') return `must be at least ${issue.minimum}.`;
	if (issue.code === 'too_big') return `must be at most ${issue.maximum}.`;
	if (issue.code === 'custom') return `${issue.message}.`;
	return `is not right: ${issue.message}.`;
}

const typeNames: Readonly<Record<string, string>> = {
	string: 'a text in quotes',
	boolean: 'true or false',
	number: 'a number',
	int: 'a whole number',
	object: 'a table',
	record: 'a table',
	array: 'a list',
};

function keysAt(schema: z.ZodObject, path: readonly string[]): readonly string[] {
	let here: unknown = schema;
	for (const key of path) {
		const object = unwrapped(here);
		if (!(object instanceof z.ZodObject)) return [];
		here = object.shape[key];
	}
	const object = unwrapped(here);
	return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function unwrapped(schema: unknown): unknown {
	return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

/**
The 1-based line on which the statement that makes `path` begins, found with the parser itself:
the shortest run of lines that parses and holds the path. `undefined` where no line does (a missing key).
*/
function lineOf(text: string, path: readonly string[]): number | undefined {
	const lines = text.split('\n');
	const parsed = (count: number): unknown => parsedOrNothing(lines.slice(0, count).join('\n'));
	let low = 1;
	let high = lines.length;
	if (!holds(parsed(high), path)) return undefined;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		let end = middle;
		while (end < high && parsed(end) === undefined) end++;
		if (holds(parsed(end), path)) high = middle;
		else low = end + 1;
	}
	while (low > 1 && parsed(low - 1) === undefined) low--;
	return low;
}

function parsedOrNothing(text: string): unknown {
	try {
		return parse(text);
	} catch {
		return undefined;
	}
}

function holds(value: unknown, path: readonly string[]): boolean {
	let here = value;
	for (const key of path) {
		if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return false;
		here = (here as Record<string, unknown>)[key];
	}
	return true;
}

function at(file: string, line: number | undefined): string {
	return line === undefined ? nameOf(file) : `${nameOf(file)}:${line}`;
}

/** A path as a sentence shows it. */
export function nameOf(file: string): string {
	return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(file) ? file : inert(file);
}

/** The way to a key, safe to print. */
export function dotted(path: readonly string[]): string {
	return path.map(key => (/^[\w-]+$/.test(key) ? key : inert(key))).join('.');
}
