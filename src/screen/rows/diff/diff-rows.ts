import {required} from '../../../text/lines.ts';
import {restyledRows, lazyRow} from '../../spans/row.ts';
import {createRowList, type RowList, type RowParts} from '../../spans/row-list.ts';
import {
	inertSpans,
	lineRow,
	lineRows,
	roomFor,
	textOf,
	type Layout,
	type Row,
	cellsOf,
	plainText,
} from '../../spans/row.ts';
import type {Span} from '../../../text/span.ts';
import {surelyFits, width} from '../../../text/width.ts';
import {isInside, numberCells, runOf, spacingLines, type DiffLine} from './diff-layout.ts';
import {minSplitColumns, type DiffLayout, type DiffPart} from './diff-layout.ts';
import {createDiffSpans, fillStyle, plainSpans} from './diff-spans.ts';

/** Returns the rows of a diff. `most` is the maximum number of lines for which rows are created. */
export function rowsOfDiff(lines: readonly DiffLine[], layout: DiffLayout, most = lines.length): DiffRows {
	const shown = shownLines(lines, layout);
	const {parts, make} = partsOfDiff(lines, shown.slice(0, most), layout);
	const rows = Array.from({length: parts}, (_, part) => make(part)).flat();
	return {rows, left: Math.max(0, shown.length - most)};
}

/** `left` is the number of lines for which no rows were created. */
type DiffRows = {readonly rows: readonly Row[]; readonly left: number};

/** Returns the rows of a diff as a list that creates each row when it is shown. */
export function listOfDiff(lines: readonly DiffLine[], layout: DiffLayout): RowList {
	return createRowList(partsOfDiff(lines, shownLines(lines, layout), layout));
}

/** A visible line and its index in the diff. The sign between two hunks has no index. */
type Shown = {readonly line: DiffLine; readonly index: number | undefined};

function partsOfDiff(lines: readonly DiffLine[], shown: readonly Shown[], layout: DiffLayout): RowParts {
	const digits = numberCells(lines);
	const spacing = layout.prepare && spacingLines(lines);
	const spans = layout.isSpoken === true ? undefined : createDiffSpans(lines, layout.path);
	const partOf = ({line, index}: Shown): DiffPart => {
		if (index === undefined) return {line, spans: [{text: hunkGap, style: 'dim'}]};
		const own = {line, spans: plainSpans(line), isSpacing: spacing?.has(index) === true};
		return spans !== undefined && isInside(line.kind) ? {...own, styled: () => spans(index)} : own;
	};
	if (layout.isSplit === true && layout.columns >= minSplitColumns)
		return splitParts(shown.map(partOf), digits, layout);
	const own = unifiedLayout(layout, digits);
	const at = (part: number) => partOf(required(shown[part], 'line'));
	return {parts: shown.length, count: part => unifiedCount(at(part), own), make: part => unifiedRows(at(part), own)};
}

/** Returns the lines that a diff without headers shows. */
export function plainLines(lines: readonly DiffLine[]): readonly DiffLine[] {
	return shownLines(lines, {isPlain: true}).map(({line}) => line);
}

/**
Returns the visible lines. With `isPlain`, headers are left out, and a line with a sign separates two hunks of a file.
*/
function shownLines(
	lines: readonly DiffLine[],
	{isPlain, showsFiles}: Pick<DiffLayout, 'isPlain' | 'showsFiles'>,
): readonly Shown[] {
	if (isPlain !== true) return lines.map((line, index) => ({line, index}));
	const shown: Shown[] = [];
	for (const [index, line] of lines.entries()) {
		if (line.kind === 'file' && showsFiles !== true) continue;
		if (line.kind !== 'hunk') shown.push({line, index});
		else if (isInside(shown.at(-1)?.line.kind)) shown.push({line: {kind: 'hunk', text: hunkGap}, index: undefined});
	}
	return shown;
}

/** Returns the number of rows of a line. Most lines surely fit in one row, so no row is created for counting. */
function unifiedCount(part: DiffPart, layout: UnifiedLayout): number {
	const {room} = layout;
	if (layout.rest === undefined || part.line.kind === 'hunk' || surelyFits(part.line.text, room)) return 1;
	return plainRows(part, layout).length;
}

/**
A layout with two more widths. `digits` is the width of the line numbers, and `room` is the number of columns for the
text.
*/
type UnifiedLayout = DiffLayout & {readonly digits: number; readonly room: number};

function unifiedLayout(layout: DiffLayout, digits: number): UnifiedLayout {
	const {columns, goesOn} = layout;
	const [gutter, rest] = guttersOf(layout, ' '.repeat(digits));
	return {...layout, digits, room: roomFor({columns, gutter, rest, goesOn})};
}

/** Returns the gutter of a line's first row, and the gutter of its other rows. */
function guttersOf({gutter, rest}: DiffLayout, number: string): readonly [Span, Span] {
	const blank = ' '.repeat(number.length);
	return [
		{text: `${gutter}${number} `, style: 'dim'},
		{text: `${rest ?? gutter}${blank} `, style: 'dim'},
	];
}

function unifiedRows(part: DiffPart, layout: UnifiedLayout): readonly Row[] {
	const {styled, isSpacing} = part;
	const rows = plainRows(part, layout).map(row => filled(row, part.line, layout));
	return styled === undefined ? rows : restyledRows(rows, () => inertSpans(prepared(styled(), layout, isSpacing)));
}

