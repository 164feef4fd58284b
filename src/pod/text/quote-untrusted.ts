import {required} from '../values/required.ts';

/** A text of unknown origin on one line, quoted, with every invisible character escaped. */
export function quoteUntrusted(text: string): string {
	return JSON.stringify(text).replaceAll(invisible, escaped);
}

/** Blank Braille, a musical and a Khitan filler are blank without being spaces. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]/gu;

function escaped(character: string): string {
	return `\\u{${required(character.codePointAt(0), 'a code point').toString(16)}}`;
}
