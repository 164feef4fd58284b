import {emojiSequence, isEmoji, keptLength, notDrawn, type Word} from './allowed-invisibles.ts';
import {codePointIn} from './width.ts';

/** A run of invisible characters in a line. A mark replaces the run on the screen. */
export type InvisibleRun = {readonly from: number; readonly to: number; readonly characters: readonly string[]};

/**
Tells whether a text has a character that a model reads but a terminal does not draw. Unlike `invisibleRuns`, this
function ignores whether the neighbouring characters make it legitimate.
*/
export function isInvisible(text: string): boolean {
	if (nextCandidate(text, 0) === text.length) return false;
	anyUndrawn ??= new RegExp(notDrawn, 'v');
	return anyUndrawn.test(text);
}

/**
Tells whether a code unit may be an invisible character or its first half. The check is fast and needs no Unicode
tables.
*/
export function isCandidate(codeUnit: number): boolean {
	return candidates[codeUnit] === 1;
}

/** Yields the runs of invisible characters of a well-formed line, in order. Legitimate characters are left out. */
export function* invisibleRuns(line: string): Generator<InvisibleRun, void, undefined> {
	const word: Word = {end: 0, joiners: 0};
	const runs = `${reordering}+|[${notDrawn}--${reordering}]+`;
	sequencesAndRuns ??= new RegExp(`(${blankBraille})|(${emojiSequence})|${runs}`, 'gv');
	for (let done = 0; ;) {
		const at = nextCandidate(line, done);
		if (at === line.length) return;
		sequencesAndRuns.lastIndex = Math.max(done, at - maxBase);
		const match = sequencesAndRuns.exec(line);
		if (match === null) return;
		const {0: found, 1: braille, 2: emoji, index} = match;
		done = index + found.length;
		if (braille !== undefined) continue;
		if (emoji !== undefined) {
			if (!isEmoji(emoji)) yield* invisibleIn(emoji, index);
			continue;
		}
		const from = index + keptLength(line, index, found, word);
		if (from < done) yield {from, to: done, characters: Array.from(line.slice(from, done))};
	}
}

/**
Returns the mark of a run, with the number and the kind of its characters. Text that was hidden in tags or selectors
becomes readable.
*/
export function markOf(characters: readonly string[]): string {
	const kinds = [...new Set(characters)];
	const names = kinds.slice(0, maxNames).map(codeOf).join(', ');
	const count = characters.length;
	if (kinds.length === 1) return `⟨${names}${count === 1 ? '' : ` ×${count}`}⟩`;
	const alphabet = alphabets.find(({has}) => kinds.every(kind => has.test(kind)));
	if (alphabet === undefined) return `⟨${count} invisible: ${names}${kinds.length > maxNames ? ', …' : ''}⟩`;
	const spelled = printable(alphabet.codes(characters));
	return `⟨${count} ${alphabet.name}${spelled === '' ? '' : `: ${spelled}`}⟩`;
}

/** Returns a short mark of a run. */
export function shortMarkOf(characters: readonly string[]): string {
	return characters.length === 1 ? markOf(characters) : `⟨×${characters.length}⟩`;
}

/** Matches the marks of invisible characters. A text may itself contain characters that look like such a mark. */
export const invisibleSigns =
	/⟨(?:U\+[\dA-F]{4,6}(?: ×\d+)?|×\d+|\d+ (?:tags|variation selectors|invisible)(?:: [^⟩]*)?)⟩/g;

const maxNames = 3;

function codeOf(character: string): string {
	return `U+${codePointIn(character).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A way to hide text in invisible characters. */
type Alphabet = {readonly name: string; readonly has: RegExp; codes(characters: readonly string[]): readonly number[]};

const alphabets: readonly Alphabet[] = [
	{name: 'tags', has: /[\u{e0000}-\u{e007f}]/u, codes: tags => tags.map(codeOfTag).filter(isLetter)},
	{name: 'variation selectors', has: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, codes: them => them.map(byteOf)},
];

function codeOfTag(tag: string): number {
	return codePointIn(tag) - 0xe0000;
}

/**
Tells whether a tag stands for a character. The tag that names a language and the tag that ends a sequence do not.
*/
function isLetter(code: number): boolean {
	return code !== 0x01 && code !== 0x7f;
}

/** Returns the index of a variation selector, from 0 to 255. So each selector can hide one byte. */
function byteOf(selector: string): number {
	const code = codePointIn(selector);
	return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
}

/** Returns the text of the codes, or an empty text if a code is not printable ASCII. */
function printable(codes: readonly number[]): string {
	if (!codes.every(code => code >= 0x20 && code < 0x7f)) return '';
	return String.fromCharCode(...codes.slice(0, maxSpelled)) + (codes.length > maxSpelled ? '…' : '');
}

/** The maximum length of encoded text, because a function call allows only about ten thousand arguments. */
const maxSpelled = 8192;

let anyUndrawn: RegExp | undefined;
const blankBraille = String.raw`[\u2801-\u28ff]\u2800+|\u2800+(?=[\u2801-\u28ff])`;
/** The characters that reorder other characters. A run of them gets a separate mark. */
const reordering = String.raw`[\u202a-\u202e\u2066-\u2069]`;
let sequencesAndRuns: RegExp | undefined;
/**
The maximum number of code units in a sequence before its first invisible character: a pictograph and its skin tone.
*/
const maxBase = 4;

function* invisibleIn(sequence: string, index: number): Generator<InvisibleRun, void, undefined> {
	for (const {0: found, index: at} of sequence.matchAll(/\u200d|[\u{e0000}-\u{e007f}]+/gu)) {
		yield {from: index + at, to: index + at + found.length, characters: Array.from(found)};
	}
}

/**
A table with one entry for each code unit. The entry is 1 if the code unit may be or begin an invisible character. For
invisible characters above U+FFFF, including the last two code points of each plane, the entry is at their high
surrogate.
*/
const candidates = new Uint8Array(0x1_0000);
for (const [first, last = first] of [
	[0xad],
	[0x34f],
	[0x61c],
	[0x115f, 0x1160],
	[0x17b4, 0x17b5],
	[0x180b, 0x180f],
	[0x200b, 0x200f],
	[0x2028, 0x202e],
	[0x2060, 0x206f],
	[0x2800],
	[0x3164],
	[0xfdd0, 0xfdef],
	[0xfe00, 0xfe0f],
	[0xfeff],
	[0xffa0],
	[0xfff0, 0xfffb],
	[0xfffe, 0xffff],
	[0xd80d],
	[0xd81b],
	[0xd82f],
	[0xd834],
	[0xdb40, 0xdb43],
	...Array.from({length: 16}, (_, plane) => [0xd83f + plane * 0x40] as const),
] as const)
	candidates.fill(1, first, last + 1);

function nextCandidate(line: string, from: number): number {
	let at = from;
	while (at < line.length && candidates[line.charCodeAt(at)] === 0) at++;
	return at;
}
