import stringWidth from 'string-width';
import {segmentAt, graphemesOf} from './graphemes.ts';
import {codePointIn} from './checks/code-point.ts';

/**
Returns how many cells a text takes in a terminal.

The text must be inert (sanitize.ts), since controls count as nothing here.
Single code points are measured like in string-width (East Asian Width, ambiguous is narrow). Emoji sequences take two
cells. Every other cluster is the sum of its code points, as terminals advance: `ส้ำ` is 2, while string-width returns
1.
Terminals with older tables (xterm.js without its unicode addon: Unicode 6) draw some emoji in other widths. No table is
right for all terminals; this one is current.
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
Returns the text if it fits. Otherwise it returns the longest prefix of whole clusters that leaves room for `mark`, then
`mark`. It is never wider than `columns`.
*/
export function cut(text: string, columns: number, mark = ''): string {
	if (fit(text, columns) === text.length) return text;
	const room = columns - width(mark);
	return room < 0 ? '' : text.slice(0, fit(text, room)) + mark;
}

/** Returns the end of the longest prefix of whole clusters that fits in `columns`. It reads only as far as needed. */
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

/** Checks for printable ASCII, where cells, code units and clusters are the same. */
export function isPlain(text: string): boolean {
	return plain.test(text);
}

/**
Yields the smallest pieces that may be cut: clusters with their traits.
A cluster of more than two cells is split into code points, so that every step fits a row. Examples are some Indic
syllables and hostile piles of marks.
It yields the same object each time.
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

export type Step = {readonly from: number; readonly end: number; readonly traits: number};

/** The traits of a code point: its cells in the low bits, then flags. */
export const cellMask = 0b111;
/** It may combine with its neighbour into one cluster. */
export const joins = 0b1000;
/** A line may break before and after it without a space. It is two cells wide. */
export const wide = 0b1_0000;
/** `noStart` never begins a row (closing punctuation, small kana). `noEnd` never ends one (opening brackets). */
export const noStart = 0b10_0000;
export const noEnd = 0b100_0000;

/** Returns the traits of one code point. They are looked up once and cached in pages of 256. */
export function traitsOf(code: number): number {
	const page = (pages[code >> 8] ??= new Uint8Array(256).fill(unknown));
	const known = page[code & 255] ?? unknown;
	return known === unknown ? (page[code & 255] = lookUp(code)) : known;
}

const plain = /^[\u0020-\u007e]*$/;
/** Unknown traits have all bits set. */
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
Returns the end of a cluster. It reads a window only, since a segmenter copies its text. A cluster that fills the window
is cut there.
*/
function clusterEnd(text: string, from: number): number {
	return from + segmentAt(graphemesOf(text.slice(from, from + 64)), 0).segment.length;
}
