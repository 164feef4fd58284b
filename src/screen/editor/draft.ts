import {required} from '../../text/lines.ts';
import {segment, splice, textOfAtom, type Atom, type Line} from './graphemes.ts';

/** The lines of a draft. A draft has at least one line. The lines are immutable. */
export type Draft = readonly Line[];

/** A position between two atoms. `column` is the number of atoms before the position in its line. */
export type Position = {readonly line: number; readonly column: number};

export const emptyDraft: Draft = [[]];
export const origin: Position = {line: 0, column: 0};

export function draftOf(text: string): Draft {
	return text.split('\n').map(segment);
}

export function endOf(draft: Draft): Position {
	return {line: draft.length - 1, column: lastLine(draft).length};
}

/** Returns the line at an index inside the draft. */
export function draftLine(draft: Draft, index: number): Line {
	return required(draft[index], 'line');
}

export function lastLine(draft: Draft): Line {
	return draftLine(draft, draft.length - 1);
}

/** Returns the atom to the left of a position. Returns `undefined` at the start of a line. */
export function atomBefore(draft: Draft, {line, column}: Position): Atom | undefined {
	return draftLine(draft, line)[column - 1];
}

/** Inserts a piece into a draft. `end` is the position after the inserted piece. */
export function insert(draft: Draft, at: Position, piece: Draft): {readonly draft: Draft; readonly end: Position} {
	const line = draftLine(draft, at.line);
	if (piece.length === 1) {
		const joined = splice(line, at.column, at.column, draftLine(piece, 0));
		return {draft: draft.with(at.line, joined.line), end: {line: at.line, column: joined.column}};
	}
	const first = splice(line, at.column, line.length, draftLine(piece, 0)).line;
	const last = splice(line.slice(at.column), 0, 0, lastLine(piece));
	return {
		draft: draft.slice(0, at.line).concat([first], piece.slice(1, -1), [last.line], draft.slice(at.line + 1)),
		end: {line: at.line + piece.length - 1, column: last.column},
	};
}

/**
Removes the atoms between two positions. The positions may be in either order. `taken` is the removed piece. `at` is the
position where the remaining parts meet.
*/
export function remove(
	draft: Draft,
	one: Position,
	other: Position,
): {readonly draft: Draft; readonly taken: Draft; readonly at: Position} {
	const [from, to] = isBefore(one, other) ? [one, other] : [other, one];
	const joined = splice(draftLine(draft, to.line), 0, to.column, draftLine(draft, from.line).slice(0, from.column));
	return {
		draft: draft.slice(0, from.line).concat([joined.line], draft.slice(to.line + 1)),
		taken: between(draft, from, to),
		at: {line: from.line, column: joined.column},
	};
}

function isBefore(one: Position, other: Position): boolean {
	return one.line < other.line || (one.line === other.line && one.column < other.column);
}

export function isSame(one: Position, other: Position): boolean {
	return one.line === other.line && one.column === other.column;
}

export function isEmpty(draft: Draft): boolean {
	return draft.length === 1 && draftLine(draft, 0).length === 0;
}

/** Tells whether a draft has nothing to send. Such a draft has only white space and no chip. */
export function isBlank(draft: Draft): boolean {
	return draft.every(line => line.every(atom => textOfAtom(atom)?.trim() === ''));
}

/** Returns the number of digits of a draft that contains only digits, and perhaps white space. Otherwise returns 0. */
export function countDigits(draft: Draft): number {
	const line = draftLine(draft, 0);
	if (draft.length !== 1 || !line.every(atom => /^[\d\s]*$/.test(textOfAtom(atom) ?? '-'))) return 0;
	return line.map(textOfAtom).join('').replaceAll(/\s/g, '').length;
}

function between(draft: Draft, from: Position, to: Position): Draft {
	if (from.line === to.line) return [draftLine(draft, from.line).slice(from.column, to.column)];
	return [
		draftLine(draft, from.line).slice(from.column),
		...draft.slice(from.line + 1, to.line),
		draftLine(draft, to.line).slice(0, to.column),
	];
}

/** Tells whether a draft is a shell command. */
export function isShellDraft(draft: Draft): boolean {
	return draft[0]?.[0] === '!';
}
