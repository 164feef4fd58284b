import {stripVTControlCharacters} from 'node:util';

/**
What a server says of itself, made harmless for users and models: no character moves a cursor, changes the reading
direction or is invisible. Lines stay.
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

/** The end of what a program wrote to stderr, without colours and with whole characters only. */
export function stderrText(bytes: Buffer): string {
	const start = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	return inertText(stripVTControlCharacters(bytes.subarray(Math.max(0, start)).toString()), bytes.length);
}

/**
Controls, characters that are not drawn (tags that hide a text among them) and halves of characters. A joiner stays: it
is a part of emoji.
*/
const unseen = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
