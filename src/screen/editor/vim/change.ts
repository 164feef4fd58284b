import {draftLine, insert, remove, type Draft, type Position} from '../draft.ts';
import {pasteOf, textOfAtom, type Atom} from '../graphemes.ts';
import {partOfPaste, withOwnNumbers} from '../open-paste.ts';
import type {Range} from './motion/range.ts';
import type {Register} from './registers.ts';
import {firstNonBlank, isBlankAtom, lineEnd, onCharacter} from './motion/walk.ts';

/** A draft with its cursor. */
export type Edited = {readonly draft: Draft; readonly cursor: Position};

/** Returns the text of a range as a register keeps it. */
export function textIn(draft: Draft, {from, to, kind}: Range): Register {
	if (kind === 'lines') return {piece: draft.slice(from.line, to.line + 1), kind};
	return {piece: remove(draft, from, to).taken, kind};
}

/** Removes a range. The cursor is where the rest begins, on a character. */
export function deleteRange(draft: Draft, {from, to, kind}: Range): Edited {
	if (kind === 'characters') {
		const {draft: rest, at} = remove(draft, from, to);
		return {draft: rest, cursor: onCharacter(rest, at)};
	}
	const left = draft.toSpliced(from.line, to.line - from.line + 1);
	const rest = left.length === 0 ? [[]] : left;
	const line = Math.min(from.line, rest.length - 1);
	return {draft: rest, cursor: {line, column: firstNonBlank(rest, line)}};
}

/** Removes a range so that a text can replace it. Of lines, an empty one stays. */
export function clearRange(draft: Draft, {from, to, kind}: Range): Edited {
	if (kind === 'characters') {
		const {draft: rest, at} = remove(draft, from, to);
		return {draft: rest, cursor: at};
	}
	return {
		draft: draft.toSpliced(from.line, to.line - from.line + 1, []),
		cursor: {line: from.line, column: 0},
	};
}

/** Replaces each character of a range. Line breaks stay. */
export function mapRange(draft: Draft, {from, to, kind}: Range, map: (text: string) => string): Draft {
	return draft.map((line, index) => {
		if (index < from.line || index > to.line) return line;
		const start = kind === 'characters' && index === from.line ? from.column : 0;
		const end = kind === 'characters' && index === to.line ? to.column : line.length;
		return line.map((atom, column) => (column < start || column >= end ? atom : mapped(atom, map)));
	});
}

/** A chip stays, and so does a character that would become two, as `ß` would. */
function mapped(atom: Atom, map: (text: string) => string): Atom {
	const text = textOfAtom(atom);
	if (text === undefined) return atom;
	const id = pasteOf(atom);
	return id === undefined ? map(text) : {type: 'pasted', id, text: map(text)};
}

export function swapCase(text: string): string {
	const upper = toUpper(text);
	return upper === text ? text.toLowerCase() : upper;
}

export function toUpper(text: string): string {
	const upper = text.toUpperCase();
	return upper.length === text.length ? upper : text;
}

/** Indents or outdents lines by two spaces. Empty lines stay empty. */
export function shiftLines(draft: Draft, first: number, last: number, by: 1 | -1): Edited {
	const shifted = draft.map((line, index) => {
		if (index < first || index > last || line.length === 0) return line;
		if (by === 1) return [...indentation, ...line];
		const blank = line.slice(0, indentation.length).findIndex(atom => !isBlankAtom(atom));
		return line.slice(blank === -1 ? Math.min(line.length, indentation.length) : blank);
	});
	return {draft: shifted, cursor: {line: first, column: firstNonBlank(shifted, first)}};
}

const indentation: readonly string[] = [' ', ' '];

/**
Joins lines. With a space between them, the indentation goes away, and no space comes before `)` or after white space.
*/
export function joinLines(draft: Draft, first: number, last: number, withSpace: boolean): Edited {
	let lines = draft;
	let column = 0;
	for (let left = last - first; left > 0; left--) {
		const line = draftLine(lines, first);
		const next = draftLine(lines, first + 1);
		const from = withSpace ? next.findIndex(atom => !isBlankAtom(atom)) : 0;
		const rest = from === -1 ? [] : next.slice(from);
		const isSpaced =
			withSpace && line.length > 0 && rest.length > 0 && !isBlankAtom(line.at(-1)) && textOfAtom(rest[0]) !== ')';
		column = line.length;
		const joined = insert([line], lineEnd([line], 0), [isSpaced ? [' ', ...rest] : rest]).draft;
		lines = lines.toSpliced(first, 2, draftLine(joined, 0));
	}
	return {draft: lines, cursor: onCharacter(lines, {line: first, column})};
}

type PutOptions = {
	readonly count: number;
	/** Before the cursor, or above its line: `P`. */
	readonly isBefore: boolean;
	/** The cursor goes after the text: `gp`. */
	readonly goesAfter: boolean;
};

/** Puts the text of a register into the draft. */
export function put(draft: Draft, at: Position, {piece, kind}: Register, options: PutOptions): Edited {
	const {count, isBefore, goesAfter} = options;
	if (kind === 'lines') {
		const line = isBefore ? at.line : at.line + 1;
		const lines = Array.from({length: count}, () => piece).flat();
		const whole = draft.toSpliced(line, 0, ...lines);
		const next = line + lines.length;
		if (goesAfter) return {draft: whole, cursor: {line: Math.min(next, whole.length - 1), column: 0}};
		return {draft: whole, cursor: {line, column: firstNonBlank(whole, line)}};
	}
	const isEmptyLine = draftLine(draft, at.line).length === 0;
	const start = isBefore || isEmptyLine ? at : {line: at.line, column: at.column + 1};
	let edited = {draft, end: start};
	for (let left = count; left > 0; left--) {
		const own = partOfPaste(edited.draft, edited.end, withOwnNumbers(piece, edited.draft));
		edited = insert(edited.draft, edited.end, own);
	}
	const {end} = edited;
	if (goesAfter) return {draft: edited.draft, cursor: end};
	if (piece.length > 1) return {draft: edited.draft, cursor: onCharacter(edited.draft, start)};
	return {draft: edited.draft, cursor: {line: end.line, column: Math.max(start.column, end.column - 1)}};
}
