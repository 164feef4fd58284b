import {draftLine, type Draft, type Position} from '../../draft.ts';
import {isBlankAtom, firstNonBlank, isBefore, lineEnd} from './walk.ts';
import type {Target} from './motions.ts';

/** What an operator takes. `to` is after the last character, or in the last line. */
export type Range = {
	readonly from: Position;
	readonly to: Position;
	readonly kind: 'characters' | 'lines';
	/** Whether a deletion goes to register 1 even if it is small. */
	readonly isBig?: boolean;
};

/**
Returns the range from the cursor to the target of a motion. A motion that ends in the first column takes nothing of
that line, and from the indentation it takes whole lines (vim: `exclusive-linewise`).
*/
export function rangeTo(draft: Draft, at: Position, {to, kind, isBig}: Target): Range {
	const [from, end] = isBefore(to, at) ? [to, at] : [at, to];
	const big = isBig === true ? {isBig} : {};
	if (kind === 'line') return {from, to: end, kind: 'lines', ...big};
	if (kind === 'inclusive') return {from, to: after(draft, end), kind: 'characters', ...big};
	return {...exclusiveRange(draft, from, end), ...big};
}

/** Returns the range of characters up to a place that is not taken. */
export function exclusiveRange(draft: Draft, from: Position, to: Position): Range {
	if (to.column > 0 || to.line <= from.line) return {from, to, kind: 'characters'};
	const last = lineEnd(draft, to.line - 1);
	return {from, to: last, kind: isInIndentation(draft, from) ? 'lines' : 'characters'};
}

/** A deletion over several lines that leaves only white space in them takes these lines (vim: `d-special`). */
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

function isInIndentation(draft: Draft, {line, column}: Position): boolean {
	const first = firstNonBlank(draft, line);
	return column <= first || draftLine(draft, line).every(isBlankAtom);
}
