import {required} from '../../../text/required.ts';
import {restyledRows} from '../../spans/lazy-row.ts';
import {createRowList, type RowList, type RowParts} from '../../spans/row-list.ts';
import {inertSpans, lineRow, lineRows, roomFor, textOf, type Layout, type Row} from '../../spans/row.ts';
import {type Span} from '../../../text/span.ts';
import {surelyFits, width} from '../../../text/width.ts';
import {isInside, numberCells, type DiffLine} from './diff-lines.ts';
import {minSplitColumns, type DiffLayout, type DiffPart} from './diff-layout.ts';
import {createDiffSpans, fillStyle, plainSpans} from './diff-spans.ts';
import {splitParts} from './split-rows.ts';
import {hunkGap} from './texts.ts';

/** Returns the rows of a diff. `most` limits the number of lines of which rows are made. */
export function rowsOfDiff(lines: readonly DiffLine[], layout: DiffLayout, most = lines.length): DiffRows {
	const shown = shownLines(lines, layout);
	const {parts, make} = partsOfDiff(lines, shown.slice(0, most), layout);
	const rows = Array.from({length: parts}, (_, part) => make(part)).flat();
	return {rows, left: Math.max(0, shown.length - most)};
}

/** `left` is the number of lines that have no rows. */
type DiffRows = {readonly rows: readonly Row[]; readonly left: number};

/** Returns the rows of a diff. A row is made when it is shown. */
export function listOfDiff(lines: readonly DiffLine[], layout: DiffLayout): RowList {
	return createRowList(partsOfDiff(lines, shownLines(lines, layout), layout));
}

/** A line that is shown, and its index in the diff. A sign between hunks has no index. */
type Shown = {readonly line: DiffLine; readonly index: number | undefined};

function partsOfDiff(lines: readonly DiffLine[], shown: readonly Shown[], layout: DiffLayout): RowParts {
	const digits = numberCells(lines);
	const spans = layout.isSpoken === true ? undefined : createDiffSpans(lines, layout.path);
	const partOf = ({line, index}: Shown): DiffPart => {
		if (index === undefined) return {line, spans: [{text: hunkGap, style: 'dim'}]};
		const own = {line, spans: plainSpans(line)};
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

/** Leaves out the headers. Between two hunks of a file, a line with a sign stands for what lies between them. */
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

/** Counts the rows of a line. Most lines fit, which is seen without making a row. */
function unifiedCount(part: DiffPart, layout: UnifiedLayout): number {
	const {room} = layout;
	if (layout.rest === undefined || part.line.kind === 'hunk' || surelyFits(part.line.text, room)) return 1;
	return plainRows(part, layout).length;
}

/** A layout, with the width of the line numbers, and with the columns that they and the gutters leave for the text. */
type UnifiedLayout = DiffLayout & {readonly digits: number; readonly room: number};

function unifiedLayout(layout: DiffLayout, digits: number): UnifiedLayout {
	const {columns, goesOn} = layout;
	const [gutter, rest] = guttersOf(layout, ' '.repeat(digits));
	return {...layout, digits, room: roomFor({columns, gutter, rest, goesOn})};
}

/** Returns the gutters of a line's first row and of the following ones. */
function guttersOf({gutter, rest}: DiffLayout, number: string): readonly [Span, Span] {
	const blank = ' '.repeat(number.length);
	return [
		{text: `${gutter}${number} `, style: 'dim'},
		{text: `${rest ?? gutter}${blank} `, style: 'dim'},
	];
}

function unifiedRows(part: DiffPart, layout: UnifiedLayout): readonly Row[] {
	const {styled} = part;
	const rows = plainRows(part, layout).map(row => filled(row, part.line, layout));
	return styled === undefined ? rows : restyledRows(rows, () => inertSpans(prepared(styled(), layout)));
}

function plainRows({line, spans}: DiffPart, layout: UnifiedLayout): readonly Row[] {
	const {columns, goesOn, digits, room, isSpoken} = layout;
	const [gutter, rest] = guttersOf(layout, String(line.number ?? '').padStart(digits));
	const own: Layout = {columns, gutter, rest, room, goesOn, ...(isSpoken === true && {isSpoken})};
	const shown = prepared(spans, layout);
	return layout.rest === undefined ? [lineRow(shown, own)] : lineRows(shown, own);
}

function prepared(spans: readonly Span[], {prepare}: DiffLayout): readonly Span[] {
	return prepare === undefined ? spans : prepare(spans);
}

/** Extends the tint of a changed line to the end of its row. */
function filled(row: Row, {kind}: DiffLine, {room, goesOn, isSpoken}: UnifiedLayout): Row {
	const style = isSpoken === true ? undefined : fillStyle(kind);
	if (style === undefined || row.end !== undefined) return row;
	const left = room + width(goesOn?.text ?? '') - width(textOf(row));
	return left <= 0 ? row : {...row, end: {text: ' '.repeat(left), style: `${style}.fill`}};
}
