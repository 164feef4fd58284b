import type {MarkedToken} from 'marked';
import type {Layout, Row} from '../spans/row.ts';
import {blockRows, codeLineRows, emptyRow, infoRows, normalise} from './markdown.ts';
import {registerMarkdown} from './markdown-maker.ts';
import {openingOf, rawOf, settle, type Settled} from './settle.ts';

/** Returns the rows of a complete Markdown text. */
export function markdownRows(text: string, layout: Layout): Row[] {
	return [...createMarkdownStream(layout).rows(text)];
}

registerMarkdown(markdownRows);

/**
Renders Markdown that streams in. `rows(text)` returns `before` and then `markdownRows(text, layout)`, but renders only
the open blocks again. Final blocks are rendered once. A long list is rendered item by item, and an open fence line by
line. Each call returns the same array object. `grown`: the caller knows that the text begins with the previous text, so
no comparison is needed.
*/
export type MarkdownStream = {
	readonly layout: Layout;
	rows(text: string, grown?: boolean): readonly Row[];
	/** Returns the number of rows at the start that later text cannot change. */
	settled(): number;
	/**
	Tells whether a block was too long and was cut. The place of such a cut depends on the sizes of the streamed pieces.
	*/
	hasCuts(): boolean;
};

export function createMarkdownStream(layout: Layout, before: readonly Row[] = [], maxOpen?: number): MarkdownStream {
	/** All rows: `before`, the final rows, and the open rows. The open rows are rendered again at each call. */
	const all: Row[] = [...before];
	let done: Done = nothing;
	let cuts = false;
	let fence: OpenFence | undefined;
	let last: string | undefined;
	/** The cached rows of the blocks that were open at the last call. */
	let open = new Map<string, Row[]>();

	function draw(token: MarkedToken): void {
		if (token.type === 'space') return;
		const isNext = all.length === before.length + done.rows;
		const goesOn = isNext && ((done.inList && token.type === 'list') || done.isCut);
		if (all.length > before.length && !goesOn) all.push(emptyRow(layout));
		const key = `${token.type} ${token.raw}`;
		const rows = open.get(key) ?? blockRows(token, layout);
		open.set(key, rows);
		for (const row of rows) all.push(row);
	}

	function drawSettled({tokens, inList = false, isCut = false}: Settled): void {
		for (const token of tokens) draw(token);
		const isSpace = tokens.every(token => token.type === 'space');
		const text = done.text + rawOf(tokens);
		done = {text, rows: all.length - before.length, inList: inList || (done.inList && isSpace), isCut};
	}

	function drawFence({rows, drawn, last}: OpenFence): void {
		if (drawn.from === undefined) {
			all.length = before.length + done.rows;
			if (all.length > before.length) all.push(emptyRow(layout));
			drawn.from = all.length;
		}
		all.length = drawn.from + drawn.count;
		for (const row of rows.slice(drawn.count)) all.push(row);
		drawn.count = rows.length;
		for (const row of last) all.push(row);
	}

	function drawOpen(text: string): void {
		all.length = before.length + done.rows;
		const blocks = settle(text, maxOpen);
		cuts ||= blocks.hasCuts;
		for (const settled of blocks.settled) drawSettled(settled);
		const known = open;
		open = new Map();
		for (const token of blocks.open) {
			const key = `${token.type} ${token.raw}`;
			const rows = known.get(key);
			if (rows !== undefined) open.set(key, rows);
			draw(token);
		}
	}

	return {
		layout,
		hasCuts: () => cuts,
		settled: () =>
			fence?.drawn.from === undefined ? before.length + done.rows : fence.drawn.from + fence.drawn.count,
		rows(stored, grown = false) {
			if (grown && stored === last) return all;
			last = stored;
			const text = normalise(stored);
			if (!grown) fence = undefined;
			if (!grown && !text.startsWith(done.text)) {
				done = nothing;
				cuts = false;
				open.clear();
			}
			const rest = text.slice(done.text.length);
			fence = growFence(fence, rest, layout);
			if (fence === undefined) drawOpen(rest);
			else drawFence(fence);
			return all;
		},
	};
}

/** The final blocks: their text, their number of rows, and whether the last block continues in the open text. */
type Done = {readonly text: string; readonly rows: number; readonly inList: boolean; readonly isCut: boolean};
const nothing: Done = {text: '', rows: 0, inList: false, isCut: false};

/**
An unclosed fence at the start of the open text. `rows` are the rows of its complete lines, which have `length`
characters. `last` are the rows of the line that is still growing.
*/
type OpenFence = {
	readonly closing: RegExp;
	readonly length: number;
	readonly rows: Row[];
	/** The number of rows in `rows` that belong to the fence line. */
	readonly info: number;
	readonly last: readonly Row[];
	/**
	`from` is the index of the fence's first row in the array of all rows. `count` is the number of `rows` that are
	already in that array.
	*/
	readonly drawn: {from: number | undefined; count: number};
};

function growFence(before: OpenFence | undefined, rest: string, layout: Layout): OpenFence | undefined {
	const start = before ?? openFence(rest, layout);
	if (start === undefined) return undefined;
	const {closing, rows, drawn, info} = start;
	const added = rest.slice(start.length);
	const lines = added.split('\n');
	if (lines.some(line => closing.test(line))) return undefined;
	const last = lines.pop() ?? '';
	for (const line of lines) for (const row of codeLineRows(line, layout)) rows.push(row);
	const growing = last !== '' || rows.length === info ? codeLineRows(last, layout) : [];
	return {closing, length: rest.length - last.length, rows, drawn, info, last: growing};
}

function openFence(rest: string, layout: Layout): OpenFence | undefined {
	const opening = openingOf(rest);
	if (opening === undefined) return undefined;
	const rows = infoRows(opening.line, layout);
	const drawn = {from: undefined, count: 0};
	return {closing: opening.closing, length: opening.line.length, rows, info: rows.length, last: [], drawn};
}
