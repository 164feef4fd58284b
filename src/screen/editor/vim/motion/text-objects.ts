import {draftLine, type Draft, type Position} from '../../draft.ts';
import {textOfAtom, type Line} from '../../graphemes.ts';
import {firstNonBlank, isBlankAtom, isBlankLine, isBefore, walk} from './words.ts';
import {classOf} from './words.ts';

/** The range of a text object: characters up to `to`, which is not included, or whole lines. */
export type ObjectRange = {readonly from: Position; readonly to: Position; readonly kind: 'characters' | 'lines'};

export type ObjectOptions = {
	readonly draft: Draft;
	readonly at: Position;
	readonly count: number;
	/** Whether the range includes the space, the quotes or the brackets, as `aw` does and `iw` does not. */
	readonly isWhole: boolean;
};

/** Returns the range of a text object, or `undefined` if there is none at the cursor. */
export function findObject(key: string, options: ObjectOptions): ObjectRange | undefined {
	return objects.get(key)?.(options);
}

export function isObject(key: string): boolean {
	return objects.has(key);
}

type FindObject = (options: ObjectOptions) => ObjectRange | undefined;

/** The closing brackets, by opening bracket. */
const pairs: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}', '<': '>'};

const objects: ReadonlyMap<string, FindObject> = new Map<string, FindObject>([
	['w', options => words(options, false)],
	['W', options => words(options, true)],
	['p', paragraphs],
	...keysOf(['"'], quoted, '"'),
	...keysOf(["'"], quoted, "'"),
	...keysOf(['`'], quoted, '`'),
	...keysOf(['(', ')', 'b'], block, '('),
	...keysOf(['{', '}', 'B'], block, '{'),
	...keysOf(['[', ']'], block, '['),
	...keysOf(['<', '>'], block, '<'),
]);

function keysOf(
	keys: readonly string[],
	find: (options: ObjectOptions, mark: string) => ObjectRange | undefined,
	mark: string,
): ReadonlyArray<readonly [string, FindObject]> {
	return keys.map(key => [key, options => find(options, mark)]);
}

/**
Returns the range of a word, or of the white space between words. `aw` includes the space after the word, or the space
before the word if there is none after it.
*/
function words({draft, at, count, isWhole}: ObjectOptions, isBig: boolean): ObjectRange | undefined {
	const line = draftLine(draft, at.line);
	if (line.length === 0) return undefined;
	const runEnd = (from: number) => {
		let end = from;
		while (end < line.length && classOf(line[end], isBig) === classOf(line[from], isBig)) end++;
		return end;
	};
	const start = runStart(line, at.column, isBig);
	let end = start;
	for (let left = isWhole ? count * 2 : count; left > 0 && end < line.length; left--) end = runEnd(end);
	const beginsBlank = isBlankAtom(line[start]);
	const endsBlank = isBlankAtom(line[end - 1]);
	if (isWhole && beginsBlank && endsBlank) return undefined;
	// If another word follows without a space, the range does not include it.
	if (isWhole && !beginsBlank && !endsBlank && count === 1) end = runEnd(start);
	const before = isWhole && !beginsBlank && !isBlankAtom(line[end - 1]) ? blankBefore(line, start, isBig) : start;
	return {from: {line: at.line, column: before}, to: {line: at.line, column: end}, kind: 'characters'};
}

function runStart(line: Line, column: number, isBig: boolean): number {
	let start = Math.min(column, line.length - 1);
	while (start > 0 && classOf(line[start - 1], isBig) === classOf(line[start], isBig)) start--;
	return start;
}

/**
Returns the start of the white space before a column. Returns the column itself if the white space is the indentation of
the line.
*/
function blankBefore(line: Line, column: number, isBig: boolean): number {
	if (column === 0 || !isBlankAtom(line[column - 1])) return column;
	const start = runStart(line, column - 1, isBig);
	return start === 0 ? column : start;
}

/** Tells whether selecting a text object again selects the next larger one. */
export function growsOutwards(key: string): boolean {
	return !/^[wWp]$/.test(key);
}

/**
Returns the partner of the first bracket at or after a position in its line. `<` and `>` do not count as brackets here.
*/
export function findMatch(draft: Draft, at: Position): Position | undefined {
	const line = draftLine(draft, at.line);
	const column = line.findIndex((atom, index) => index >= at.column && /^[()[\]{}]$/.test(textOfAtom(atom) ?? ''));
	if (column === -1) return undefined;
	const bracket = textOfAtom(line[column]) ?? '';
	const from = {line: at.line, column};
	const closing = pairs[bracket];
	if (closing !== undefined) return findPartner(draft, from, {own: bracket, other: closing, direction: 'forward'});
	const [opening = ''] = Object.entries(pairs).find(([, other]) => other === bracket) ?? [];
	return findPartner(draft, from, {own: bracket, other: opening, direction: 'back'});
}

