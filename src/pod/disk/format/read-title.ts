import {cutText, parseItem, type Item} from '../../../worker/index.ts';
import {isOfUser, nameOfItem, nameOfItems, nameOfText} from '../../protocol/session-name.ts';
import {decode, type Refusal} from './decode.ts';
import {bodyOf, readHeader, spanOf, type Header} from './line.ts';

/** The start of a history.json. `words` is the name of the session from its first message. */
type Head =
	| {readonly ok: true; readonly header: Header; readonly isHeaderSound: boolean; readonly words: string}
	| Refusal;

/**
Reads the start of a file up to the user's first message. It reads at most `maxBytes`, because setup and instructions
come first and may be long. `read` returns up to `length` bytes from the start of the file.
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
	const words = headerEnd < 0 ? '' : firstWords(bytes, headerEnd + 1, isAll);
	return words === undefined ? undefined : {ok: true, header: read.header, isHeaderSound: true, words};
}

/** Decodes the start of a file with a damaged header in the same way as when the session is opened. */
function damagedHead(bytes: Buffer): Head {
	const read = decode(bytes);
	if (!read.ok) return read;
	const items = read.lines.flatMap(line => ('item' in line ? [line.item] : []));
	const {header, isHeaderSound} = read;
	return {ok: true, header, isHeaderSound, words: cutName(nameOfItems(items) ?? '')};
}

/** Returns the name of the session, or `undefined` if the user's first message is not among these bytes. */
function firstWords(bytes: Buffer, start: number, isAll: boolean): string | undefined {
	const commands: Item[] = [];
	for (let at = start; at < bytes.length;) {
		const next = bytes.indexOf(newline, at);
		const rest = next < 0 ? bytes.toString('utf8', at, Math.min(bytes.length, at + cutBytes)) : '';
		if (next < 0 && userText.test(rest)) return isAll ? cutName(cutLineWords(rest)) : undefined;
		if (next < 0) break;
		const span = spanOf(bytes, at, next);
		const item = span === undefined ? undefined : parseItem(bodyOf(bytes, span));
		if (isOfUser(item)) return cutName(nameOfItem(item) ?? '');
		if (item !== undefined && commands.length === 0 && nameOfItem(item) !== undefined) commands.push(item);
		at = next + 1;
	}
	return isAll ? cutName(nameOfItems(commands) ?? '') : undefined;
}

/** Returns the name from the first part of an incomplete line. */
function cutLineWords(text: string): string {
	const [, written = ''] = userText.exec(text) ?? [];
	return nameOfText(String(JSON.parse(`"${written}"`)));
}

/** Returns the beginning of a name, cut between characters. */
export function cutName(name: string): string {
	return cutText(name, maxName).text;
}

/** Matches one character of a JSON string. A complete escape counts as one character. */
const character = /[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
const userText = new RegExp(
	String.raw`^\{"id":"[^"\\]+","at":"[^"\\]+","type":"message","role":"user","text":"((?:${character.source})*)`,
);
const newline = 0x0a;
const maxName = 400;
const cutBytes = 16_384;
const firstBytes = 65_536;
const maxBytes = 1_048_576;
