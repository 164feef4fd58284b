import {blankRow, colouredRow, lineRow, lineRows, storedRow, type Layout, type Row} from '../../spans/row.ts';
import {countLines, withoutFinalNewline} from '../../../text/lines.ts';
import type {Span, Style} from '../../../text/span.ts';
import type {BlockKind, BlockOf, View} from '../../../transcript/block.ts';
import type {Phase} from '../../../transcript/phase.ts';
import type {MarkdownStream} from '../../markdown/stream.ts';
import {colouredTextRows, textRows} from './long-text.ts';
import {emptyText, hiddenLines} from '../../../transcript/texts.ts';

/** The facts on which the rows of a block depend, in addition to the block. */
export type RenderContext = {
	readonly columns: number;
	readonly view: View;
	/**
	Whether the user opened the block in the normal view or the overview. `view` is then `detail`, but arguments and
	headers that repeat the title or the diff are left out.
	*/
	readonly isOpened?: boolean;
	/** The phase of a call without a result, or of a call whose command is still running. */
	readonly phase: Phase;
	/** Whether the rows are for a screen reader. */
	readonly isSpoken?: boolean;
	/** Whether the old and the new text of a diff are shown side by side, if there is room. */
	readonly isSplit?: boolean;
	/** Returns the state of an item's file if it differs from what the model saw. */
	readonly stale?: (id: string) => StaleState | undefined;
	/** Returns sentences about where the parts of a call came from, by the id that the model gave the call. */
	readonly originsOf?: (callId: string) => readonly string[];
	/** Texts about the keys that continue or discard an interrupted run, such as `Enter to continue`. */
	readonly resumeKeys?: readonly string[];
	/** Whether this block and the block before it have one row each. There is no blank row between them. */
	readonly isClose?: boolean;
	/** Returns the rows of the conversation in which the model wrote a summary, by the id of the compaction. */
	readonly conversation?: (id: string, context: RenderContext) => readonly Row[];
	/**
	The Markdown streams of unfinished answers, by block id. The code that caches rows owns the map. Without it, an
	answer is rendered as a whole each time.
	*/
	readonly streams?: Map<string, MarkdownStream>;
};

/** The state of a file: it differs from what the model saw, or it is missing. */
export type StaleState = 'changed' | 'gone';

/** The functions that draw one kind of block. The overview shows only the head, cut to one row. */
export type Renderer<Kind extends BlockKind> = {
	head(block: BlockOf<Kind>, context: RenderContext): Head;
	/** Returns the rows below the head, for the normal and the detail view. */
	body(block: BlockOf<Kind>, context: RenderContext): readonly Row[];
	/** Whether there is a blank row before the block. */
	readonly apart: boolean;
	/** Whether the normal view shows only the head. Several such blocks have no blank rows between them. */
	isLine?(block: BlockOf<Kind>): boolean;
	/** Whether the block can be expanded by a click on its sign. */
	readonly folds: boolean;
	/** Whether the normal and the detail view leave out the head because the body shows everything. */
	readonly headless?: boolean;
	/** Whether the normal view and the overview hide the block. */
	hidden?(block: BlockOf<Kind>): boolean;
};

export type Head = {readonly gutter: Span; readonly spans: readonly Span[]};

/** Returns all rows of a block in a view. */
export function renderBlock<Kind extends BlockKind>(
	renderer: Renderer<Kind>,
	block: BlockOf<Kind>,
	context: RenderContext,
): readonly Row[] {
	const isHidden = renderer.hidden?.(block) === true;
	if (isHidden && !showsAll(context)) return [];
	if (context.view === 'overview') return [headRow(renderer.head(block, context), context)];
	if (renderer.headless === true && !renderer.apart) return renderer.body(block, context);
	const rows: Row[] = renderer.apart && context.isClose !== true ? [blankRow] : [];
	if (renderer.headless !== true) rows.push(...headRows(renderer.head(block, context), context));
	for (const row of renderer.body(block, context)) rows.push(row);
	return rows;
}

/** Tells whether a block shows all its stored contents. This is the case in the detail view. */
export function showsAll({view, isOpened}: Pick<RenderContext, 'view' | 'isOpened'>): boolean {
	return view === 'detail' && isOpened !== true;
}

