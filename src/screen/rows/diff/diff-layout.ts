import type {Span, Style} from '../../../text/span.ts';
import {required} from '../../../text/lines.ts';

export type DiffLayout = {
	readonly columns: number;
	/** The gutter before the line numbers. */
	readonly gutter: string;
	/** The gutter before a continued line. If absent, long lines are cut and not wrapped. */
	readonly rest?: string;
	/** The span at the end of each row whose line continues on the next row. */
	readonly goesOn?: Span;
	/**
	Changes spans before they become rows, for example to make tabs visible. The resulting text must not depend on how
	the line is split into spans. `isSpacing`: only white space changed in the line.
	*/
	readonly prepare?: (spans: readonly Span[], isSpacing: boolean) => readonly Span[];
	/** Whether the headers of files and hunks are left out. A sign then separates the hunks. */
	readonly isPlain?: boolean;
	/** Whether the headers of files are shown even if `isPlain` is set. */
	readonly showsFiles?: boolean;
	/** Whether the old and the new text are shown side by side, if there is room. */
	readonly isSplit?: boolean;
	/** Whether the rows are for a screen reader, which needs neither colours nor fills. */
	readonly isSpoken?: boolean;
	/** The file of the lines that have no header before them. */
	readonly path?: string;
};

/** The minimum number of columns for showing the old and the new text side by side. */
export const minSplitColumns = 160;

/**
A line, its spans without colours, and a function that returns its spans with colours. The spans are not sanitized yet.
`isSpacing`: only white space changed in the line.
*/
export type DiffPart = {
	readonly line: DiffLine;
	readonly spans: readonly Span[];
	readonly styled?: () => readonly Span[];
	readonly isSpacing?: boolean;
};

/** The kinds of lines. Lines of the kind `other` are outside of the hunks. */
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

/** Tells whether lines of this kind are inside a hunk. */
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
		// An unchanged empty line may have lost its sign, because some editors remove trailing spaces.
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

/**
Returns the indexes of the changed lines with tabs in which only white space changed. Such a line replaces a line
with the same other characters, or has no other characters.
*/
export function spacingLines(lines: readonly DiffLine[]): ReadonlySet<number> {
	const found = new Set<number>();
	for (let at = 0; at < lines.length;) {
		const removed = runOf(lines, at, 'removed');
		const added = runOf(lines, at + removed, 'added');
		for (let place = 0; place < Math.max(removed, added); place++) {
			const old = place < removed ? at + place : undefined;
			const fresh = place < added ? at + removed + place : undefined;
			const pair = [old, fresh].filter(index => index !== undefined);
			const texts = pair.map(index => lines[index]?.text.slice(1) ?? '');
			const plain = texts.some(text => text.includes('\t')) ? texts.map(text => text.replaceAll(/\s/g, '')) : [];
			if (plain.length > 1 && plain[0] === plain[1]) pair.forEach(index => found.add(index));
			else pair.forEach((index, side) => plain[side] === '' && found.add(index));
		}
		at += Math.max(1, removed + added);
	}
	return found;
}

/** Returns the number of lines of this kind that follow each other. */
export function runOf(lines: readonly DiffLine[], from: number, kind: DiffKind): number {
	let count = 0;
	while (lines[from + count]?.kind === kind) count++;
	return count;
}

/** The parts that differ between a removed line and the added line that replaces it. */
export type WordMarks = {readonly removed: readonly Part[]; readonly added: readonly Part[]};

/**
Compares two lines by words. Returns `undefined` if a line is very long, or if the lines have too little in common,
because marks would then cover nearly everything. If the lines have many words, only their common beginning and end are
found.
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

/** Tells whether a line names a file. `---` and `+++` do so only if they form a pair before a hunk. */
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

/** The maximum number of pairs of words that are compared. Comparing them takes a fraction of a millisecond. */
const maxProduct = 10_000;

/** The indexes of the words of two lists that belong to their longest common subsequence. */
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

/** Returns the parts of a line that contain its changed words. A blank between two changed words is included. */
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
