import {stripVTControlCharacters} from 'node:util';

/**
What a server says of itself, as a person and a model are shown it: nothing that moves a cursor, turns the reading
around or cannot be seen. Lines stay.
*/
export function inertText(text: string, maxCharacters: number): string {
	const shown = text
		.slice(0, 2 * maxCharacters)
		.replaceAll(/\r\n?/g, '\n')
		.replaceAll(unseen, ' ')
		.trim();
	const characters = Array.from(shown);
	return characters.length <= maxCharacters && text.length <= 2 * maxCharacters
		? shown
		: `${characters.slice(0, maxCharacters).join('')}…`;
}

/** The same on one line. */
export function inertLine(text: string, maxCharacters: number): string {
	return inertText(text.replaceAll(/\s+/gu, ' '), maxCharacters);
}

/** The last of what a program wrote to its terminal: without colours, whole characters only. */
export function stderrText(bytes: Buffer): string {
	const start = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	return inertText(stripVTControlCharacters(bytes.subarray(Math.max(0, start)).toString()), bytes.length);
}

/**
Controls, marks that are not drawn (the tags that hide a text among them), halves of characters. A joiner holds emoji
together.
*/
const unseen = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
