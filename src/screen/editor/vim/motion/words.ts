import {type Draft, type Position, draftLine} from '../../draft.ts';
import {textOfAtom, type Atom} from '../../graphemes.ts';

/** `isBig`: a word is everything between white space, and not only a run of characters of one class. */
type WordOptions = {readonly count: number; readonly isBig: boolean};

/**
Returns the class of a character. In vim, a word is a run of characters of one class. White space and the end of a line
have the class `blank`.
*/
export function classOf(atom: Atom | undefined, isBig: boolean): string {
	if (atom === undefined) return 'blank';
	const text = textOfAtom(atom);
	if (text !== undefined && /^\s/.test(text)) return 'blank';
	if (isBig) return 'word';
	if (text === undefined) return 'chip';
	return classes.find(([, pattern]) => pattern.test(text))?.[0] ?? 'word';
}

/** Vim's classes of characters (mbyte.c, `utf_class`). All letters of scripts with spaces belong to one class. */
const classes: ReadonlyArray<readonly [string, RegExp]> = [
	['word', /^[A-Za-z0-9_]/],
	['emoji', /^\p{Extended_Pictographic}(?<![\u{00}-\u{FF}])/u],
	['hiragana', /^[\u3040-\u309f]/],
	['katakana', /^[\u30a0-\u30ff]/],
	['ideograph', /^\p{Script=Han}/u],
	['hangul', /^[\uac00-\ud7a3]/],
	['mark', /^[\p{P}\p{S}]/u],
];

/**
Moves to the start of a later word. With an operator, the motion does not go beyond the line of the last word
(`stopsAtLineEnd`). The motions in this file follow vim (textobject.c), including its special cases.
*/
export function wordForward(
	draft: Draft,
	from: Position,
	{count, isBig, stopsAtLineEnd}: WordOptions & {readonly stopsAtLineEnd: boolean},
): Position {
	const cursor = walk(draft, from);
	for (let left = count - 1; left >= 0; left--)
		if (!oneWord(cursor, draft, isBig, stopsAtLineEnd && left === 0)) break;
	return cursor.at;
}

function oneWord(cursor: Walker, draft: Draft, isBig: boolean, stopsAtLineEnd: boolean): boolean {
	const kind = classOf(cursor.atom(), isBig);
	const isLastLine = cursor.at.line === draft.length - 1;
	let step = cursor.forward();
	const left = () => step === 'other line' || step === 'line end';
	if (step === undefined || (left() && isLastLine)) return false;
	if (left() && stopsAtLineEnd) return true;
	if (kind !== 'blank')
		while (classOf(cursor.atom(), isBig) === kind) {
			step = cursor.forward();
			if (step === undefined || (left() && stopsAtLineEnd)) return true;
		}
	while (classOf(cursor.atom(), isBig) === 'blank') {
		if (cursor.isOnEmptyLine()) break;
		step = cursor.forward();
		if (step === undefined || (left() && isLastLine)) return true;
	}
	return true;
}

/** Moves to the start of an earlier word. */
export function wordBack(draft: Draft, from: Position, {count, isBig}: WordOptions): Position {
	const cursor = walk(draft, from);
	for (let left = count; left > 0; left--) {
		if (cursor.back() === undefined) break;
		if (skipBlank(cursor, isBig, 'back') !== 'word') continue;
		const kind = classOf(cursor.atom(), isBig);
		if (skip(cursor, kind, isBig, 'back')) cursor.forward();
	}
	return cursor.at;
}

/** Moves to the end of a word. `staysOn`: if the cursor is at the end of a word, this word counts as the first one. */
export function wordEnd(
	draft: Draft,
	from: Position,
	{count, isBig, staysOn}: WordOptions & {readonly staysOn: boolean},
): Position {
	const cursor = walk(draft, from);
	for (let left = count; left > 0; left--) {
		const kind = classOf(cursor.atom(), isBig);
		if (cursor.forward() === undefined) break;
		if (classOf(cursor.atom(), isBig) === kind && kind !== 'blank') {
			if (!skip(cursor, kind, isBig, 'forward')) break;
		} else if (!(staysOn && left === count) || kind === 'blank') {
			if (!skipAll(cursor, isBig)) break;
			if (!skip(cursor, classOf(cursor.atom(), isBig), isBig, 'forward')) break;
		}
		cursor.back();
	}
	return cursor.at;
}

