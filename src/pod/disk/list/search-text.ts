import {open, type FileHandle} from 'node:fs/promises';
import {parseItem, type Item} from '../../../worker/index.ts';
import {bodyOf, spanOf} from '../format/line.ts';
import {waitingText} from '../../protocol/immutable.ts';
import type {HitPlace, TextHit} from '../../protocol/text-hit.ts';
import {historyFile} from '../paths.ts';
import {readEnd} from '../log/read.ts';

/**
Returns the first occurrence of a text in a session: in messages, in the values of calls (commands, paths), or in
results. Case is ignored. Reads the history in pieces asynchronously, so a search in many sessions does not delay key
presses. Returns `undefined` for an unreadable session.
*/
export async function findText(dir: string, text: string, signal: AbortSignal): Promise<TextHit | undefined> {
	const wanted = needleOf(text);
	if (wanted === undefined) return undefined;
	let file: FileHandle;
	try {
		file = await open(historyFile(dir), 'r');
	} catch {
		return undefined;
	}
	try {
		return (await scan(file, wanted, signal)) ?? (await hitAtEnd(dir, wanted));
	} catch {
		// The file was truncated or removed during the search.
		return undefined;
	} finally {
		await file.close();
	}
}

/** Finds the text in streamed text and waiting messages that are not in the history yet. */
async function hitAtEnd(dir: string, needle: Needle): Promise<TextHit | undefined> {
	const {streamed, waiting} = (await readEnd(dir))?.open ?? {streamed: [], waiting: []};
	for (const item of streamed) {
		const hit = hitInItem(item, needle);
		if (hit !== undefined) return hit;
	}
	const found = hitInTexts(waiting.map(waitingText), needle);
	return found && {...found, place: 'prompt'};
}

/**
A text to search for. `pattern` matches its JSON form, with one Latin-1 character for each byte, so the history is not
decoded. `length` is the maximum number of bytes of a match.
*/
type Needle = {readonly text: string; readonly pattern: RegExp; readonly length: number};

function needleOf(text: string): Needle | undefined {
	const words = text.trim();
	if (words === '') return undefined;
	// The arguments of a call are JSON inside JSON.
	const forms = [...new Set([escaped(words), escaped(escaped(words))])].map(form => Array.from(form, spellings));
	const source = forms.map(form => form.map(anyOf).join('')).join('|');
	const length = Math.max(...forms.map(form => form.reduce((sum, each) => sum + longest(each), 0)));
	return {text: words.toLowerCase(), pattern: new RegExp(source, 'g'), length};
}

function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** Returns the bytes of a character in both cases. */
function spellings(character: string): readonly string[] {
	const cases = [character, character.toLowerCase(), character.toUpperCase()];
	return [...new Set(cases)].map(each => Buffer.from(each).toString('latin1'));
}

function longest(texts: readonly string[]): number {
	return Math.max(...texts.map(({length}) => length));
}