/**
Returns the range of a quoted text in the line of the cursor. If the cursor is before the first quote, returns the range
of the first quoted text.
*/
function quoted({draft, at, count, isWhole}: ObjectOptions, quote: string): ObjectRange | undefined {
	const line = draftLine(draft, at.line);
	const places = quotesIn(line, quote);
	const start = startQuote(places, at.column);
	const end = places.find(column => start !== undefined && column > start);
	if (start === undefined || end === undefined) return undefined;
	const range = (from: number, to: number): ObjectRange => ({
		from: {line: at.line, column: from},
		to: {line: at.line, column: to},
		kind: 'characters',
	});
	// `2i"` includes the quotes, but not the space after them.
	if (!isWhole) return count > 1 ? range(start, end + 1) : range(start + 1, end);
	let after = end + 1;
	while (isBlankAtom(line[after])) after++;
	let before = start;
	if (after === end + 1) while (isBlankAtom(line[before - 1])) before--;
	return range(before, after);
}

function startQuote(places: readonly number[], column: number): number | undefined {
	const index = places.indexOf(column);
	// If the cursor is on a quote, the number of quotes before it in the line determines whether it opens or closes.
	if (index !== -1) return index % 2 === 0 ? column : places[index - 1];
	return places.findLast(place => place < column) ?? places[0];
}

function quotesIn(line: Line, quote: string): readonly number[] {
	const places: number[] = [];
	for (let column = 0; column < line.length; column++) {
		const text = textOfAtom(line[column]);
		if (text === '\\') column++;
		else if (text === quote) places.push(column);
	}
	return places;
}

/**
Returns the range of a block in brackets. If the cursor is not in a block, returns the range of the next block in the
draft. Without its brackets (`isWhole` is false), a block over several lines does not include the line breaks next to
the brackets.
*/
function block({draft, at, count, isWhole}: ObjectOptions, opening: string): ObjectRange | undefined {
	const inside = textOfAtom(draftLine(draft, at.line)[at.column]) === opening ? 1 : 0;
	let start: Position | undefined = {line: at.line, column: at.column + inside};
	const search = findOpening(draft, start, opening) === undefined ? findNextOpening : findOpening;
	for (let left = count; left > 0 && start !== undefined; left--) start = search(draft, start, opening);
	const end = start && findClosing(draft, start, opening);
	if (start === undefined || end === undefined) return undefined;
	if (isWhole) return {from: start, to: {line: end.line, column: end.column + 1}, kind: 'characters'};
	const from = after(draft, start);
	const isAlone = end.column <= firstNonBlank(draft, end.line);
	const to = isAlone && end.line > from.line ? {line: end.line, column: 0} : end;
	return isBefore(to, from) ? {from, to: from, kind: 'characters'} : {from, to, kind: 'characters'};
}

/**
Returns the position after a bracket. If the bracket is the last character of its line, returns the start of the next
line.
*/
function after(draft: Draft, at: Position): Position {
	const cursor = walk(draft, at);
	if (cursor.forward() === 'line end') cursor.forward();
	return cursor.at;
}

/**
Returns the range of a paragraph, which is a run of lines with text. `ap` includes the empty lines after the paragraph,
or the empty lines before it if there are none after it.
*/
function paragraphs({draft, at, count, isWhole}: ObjectOptions): ObjectRange | undefined {
	let first = at.line;
	while (first > 0 && isBlankLine(draft, first - 1) === isBlankLine(draft, first)) first--;
	let end = first;
	for (let left = isWhole ? count * 2 : count; left > 0; left--) {
		if (end >= draft.length) {
			if (!isWhole || left > 1 || isBlankLine(draft, first)) return undefined;
			while (first > 0 && isBlankLine(draft, first - 1)) first--;
			break;
		}
		const kind = isBlankLine(draft, end);
		while (end < draft.length && isBlankLine(draft, end) === kind) end++;
	}
	return {from: {line: first, column: 0}, to: {line: end - 1, column: 0}, kind: 'lines'};
}

/**
Returns the position of the bracket that opens the block around a position. A bracket at the position itself does not
count.
*/
function findOpening(draft: Draft, at: Position, opening: string): Position | undefined {
	return findPartner(draft, at, {own: pairs[opening] ?? '', other: opening, direction: 'back'});
}

/** Returns the position of the next bracket that opens a block, for a position that is not in a block. */
function findNextOpening(draft: Draft, at: Position, opening: string): Position | undefined {
	return findPartner(draft, at, {own: pairs[opening] ?? '', other: opening, direction: 'forward'});
}

/**
Returns the position of the bracket that closes the block around a position. A bracket at the position itself does not
count.
*/
function findClosing(draft: Draft, at: Position, opening: string): Position | undefined {
	return findPartner(draft, at, {own: opening, other: pairs[opening] ?? '', direction: 'forward'});
}

type Search = {readonly own: string; readonly other: string; readonly direction: 'forward' | 'back'};

/** Searches in a direction. Returns the position at which `other` has occurred once more than `own`. */
function findPartner(draft: Draft, from: Position, {own, other, direction}: Search): Position | undefined {
	const cursor = walk(draft, from);
	let depth = 1;
	while (cursor[direction]() !== undefined) {
		const text = textOfAtom(cursor.atom());
		if (text === own) depth++;
		else if (text === other && --depth === 0) return cursor.at;
	}
	return undefined;
}
