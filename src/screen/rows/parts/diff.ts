import {withoutFinalNewline} from '../../../text/lines.ts';
import type {Row} from '../../spans/row.ts';
import {isDiff, parseDiff, type DiffKind} from '../diff/diff-lines.ts';
import {plainLines, rowsOfDiff} from '../diff/diff-rows.ts';
import {bodyGutter, moreRows, showsAll, type RenderContext} from './render.ts';

/**
Returns the rows of a text with a unified diff, with line numbers, the colours of the language and the changed words.
Returns `undefined` if the text has no hunk. Only lines that the header of a hunk includes belong to the diff. Other
text stays as it is. Only the detail view shows the headers, because the title and the line numbers replace them.
*/
export function diffRows(content: string, context: RenderContext): readonly Row[] | undefined {
	const lines = parseDiff(withoutFinalNewline(content).split('\n'));
	if (!isDiff(lines)) return undefined;
	const {columns, view, isSpoken = false, isSplit = false} = context;
	const layout = {columns, gutter: bodyGutter.text, isSpoken, isSplit};
	if (view === 'detail')
		return rowsOfDiff(lines, {...layout, rest: bodyGutter.text, isPlain: !showsAll(context)}).rows;
	const {rows, left} = rowsOfDiff(lines, {...layout, isPlain: true}, diffLines);
	return [...rows, ...moreRows(left, 'more', context)];
}

/** Returns the lines of a diff without the headers, as an opened block shows them. */
export function plainDiff(content: string): string {
	return plainLines(parseDiff(withoutFinalNewline(content).split('\n')))
		.map(({text}) => text)
		.join('\n');
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
