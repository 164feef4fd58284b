import {draftLine, type Draft, type Position} from '../../draft.ts';
import {textOfAtom, type Line} from '../../graphemes.ts';
import {findMatch} from './text-objects.ts';
import {firstNonBlank, isBlankAtom, lineEnd, walk, isBefore} from './words.ts';
import {classOf, wordBack, wordEnd, wordEndBack, wordForward} from './words.ts';
import {width} from '../../../../text/width.ts';

/**
The target of a motion. `kind` determines the range of an operator. `exclusive`: the characters before the target.
`inclusive`: also the character at the target. `line`: whole lines. `goal` is the column in cells that the next vertical
motion tries to reach. `isBig`: a deletion with this motion goes to register 1.
*/
type Target = {
	readonly to: Position;
	readonly kind: 'exclusive' | 'inclusive' | 'line';
	readonly goal?: number;
	readonly isBig?: boolean;
};

/** A search for a character in the line with f, F, t or T. */
export type Find = {readonly key: 'f' | 'F' | 't' | 'T'; readonly character: string};

type MotionContext = {
	readonly draft: Draft;
	readonly at: Position;
	/** The count that the user typed, or `undefined`. */
	readonly count: number | undefined;
	/** The operator that is used with the motion. */
	readonly operator: string | undefined;
	/** The character after f, F, t and T. */
	readonly character: string | undefined;
	readonly goal: number | undefined;
	readonly find: Find | undefined;
};

export type MotionKey = keyof typeof motions;

export function isMotion(key: string): key is MotionKey {
	return Object.hasOwn(motions, key);
}

/** Returns the target of a motion, or `undefined` if it fails. */
export function moveBy(key: MotionKey, context: MotionContext): Target | undefined {
	const motion: (context: MotionContext) => Target | undefined = motions[key];
	return motion(context);
}

/**
The range of an operator. For `characters`, `to` is the position after the last character. For `lines`, `to` is in the
last line.
*/
export type Range = {
	readonly from: Position;
	readonly to: Position;
	readonly kind: 'characters' | 'lines';
	/** Whether a deletion goes to register 1 even if it is small. */
	readonly isBig?: boolean;
};

/**
Returns the range between the cursor and the target of a motion. The rules of `exclusiveRange` apply to exclusive
motions.
*/
export function rangeTo(draft: Draft, at: Position, {to, kind, isBig}: Target): Range {
	const [from, end] = isBefore(to, at) ? [to, at] : [at, to];
	const big = isBig === true ? {isBig} : {};
	if (kind === 'line') return {from, to: end, kind: 'lines', ...big};
	if (kind === 'inclusive') return {from, to: after(draft, end), kind: 'characters', ...big};
	return {...exclusiveRange(draft, from, end), ...big};
}

/**
Returns the range from one position up to another, which is not included. If the end is in the first column of a later
line, the range ends with the line before that line. If such a range also starts in the indentation, it consists of
whole lines (vim: `exclusive-linewise`).
*/
export function exclusiveRange(draft: Draft, from: Position, to: Position): Range {
	if (to.column > 0 || to.line <= from.line) return {from, to, kind: 'characters'};
	const last = lineEnd(draft, to.line - 1);
	return {from, to: last, kind: isInIndentation(draft, from) ? 'lines' : 'characters'};
}

/**
Returns the range that a deletion removes. If a deletion over several lines would leave only white space in them, it
removes the whole lines (vim: `d-special`).
*/
export function deletedRange(draft: Draft, range: Range): Range {
	const {from, to, kind} = range;
	if (kind === 'lines' || from.line === to.line) return range;
	const rest = draftLine(draft, to.line).slice(to.column);
	return rest.every(isBlankAtom) && isInIndentation(draft, from) ? {...range, kind: 'lines'} : range;
}

/** Returns the position after a character. */
export function after(draft: Draft, {line, column}: Position): Position {
	return {line, column: Math.min(column + 1, draftLine(draft, line).length)};
}

