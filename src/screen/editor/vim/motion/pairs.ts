import {draftLine, type Draft, type Position} from '../../draft.ts';
import {textOfAtom} from '../../graphemes.ts';
import {walk} from './walk.ts';

/** The brackets that have a partner, by the opening one. */
const pairs: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}', '<': '>'};

/** Returns the partner of the first bracket at or after a position in its line. `<` is no bracket here. */
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

/** Returns the bracket that opens the block around a position, which is not the one at the position itself. */
export function findOpening(draft: Draft, at: Position, opening: string): Position | undefined {
	return findPartner(draft, at, {own: pairs[opening] ?? '', other: opening, direction: 'back'});
}

/** Returns a later bracket that opens a block, if the position is in no block. */
export function findNextOpening(draft: Draft, at: Position, opening: string): Position | undefined {
	return findPartner(draft, at, {own: pairs[opening] ?? '', other: opening, direction: 'forward'});
}

/** Returns the bracket that closes the block around a position, which is not the one at the position itself. */
export function findClosing(draft: Draft, at: Position, opening: string): Position | undefined {
	return findPartner(draft, at, {own: opening, other: pairs[opening] ?? '', direction: 'forward'});
}

type Search = {readonly own: string; readonly other: string; readonly direction: 'forward' | 'back'};

/** Goes on until `other` occurs once more than `own`. */
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
