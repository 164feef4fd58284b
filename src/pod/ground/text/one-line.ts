import {required} from '../values/is-record.ts';

/** Returns a path on one line. Escapes backslashes and newlines. */
export function onOneLine(path: string): string {
	return path
		.replaceAll('\\', '\\\\')
		.replaceAll('\n', String.raw`\n`)
		.replaceAll('\r', String.raw`\r`);
}

/** Returns a text of unknown origin on one line, in quotes. Escapes every invisible character. */
export function quoteUntrusted(text: string): string {
	return JSON.stringify(text).replaceAll(invisible, escaped);
}

/** Returns a text with a newline at its end, unless it is empty. */
export function closed(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
Matches invisible characters. Blank Braille, a musical filler and a Khitan filler are included, because they are blank
without being spaces.
*/
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]/gu;

function escaped(character: string): string {
	return `\\u{${required(character.codePointAt(0), 'a code point').toString(16)}}`;
}