const motions = {
	h: ({at, ...rest}: MotionContext) =>
		at.column === 0 ? undefined : exclusive({line: at.line, column: Math.max(0, at.column - times(rest))}),
	l: right,
	'<Left>': (context: MotionContext) => motions.h(context),
	'<Right>': right,
	'<BS>': (context: MotionContext) => byCharacter(context, 'back'),
	'<Space>': (context: MotionContext) => byCharacter(context, 'forward'),
	j: (context: MotionContext) => vertical(context, times(context)),
	k: (context: MotionContext) => vertical(context, -times(context)),
	'0': ({at}: MotionContext) => exclusive({line: at.line, column: 0}),
	'<Home>': ({at}: MotionContext) => exclusive({line: at.line, column: 0}),
	'^': ({draft, at}: MotionContext) => exclusive({line: at.line, column: firstNonBlank(draft, at.line)}),
	$: toEnd,
	'<End>': toEnd,
	'|': ({draft, at, ...rest}: MotionContext) => {
		const last = Math.max(0, draftLine(draft, at.line).length - 1);
		return exclusive({line: at.line, column: Math.min(last, times(rest) - 1)});
	},
	g_: lastNonBlank,
	'+': (context: MotionContext) => lineBelow(context, times(context)),
	'-': (context: MotionContext) => lineBelow(context, -times(context)),
	_: (context: MotionContext) => lineBelow(context, times(context) - 1),
	w: (context: MotionContext) => word(context, false),
	W: (context: MotionContext) => word(context, true),
	b: (context: MotionContext) => exclusive(wordBack(context.draft, context.at, words(context, false))),
	B: (context: MotionContext) => exclusive(wordBack(context.draft, context.at, words(context, true))),
	e: (context: MotionContext) => endOfWord(context, false),
	E: (context: MotionContext) => endOfWord(context, true),
	ge: (context: MotionContext) => inclusive(wordEndBack(context.draft, context.at, words(context, false))),
	gE: (context: MotionContext) => inclusive(wordEndBack(context.draft, context.at, words(context, true))),
	gg: (context: MotionContext) => toLine(context, times(context) - 1),
	G: (context: MotionContext) => toLine(context, (context.count ?? context.draft.length) - 1),
	f: (context: MotionContext) => search(context, 'f'),
	F: (context: MotionContext) => search(context, 'F'),
	t: (context: MotionContext) => search(context, 't'),
	T: (context: MotionContext) => search(context, 'T'),
	';': (context: MotionContext) => searchAgain(context, false),
	',': (context: MotionContext) => searchAgain(context, true),
	'%': ({draft, at}: MotionContext) => {
		const to = findMatch(draft, at);
		return to === undefined ? undefined : ({to, kind: 'inclusive', isBig: true} as const);
	},
	'}': (context: MotionContext) => paragraph(context, 1),
	'{': (context: MotionContext) => paragraph(context, -1),
};

function times({count}: {readonly count: number | undefined}): number {
	return count ?? 1;
}

function exclusive(to: Position): Target {
	return {to, kind: 'exclusive'};
}

function inclusive(to: Position): Target {
	return {to, kind: 'inclusive'};
}

/**
Moves right. With an operator the motion may end after the last character, so that the operator can include this
character.
*/
function right({draft, at, operator, ...rest}: MotionContext): Target | undefined {
	const last = draftLine(draft, at.line).length - (operator === undefined ? 1 : 0);
	if (at.column >= last) return undefined;
	return exclusive({line: at.line, column: Math.min(last, at.column + times(rest))});
}

/** Moves by characters. Space continues in the next line, and Backspace continues in the previous line. */
function byCharacter({draft, at, operator, ...rest}: MotionContext, direction: 'forward' | 'back'): Target {
	const cursor = walk(draft, at);
	for (let left = times(rest); left > 0; left--) {
		const step = cursor[direction]();
		if (step === undefined) break;
		if (step === 'line end' && operator === undefined) cursor.forward();
		else if (step === 'other line' && direction === 'back' && !cursor.isOnEmptyLine()) cursor.back();
	}
	return exclusive(cursor.at);
}

/** Moves up or down, at most to the first or the last line. */
function vertical({draft, at, goal}: MotionContext, by: number): Target | undefined {
	const line = Math.max(0, Math.min(at.line + by, draft.length - 1));
	if (line === at.line) return undefined;
	const wanted = goal ?? cells(draftLine(draft, at.line), at.column);
	return {to: {line, column: columnAt(draftLine(draft, line), wanted)}, kind: 'line', goal: wanted};
}

/** Returns the column of the character that covers a cell, or the column of the last character. */
function columnAt(line: Line, cell: number): number {
	let column = 0;
	while (column < line.length - 1 && cells(line, column + 1) <= cell) column++;
	return column;
}

function toEnd({draft, at, ...rest}: MotionContext): Target | undefined {
	const line = at.line + times(rest) - 1;
	if (line >= draft.length) return undefined;
	const {length} = draftLine(draft, line);
	const to = {line, column: Math.max(0, length - 1)};
	return {to, kind: length === 0 ? 'exclusive' : 'inclusive', goal: Number.POSITIVE_INFINITY};
}