export function headRow({gutter, spans}: Head, context: RenderContext): Row {
	return lineRow(spans, {columns: context.columns, gutter}, 'head');
}

export function headRows({gutter, spans}: Head, context: RenderContext): Row[] {
	const rows = lineRows(spans, {columns: context.columns, gutter});
	return rows.map((row, index) => (index === 0 ? {...row, role: 'head'} : row));
}

/** Returns the layout of the rows below a head. */
export function bodyLayout(context: RenderContext, gutter: Span = bodyGutter): Layout {
	return {columns: context.columns, gutter, rest: gutter, ...(context.isSpoken === true && {isSpoken: true})};
}

export const bodyGutter: Span = {text: '  │ ', style: 'dim'};
export const indent: Span = {text: '  '};

/** The default number of lines of a body that the normal view shows. */
const previewLines = 4;

export type PreviewOptions = {
	/** A note of inkpod after the body, for example that the body is truncated. The note is not counted as a line. */
	readonly note?: string | undefined;
	readonly style?: (line: string) => Style | undefined;
	/** Which lines the normal view shows: the first lines (`start`) or the last lines (`end`). */
	readonly from?: 'start' | 'end';
	/** The number of lines that the normal view shows. */
	readonly lines?: number;
	/** Whether the text may contain its own colours, as the output of a command does. */
	readonly hasColours?: boolean;
	/** The text that is shown if the body is empty. */
	readonly empty?: string;
};

/**
Returns the rows of stored text below a head. The normal view shows only a few lines, each cut to one row, and counts
the others. The detail view shows the whole text, wrapped. A final newline is not counted as a line.
*/
export function preview(
	body: string,
	context: RenderContext,
	{note, style, from = 'start', empty = emptyText, lines: shown = previewLines, hasColours}: PreviewOptions = {},
): Row[] {
	const layout = bodyLayout(context);
	const notes = note === undefined ? [] : lineRows([{text: note, style: 'dim'}], layout);
	if (body === '') return [...(empty === '' ? [] : [lineRow([{text: empty, style: 'dim'}], layout)]), ...notes];
	const text = withoutFinalNewline(body);
	if (context.view === 'detail')
		return [...(hasColours === true ? colouredTextRows(text, layout) : textRows(text, layout, style)), ...notes];
	const {lines, more} = from === 'end' ? lastLines(text, shown) : firstLines(text, shown);
	const rowOf = (line: string) =>
		hasColours === true ? colouredRow(line, layout) : storedRow(line, layout, style?.(line));
	const rows = lines.map(rowOf);
	const mark = moreRows(more, from === 'end' ? 'earlier' : 'more', context);
	return from === 'end' ? [...mark, ...rows, ...notes] : [...rows, ...mark, ...notes];
}

/** Returns the row that counts the hidden lines, if there are any. */
export function moreRows(count: number, word: 'more' | 'earlier', context: RenderContext): Row[] {
	if (count === 0) return [];
	const row = lineRow([{text: hiddenLines(count, word), style: 'dim'}], bodyLayout(context), 'more');
	return [{...row, hides: count}];
}

function firstLines(text: string, count: number): {lines: string[]; more: number} {
	const lines: string[] = [];
	let from = 0;
	while (lines.length < count) {
		const end = text.indexOf('\n', from);
		if (end === -1) return {lines: [...lines, text.slice(from)], more: 0};
		lines.push(text.slice(from, end));
		from = end + 1;
	}
	return {lines, more: countLines(text, from)};
}

/**
Returns the last `count` lines that are not blank, and the blank lines between them. It returns at most twice as many
lines in total.
*/
function lastLines(text: string, count: number): {lines: string[]; more: number} {
	const lines: string[] = [];
	let to = text.length;
	for (let counted = 0; counted < count && lines.length < 2 * count;) {
		const start = to === 0 ? -1 : text.lastIndexOf('\n', to - 1);
		const line = text.slice(start + 1, to);
		lines.unshift(line);
		if (start === -1) return {lines, more: 0};
		if (line.trim() !== '') counted++;
		to = start;
	}
	const blank = lines.findIndex(line => line.trim() !== '');
	return {lines: lines.slice(Math.max(0, blank)), more: countLines(text.slice(0, to), 0) + Math.max(0, blank)};
}
