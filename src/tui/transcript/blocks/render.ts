import {blankRow, lineRow, lineRows, storedRow, storedRows, type Layout, type Row, type Span} from '../../screen/row.ts';
import type {Style, Theme} from '../../theme.ts';
import type {BlockKind, BlockOf, View} from '../block.ts';
import type {MarkdownStream} from '../markdown/stream.ts';

/** What a block's rows depend on besides the block. */
export type RenderContext = {
	readonly columns: number;
	readonly view: View;
	readonly theme: Theme;
	/** Where a call that has no result stands. */
	readonly phase: Phase;
	/** The streams of open answers by block id, kept by whoever keeps rows. Without it, an answer is rendered whole. */
	readonly streams?: Map<string, MarkdownStream>;
};

export type Phase = 'asking' | 'running' | 'waiting';

/** How a kind of block is drawn: its one row in the overview is the head, cut. */
export type Renderer<Kind extends BlockKind> = {
	head(block: BlockOf<Kind>, context: RenderContext): Head;
	/** Under the head in the normal and the detail view. */
	body(block: BlockOf<Kind>, context: RenderContext): readonly Row[];
	/** Whether a blank row is put before it. */
	readonly apart: boolean;
	/** The head is no row of its own in the normal and detail view: the body says it all. */
	readonly headless?: boolean;
	/** Not drawn at all in the normal view and the overview. */
	hidden?(block: BlockOf<Kind>): boolean;
};

export type Head = {readonly gutter: Span; readonly spans: readonly Span[]};

/** All rows of a block in a view. */
export function renderBlock<Kind extends BlockKind>(renderer: Renderer<Kind>, block: BlockOf<Kind>, context: RenderContext): readonly Row[] {
	if (context.view !== 'detail' && renderer.hidden?.(block) === true) return [];
	if (context.view === 'overview') return [headRow(renderer.head(block, context), context)];
	if (renderer.headless === true && !renderer.apart) return renderer.body(block, context);
	const rows: Row[] = renderer.apart ? [blankRow] : [];
	if (renderer.headless !== true) rows.push(...headRows(renderer.head(block, context), context));
	for (const row of renderer.body(block, context)) rows.push(row);
	return rows;
}

export function headRow({gutter, spans}: Head, context: RenderContext): Row {
	return lineRow(spans, {columns: context.columns, theme: context.theme, gutter});
}

export function headRows({gutter, spans}: Head, context: RenderContext): Row[] {
	return lineRows(spans, {columns: context.columns, theme: context.theme, gutter});
}

/** The layout of what stands under a head. */
export function bodyLayout(context: RenderContext, gutter: Span = bodyGutter): Layout {
	return {columns: context.columns, theme: context.theme, gutter, rest: gutter};
}

export const bodyGutter: Span = {text: '  │ ', style: 'dim'};
export const indent: Span = {text: '  '};

/** How many body lines the normal view shows. */
export const previewLines = 4;

/**
Stored text under a head. Normal view: its first four lines, each cut to one row, then how many more there are.
Detail: all of it, wrapped. A final newline is no line. `note` (that the text is truncated) is shown and not counted. `limit` is another number than four.
*/
export function preview(body: string, context: RenderContext, options: {readonly note?: string | undefined; readonly style?: (line: string) => Style | undefined; readonly from?: 'start' | 'end'; readonly limit?: number} = {}): Row[] {
	const layout = bodyLayout(context);
	const note = options.note === undefined ? [] : lineRows([{text: options.note, style: 'dim'}], layout);
	if (body === '') return note;
	const text = body.endsWith('\n') ? body.slice(0, -1) : body;
	if (context.view === 'detail') return [...text.split('\n').flatMap(line => storedRows(line, layout, options.style?.(line))), ...note];
	const {lines, more} = options.from === 'end' ? lastLines(text) : firstLines(text, options.limit ?? previewLines);
	const rows = lines.map(line => storedRow(line, layout, options.style?.(line)));
	const mark = more === 0 ? [] : [lineRow([{text: options.from === 'end' ? `… ${more} earlier ${more === 1 ? 'line' : 'lines'}` : `… ${more} more ${more === 1 ? 'line' : 'lines'}`, style: 'dim'}], layout)];
	return options.from === 'end' ? [...mark, ...rows, ...note] : [...rows, ...mark, ...note];
}

/** The first line, and what follows it. */
export function splitHeader(text: string): {readonly header: string; readonly body: string} {
	const end = text.indexOf('\n');
	return end === -1 ? {header: text, body: ''} : {header: text.slice(0, end), body: text.slice(end + 1)};
}

function firstLines(text: string, limit: number): {lines: string[]; more: number} {
	const lines: string[] = [];
	let from = 0;
	while (lines.length < limit) {
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

function countLines(text: string, from: number): number {
	let count = 1;
	for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}