/** Returns a pattern that matches any of these bytes. */
function anyOf(texts: readonly string[]): string {
	const sources = texts.map(text =>
		text.replaceAll(/[^]/g, character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`),
	);
	return longest(texts) === 1 ? `[${sources.join('')}]` : `(?:${sources.join('|')})`;
}

async function scan(file: FileHandle, needle: Needle, signal: AbortSignal): Promise<TextHit | undefined> {
	const {size} = await file.stat();
	const buffer = spare ?? Buffer.allocUnsafe(pieceBytes);
	spare = undefined;
	try {
		return await scanWith(buffer, {file, size, needle, signal});
	} finally {
		spare = buffer;
	}
}

type Scan = {
	readonly file: FileHandle;
	readonly size: number;
	readonly needle: Needle;
	readonly signal: AbortSignal;
};

async function scanWith(buffer: Buffer, {file, size, needle, signal}: Scan): Promise<TextHit | undefined> {
	let at = 0;
	while (at < size && !signal.aborted) {
		const {bytesRead} = await file.read(buffer, 0, buffer.length, at);
		if (bytesRead === 0) return undefined;
		const piece = buffer.toString('latin1', 0, bytesRead);
		needle.pattern.lastIndex = 0;
		const found = needle.pattern.exec(piece);
		if (found === null) {
			at += bytesRead === buffer.length ? bytesRead - needle.length + 1 : bytesRead;
			continue;
		}
		const line = await lineAround(file, at + found.index, size);
		const hit = line.bytes === undefined ? undefined : hitIn(line.bytes, needle);
		if (hit !== undefined) return hit;
		// In this line, the text occurs only in a key, an id or a hash.
		at = Math.max(line.end, at + found.index + 1);
	}
	return undefined;
}

/** Reads the line that contains an offset. If the line is too long, returns only a position from which to continue. */
async function lineAround(
	file: FileHandle,
	place: number,
	size: number,
): Promise<{readonly bytes?: Buffer; readonly end: number}> {
	let from = place;
	for (let reach = 4096; ; reach *= 4) {
		const start = Math.max(0, place - reach);
		const before = await readPart(file, start, place - start);
		const newline = before.lastIndexOf(0x0a);
		from = newline === -1 ? start : start + newline + 1;
		if (newline !== -1 || start === 0 || reach > maxLineBytes) break;
	}
	for (let reach = 65_536; ; reach *= 4) {
		const bytes = await readPart(file, from, Math.min(reach, size - from));
		const newline = bytes.indexOf(0x0a, place - from);
		if (newline !== -1) return {bytes: bytes.subarray(0, newline), end: from + newline};
		if (bytes.length >= size - from || reach > maxLineBytes) return {end: from + bytes.length};
	}
}

async function readPart(file: FileHandle, from: number, length: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(length);
	const {bytesRead} = await file.read(buffer, 0, length, from);
	return buffer.subarray(0, bytesRead);
}

function hitIn(line: Buffer, needle: Needle): TextHit | undefined {
	const span = spanOf(line, 0, line.length);
	const item = span === undefined ? undefined : parseItem(bodyOf(line, span));
	return item === undefined ? undefined : hitInItem(item, needle);
}

function hitInItem(item: Item, needle: Needle): TextHit | undefined {
	const found = hitInTexts(textsOf(item), needle);
	return found && {...found, place: placeOf(item), item: item.id};
}

type Found = Pick<TextHit, 'before' | 'match' | 'after'>;

function hitInTexts(texts: readonly string[], {text}: Needle): Found | undefined {
	for (const part of texts) {
		const at = part.toLowerCase().indexOf(text);
		// Lower case may change the length of a text. In this case, the position is unknown, and the hit has an empty
		// `match`.
		if (at !== -1)
			return part.toLowerCase().length === part.length ? hitAt(part, at, text.length) : hitAt(part, 0, 0);
	}
	return undefined;
}

function hitAt(text: string, at: number, length: number): Found {
	const before = inOneLine(text.slice(Math.max(0, at - contextChars), at));
	const after = inOneLine(text.slice(at + length, at + length + contextChars * 2));
	return {before, match: inOneLine(text.slice(at, at + length)), after};
}

function inOneLine(text: string): string {
	return text.toWellFormed().replaceAll(/\s+/g, ' ');
}

/** Returns the texts of an item that a user can search for. */
function textsOf(item: Item): readonly string[] {
	if (item.type === 'message' || item.type === 'reasoning') return [item.text];
	if (item.type === 'tool_call') return valuesOf(item.arguments);
	if (item.type === 'tool_result') return [item.content];
	if (item.type === 'compaction') return [item.summary];
	return item.type === 'title' ? [item.title] : [];
}

function placeOf(item: Item): HitPlace {
	if (item.type === 'message') return places[item.role];
	if (item.type === 'tool_call') return 'call';
	if (item.type === 'tool_result') return 'output';
	if (item.type === 'compaction') return 'summary';
	return item.type === 'title' ? 'title' : 'thinking';
}

const places = {user: 'prompt', assistant: 'answer', system: 'note'} as const;

/** Returns the texts among the arguments of a call, without their names. Invalid JSON is one text. */
function valuesOf(json: string): readonly string[] {
	try {
		const values: string[] = [];
		JSON.parse(json, (_, value: unknown) => {
			if (typeof value === 'string') values.push(value);
			return value;
		});
		return values;
	} catch {
		return [json];
	}
}

/** The size of a piece, in bytes. Searching a piece takes a fraction of a millisecond. */
const pieceBytes = 65_536;
/** The buffer for a piece. The search in the next session uses it again. */
let spare: Buffer | undefined;
const maxLineBytes = 4_194_304;
const contextChars = 60;
