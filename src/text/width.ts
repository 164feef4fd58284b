import stringWidth from 'string-width';
import {required} from './lines.ts';

/**
Returns how many cells a text occupies in a terminal.

The text must be sanitized (sanitize.ts), because this function counts control characters as 0 cells. Single code points
are measured as in string-width (East Asian Width; ambiguous characters are narrow). Emoji sequences take two cells. The
width of every other grapheme cluster is the sum of its code points' widths, as in terminals: `ส้ำ` takes 2 cells, while
string-width returns 1. Terminals with older tables (xterm.js without its unicode addon: Unicode 6) draw some emoji with
other widths, so no table is correct for all terminals. This function uses the current table.
*/
export function width(text: string): number {
	if (isPlain(text)) return text.length;
	let cells = 0;
	for (let index = 0; index < text.length;) {
		const code = codePointIn(text, index);
		const traits = traitsOf(code);
		if ((traits & joins) !== 0) return clusteredWidth(text);
		cells += traits & cellMask;
		index += code > 0xffff ? 2 : 1;
	}
	return cells;
}

/**
Returns the text if it fits. Otherwise returns the longest prefix of whole clusters that leaves room for `mark`,
followed by `mark`. The result is never wider than `columns`.
*/
export function cut(text: string, columns: number, mark = ''): string {
	if (fit(text, columns) === text.length) return text;
	const room = columns - width(mark);
	return room < 0 ? '' : text.slice(0, fit(text, room)) + mark;
}

/**
Returns the text if it fits. Otherwise returns its first words and `…`. A word is divided only if the words before it
take less than half of the row.
*/
export function cutAtWord(text: string, columns: number): string {
	const end = fit(text, columns);
	if (end === text.length || columns < 1) return columns < 1 ? '' : text;
	const shown = text.slice(0, fit(text, columns - 1));
	const isDivided = /\w$/.test(shown) && /^\w/.test(text.slice(shown.length));
	const words = isDivided ? shown.replace(/[\w'’./:+-]+$/, '') : shown;
	return `${width(words) * 2 >= columns ? words.trimEnd() : shown}…`;
}

/**
Returns the end of the longest prefix of whole clusters that fits in `columns`. Reads only as much of the text as
needed.
*/
export function fit(text: string, columns: number): number {
	if (text.length <= columns && isPlain(text)) return text.length;
	let cells = 0;
	let end = 0;
	for (const step of steps(text)) {
		cells += step.traits & cellMask;
		if (cells > columns) return end;
		end = step.end;
	}
	return end;
}

/** Pads with spaces up to `columns`. A wider text stays as it is. */
export function pad(text: string, columns: number): string {
	const missing = columns - width(text);
	return missing > 0 ? text + ' '.repeat(missing) : text;
}

/** Tells whether a text is printable ASCII, where cells, code units and clusters are the same. */
export function isPlain(text: string): boolean {
	return plain.test(text);
}

/**
Tells whether a line fits, without measuring it. The result may be true only for a line of printable ASCII and tabs that
fits with any tab stops.
*/
export function surelyFits(line: string, columns: number): boolean {
	if (line.length > columns) return false;
	if (isPlain(line)) return true;
	const pieces = line.split('\t');
	return line.length + (tabCells - 1) * (pieces.length - 1) <= columns && pieces.every(isPlain);
}

/** The maximum number of cells of a tab. */
const tabCells = 4;

/**
Yields the smallest pieces between which a text may be cut: clusters with their traits. A cluster of more than two cells
is split into code points, so that every piece fits in a row. Examples are some Indic syllables, and long hostile
sequences of marks. The function yields the same object each time, with new values.
*/
export function* steps(text: string): Generator<Step, void, undefined> {
	const step = {from: 0, end: 0, traits: 0};
	let index = 0;
	while (index < text.length) {
		const code = codePointIn(text, index);
		const next = index + (code > 0xffff ? 2 : 1);
		const following = next < text.length ? traitsOf(codePointIn(text, next)) : 0;
		step.from = index;
		step.traits = traitsOf(code);
		step.end = next;
		if (((step.traits | following) & joins) !== 0) {
			step.end = clusterEnd(text, index);
			if (step.end > next) {
				const cells = clusterWidth(text.slice(index, step.end));
				if (cells > 2) step.end = next;
				else step.traits = (step.traits & ~cellMask) | cells;
			}
		}
		index = step.end;
		yield step;
	}
}

type Step = {readonly from: number; readonly end: number; readonly traits: number};

/** The traits of a code point: its cells in the low bits, then flags. This mask selects the cells. */
export const cellMask = 0b111;

/** The flag of a code point that may combine with its neighbour into one cluster. */
export const joins = 0b1000;

/** The flag of a code point that is two cells wide. A line may break before and after it without a space. */
export const wide = 0b1_0000;

/**
`noStart` is the flag of a code point that must not begin a row (closing punctuation, small kana). `noEnd` is the flag
of a code point that must not end a row (opening brackets).
*/
export const noStart = 0b10_0000;

export const noEnd = 0b100_0000;

/** Returns the traits of one code point. They are computed once and cached in pages of 256. */
export function traitsOf(code: number): number {
	const page = (pages[code >> 8] ??= new Uint8Array(256).fill(unknown));
	const known = page[code & 255] ?? unknown;
	return known === unknown ? (page[code & 255] = lookUp(code)) : known;
}

/** Returns the code point at an index inside a text. */
export function codePointIn(text: string, index = 0): number {
	return required(text.codePointAt(index), 'code point');
}

/**
Segments a text into graphemes. The segmenter is created when it is first needed, because creating it takes 8 ms and the
first frame does not need it.
*/
export function graphemesOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter();
	return segmenter.segment(text);
}

/** Returns the segment at an index inside the segmented text. */
export function segmentAt(segments: Intl.Segments, index: number): Intl.SegmentData {
	return required(segments.containing(index), 'segment');
}

const plain = /^[\u0020-\u007e]*$/;

/** The value for traits that are not computed yet: all bits are set. */
const unknown = 0xff;

const pages: Array<Uint8Array | undefined> = [];

const sequenceWidths = new Map<string, number>();

const joining = new RegExp(
	[
		String.raw`[\p{M}\p{Regional_Indicator}\p{Emoji_Modifier}\u{200c}-\u{200d}\u0e33\u0eb3\u1100-\u11ff`,
		String.raw`\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\u{e0020}-\u{e007f}]`,
	].join(''),
	'u',
);

const closing =
	/[)\]},.!?:;%、。，．・：；？！」』】〉》）］｝〕〗”’…‥ー々〻ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ]/u;

