import type {MarkedToken, Tokens} from 'marked';
import type {Layout, Row} from '../../screen/row.ts';
import {blockRows, codeLineRows, emptyRow, fenceLine, isClosedFence, lex, normalise} from './markdown.ts';

/**
Markdown that grows. `rows(text)` is `before`, then what `markdownRows(text, layout)` is, and costs what the last open blocks cost:
blocks that later text cannot change any more are made once, a list item by item, an open code fence line by line.
The array is the same one at every call. `grown` says that the text is the last one or goes on with it, which spares the comparison.
*/
export type MarkdownStream = {
	readonly layout: Layout;
	rows(text: string, grown?: boolean): readonly Row[];
};

export function createMarkdownStream(layout: Layout, before: readonly Row[] = []): MarkdownStream {
	/** `all` begins with `before` and `settled` rows; what follows is open and made anew. */
	const all: Row[] = [...before];
	let settled: Settled = nothing;
	let fence: OpenFence | undefined;
	/** Rows of the open blocks at the last call, by what they were made of. */
	let open = new Map<string, Row[]>();

	function draw(token: MarkedToken): void {
		if (token.type === 'space') return;
		const goesOn = settled.inList && token.type === 'list' && all.length === before.length + settled.rows;
		if (all.length > before.length && !goesOn) all.push(emptyRow(layout));
		const rows = open.get(token.raw) ?? blockRows(token, layout);
		open.set(token.raw, rows);
		for (const row of rows) all.push(row);
	}

	function settle(tokens: readonly MarkedToken[], inList: boolean): void {
		for (const token of tokens) draw(token);
		settled = {text: settled.text + rawOf(tokens), rows: all.length - before.length, inList: inList || (settled.inList && tokens.every(token => token.type === 'space'))};
	}

	function drawFence({rows, drawn, last}: OpenFence): void {
		if (drawn.from === undefined) {
			if (all.length > before.length) all.push(emptyRow(layout));
			drawn.from = all.length;
		}
		all.length = drawn.from + drawn.count;
		for (; drawn.count < rows.length; drawn.count++) all.push(rows[drawn.count]!);
		for (const row of last) all.push(row);
	}

	function drawOpen(rest: string): void {
		all.length = before.length + settled.rows;
		let tokens = lex(rest);
		if (rawOf(tokens) === rest) {
			const count = settledCount(tokens);
			if (count > 0) settle(tokens.slice(0, count), false);
			tokens = tokens.slice(count);
			const split = splitList(tokens);
			if (split !== undefined) {
				settle([split.done], true);
				tokens = split.rest;
			}
		}
		const known = open;
		open = new Map();
		for (const token of tokens) {
			const rows = known.get(token.raw);
			if (rows !== undefined) open.set(token.raw, rows);
			draw(token);
		}
	}

	return {
		layout,
		rows(stored, grown = false) {
			const text = normalise(stored);
			if (!grown) fence = undefined;
			if (!grown && !text.startsWith(settled.text)) {
				settled = nothing;
				open.clear();
			}
			const rest = text.slice(settled.text.length);
			fence = growFence(fence, rest, layout);
			if (fence === undefined) drawOpen(rest);
			else {
				if (fence.drawn.from === undefined) all.length = before.length + settled.rows;
				drawFence(fence);
			}
			return all;
		},
	};
}

/** `inList`: the last settled block is the beginning of a list that goes on in the open text. */
type Settled = {readonly text: string; readonly rows: number; readonly inList: boolean};
const nothing: Settled = {text: '', rows: 0, inList: false};

/** A list that stands first, parted before its last two items, if the lexer sees the rest of it as a list too. */
function splitList(tokens: readonly MarkedToken[]): {readonly done: Tokens.List; readonly rest: MarkedToken[]} | undefined {
	const [list, ...after] = tokens;
	if (list?.type !== 'list' || list.items.length < listLength) return undefined;
	const items = list.items.slice(0, -2);
	const raw = items.map(item => item.raw).join('');
	if (!list.raw.startsWith(raw) || !raw.endsWith('\n')) return undefined;
	const rest = lex(list.raw.slice(raw.length) + rawOf(after));
	const [head] = rest;
	if (head?.type !== 'list' || head.items.length !== 2 || head.ordered !== list.ordered) return undefined;
	return {done: {...list, items, raw}, rest};
}

/** A list of so many items is parted. */
const listLength = 6;

function rawOf(tokens: readonly MarkedToken[]): string {
	return tokens.map(token => token.raw).join('');
}

/**
How many of the first tokens no later text can change: all before the last two blocks that stand after a blank line;
all before a fence that opens at the line's beginning; a closed one of those too, once its line has ended.
*/
function settledCount(tokens: readonly MarkedToken[]): number {
	const blocks = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
	const final = tokens[blocks.at(-1) ?? 0];
	const longList = final?.type === 'list' && final.items.length >= listLength;
	if (longList) return blocks.at(-1)!;
	let held = blocks.at(-2) ?? 0;
	while (held > 0 && !tokens[held - 1]!.raw.endsWith('\n\n')) held--;
	const last = blocks.at(-1);
	const token = last === undefined ? undefined : tokens[last];
	if (last === undefined || token === undefined || !fenceLine.test(token.raw)) return held;
	const ended = isClosedFence(token) && (token.raw.endsWith('\n') || last < tokens.length - 1);
	return ended ? last + 1 : last;
}

/** A fence that stands first in the open text and is not closed yet: the rows of its whole lines (`length` characters), and of the one that grows. */
type OpenFence = {
	readonly closing: RegExp;
	readonly length: number;
	readonly rows: Row[];
	readonly last: readonly Row[];
	/** Where its rows begin on the screen's array, and how many of `rows` are there. */
	readonly drawn: {from: number | undefined; count: number};
};

function growFence(before: OpenFence | undefined, rest: string, layout: Layout): OpenFence | undefined {
	const start = before ?? openFence(rest);
	if (start === undefined) return undefined;
	const {closing, rows, drawn} = start;
	const added = rest.slice(start.length);
	const lines = added.split('\n');
	if (lines.some(line => closing.test(line))) return undefined;
	const last = lines.pop()!;
	for (const line of lines) rows.push(...codeLineRows(line, layout));
	return {closing, length: rest.length - last.length, rows, drawn, last: last !== '' || rows.length === 0 ? codeLineRows(last, layout) : []};
}

function openFence(rest: string): OpenFence | undefined {
	const opening = fenceLine.exec(rest)?.[0];
	const mark = opening === undefined ? undefined : /^(?:`+|~+)/.exec(opening)![0];
	if (opening === undefined || mark === undefined) return undefined;
	return {closing: new RegExp(`^ {0,3}${mark}[~\`]* *$`), length: opening.length, rows: [], last: [], drawn: {from: undefined, count: 0}};
}
