import {cutText, parseItem} from '../../worker/index.ts';
import type {Refusal} from './decode.ts';
import {bodyOf, readHeader, spanOf, type Header} from './line.ts';

/** What the start of a history.json tells of it. */
export type Head = {readonly ok: true; readonly header: Header; readonly words: string} | Refusal;

/**
Reads as much of the start of a file as holds the person's first words, and never more than `maxBytes`: the setup and
the instructions come before them.
`read` gives the first bytes of the file, at most as many as it is asked for.
*/
export async function readHead(read: (length: number) => Promise<Buffer>, fileBytes: number): Promise<Head> {
	for (let length = firstBytes; ; length *= 4) {
		const bytes = await read(Math.min(length, maxBytes));
		const isAll = bytes.length >= Math.min(fileBytes, maxBytes) || bytes.length < Math.min(length, maxBytes);
		const head = headOf(bytes, isAll);
		if (head !== undefined) return head;
	}
}

/** `undefined`: more bytes may tell more. */
function headOf(bytes: Buffer, isAll: boolean): Head | undefined {
	const start = bytes[0] === 0xef ? 3 : 0;
	if (bytes.length <= start) return {ok: false, reason: 'empty'};
	const headerEnd = bytes.indexOf(newline);
	if (headerEnd < 0 && !isAll) return undefined;
	const read = readHeader(bytes.toString('utf8', start, headerEnd < 0 ? bytes.length : headerEnd));
	if (!read.ok) return read;
	const words = headerEnd < 0 ? '' : firstWords(bytes, headerEnd + 1);
	return words === undefined && !isAll ? undefined : {ok: true, header: read.header, words: words ?? ''};
}

function firstWords(bytes: Buffer, start: number): string | undefined {
	for (let at = start; at < bytes.length;) {
		const next = bytes.indexOf(newline, at);
		if (next < 0) return cutLineWords(bytes.toString('utf8', at, Math.min(bytes.length, at + cutBytes)));
		const span = spanOf(bytes, at, next);
		const item = span === undefined ? undefined : parseItem(bodyOf(bytes, span));
		if (item?.type === 'message' && item.role === 'user') return folded(item.text);
		at = next + 1;
	}
	return undefined;
}

/** The words in the first part of a line that is longer than what was read. */
function cutLineWords(text: string): string | undefined {
	const [, written] = userText.exec(text) ?? [];
	return written === undefined || written.length < maxWords ? undefined : folded(JSON.parse(`"${written}"`));
}

/** One line, at most `maxWords` bytes. */
function folded(text: string): string {
	return cutText(
		text
			.slice(0, maxWords * 4)
			.toWellFormed()
			.replaceAll(/\s+/gu, ' ')
			.trim(),
		maxWords,
	).text;
}

/** A user item as it is written, up to where its text is cut, escapes whole. */
const userText =
	/^\{"id":"[^"\\]+","at":"[^"\\]+","type":"message","role":"user","text":"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)/;
const newline = 0x0a;
const maxWords = 400;
const cutBytes = 16_384;
const firstBytes = 65_536;
const maxBytes = 1_048_576;
