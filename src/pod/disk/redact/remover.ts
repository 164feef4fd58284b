import {createKnownValues, leastBytes} from '../export/known-values.ts';

/** The reason for a mark. It is never the removed text or the pattern. */
export type Rule = 'text' | 'pattern' | 'item';

/** A mark in a text: its first byte, and the number of bytes of the text that it replaces. */
export type TextMark = {readonly from: number; readonly bytes: number};

/** A text without the wanted values. `pieces` are the places of the marks in both texts, in UTF-16 code units. */
export type Removed = {readonly text: string; readonly marks: readonly TextMark[]; readonly pieces: readonly Piece[]};

type Piece = {readonly start: number; readonly end: number; readonly mark: string};

/** Removes values from texts. */
export type Remover = {
	readonly rule: Rule;
	/** Returns the text with a mark in place of each value, or `undefined` if it contains none. */
	readonly remove: (text: string) => Removed | undefined;
	/** Returns a mark in place of the whole text. */
	readonly removeAll: (text: string) => Removed | undefined;
};

/**
Creates a remover of these values. It finds them also inside other words, and in JSON, base64, hex and percent-encoding.
A value with fewer than 4 bytes is ignored. Values of the rule `item` are the texts of a whole item, such as `read`. So
only those that are rare or long are looked for.
*/
export function createRemover(rule: Rule, values: Iterable<string>): Remover {
	const known = createKnownValues({isExact: rule !== 'item'});
	for (const value of values) known.add(rule, value);
	return {
		rule,
		remove(text) {
			const places = text.length < leastLength ? [] : known.find(text);
			return places.length === 0 ? undefined : withMarks(rule, text, places);
		},
		removeAll: text => (text === '' ? undefined : withMarks(rule, text, [{start: 0, end: text.length}])),
	};
}

/** Tells whether a value is long enough to be looked for. */
export function isLongEnough(value: string): boolean {
	return Buffer.byteLength(value) >= leastBytes;
}

/** Returns the mark in place of a text with this number of bytes. */
export function markOf(rule: Rule, bytes: number): string {
	return `[redacted: ${rule}, ${bytes} bytes]`;
}

type Place = {readonly start: number; readonly end: number};

function withMarks(rule: Rule, text: string, places: readonly Place[]): Removed {
	const parts: string[] = [];
	const marks: TextMark[] = [];
	const pieces: Piece[] = [];
	let [last, length] = [0, 0];
	for (const {start, end} of places) {
		const bytes = Buffer.byteLength(text.slice(start, end));
		const quote = quoteFor(text, start, end);
		const mark = `${quote}${markOf(rule, bytes)}${quote}`;
		const before = text.slice(last, start);
		marks.push({from: length + Buffer.byteLength(before) + quote.length, bytes});
		pieces.push({start, end, mark});
		parts.push(before, mark);
		length += Buffer.byteLength(before) + mark.length;
		last = end;
	}
	parts.push(text.slice(last));
	return {text: parts.join(''), marks, pieces};
}

/** Returns the quote around a mark in place of a number in JSON, so that the text remains JSON. */
function quoteFor(text: string, start: number, end: number): string {
	const isNumber = /^-?\d+$/.test(text.slice(start, end)) && /^\s{0,8}(?:[,}\]]|$)/.test(text.slice(end, end + 10));
	if (!isNumber) return '';
	return /(\\{0,8}")\s{0,8}:\s{0,8}$/.exec(text.slice(Math.max(0, start - 40), start))?.[1] ?? '';
}

/** The shortest text with 4 bytes, in UTF-16 code units. */
const leastLength = 2;
