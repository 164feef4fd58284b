import {withoutFinalNewline} from '../../../text/lines.ts';
import {storedRow, storedRows, type Layout, type Row} from '../../../text/row.ts';
import type {Span} from '../../../text/span.ts';
import {diffStyles, isDiff, numberCells, parseDiff, type DiffKind, type DiffLine} from '../../diff/diff-lines.ts';
import {bodyLayout, moreRows, type RenderContext} from './render.ts';

/**
Returns the coloured rows of a text with a unified diff, with line numbers. Returns `undefined` without a hunk. Only
lines that a hunk's header includes belong to the diff; other text stays as it is. The normal view leaves out file
headers and the first hunk header, since the title and the numbers replace them.
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

/** Counts the added and removed lines of a diff. Returns `undefined` without a hunk. */
export function diffCounts(content: string): {readonly added: number; readonly removed: number} | undefined {
	const lines = parseDiff(withoutFinalNewline(content).split('\n'));
	if (!isDiff(lines)) return undefined;
	const count = (kind: DiffKind) => lines.filter(line => line.kind === kind).length;
	return {added: count('added'), removed: count('removed')};
}

/** A diff shows more lines than other output, since it is the content of an edit. */
const diffLines = 24;

function layoutOf({number}: DiffLine, digits: number, context: RenderContext): Layout {
	const gutter: Span = {text: `  │ ${String(number ?? '').padStart(digits)} `, style: 'dim'};
	const rest: Span = {text: `  │ ${' '.repeat(digits)} `, style: 'dim'};
	return {...bodyLayout(context), gutter, rest};
}
