import {stripVTControlCharacters} from 'node:util';

/**
Makes a server's text harmless for users and models. The lines of the text stay. No character can move a cursor, change
the reading direction, or be invisible.
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

/** Returns the same text on one line. */
export function inertLine(text: string, maxCharacters: number): string {
	return inertText(text.replaceAll(/\s+/gu, ' '), maxCharacters);
}

/** Returns the end of a program's stderr, without colours and with whole characters only. */
export function stderrText(bytes: Buffer): string {
	const start = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	return inertText(stripVTControlCharacters(bytes.subarray(Math.max(0, start)).toString()), bytes.length);
}

/**
Controls, characters that are not drawn (such as tags), and halves of characters. A joiner stays, because emoji need
it.
*/
const unseen = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
