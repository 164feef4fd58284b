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
Renders Markdown that grows. `rows(text)` returns `before` and then `markdownRows(text, layout)`, but only the last open
blocks are rendered again. Final blocks are rendered once, lists item by item, and an open fence line by line. It
returns the same array each time. `grown`: whether the text continues the previous one, which saves the comparison.
*/
export type MarkdownStream = {
	readonly layout: Layout;
	rows(text: string, grown?: boolean): readonly Row[];
	/** Returns how many of the first rows no later text can change. */
	settled(): number;
	/**
	Returns whether a block was too long. In that case, where the text is cut depends on how much of it came at once.
	*/
	hasCuts(): boolean;
};

export function createMarkdownStream(layout: Layout, before: readonly Row[] = [], maxOpen = 32_768): MarkdownStream {
	/** `all` begins with `before` and the final rows. The open rows after them are rendered again at each call. */
	const all: Row[] = [...before];
	let done: Done = nothing;
	let cuts = false;
	let fence: OpenFence | undefined;
	let last: string | undefined;
	/** Caches the rows of the blocks that were open at the last call. */
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

/** The final blocks: their text and rows, and whether the last one continues in the open text. */
type Done = {readonly text: string; readonly rows: number; readonly inList: boolean; readonly isCut: boolean};
const nothing: Done = {text: '', rows: 0, inList: false, isCut: false};

/**
An open fence at the start of the open text. It has the rows of its complete lines (`length` characters) and of the
growing line.
*/
type OpenFence = {
	readonly closing: RegExp;
	readonly length: number;
	readonly rows: Row[];
	/** The number of `rows` for the fence line. */
	readonly info: number;
	readonly last: readonly Row[];
	/** The index of its first row in the array, and how many of `rows` are already in the array. */
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
