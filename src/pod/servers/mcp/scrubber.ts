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
Makes a server's text harmless for users and models. The line breaks of the text stay. Removes or replaces characters
that move the cursor, change the reading direction, or are invisible.
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

/** Like `inertText`, but returns the text on one line. */
export function inertLine(text: string, maxCharacters: number): string {
	return inertText(text.replaceAll(/\s+/gu, ' '), maxCharacters);
}

/**
Decodes the last bytes of a program's stderr, without colours and without an incomplete character at the beginning.
*/
export function stderrText(bytes: Buffer): string {
	const start = bytes.findIndex(byte => (byte & 0xc0) !== 0x80);
	return inertText(stripVTControlCharacters(bytes.subarray(Math.max(0, start)).toString()), bytes.length);
}

/** Tells whether a text has an invisible character that does not belong to an emoji. */
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

/**
The variation selector that makes a terminal draw an emoji in colours. Without the selector, the emoji has the same
meaning.
*/
const emojiSelector = /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f/gu;

/** A zero-width joiner between two parts of an emoji, which must stay. */
const emojiJoiner = String.raw`(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})`;

const invisible = new RegExp(`(?!${emojiJoiner})[${invisibleClass}]`, 'u');

/** Control characters, invisible characters, and unpaired surrogates. */
const unseen = new RegExp(String.raw`(?![\n\t]|${emojiJoiner})[\p{Cc}\p{Cs}${invisibleClass}]`, 'gu');
