import {blankRow, lineRow, lineRows, storedRow, type Layout, type Row} from '../../../text/row.ts';
import {countLines, withoutFinalNewline} from '../../../text/lines.ts';
import type {Span} from '../../../text/span.ts';
import type {Style} from '../../../text/theme.ts';
import type {BlockKind, BlockOf, View} from '../../fold/block.ts';
import type {Phase} from '../../fold/phase.ts';
import type {MarkdownStream} from '../../markdown/stream.ts';
import {textRows} from './long-text.ts';
import {emptyText, hiddenLines} from '../../texts.ts';

/** What a block's rows depend on besides the block. */
export type RenderContext = {
	readonly columns: number;
	readonly view: View;
	/** Where a call is that has no result, or left a command running. */
	readonly phase: Phase;
	/** Whether the rows are for a screen reader. */
	readonly isSpoken?: boolean;
	/** What became of the file of an item, by the item's id, where that is known and it is not what the model saw. */
	readonly stale?: (id: string) => StaleState | undefined;
	/** The streams of open answers by block id, kept by whoever keeps rows. Without it, an answer is rendered whole. */
	readonly streams?: Map<string, MarkdownStream>;
};

/** The file is another one than the model saw, or no longer there. */
export type StaleState = 'changed' | 'gone';

/** How a kind of block is drawn: its one row in the overview is the head, cut. */
export type Renderer<Kind extends BlockKind> = {
	head(block: BlockOf<Kind>, context: RenderContext): Head;
	/** Under the head in the normal and the detail view. */
	body(block: BlockOf<Kind>, context: RenderContext): readonly Row[];
	/** Whether a blank row is put before it. */
	readonly apart: boolean;
	/** Whether it shows more when it is opened: a click on its sign opens and closes it. */
	readonly folds: boolean;
	/** The head is not a row of its own in the normal and detail view: the body says it all. */
	readonly headless?: boolean;
	/** Not drawn at all in the normal view and the overview. */
	hidden?(block: BlockOf<Kind>): boolean;
};

export type Head = {readonly gutter: Span; readonly spans: readonly Span[]};

/** All rows of a block in a view. */
export function renderBlock<Kind extends BlockKind>(
	renderer: Renderer<Kind>,
	block: BlockOf<Kind>,
	context: RenderContext,
): readonly Row[] {
	if (context.view !== 'detail' && renderer.hidden?.(block) === true) return [];
	if (context.view === 'overview') return [headRow(renderer.head(block, context), context)];
	if (renderer.headless === true && !renderer.apart) return renderer.body(block, context);
	const rows: Row[] = renderer.apart ? [blankRow] : [];
	if (renderer.headless !== true) rows.push(...headRows(renderer.head(block, context), context));
	for (const row of renderer.body(block, context)) rows.push(row);
	return rows;
}

export function headRow({gutter, spans}: Head, context: RenderContext): Row {
	return lineRow(spans, {columns: context.columns, gutter}, 'head');
}

export function headRows({gutter, spans}: Head, context: RenderContext): Row[] {
	const rows = lineRows(spans, {columns: context.columns, gutter});
	return rows.map((row, index) => (index === 0 ? {...row, role: 'head'} : row));
}

/** The layout of what is under a head. */
export function bodyLayout(context: RenderContext, gutter: Span = bodyGutter): Layout {
	return {columns: context.columns, gutter, rest: gutter, ...(context.isSpoken === true && {isSpoken: true})};
}

export const bodyGutter: Span = {text: '  │ ', style: 'dim'};
export const indent: Span = {text: '  '};

/** How many body lines the normal view shows. */
export const previewLines = 4;

export type PreviewOptions = {
	/** Said of the body, below it: that it is truncated. Not counted. */
	readonly note?: string | undefined;
	readonly style?: (line: string) => Style | undefined;
	/** Which lines the normal view shows: the first ones, or the last ones of a text that grows. */
	readonly from?: 'start' | 'end';
	/** What stands for a body of no lines. */
	readonly empty?: string;
};

/**
Stored text under a head. Normal view: its first four lines, each cut to one row, then how many more there are.
Detail: all of it, wrapped. A final newline is not a line; a body of no lines says so.
*/
export function preview(
	body: string,
	context: RenderContext,
	{note, style, from = 'start', empty = emptyText}: PreviewOptions = {},
): Row[] {
	const layout = bodyLayout(context);
	const notes = note === undefined ? [] : lineRows([{text: note, style: 'dim'}], layout);
	if (body === '') return [...(empty === '' ? [] : [lineRow([{text: empty, style: 'dim'}], layout)]), ...notes];
	const text = withoutFinalNewline(body);
	if (context.view === 'detail') return [...textRows(text, layout, style), ...notes];
	const {lines, more} = from === 'end' ? lastLines(text) : firstLines(text);
	const rows = lines.map(line => storedRow(line, layout, style?.(line)));
	const mark = moreRows(more, from === 'end' ? 'earlier' : 'more', context);
	return from === 'end' ? [...mark, ...rows, ...notes] : [...rows, ...mark, ...notes];
}

/** The row that says how many lines are not shown; none where all are. */
export function moreRows(count: number, word: 'more' | 'earlier', context: RenderContext): Row[] {
	if (count === 0) return [];
	return [lineRow([{text: hiddenLines(count, word), style: 'dim'}], bodyLayout(context), 'more')];
}

function firstLines(text: string): {lines: string[]; more: number} {
	const lines: string[] = [];
	let from = 0;
	while (lines.length < previewLines) {
		const end = text.indexOf('\n', from);
		if (end === -1) return {lines: [...lines, text.slice(from)], more: 0};
		lines.push(text.slice(from, end));
		from = end + 1;
	}
	return {lines, more: countLines(text, from)};
}

function lastLines(text: string): {lines: string[]; more: number} {
	const lines: string[] = [];
	let to = text.length;
	while (lines.length < previewLines) {
		const start = to === 0 ? -1 : text.lastIndexOf('\n', to - 1);
		lines.unshift(text.slice(start + 1, to));
		if (start === -1) return {lines, more: 0};
		to = start;
	}
	return {lines, more: countLines(text.slice(0, to), 0)};
}
