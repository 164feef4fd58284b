import {open, type FileHandle} from 'node:fs/promises';
import {parseItem, type Item} from '../../../worker/index.ts';
import {bodyOf, spanOf} from '../format/line.ts';
import {waitingText} from '../../protocol/immutable.ts';
import {historyFile} from '../paths.ts';
import {readEnd} from '../log/read.ts';

/** The first place of a session where a text occurs. The parts are on one line, and untrusted. */
export type TextHit = {readonly before: string; readonly match: string; readonly after: string};

/**
Returns the first place of a session where a text occurs, in what you or the model wrote, in calls, or in
results. Letters of ASCII match in both cases. It reads the history in pieces and gives way between them, so a search
over many sessions delays no key. Unreadable sessions have no hit.
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
		// The file was cut or removed meanwhile.
		return undefined;
	} finally {
		await file.close();
	}
}

/** Finds the text in what is not in the history yet. */
async function hitAtEnd(dir: string, needle: Needle): Promise<TextHit | undefined> {
	const {streamed, waiting} = (await readEnd(dir))?.open ?? {streamed: [], waiting: []};
	return hitInTexts([...streamed.flatMap(textsOf), ...waiting.map(waitingText)], needle);
}

/** A text as it stands in JSON: its bytes as Latin-1 characters, for a search without decoding. */
type Needle = {readonly text: string; readonly pattern: RegExp; readonly length: number};

function needleOf(text: string): Needle | undefined {
	const words = text.trim();
	if (words === '') return undefined;
	const bytes = Buffer.from(JSON.stringify(words).slice(1, -1)).toString('latin1');
	const source = bytes.replaceAll(/[^]/g, character =>
		/[a-z]/i.test(character)
			? `[${character.toLowerCase()}${character.toUpperCase()}]`
			: `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
	);
	return {text: words.toLowerCase(), pattern: new RegExp(source, 'g'), length: bytes.length};
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
		// The text occurred only in a name or a hash of this line.
		at = Math.max(line.end, at + found.index + 1);
	}
	return undefined;
}

/** Reads the line of a place. A line that is too long has no bytes, and only its end counts. */
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
	return item === undefined ? undefined : hitInTexts(textsOf(item), needle);
}

function hitInTexts(texts: readonly string[], {text}: Needle): TextHit | undefined {
	for (const part of texts) {
		const at = part.toLowerCase().indexOf(text);
		// The length of a text may change with its case. Then the place is not known, and the text has no mark.
		if (at !== -1)
			return part.toLowerCase().length === part.length ? hitAt(part, at, text.length) : hitAt(part, 0, 0);
	}
	return undefined;
}

function hitAt(text: string, at: number, length: number): TextHit {
	const before = inOneLine(text.slice(Math.max(0, at - contextChars), at));
	const after = inOneLine(text.slice(at + length, at + length + contextChars * 2));
	return {before, match: inOneLine(text.slice(at, at + length)), after};
}

function inOneLine(text: string): string {
	return text.toWellFormed().replaceAll(/\s+/g, ' ');
}

/** Returns the texts of an item that a user may remember. */
function textsOf(item: Item): readonly string[] {
	if (item.type === 'message' || item.type === 'reasoning') return [item.text];
	if (item.type === 'tool_call') return [item.arguments];
	if (item.type === 'tool_result') return [item.content];
	if (item.type === 'compaction') return [item.summary];
	return item.type === 'title' ? [item.title] : [];
}

/** A piece takes a fraction of a millisecond. */
const pieceBytes = 65_536;
/** The memory for a piece, which the next session uses again. */
let spare: Buffer | undefined;
const maxLineBytes = 4_194_304;
const contextChars = 60;