const opening = /[([{「『【〈《（［｛〔〖“‘]/u;

const sequence = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

function lookUp(code: number): number {
	const character = String.fromCodePoint(code);
	const cells = stringWidth(character);
	return (
		cells |
		(joining.test(character) ? joins : 0) |
		(cells === 2 ? wide : 0) |
		(closing.test(character) ? noStart : 0) |
		(opening.test(character) ? noEnd : 0)
	);
}

function clusteredWidth(text: string): number {
	let cells = 0;
	for (const {segment} of graphemesOf(text)) cells += clusterWidth(segment);
	return cells;
}

function clusterWidth(cluster: string): number {
	let cells = sequenceWidths.get(cluster);
	if (cells === undefined) {
		cells = sequence.test(cluster) ? stringWidth(cluster) : sumWidth(cluster);
		if (sequenceWidths.size === 4096) sequenceWidths.clear();
		if (cluster.length <= 32) sequenceWidths.set(cluster, cells);
	}
	return cells;
}

function sumWidth(cluster: string): number {
	let cells = 0;
	for (const character of cluster) cells += traitsOf(codePointIn(character)) & cellMask;
	return cells;
}

/**
Returns the index where a cluster ends. Only a window of the text is read, because a segmenter copies its text. A
cluster that is longer than the window is cut at the end of the window.
*/
function clusterEnd(text: string, from: number): number {
	return from + segmentAt(graphemesOf(text.slice(from, from + 64)), 0).segment.length;
}

let segmenter: Intl.Segmenter | undefined;
