import type {MarkedToken, Tokens} from 'marked';
import {lex, plainBlock} from './lexer.ts';
import {fenceLine, isClosedFence} from './block-facts.ts';

/**
Final blocks, which later text cannot change. `inList`: the list in these blocks continues after them. `isCut`: the
plain text in these blocks continues after them.
*/
export type Settled = {readonly tokens: readonly MarkedToken[]; readonly inList?: boolean; readonly isCut?: boolean};

/** The blocks of a text: the final blocks in several parts, and the open blocks, which may still change. */
type Blocks = {
	readonly settled: readonly Settled[];
	readonly open: readonly MarkedToken[];
	/** Whether a block was too long for the lexer and was cut. */
	readonly hasCuts: boolean;
};

/** The maximum number of characters that the lexer reads in one call, unless a test sets another limit. */
const maxOpenText = 32_768;

/**
Splits a text into blocks. The lexer reads at most `maxOpen` characters in one call, because it may take quadratic time.
If a block does not end within `maxOpen` characters, its beginning becomes plain text, up to the first line break after
half of these characters.
*/
export function settle(text: string, maxOpen = maxOpenText): Blocks {
	const settled: Settled[] = [];
	let rest = text;
	while (rest.length > maxOpen && endOfFence(rest) !== rest.length) {
		const part = settleFirst(rest, maxOpen);
		if (part === undefined) return {settled, open: [plainBlock(rest)], hasCuts: true};
		settled.push(part);
		rest = rest.slice(rawOf(part.tokens).length);
	}
	const last = settleRest(rest, rest.length <= maxOpen);
	const hasCuts = settled.some(({isCut}) => isCut !== undefined);
	return {settled: [...settled, ...last.settled], open: last.open, hasCuts};
}

export function rawOf(tokens: readonly MarkedToken[]): string {
	return tokens.map(token => token.raw).join('');
}

/** Returns the fence line at the start of a text, and the pattern of the line that closes the fence. */
export function openingOf(text: string): {readonly line: string; readonly closing: RegExp} | undefined {
	const line = fenceLine.exec(text)?.[0];
	const mark = line === undefined ? undefined : /^(?:`+|~+)/.exec(line)?.[0];
	if (line === undefined || mark === undefined) return undefined;
	return {line, closing: new RegExp(`^ {0,3}${mark}[~\`]* *$`)};
}

function settleRest(rest: string, mayLexAgain: boolean): Pick<Blocks, 'settled' | 'open'> {
	const tokens = lex(rest);
	if (!mayLexAgain || rawOf(tokens) !== rest) return {settled: [], open: tokens};
	const count = settledCount(tokens);
	const first: Settled[] = count > 0 ? [{tokens: tokens.slice(0, count)}] : [];
	const left = tokens.slice(count);
	const split = splitList(left);
	if (split === undefined) return {settled: first, open: left};
	return {settled: [...first, {tokens: [split.done], inList: true}], open: split.rest};
}

/**
Returns the first blocks of a text that is too long for the lexer. Returns `undefined` if the whole text is a single
open block.
*/
function settleFirst(rest: string, maxOpen: number): Settled | undefined {
	const fenceEnd = endOfFence(rest) ?? 0;
	if (fenceEnd > maxOpen) return {tokens: lex(rest.slice(0, fenceEnd))};
	const start = rest.slice(0, maxOpen);
	const tokens = lex(start);
	if (rawOf(tokens) !== start) return cut(rest, maxOpen);
	const count = settledCount(tokens);
	if (count > 0) return {tokens: tokens.slice(0, count)};
	const split = splitList(tokens) ?? splitList(tokens, 1);
	if (split !== undefined) return {tokens: [split.done], inList: true};
	const whole = wholeCount(tokens, maxOpen / 2);
	return whole > 0 ? {tokens: tokens.slice(0, whole)} : cut(rest, maxOpen);
}

/**
Returns the number of tokens at the start that end within `length` characters. The last token does not count. Blank
lines at the start are not included in `length`.
*/
function wholeCount(tokens: readonly MarkedToken[], length: number): number {
	const first = tokens.findIndex(token => token.type !== 'space');
	if (first === -1) return tokens.length;
	let count = 0;
	let end = -rawOf(tokens.slice(0, first)).length;
	for (const {raw} of tokens.slice(0, -1)) {
		end += raw.length;
		if (end > length) break;
		count++;
	}
	return count > first ? count : 0;
}

/**
Returns the lines up to the first line break after `maxOpen / 2` characters as plain text. Returns `undefined` if there
is no such line break.
*/
function cut(rest: string, maxOpen: number): Settled | undefined {
	const end = rest.indexOf('\n', maxOpen / 2) + 1;
	if (end === 0 || end === rest.length) return undefined;
	return {tokens: [plainBlock(rest.slice(0, end))], isCut: rest[end] !== '\n'};
}

/**
Returns the index after the fence at the start of a text: the end of the closing line, or the end of the text if no line
closes the fence. Returns `undefined` if the text does not start with a fence.
*/
function endOfFence(text: string): number | undefined {
	const opening = openingOf(text);
	if (opening === undefined) return undefined;
	for (let from = opening.line.length; from < text.length;) {
		const end = text.indexOf('\n', from);
		const line = text.slice(from, end === -1 ? text.length : end);
		from = end === -1 ? text.length : end + 1;
		if (opening.closing.test(line)) return from;
	}
	return text.length;
}

type Split = {readonly done: Tokens.List; readonly rest: MarkedToken[]};

/**
Splits a list before its last two items, or after its first `first` items. Returns `undefined` if the text after that
place is not a list of the same kind.
*/
function splitList(tokens: readonly MarkedToken[], first?: number): Split | undefined {
	const [list, ...after] = tokens;
	if (list?.type !== 'list' || list.items.length < (first === undefined ? listLength : first + 1)) return undefined;
	const items = list.items.slice(0, first ?? -2);
	const raw = items.map(item => item.raw).join('');
	if (!list.raw.startsWith(raw) || !raw.endsWith('\n')) return undefined;
	const rest = lex(list.raw.slice(raw.length) + rawOf(after));
	const [head] = rest;
	if (head?.type !== 'list' || head.items.length !== list.items.length - items.length) return undefined;
	return head.ordered === list.ordered ? {done: {...list, items, raw}, rest} : undefined;
}

/** A list is split only if it has at least this number of items. */
const listLength = 6;

/**
Returns the number of tokens at the start that later text cannot change. These are the tokens up to the last blank line
before the last two blocks, and all tokens before a long list or a fence. A closed fence also counts after its closing
line has ended. Later text never lowers the number, so the result does not depend on the sizes of the streamed pieces.
*/
function settledCount(tokens: readonly MarkedToken[]): number {
	const blocks = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
	const held = tokens.slice(0, blocks.at(-2) ?? 0).findLastIndex(({raw}) => raw.endsWith('\n\n')) + 1;
	return tokens.reduce(
		(max, token, index) => Math.max(max, settledBy(token, index, index < tokens.length - 1)),
		held,
	);
}

function settledBy(token: MarkedToken, index: number, isFollowed: boolean): number {
	if (token.type === 'list' && token.items.length >= listLength) return index;
	if (!fenceLine.test(token.raw)) return 0;
	return isClosedFence(token) && (isFollowed || token.raw.endsWith('\n')) ? index + 1 : index;
}