function plainRows({line, spans, isSpacing}: DiffPart, layout: UnifiedLayout): readonly Row[] {
	const {columns, goesOn, digits, room, isSpoken} = layout;
	const [gutter, rest] = guttersOf(layout, String(line.number ?? '').padStart(digits));
	const own: Layout = {columns, gutter, rest, room, goesOn, ...(isSpoken === true && {isSpoken})};
	const shown = prepared(spans, layout, isSpacing);
	return layout.rest === undefined ? [lineRow(shown, own)] : lineRows(shown, own);
}

function prepared(spans: readonly Span[], {prepare}: DiffLayout, isSpacing = false): readonly Span[] {
	return prepare === undefined ? spans : prepare(spans, isSpacing);
}

/** Extends the tint of a changed line to the end of its row. */
function filled(row: Row, {kind}: DiffLine, {room, goesOn, isSpoken}: UnifiedLayout): Row {
	const style = isSpoken === true ? undefined : fillStyle(kind);
	if (style === undefined || row.end !== undefined) return row;
	const left = room + width(goesOn?.text ?? '') - width(textOf(row));
	return left <= 0 ? row : {...row, end: {text: ' '.repeat(left), style: `${style}.fill`}};
}

/**
Returns rows with the old text on the left and the new text on the right. The removed and added lines of a change are
side by side.
*/
function splitParts(parts: readonly DiffPart[], digits: number, layout: DiffLayout): RowParts {
	const columns = layout.columns - layout.gutter.length - middle.length;
	const [left, right] = [Math.floor(columns / 2), Math.ceil(columns / 2)];
	const pairs = pairsOf(parts);
	const sides = (pair: Pair | undefined) => ({
		before: sideRows(pair?.old, digits, left, layout),
		after: sideRows(pair?.fresh, digits, right, layout),
	});
	const room = left - digits - 1 - width(layout.goesOn?.text ?? '');
	const fits = (side: DiffPart | undefined) =>
		side === undefined || side.line.kind === 'hunk' || surelyFits(side.line.text, room);
	return {
		parts: pairs.length,
		count(part) {
			if (layout.rest === undefined) return 1;
			const pair = pairs[part];
			if (fits(pair?.old) && fits(pair?.fresh)) return 1;
			const {before, after} = sides(pair);
			return Math.max(before.length, after.length);
		},
		make(part) {
			const {before, after} = sides(pairs[part]);
			return Array.from({length: Math.max(before.length, after.length)}, (_, index) =>
				joined(
					before[index] ?? emptySide(left),
					after[index] ?? emptySide(right),
					index === 0 ? layout.gutter : (layout.rest ?? layout.gutter),
				),
			);
		},
	};
}

const middle = ' │ ';

type Pair = {readonly old: DiffPart | undefined; readonly fresh: DiffPart | undefined};

/**
Returns the pairs of lines for the left and the right side. An unchanged line is on both sides, and a header is on the
left side.
*/
function pairsOf(parts: readonly DiffPart[]): readonly Pair[] {
	const pairs: Pair[] = [];
	const lines = parts.map(({line}) => line);
	for (let at = 0; at < parts.length;) {
		const removed = runOf(lines, at, 'removed');
		const added = runOf(lines, at + removed, 'added');
		if (removed + added === 0) {
			const part = parts[at];
			pairs.push({old: part, fresh: part?.line.kind === 'same' ? part : undefined});
			at++;
			continue;
		}
		for (let pair = 0; pair < Math.max(removed, added); pair++)
			pairs.push({
				old: pair < removed ? parts[at + pair] : undefined,
				fresh: pair < added ? parts[at + removed + pair] : undefined,
			});
		at += removed + added;
	}
	return pairs;
}

/** One half of a row, padded to its full width. Its spans are created when they are first read. */
type Side = {readonly text: string; readonly spans: readonly Span[]};

function sideRows(part: DiffPart | undefined, digits: number, columns: number, layout: DiffLayout): readonly Side[] {
	if (part === undefined) return [];
	const {line, spans, styled, isSpacing} = part;
	const {rest, goesOn} = layout;
	const ready = (of: readonly Span[]) => prepared(of, layout, isSpacing);
	const lead = (text: string): Span => ({text: `${text.padStart(digits)} `, style: 'dim'});
	const own = {columns, gutter: lead(String(line.number ?? '')), rest: lead(''), goesOn};
	const plain = rest === undefined ? [lineRow(ready(spans), own)] : lineRows(ready(spans), own);
	const rows = styled === undefined ? plain : restyledRows(plain, () => inertSpans(ready(styled())));
	const style = fillStyle(line.kind);
	return rows.map(row => sideOf(row, columns, style));
}

function sideOf(row: Row, columns: number, style: 'added' | 'removed' | undefined): Side {
	const fill = ' '.repeat(Math.max(0, columns - cellsOf(row)));
	const end: Span = style === undefined ? {text: fill} : {text: fill, style: `${style}.fill`};
	return {
		text: plainText(row) + fill,
		get spans() {
			const all = [row.gutter, ...row.spans, row.end].filter(span => span !== undefined);
			return fill === '' ? all : [...all, end];
		},
	};
}

function emptySide(columns: number): Side {
	const text = ' '.repeat(columns);
	return {text, spans: [{text}]};
}

function joined(before: Side, after: Side, gutter: string): Row {
	return lazyRow(
		{gutter: {text: gutter, style: 'dim'}, role: 'text', continued: false},
		before.text + middle + after.text,
		() => [...before.spans, {text: middle, style: 'dim'}, ...after.spans],
	);
}

/** The sign between two hunks. It replaces the unchanged lines that the diff does not contain. */
const hunkGap = '…';
