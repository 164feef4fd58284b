import {secretsOf, withoutCredentials} from '../../../worker/index.ts';
import type {McpStart} from './entry.ts';
import {stripVTControlCharacters} from 'node:util';
import {invisibleClass} from '../../ground/text/invisible-class.ts';

/** Creates a function that removes an entry's secrets from a text, because servers and libraries may repeat them. */
export function createScrubber(start: McpStart): (text: string) => string {
	const secrets = secretValues(start)
		.filter(value => value.length >= minLength)
		.toSorted((a, b) => b.length - a.length);
	return text => withoutCredentials(secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text));
}

/**
Makes a server's text harmless for users and models. The lines of the text stay. No character can move a cursor, change
the reading direction, or be invisible.
*/
export function inertText(text: string, maxCharacters: number): string {
	const shown = text
		.slice(0, 2 * maxCharacters)
		.replaceAll(/\r\n?/g, '\n')
		.replaceAll(emojiSelector, '')
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

/** Tells whether a text has a character that is not drawn and does not belong to an emoji. */
export function hasUndrawn(text: string): boolean {
	return invisible.test(text.replaceAll(emojiSelector, ''));
}

const minLength = 6;

function secretValues(start: McpStart): readonly string[] {
	if (start.transport === 'stdio')
		return Object.entries(start.env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));
	const url = URL.parse(start.url);
	const headers = Object.values(start.headers).flatMap(value => [value, ...value.split(/\s+/).slice(1)]);
	return [...headers, ...(url === null ? [] : secretsOf(url))];
}

const secretName = /token|key|secret|passw|credential|auth/i;

/** The selector that draws an emoji in colours. The emoji is the same without it. */
const emojiSelector = /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f/gu;

/** A joiner stays between two parts of an emoji. */
const emojiJoiner = String.raw`(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})`;

const invisible = new RegExp(`(?!${emojiJoiner})[${invisibleClass}]`, 'u');

/** Controls, characters that are not drawn, and halves of characters. */
const unseen = new RegExp(String.raw`(?![\n\t]|${emojiJoiner})[\p{Cc}\p{Cs}${invisibleClass}]`, 'gu');
