import {draftLine, type Draft, type Position} from '../../draft.ts';
import {textOfAtom, type Atom} from '../../graphemes.ts';

/**
The result of a step: into the same line, to the place after its last character, into another line, or none, at the edge
of the draft.
*/
type Step = 'same line' | 'line end' | 'other line' | undefined;

/** A cursor that a motion moves through a draft. It may stand after the last character of a line. */
export type Walker = {
	readonly at: Position;
	/** Returns the atom at the cursor. `undefined` is the end of the line. */
	readonly atom: () => Atom | undefined;
	readonly forward: () => Step;
	readonly back: () => Step;
	readonly jump: (to: Position) => void;
	/** Tells whether the cursor is on an empty line. */
	readonly isOnEmptyLine: () => boolean;
};

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

/** Returns the column of the first character that is no white space, or of the last character. */
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

/** Returns a position on a character: outside of insert mode the cursor is never after the last one. */
export function onCharacter(draft: Draft, {line, column}: Position): Position {
	const row = Math.max(0, Math.min(line, draft.length - 1));
	return {line: row, column: Math.max(0, Math.min(column, draftLine(draft, row).length - 1))};
}

/** Returns the position after the last character of a line. */
export function lineEnd(draft: Draft, line: number): Position {
	return {line, column: draftLine(draft, line).length};
}