function lastNonBlank({draft, at, ...rest}: MotionContext): Target | undefined {
	const line = at.line + times(rest) - 1;
	if (line >= draft.length) return undefined;
	const column = draftLine(draft, line).findLastIndex(atom => !isBlankAtom(atom));
	return inclusive({line, column: Math.max(0, column)});
}

function lineBelow({draft, at}: MotionContext, by: number): Target | undefined {
	const line = at.line + by;
	if (line < 0 || line >= draft.length) return undefined;
	return {to: {line, column: firstNonBlank(draft, line)}, kind: 'line'};
}

function toLine({draft}: MotionContext, wanted: number): Target {
	const line = Math.max(0, Math.min(wanted, draft.length - 1));
	return {to: {line, column: firstNonBlank(draft, line)}, kind: 'line'};
}

function words(context: MotionContext, isBig: boolean) {
	return {count: times(context), isBig};
}

/** Moves to the next word. `cw` on a word changes only the word and not the space after it, as `ce` does. */
function word(context: MotionContext, isBig: boolean): Target {
	const {draft, at, operator} = context;
	const atom = draftLine(draft, at.line)[at.column];
	if (operator === 'c' && atom !== undefined && classOf(atom, isBig) !== 'blank')
		return inclusive(wordEnd(draft, at, {...words(context, isBig), staysOn: true}));
	const to = wordForward(draft, at, {...words(context, isBig), stopsAtLineEnd: operator !== undefined});
	const isAfterLast = to.column > 0 && to.column === draftLine(draft, to.line).length;
	return isAfterLast ? inclusive({line: to.line, column: to.column - 1}) : exclusive(to);
}

function endOfWord(context: MotionContext, isBig: boolean): Target {
	const to = wordEnd(context.draft, context.at, {...words(context, isBig), staysOn: false});
	const {column} = lineEnd(context.draft, to.line);
	return inclusive(to.column > 0 && to.column === column ? {line: to.line, column: column - 1} : to);
}

function search(context: MotionContext, key: Find['key']): Target | undefined {
	return context.character === undefined ? undefined : find(context, {key, character: context.character}, false);
}

function searchAgain(context: MotionContext, isReversed: boolean): Target | undefined {
	if (context.find === undefined) return undefined;
	const {key, character} = context.find;
	return find(context, {key: isReversed ? reversed[key] : key, character}, true);
}

const reversed = {f: 'F', F: 'f', t: 'T', T: 't'} as const;

/**
Searches for a character in the line. A repeated `t` or `T` (`isAgain`) skips a match directly next to the cursor,
because otherwise the cursor would not move.
*/
function find({draft, at, ...rest}: MotionContext, {key, character}: Find, isAgain: boolean): Target | undefined {
	const line = draftLine(draft, at.line);
	const by = key === 'f' || key === 't' ? 1 : -1;
	const isBefore = key === 't' || key === 'T';
	let left = times(rest);
	let column = at.column;
	if (isAgain && isBefore && left === 1 && textOfAtom(line[column + by]) === character) column += by;
	while (left > 0) {
		column += by;
		if (column < 0 || column >= line.length) return undefined;
		if (textOfAtom(line[column]) === character) left--;
	}
	const to = {line: at.line, column: isBefore ? column - by : column};
	return by === 1 ? inclusive(to) : exclusive(to);
}

/**
Moves to the next empty line after a line with text. If there is none, moves to the first or the last character of the
draft.
*/
function paragraph({draft, at, ...rest}: MotionContext, by: 1 | -1): Target | undefined {
	let line = at.line;
	for (let left = times(rest); left > 0; left--) {
		let hasText = false;
		for (let isFirst = true; ; isFirst = false) {
			const isEmpty = draftLine(draft, line).length === 0;
			hasText ||= !isEmpty;
			if (!isFirst && hasText && isEmpty) break;
			const next = line + by;
			if (next < 0 || next >= draft.length) {
				if (left > 1) return undefined;
				const {column} = lineEnd(draft, line);
				if (by === 1 && column > 0) return {to: {line, column: column - 1}, kind: 'inclusive', isBig: true};
				return {to: {line, column: 0}, kind: 'exclusive', isBig: true};
			}
			line = next;
		}
	}
	return {to: {line, column: 0}, kind: 'exclusive', isBig: true};
}

/** Returns the number of cells before a column. A chip counts as one cell, which is enough for vertical motions. */
function cells(line: Line, column: number): number {
	let sum = 0;
	for (const atom of line.slice(0, column)) sum += Math.max(1, width(textOfAtom(atom) ?? '@'));
	return sum;
}

function isInIndentation(draft: Draft, {line, column}: Position): boolean {
	const first = firstNonBlank(draft, line);
	return column <= first || draftLine(draft, line).every(isBlankAtom);
}
