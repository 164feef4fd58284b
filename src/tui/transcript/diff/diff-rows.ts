import {filledRow, lineRow, lineRows, type Layout, type Row} from '../../text/row.ts';
import type {Span} from '../../text/span.ts';
import {numberCells, type DiffLine} from './diff-lines.ts';
import {minSplitColumns, type DiffLayout, type DiffPart} from './diff-layout.ts';
import {diffSpans, fillStyle, isInside} from './diff-spans.ts';
import {splitRows} from './split-rows.ts';
import {hunkGap} from './texts.ts';

/** Returns the rows of a diff. `most` limits the number of lines of which rows are made. */
export function rowsOfDiff(lines: readonly DiffLine[], layout: DiffLayout, most = lines.length): DiffRows {
	const shown = layout.isPlain === true ? withoutHeaders(lines) : lines;
	const digits = numberCells(lines);
	const made = upTo(lines, shown[Math.min(most, shown.length) - 1]);
	const spans = diffSpans(made, layout.isSpoken !== true);
	const known = new Map(made.map((line, index) => [line, spans[index] ?? []]));
	const parts = shown.slice(0, most).map(line => ({line, spans: known.get(line) ?? [gapSpan]}));
	const rows =
		layout.isSplit === true && layout.columns >= minSplitColumns
			? splitRows(parts, digits, layout)
			: parts.flatMap(part => unifiedRows(part, digits, layout));
	return {rows, left: Math.max(0, shown.length - most)};
}

/** `left` is the number of lines that have no rows. */
export type DiffRows = {readonly rows: readonly Row[]; readonly left: number};

/** Returns the lines up to the end of the change that this line belongs to. Only they get marks and colours. */
function upTo(lines: readonly DiffLine[], last: DiffLine | undefined): readonly DiffLine[] {
	let end = last === undefined ? lines.length : lines.lastIndexOf(last) + 1;
	if (end === 0) return lines;
	while (lines[end]?.kind === 'added' || lines[end]?.kind === 'removed') end++;
	return lines.slice(0, end);
}

const gapSpan: Span = {text: hunkGap, style: 'dim'};

/** Leaves out the headers. Between two hunks of a file, a line with a sign stands for what lies between them. */
function withoutHeaders(lines: readonly DiffLine[]): readonly DiffLine[] {
	const shown: DiffLine[] = [];
	for (const line of lines) {
		if (line.kind === 'file') continue;
		if (line.kind !== 'hunk') shown.push(line);
		else if (isInside(shown.at(-1)?.kind)) shown.push({kind: 'hunk', text: hunkGap});
	}
	return shown;
}

function unifiedRows({line, spans}: DiffPart, digits: number, layout: DiffLayout): readonly Row[] {
	const {columns, gutter, rest, goesOn, prepare = unchanged} = layout;
	const number = String(line.number ?? '').padStart(digits);
	const own: Layout = {
		columns,
		gutter: {text: `${gutter}${number} `, style: 'dim'},
		rest: {text: `${rest ?? gutter}${' '.repeat(digits)} `, style: 'dim'},
		...(goesOn && {goesOn}),
		...(layout.isSpoken === true && {isSpoken: true}),
	};
	const rows = rest === undefined ? [lineRow(prepare(spans), own)] : lineRows(prepare(spans), own);
	return rows.map(row => filled(row, line, layout));
}

/** Extends the tint of a changed line to the end of its row. */
function filled(row: Row, {kind}: DiffLine, {columns, isSpoken}: DiffLayout): Row {
	const style = isSpoken === true ? undefined : fillStyle(kind);
	return style === undefined ? row : filledRow(row, columns, `${style}.fill`);
}

function unchanged(spans: readonly Span[]): readonly Span[] {
	return spans;
}