/** Moves to the end of an earlier word. */
export function wordEndBack(draft: Draft, from: Position, {count, isBig}: WordOptions): Position {
	const cursor = walk(draft, from);
	for (let left = count; left > 0; left--) {
		const kind = classOf(cursor.atom(), isBig);
		if (cursor.back() === undefined) break;
		if (kind !== 'blank' && !skip(cursor, kind, isBig, 'back')) break;
		if (skipBlank(cursor, isBig, 'back') === 'edge') break;
	}
	return cursor.at;
}

export function walk(draft: Draft, from: Position): Walker {
	let {line, column} = from;
	const length = () => draftLine(draft, line).length;
	return {
		get at() {
			return {line, column};
		},
		atom: () => draftLine(draft, line)[column],
		forward() {
			if (column < length()) return ++column === length() ? 'line end' : 'same line';
			if (line === draft.length - 1) return undefined;
			[line, column] = [line + 1, 0];
			return 'other line';
		},
		back() {
			if (column > 0) {
				column--;
				return 'same line';
			}
			if (line === 0) return undefined;
			line--;
			column = length();
			return 'other line';
		},
		jump(to) {
			({line, column} = to);
		},
		isOnEmptyLine: () => length() === 0,
	};
}

/**
Returns the column of the first character that is not white space. If there is none, returns the column of the last
character.
*/
export function firstNonBlank(draft: Draft, line: number): number {
	const atoms = draftLine(draft, line);
	const found = atoms.findIndex(atom => !isBlankAtom(atom));
	return found === -1 ? Math.max(0, atoms.length - 1) : found;
}

/** Tells whether a line has only white space. */
export function isBlankLine(draft: Draft, line: number): boolean {
	return draftLine(draft, line).every(isBlankAtom);
}

export function isBlankAtom(atom: Atom | undefined): boolean {
	return /^\s/.test(textOfAtom(atom) ?? '');
}

/** Tells whether one position is before another one. */
export function isBefore(one: Position, other: Position): boolean {
	return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/**
Returns the nearest position on a character. Outside of insert mode, the cursor is never after the last character of a
line.
*/
export function onCharacter(draft: Draft, {line, column}: Position): Position {
	const row = Math.max(0, Math.min(line, draft.length - 1));
	return {line: row, column: Math.max(0, Math.min(column, draftLine(draft, row).length - 1))};
}

/** Returns the position after the last character of a line. */
export function lineEnd(draft: Draft, line: number): Position {
	return {line, column: draftLine(draft, line).length};
}

/** Skips the characters of one class. Returns false if the cursor reached the edge of the draft. */
function skip(cursor: Walker, kind: string, isBig: boolean, direction: 'forward' | 'back'): boolean {
	while (classOf(cursor.atom(), isBig) === kind) if (cursor[direction]() === undefined) return false;
	return true;
}

/** Skips white space, but stops on an empty line. */
function skipBlank(cursor: Walker, isBig: boolean, direction: 'forward' | 'back'): 'word' | 'empty line' | 'edge' {
	while (classOf(cursor.atom(), isBig) === 'blank') {
		if (cursor.isOnEmptyLine()) return 'empty line';
		if (cursor[direction]() === undefined) return 'edge';
	}
	return 'word';
}

/** Skips white space and empty lines. Returns false if the cursor reached the edge of the draft. */
function skipAll(cursor: Walker, isBig: boolean): boolean {
	while (classOf(cursor.atom(), isBig) === 'blank') if (cursor.forward() === undefined) return false;
	return true;
}

/**
The result of a step: the cursor is on a character of the same line, after the last character of the line, or in another
line. It is `undefined` at the edge of the draft, where no step is possible.
*/
type Step = 'same line' | 'line end' | 'other line' | undefined;

/** A cursor that a motion moves through a draft. The cursor may be after the last character of a line. */
type Walker = {
	readonly at: Position;
	/** Returns the atom at the cursor, or `undefined` at the end of the line. */
	readonly atom: () => Atom | undefined;
	readonly forward: () => Step;
	readonly back: () => Step;
	readonly jump: (to: Position) => void;
	/** Tells whether the cursor is on an empty line. */
	readonly isOnEmptyLine: () => boolean;
};
