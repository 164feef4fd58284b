import {withoutFinalNewline} from '../../../text/lines.ts';
import {storedRow, storedRows, type Layout, type Row} from '../../../text/row.ts';
import type {Span} from '../../../text/span.ts';
import {diffStyles, isDiff, numberCells, parseDiff, type DiffKind, type DiffLine} from '../../diff/diff-lines.ts';
import {bodyLayout, moreRows, type RenderContext} from './render.ts';

/**
Returns the coloured rows of a text with a unified diff, with line numbers. Returns `undefined` if the text has no hunk.
Only lines that the header of a hunk includes belong to the diff. Other text stays as it is. In the normal view, file
headers and the first hunk header are left out, because the title and the line numbers replace them.
*/
export function diffRows(content: string, context: RenderContext): Row[] | undefined {
	const lines = parseDiff(withoutFinalNewline(content).split('\n'));
	if (!isDiff(lines)) return undefined;
	const digits = numberCells(lines);
	if (context.view === 'detail')
		return lines.flatMap(line => storedRows(line.text, layoutOf(line, digits, context), diffStyles[line.kind]));
	const first = lines.findIndex(line => line.kind === 'hunk');
	const told = lines.filter((line, index) => line.kind !== 'file' && index !== first);
	const rows = told
		.slice(0, diffLines)
		.map(line => storedRow(line.text, layoutOf(line, digits, context), diffStyles[line.kind]));
	return [...rows, ...moreRows(Math.max(0, told.length - diffLines), 'more', context)];
}

/** Counts the added and removed lines of a diff. Returns `undefined` if the text has no hunk. */
export function diffCounts(content: string): {readonly added: number; readonly removed: number} | undefined {
	const lines = parseDiff(withoutFinalNewline(content).split('\n'));
	if (!isDiff(lines)) return undefined;
	const count = (kind: DiffKind) => lines.filter(line => line.kind === kind).length;
	return {added: count('added'), removed: count('removed')};
}

/**
The number of lines that a diff shows. It is higher than for other output, because the diff is the content of an edit.
*/
const diffLines = 24;

function layoutOf({number}: DiffLine, digits: number, context: RenderContext): Layout {
	const gutter: Span = {text: `  │ ${String(number ?? '').padStart(digits)} `, style: 'dim'};
	const rest: Span = {text: `  │ ${' '.repeat(digits)} `, style: 'dim'};
	return {...bodyLayout(context), gutter, rest};
}
