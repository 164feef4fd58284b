import type {Span, Style} from '../../../text/span.ts';
import {required} from '../../../text/lines.ts';

export type DiffLayout = {
	readonly columns: number;
	/** The gutter before the line numbers. */
	readonly gutter: string;
	/** The gutter before a continued line. Without it lines are cut, not wrapped. */
	readonly rest?: string;
	/** The span that follows every row whose line continues. */
	readonly goesOn?: Span;
	/** Changes spans before they become rows: makes tabs visible. The text must not depend on the cuts between spans. */
	readonly prepare?: (spans: readonly Span[]) => readonly Span[];
	/** Whether the headers of files and hunks are left out, and a sign separates the hunks. */
	readonly isPlain?: boolean;
	/** Whether the headers of files are shown all the same. */
	readonly showsFiles?: boolean;
	/** Whether the old and the new text are beside each other. */
	readonly isSplit?: boolean;
	/** Whether the rows are for a screen reader, which needs neither colours nor fills. */
	readonly isSpoken?: boolean;
	/** The file of lines that no header precedes. */
	readonly path?: string;
};

/** The minimum number of columns for the old and the new text beside each other. */
export const minSplitColumns = 160;

/** A line, its spans without colours, and a function for its spans with colours. None of them is inert yet. */
export type DiffPart = {
	readonly line: DiffLine;
	readonly spans: readonly Span[];
	readonly styled?: () => readonly Span[];
};

/** The kinds of lines. `other` lines are outside of the hunks. */
export type DiffKind = 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'other';

/** `number` is the line's number in the new file. For a removed line, it is the number in the old file. */
export type DiffLine = {readonly kind: DiffKind; readonly text: string; readonly number?: number};

export const diffStyles: {readonly [Each in DiffKind]: Style} = {
	file: 'dim',
	hunk: 'dim',
	added: 'added',
	removed: 'removed',
	same: 'plain',
	other: 'dim',
};

/** Tells whether lines of this kind are lines of a file. */
export function isInside(kind: DiffKind | undefined): kind is 'added' | 'removed' | 'same' {
	return kind === 'added' || kind === 'removed' || kind === 'same';
}

/** Tells whether the lines contain a hunk. A text without a hunk is not a diff. */
export function isDiff(lines: readonly DiffLine[]): boolean {
	return lines.some(({kind}) => kind === 'hunk');
}

/** Returns the width of the line numbers in cells. */
export function numberCells(lines: readonly DiffLine[]): number {
	return lines.reduce((cells, {number}) => Math.max(cells, String(number ?? '').length), 1);
}

/** Classifies each line of a unified diff. A line belongs to the diff only if the header of a hunk includes it. */
export function parseDiff(texts: readonly string[]): DiffLine[] {
	let old = {at: 0, left: 0};
	let now = {at: 0, left: 0};
	return texts.map((text, index): DiffLine => {
		const inside = old.left > 0 || now.left > 0;
		const sign = inside ? text.charAt(0) : '';
		if (sign === '+' && now.left > 0) {
			now = {at: now.at + 1, left: now.left - 1};
			return {kind: 'added', text, number: now.at - 1};
		}
		if (sign === '-' && old.left > 0) {
			old = {at: old.at + 1, left: old.left - 1};
			return {kind: 'removed', text, number: old.at - 1};
		}
		// Editors may remove the trailing space of an empty line.
		if (inside && (sign === ' ' || text === '')) {
			old = {at: old.at + 1, left: old.left - 1};
			now = {at: now.at + 1, left: now.left - 1};
			return {kind: 'same', text, number: now.at - 1};
		}
		const header = hunkHeader.exec(text);
		if (header !== null) {
			const [, oldAt, oldCount = '1', newAt, newCount = '1'] = header;
			old = {at: Number(oldAt), left: Number(oldCount)};
			now = {at: Number(newAt), left: Number(newCount)};
			return {kind: 'hunk', text};
		}
		return {kind: isFileHeader(texts, index) ? 'file' : 'other', text};
	});
}

/** A part of a line, in code units. */
export type Part = {readonly from: number; readonly to: number};

