import type {Row} from '../../../spans/row.ts';
import {linesOf, rowIn, type Line} from './lines.ts';

/**
A match in the rows of a block. `shown` is its index among the matches in the rows. `whole` is its index among all
matches of the expanded block. `row` is the index of its row.
*/
type Numbers = {readonly shown: number; readonly whole: number; readonly row: number};

/**
Returns the matches in the rows of a block, in order. `texts` are the texts of the whole block. The rows may leave out
some lines of the block, and may cut off the ends of other lines.
*/
export function numberMatches(rows: readonly Row[], texts: readonly string[], pattern: RegExp): readonly Numbers[] {
	const all = Array.from(matchesIn(rows, pattern), ({row}, shown): Numbers => ({shown, whole: shown, row}));
	return all.length >= countAll(texts, pattern) ? all : Array.from(amongWhole(rows, texts, pattern));
}

/** Counts the matches in all texts. */
export function countAll(texts: readonly string[], pattern: RegExp): number {
	return texts.reduce((sum, text) => sum + countIn(text, pattern), 0);
}

export function countIn(text: string, pattern: RegExp): number {
	let count = 0;
	pattern.lastIndex = 0;
	while (pattern.test(text)) count++;
	return count;
}

type InLine = {readonly row: number; readonly placed: PlacedLine; readonly from: number; readonly to: number};

function* matchesIn(rows: readonly Row[], pattern: RegExp): Generator<InLine, void, undefined> {
	for (const placed of placedLines(rows)) {
		const {line} = placed;
		for (const {index, 0: found} of line.text.matchAll(pattern))
			yield {row: line.first + rowIn(line, index), placed, from: index, to: index + found.length};
	}
}

/**
Yields the matches in rows that do not show the whole block. A match counts only if its line in the whole block has the
same text up to the end of the match.
*/
function* amongWhole(
	rows: readonly Row[],
	texts: readonly string[],
	pattern: RegExp,
): Generator<Numbers, void, undefined> {
	const lines = wholeLines(texts);
	let [next, before, shown] = [0, 0, 0];
	for (const {row, placed, from, to} of matchesIn(rows, pattern)) {
		for (; next < placed.at; next++) before += countIn(lines[next] ?? '', pattern);
		const whole = lines[placed.at] ?? '';
		const isSame = whole.slice(0, to) === placed.line.text.slice(0, to);
		if (isSame) yield {shown, whole: before + countBefore(whole, from, pattern), row};
		shown++;
	}
}

function countBefore(text: string, end: number, pattern: RegExp): number {
	let count = 0;
	for (const {index} of text.matchAll(pattern)) if (index < end) count++;
	return count;
}

/** Returns the lines of a whole block, without the blank lines at its start. */
function wholeLines(texts: readonly string[]): readonly string[] {
	const lines = texts.join('').split('\n');
	const blank = lines.findIndex(line => line !== '');
	return blank > 0 ? lines.slice(blank) : lines;
}

/** A line and its index among the lines of the whole block. */
type PlacedLine = {readonly line: Line; readonly at: number};

/**
Yields the lines of the rows, without blank lines at the beginning. The line indexes include the lines that a row such
as "3 more lines" hides.
*/
function* placedLines(rows: readonly Row[]): Generator<PlacedLine, void, undefined> {
	let [at, row] = [0, 0];
	for (const line of linesOf(rows)) {
		for (; row < line.first; row++) at += rows[row]?.hides ?? 0;
		if (at > 0 || line.text !== '') yield {line, at: at++};
	}
}
