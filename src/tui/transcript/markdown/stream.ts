import type {MarkedToken, Tokens} from 'marked';
import type {Layout, Row} from '../../screen/row.ts';
import {lex, plainBlock} from './lexer.ts';
import {blockRows, codeLineRows, emptyRow, fenceLine, infoRows, isClosedFence, normalise} from './markdown.ts';

/** A whole markdown text as rows. */
export function markdownRows(text: string, layout: Layout): Row[] {
	return [...createMarkdownStream(layout).rows(text)];
}

/**
Markdown that grows. `rows(text)` is `before`, then what `markdownRows(text, layout)` is, and costs what the last open blocks cost:
blocks that later text cannot change any more are made once, a list item by item, an open code fence line by line.
The array is the same one at every call. `grown` says that the text is the last one or goes on with it, which spares the comparison.

The lexer never sees more than `maxOpen` characters: it may need a time that grows with their square. A block of which it
sees no end in so many is shown as plain text, up to the end of the line after half of them.
*/
export type MarkdownStream = {
	readonly layout: Layout;
	rows(text: string, grown?: boolean): readonly Row[];
	/** Whether a block was too long: where its text is cut depends on how much of it came at once. */
	hasCuts(): boolean;
};

export function createMarkdownStream(layout: Layout, before: readonly Row[] = [], maxOpen = 32_768): MarkdownStream {
	/** `all` begins with `before` and `settled` rows; what follows is open and made anew. */
	const all: Row[] = [...before];
	let settled: Settled = nothing;
	let cuts = false;
	let fence: OpenFence | undefined;
	/** Rows of the open blocks at the last call, by what they were made of. */
	let open = new Map<string, Row[]>();

	function draw(token: MarkedToken): void {
		if (token.type === 'space') return;
		const isNext = all.length === before.length + settled.rows;
		const goesOn = isNext && ((settled.inList && token.type === 'list') || settled.isCut);
		if (all.length > before.length && !goesOn) all.push(emptyRow(layout));
		const key = keyOf(token);
		const rows = open.get(key) ?? blockRows(token, layout);
		open.set(key, rows);
		for (const row of rows) all.push(row);
	}

	/** Answers how many characters they are. */
	function settle(tokens: readonly MarkedToken[], how: Partial<Pick<Settled, 'inList' | 'isCut'>> = {}): number {
		for (const token of tokens) draw(token);
		const isSpace = tokens.every(token => token.type === 'space');
		const raw = rawOf(tokens);
		settled = {
			text: settled.text + raw,
			rows: all.length - before.length,
			inList: how.inList === true || (settled.inList && isSpace),
			isCut: how.isCut === true,
		};
		return raw.length;
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

	/** Settles blocks of a text that is longer than the lexer may see. Answers how many characters. */
	function settleSome(rest: string): number {
		const start = rest.slice(0, maxOpen);
		const fenceEnd = endOfFence(rest) ?? 0;
		if (fenceEnd > maxOpen) return settle(lex(rest.slice(0, fenceEnd)));
		const tokens = lex(start);
		if (rawOf(tokens) !== start) return settleCut(rest);
		const count = settledCount(tokens);
		if (count > 0) return settle(tokens.slice(0, count));
		const split = splitList(tokens) ?? splitList(tokens, 1);
		if (split !== undefined) return settle([split.done], {inList: true});
		const first = tokens.findIndex(token => token.type !== 'space');
		if (first === -1) return settle(tokens);
		const isWhole = first < tokens.length - 1 && tokens[first]!.raw.length <= maxOpen / 2;
		return isWhole ? settle(tokens.slice(0, first + 1)) : settleCut(rest);
	}

	/** The lines up to and with the one in the middle, as plain text. */
	function settleCut(rest: string): number {
		cuts = true;
		const end = rest.indexOf('\n', maxOpen / 2) + 1;
		return end === 0 || end === rest.length ? 0 : settle([plainBlock(rest.slice(0, end))], {isCut: rest[end] !== '\n'});
	}

	/** Settles what it can of a text, and answers the open blocks of the rest. */
	function settleAll(text: string): readonly MarkedToken[] {
		let rest = text;
		while (rest.length > maxOpen && endOfFence(rest) !== rest.length) {
			const length = settleSome(rest);
			if (length === 0) return [plainBlock(rest)];
			rest = rest.slice(length);
		}
		const tokens = lex(rest);
		if (rest.length > maxOpen || rawOf(tokens) !== rest) return tokens;
		const count = settledCount(tokens);
		if (count > 0) settle(tokens.slice(0, count));
		const left = tokens.slice(count);
		const split = splitList(left);
		if (split === undefined) return left;
		settle([split.done], {inList: true});
		return split.rest;
	}

	function drawOpen(text: string): void {
		all.length = before.length + settled.rows;
		const tokens = settleAll(text);
		const known = open;
		open = new Map();
		for (const token of tokens) {
			const rows = known.get(keyOf(token));
			if (rows !== undefined) open.set(keyOf(token), rows);
			draw(token);
		}
	}

	return {
		layout,
		hasCuts: () => cuts,
		rows(stored, grown = false) {
			const text = normalise(stored);
			if (!grown) fence = undefined;
			if (!grown && !text.startsWith(settled.text)) {
				settled = nothing;
				cuts = false;
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

/** The last settled block is the beginning of a list (`inList`), or of plain text (`isCut`), that goes on in the open text. */
type Settled = {readonly text: string; readonly rows: number; readonly inList: boolean; readonly isCut: boolean};
const nothing: Settled = {text: '', rows: 0, inList: false, isCut: false};


/** A list that stands first, parted before its last two items or after the `first`, if the lexer sees the rest of it as a list too. */
function splitList(tokens: readonly MarkedToken[], first?: number): {readonly done: Tokens.List; readonly rest: MarkedToken[]} | undefined {
	const [list, ...after] = tokens;
	if (list?.type !== 'list' || list.items.length < (first === undefined ? listLength : first + 1)) return undefined;
	const items = list.items.slice(0, first ?? -2);
	const raw = items.map(item => item.raw).join('');
	if (!list.raw.startsWith(raw) || !raw.endsWith('\n')) return undefined;
	const rest = lex(list.raw.slice(raw.length) + rawOf(after));
	const [head] = rest;
	if (head?.type !== 'list' || head.items.length !== list.items.length - items.length || head.ordered !== list.ordered) return undefined;
	return {done: {...list, items, raw}, rest};
}

/** A list of so many items is parted. */
const listLength = 6;

/** The same text may be a paragraph, or plain. */
function keyOf({type, raw}: MarkedToken): string {
	return `${type} ${raw}`;
}

function rawOf(tokens: readonly MarkedToken[]): string {
	return tokens.map(token => token.raw).join('');
}

/**
How many of the first tokens no later text can change: all before the last two blocks that stand after a blank line;
all before a long list, or a fence that opens at the line's beginning; a closed one of those too, once its line has ended.
More text never makes them fewer: so it does not matter how much of it was seen at once.
*/
function settledCount(tokens: readonly MarkedToken[]): number {
	const blocks = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
	let held = blocks.at(-2) ?? 0;
	while (held > 0 && !tokens[held - 1]!.raw.endsWith('\n\n')) held--;
	return Math.max(held, ...tokens.map((token, index) => settledBy(token, index, index < tokens.length - 1)));
}

function settledBy(token: MarkedToken, index: number, isFollowed: boolean): number {
	if (token.type === 'list' && token.items.length >= listLength) return index;
	if (!fenceLine.test(token.raw)) return 0;
	return isClosedFence(token) && (isFollowed || token.raw.endsWith('\n')) ? index + 1 : index;
}

/** A fence that stands first in the open text and is not closed yet: the rows of its whole lines (`length` characters), and of the one that grows. */
type OpenFence = {
	readonly closing: RegExp;
	readonly length: number;
	readonly rows: Row[];
	/** How many of `rows` say what the opening line says. */
	readonly info: number;
	readonly last: readonly Row[];
	/** Where its rows begin on the screen's array, and how many of `rows` are there. */
	readonly drawn: {from: number | undefined; count: number};
};

function growFence(before: OpenFence | undefined, rest: string, layout: Layout): OpenFence | undefined {
	const start = before ?? openFence(rest, layout);
	if (start === undefined) return undefined;
	const {closing, rows, drawn, info} = start;
	const added = rest.slice(start.length);
	const lines = added.split('\n');
	if (lines.some(line => closing.test(line))) return undefined;
	const last = lines.pop()!;
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

/** The end of the fence that a text begins with: of its closing line, or of the text. */
function endOfFence(text: string): number | undefined {
	const opening = openingOf(text);
	if (opening === undefined) return undefined;
	for (let from = opening.line.length; from < text.length; ) {
		const end = text.indexOf('\n', from);
		const line = text.slice(from, end === -1 ? text.length : end);
		from = end === -1 ? text.length : end + 1;
		if (opening.closing.test(line)) return from;
	}
	return text.length;
}

function openingOf(text: string): {readonly line: string; readonly closing: RegExp} | undefined {
	const line = fenceLine.exec(text)?.[0];
	const mark = line === undefined ? undefined : /^(?:`+|~+)/.exec(line)?.[0];
	if (line === undefined || mark === undefined) return undefined;
	return {line, closing: new RegExp(`^ {0,3}${mark}[~\`]* *$`)};
}
