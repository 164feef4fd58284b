import {asWritten} from '../../protocol/immutable.ts';
import {cutText, parseItem} from '../../../worker/index.ts';
import {decode, type Refusal} from './decode.ts';
import {bodyOf, readHeader, spanOf, type Header} from './line.ts';

/** The start of a history.json. `words` are the user's first words. */
type Head =
	| {readonly ok: true; readonly header: Header; readonly isHeaderSound: boolean; readonly words: string}
	| Refusal;

/**
Reads the start of a file up to the user's first words. It reads at most `maxBytes`, because setup and instructions come
first and may be long. `read` returns up to `length` bytes from the start of the file.
*/
export async function readTitle(read: (length: number) => Promise<Buffer>, fileBytes: number): Promise<Head> {
	for (let length = firstBytes; ; length *= 4) {
		const bytes = await read(Math.min(length, maxBytes));
		const isAll = bytes.length >= Math.min(fileBytes, maxBytes) || bytes.length < Math.min(length, maxBytes);
		const head = headOf(bytes, isAll);
		if (head !== undefined) return head;
	}
}

/** Returns the head of a history, or `undefined` if more bytes are needed. */
function headOf(bytes: Buffer, isAll: boolean): Head | undefined {
	const start = bytes[0] === 0xef ? 3 : 0;
	if (bytes.length <= start) return {ok: false, reason: 'empty'};
	const headerEnd = bytes.indexOf(newline);
	if (headerEnd < 0 && !isAll) return undefined;
	const read = readHeader(bytes.toString('utf8', start, headerEnd < 0 ? bytes.length : headerEnd));
	if (!read.ok || !read.isSound) return isAll ? damagedHead(bytes) : undefined;
	const words = headerEnd < 0 ? '' : firstWords(bytes, headerEnd + 1);
	return words === undefined && !isAll
		? undefined
		: {ok: true, header: read.header, isHeaderSound: true, words: words ?? ''};
}

/** Decodes the start of a file with a damaged header in the same way as when the session is opened. */
function damagedHead(bytes: Buffer): Head {
	const read = decode(bytes);
	if (!read.ok) return read;
	const items = read.lines.flatMap(line => ('item' in line ? [line.item] : []));
	const first = items.find(item => item.type === 'message' && item.role === 'user');
	const {header, isHeaderSound} = read;
	return {ok: true, header, isHeaderSound, words: first?.type === 'message' ? oneLine(first.text) : ''};
}

function firstWords(bytes: Buffer, start: number): string | undefined {
	for (let at = start; at < bytes.length;) {
		const next = bytes.indexOf(newline, at);
		if (next < 0) return cutLineWords(bytes.toString('utf8', at, Math.min(bytes.length, at + cutBytes)));
		const span = spanOf(bytes, at, next);
		const item = span === undefined ? undefined : parseItem(bodyOf(bytes, span));
		if (item?.type === 'message' && item.role === 'user') return oneLine(item.text);
		at = next + 1;
	}
	return undefined;
}

/** Returns the user's words from the first part of an incomplete line. */
function cutLineWords(text: string): string | undefined {
	const [, written] = userText.exec(text) ?? [];
	return written === undefined || written.length < maxWords ? undefined : oneLine(JSON.parse(`"${written}"`));
}

/** Returns a text on one line, with at most `maxWords` bytes. */
export function oneLine(text: string): string {
	return cutText(
		asWritten(text.slice(0, maxWords * 4))
			.toWellFormed()
			.replaceAll(/\s+/gu, ' ')
			.trim(),
		maxWords,
	).text;
}

/** Matches one character of a JSON string. A complete escape counts as one character. */
const character = /[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
const userText = new RegExp(
	String.raw`^\{"id":"[^"\\]+","at":"[^"\\]+","type":"message","role":"user","text":"((?:${character.source})*)`,
);
const newline = 0x0a;
const maxWords = 400;
const cutBytes = 16_384;
const firstBytes = 65_536;
const maxBytes = 1_048_576;
