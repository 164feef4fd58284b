import {endSentence, t} from '../../language/index.ts';
import {parse, TomlError} from 'smol-toml';
import {z} from 'zod';
import {nearestName} from '../ground/text/nearest-name.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import {nameOf, readSmall, type NoSmallFile, type SmallFileOptions} from '../scope/small-file.ts';

export {ownFile, ownFileSentence} from '../scope/small-file.ts';
import {deepestOf, lineOf} from './toml-lines.ts';
import {isStrictKey, unknownKeysIn, withoutKey} from './unknown-keys.ts';
import {required} from '../ground/values/is-record.ts';

/**
A parsed TOML file, or the reason for a failure. `sentence` contains the file, the line and the key, and is safe to
print.
*/
export type TomlResult<Value> =
	/** `warnings`: sentences about unknown keys, which are ignored. */
	| {readonly ok: true; readonly value: Value; readonly text: string; readonly warnings: readonly string[]}
	| NoSmallFile
	| {readonly ok: false; readonly reason: 'invalid'; readonly sentence: string};

/** The maximum nesting of lists and inline tables. No key of inkpod needs more than three levels. */
const maxNesting = 32;

/**
Reads a configuration file and checks it against a strict schema. An unknown key is an error only if a typing error
there could give more permissions than the user meant. Otherwise it is a warning. The function never throws because of
the contents of a file.
*/
export async function readToml<Schema extends z.ZodObject>(
	file: string,
	schema: Schema,
	options: SmallFileOptions,
): Promise<TomlResult<z.infer<Schema>>> {
	const read = await readSmall(file, options);
	if (!read.ok) return read;
	const {text} = read;
	const parsed = parseToml(text);
	if (!parsed.ok) return invalid(parsed.complaint(file));
	return check(file, text, schema, parsed.value);
}

function check<Schema extends z.ZodObject>(
	file: string,
	text: string,
	schema: Schema,
	value: unknown,
): TomlResult<z.infer<Schema>> {
	const first = schema.safeParse(value);
	if (first.success) return {ok: true, value: first.data, text, warnings: []};
	const unknown = unknownKeysIn(first.error);
	const strict =
		unknown.length > maxUnknown ? unknown[0] : unknown.find(path => isStrictKey(path, keysAt(schema, [])));
	if (strict !== undefined) return invalid(unknownKey(file, text, schema, strict));
	const again = schema.safeParse(unknown.reduce(withoutKey, value));
	if (!again.success) return invalid(describeIssue(file, text, required(again.error.issues[0], 'an issue')));
	const warnings = unknown.slice(0, maxWarnings).map(path => ignoredKey(file, text, schema, path));
	return {ok: true, value: again.data, text, warnings};
}

/** A file with more unknown keys was probably written for another program. */
const maxUnknown = 50;
const maxWarnings = 5;

/**
Returns an error message about one key of a file, with the line of the key. Callers use the function for checks that a
schema cannot make.
*/
export function describeKey(file: string, text: string, path: readonly string[], complaint: string): string {
	return `${at(file, lineOf(text, path, parseShallow))}: ${dotted(path)} ${complaint}`;
}

type Parsed =
	| {readonly ok: true; readonly value: unknown}
	| {readonly ok: false; readonly complaint: (file: string) => string};

function parseToml(text: string): Parsed {
	try {
		return {ok: true, value: parseShallow(text)};
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		const deepest = deepestOf(text);
		if (deepest.depth > maxNesting) {
			const complaint = t`lists and tables are nested more than ${maxNesting} deep. Use fewer levels.`;
			return {ok: false, complaint: file => `${at(file, deepest.line)}: ${complaint}`};
		}
		const [headline = ''] = error.message.split('\n');
		const {line, column} = error;
		const reason = headline.replace('Invalid TOML document: ', '');
		return {
			ok: false,
			complaint: file => t`${at(file, line)}: this is not valid TOML (${reason}, column ${column}).`,
		};
	}
}

function parseShallow(text: string): unknown {
	return parse(text, {maxDepth: maxNesting});
}

function invalid(sentence: string): {readonly ok: false; readonly reason: 'invalid'; readonly sentence: string} {
	return {ok: false, reason: 'invalid', sentence};
}

function unknownKey(file: string, text: string, schema: z.ZodObject, path: readonly string[]): string {
	const known = keysAt(schema, path.slice(0, -1));
	const names = known.length === 0 ? '' : t` (known here: ${known.join(', ')})`;
	return t`${at(file, lineOf(text, path, parseShallow))}: unknown key ${dotted(path)}${names}.`;
}

/** Returns a warning about an unknown key and the known key that the user probably meant. */
function ignoredKey(file: string, text: string, schema: z.ZodObject, path: readonly string[]): string {
	const near = nearestName(path.at(-1) ?? '', keysAt(schema, path.slice(0, -1)));
	if (near === undefined) return t`${unknownKey(file, text, schema, path)} It is ignored.`;
	const meant = dotted([...path.slice(0, -1), near]);
	const line = at(file, lineOf(text, path, parseShallow));
	return t`${line}: unknown key ${dotted(path)} is ignored. Did you mean ${meant}?`;
}

function describeIssue(file: string, text: string, issue: z.core.$ZodIssue): string {
	const path = issue.path.map(String);
	return `${at(file, lineOf(text, path, parseShallow))}: ${dotted(path)} ${complaintOf(issue)}`;
}

/** Returns the end of a sentence that begins with a key. */
export function complaintOf(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type') return t`must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}.`;
	if (issue.code === 'too_small') return t`must be at least ${String(issue.minimum)}.`;
	if (issue.code === 'too_big') return t`must be at most ${String(issue.maximum)}.`;
	if (issue.code === 'custom' || !zodWords.test(issue.message)) return endSentence(issue.message);
	return t`is not valid: ${issue.message}.`;
}

/** The beginnings of zod's own messages. Every other message comes from a schema of inkpod. */
const zodWords = /^(?:Invalid|Too|Unrecognized)/;

const typeNames: Readonly<Record<string, string>> = {
	string: t`text in quotes`,
	boolean: t`true or false`,
	number: 'a number',
	int: t`a whole number`,
	object: 'a table',
	record: 'a table',
	array: 'a list',
};

function keysAt(schema: z.ZodObject, path: readonly string[]): readonly string[] {
	let here: unknown = schema;
	for (const key of path) {
		const table = unwrapped(here);
		if (table instanceof z.ZodRecord) here = table.valueType;
		else if (table instanceof z.ZodObject) here = table.shape[key];
		else return [];
	}
	const object = unwrapped(here);
	return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function unwrapped(schema: unknown): unknown {
	return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

function at(file: string, line: number | undefined): string {
	return line === undefined ? nameOf(file) : `${nameOf(file)}:${line}`;
}

/** Returns a key with its parents, separated by dots. The result is short and safe to print. */
export function dotted(path: readonly string[]): string {
	const shown = path.length <= maxShownKeys ? path : [...path.slice(0, maxShownKeys), '…'];
	return shown
		.map(key => (/^(?:[\w-]+|…)$/.test(key) && key.length <= maxShownLength ? key : quoteUntrusted(shortened(key))))
		.join('.');
}

const maxShownKeys = 8;
const maxShownLength = 64;

function shortened(key: string): string {
	const characters = Array.from(key.slice(0, maxShownLength * 2));
	return key.length <= maxShownLength ? key : `${characters.slice(0, maxShownLength).join('')}…`;
}