/** The parts of a removed line and of the added line in its place that differ. */
export type WordMarks = {readonly removed: readonly Part[]; readonly added: readonly Part[]};

/**
Compares two lines by words. Returns `undefined` if they have too little in common, because marks would then cover
nearly everything, or if a line is very long. Of lines with many words, only the common beginning and end count.
*/
export function wordMarks(removed: string, added: string): WordMarks | undefined {
	if (removed.length > maxLength || added.length > maxLength) return undefined;
	const [before, after] = [wordsOf(removed), wordsOf(added)];
	const start = commonStart(before, after);
	const end = commonEnd(before.slice(start), after.slice(start));
	const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
	const kept = old.length * fresh.length <= maxProduct ? commonWords(old, fresh) : noWords;
	const marks = {
		removed: partsOf(before, start, old, kept.old),
		added: partsOf(after, start, fresh, kept.fresh),
	};
	return isMostly(marks.removed, removed) || isMostly(marks.added, added) ? undefined : marks;
}

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** `---` and `+++` name files only if they form a pair before a hunk. */
function isFileHeader(texts: readonly string[], index: number): boolean {
	const text = texts[index] ?? '';
	if (text.startsWith('--- '))
		return texts[index + 1]?.startsWith('+++ ') === true && hunkHeader.test(texts[index + 2] ?? '');
	return (
		text.startsWith('+++ ') &&
		texts[index - 1]?.startsWith('--- ') === true &&
		hunkHeader.test(texts[index + 1] ?? '')
	);
}

/** The maximum length of a line whose words are compared, in code units. */
const maxLength = 2000;

/** The maximum number of pairs of words that are compared. It takes a fraction of a millisecond. */
const maxProduct = 10_000;

/** Which words of two lists also occur in the other list, in the same order. */
type Common = {readonly old: ReadonlySet<number>; readonly fresh: ReadonlySet<number>};

const noWords: Common = {old: new Set(), fresh: new Set()};

function wordsOf(line: string): readonly string[] {
	return line.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

function commonStart(one: readonly string[], other: readonly string[]): number {
	const length = Math.min(one.length, other.length);
	for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at;
	return length;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
	const length = Math.min(one.length, other.length);
	for (let at = 0; at < length; at++) if (one.at(-1 - at) !== other.at(-1 - at)) return at;
	return length;
}

/** Returns a longest common subsequence of two lists. */
function commonWords(old: readonly string[], fresh: readonly string[]): Common {
	const columns = fresh.length + 1;
	const lengths = new Uint16Array((old.length + 1) * columns);
	const lengthAt = (row: number, column: number) => required(lengths[row * columns + column], 'length');
	for (let row = old.length - 1; row >= 0; row--)
		for (let column = fresh.length - 1; column >= 0; column--)
			lengths[row * columns + column] =
				old[row] === fresh[column]
					? lengthAt(row + 1, column + 1) + 1
					: Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
	const kept = {old: new Set<number>(), fresh: new Set<number>()};
	for (let row = 0, column = 0; row < old.length && column < fresh.length;) {
		if (old[row] === fresh[column]) {
			kept.old.add(row++);
			kept.fresh.add(column++);
		} else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
		else column++;
	}
	return kept;
}

/** Returns the parts of a line that its changed words cover. A blank between two changed words belongs to them. */
function partsOf(
	words: readonly string[],
	start: number,
	changed: readonly string[],
	kept: ReadonlySet<number>,
): readonly Part[] {
	const parts: Array<{from: number; to: number}> = [];
	let at = words.slice(0, start).join('').length;
	let gap = at;
	for (const [index, word] of changed.entries()) {
		const end = at + word.length;
		if (!kept.has(index)) {
			const last = parts.at(-1);
			if (last !== undefined && last.to === gap) last.to = end;
			else parts.push({from: at, to: end});
			gap = end;
		} else if (word.trim() !== '' || gap !== at) gap = -1;
		else gap = parts.at(-1)?.to ?? -1;
		at = end;
	}
	return parts;
}

function isMostly(parts: readonly Part[], line: string): boolean {
	const marked = parts.reduce((sum, {from, to}) => sum + to - from, 0);
	return marked > line.trim().length * 0.7;
}
