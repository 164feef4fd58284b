import {isOpenSize, makePaste, type Chip} from './chip.ts';
import {atomBefore, draftLine, insert, remove, type Draft, type Position} from './draft.ts';
import {pasteOf, segment, type Atom, type Line} from './graphemes.ts';

/** Returns a paste as a piece of a draft. A short paste is expanded text, and a longer paste is a chip. */
export function pieceOfPaste(id: string, content: string): Draft {
	return isOpenSize(content) ? openPaste(id, content) : [[makePaste(id, content)]];
}

/** Returns the expanded text of a paste as a piece of a draft. */
export function openPaste(id: string, content: string): Draft {
	return content.split('\n').map(line => segment(line).map(text => ({type: 'pasted', id, text})));
}

/** Returns the id of the paste that an atom is, or belongs to. */
export function pasteIdOf(atom: Atom): string | undefined {
	return typeof atom === 'object' && (atom.type === 'paste' || atom.type === 'pasted') ? atom.id : undefined;
}

/** Returns the id for the next paste of a draft. The numbers start with 1 in each message. */
export function nextPaste(draft: Draft): string {
	let last = 0;
	for (const line of draft)
		for (const atom of line) {
			const id = pasteIdOf(atom);
			if (id !== undefined && /^\d{1,9}$/.test(id)) last = Math.max(last, Number(id));
		}
	return String(last + 1);
}

/** Renumbers the paste chips of a piece whose numbers other paste chips of the draft already have. */
export function withOwnNumbers(piece: Draft, draft: Draft): Draft {
	const contents = new Map(draft.flatMap(line => line.filter(isPasteChip).map(({id, content}) => [id, content])));
	const shift = Number(nextPaste(draft)) - 1;
	const isTaken = ({id, content}: PasteChip) => contents.has(id) && contents.get(id) !== content;
	const taken = piece.flatMap(line => line.filter(isPasteChip)).filter(isTaken);
	if (taken.length === 0) return piece;
	const renamed = new Map(taken.map((chip, index) => [chip, {...chip, id: String(shift + index + 1)}]));
	return piece.map(line => line.map(atom => (isPasteChip(atom) ? (renamed.get(atom) ?? atom) : atom)));
}

/**
Returns a piece for insertion at a position. If the position is inside an expanded paste, the text of the piece becomes
a part of that paste.
*/
export function partOfPaste(draft: Draft, at: Position, piece: Draft): Draft {
	const id = pasteAround(draft, at);
	if (id === undefined) return piece;
	return piece.map(line =>
		line.map(atom => (typeof atom === 'string' ? ({type: 'pasted', id, text: atom} as const) : atom)),
	);
}

/** Expands the paste chip next to a position in place. Returns `undefined` if there is no paste chip. */
export function opened(
	draft: Draft,
	at: Position,
): {readonly draft: Draft; readonly end: Position} | 'too long' | undefined {
	const isBefore = isPasteChip(atomBefore(draft, at));
	const chip = isBefore ? atomBefore(draft, at) : draftLine(draft, at.line)[at.column];
	if (!isPasteChip(chip)) return undefined;
	if (chip.content.length > maxOpenedLength) return 'too long';
	const from = isBefore ? {line: at.line, column: at.column - 1} : at;
	const {draft: rest, at: start} = remove(draft, from, {line: from.line, column: from.column + 1});
	return insert(rest, start, openPaste(chip.id, chip.content));
}

/**
The maximum length of a paste that can be expanded, in UTF-16 code units. There is a limit because the editor handles
every grapheme of an expanded paste.
*/
const maxOpenedLength = 100_000;

/** The maximum number of empty lines that are skipped to find the text of the same paste. */
const maxEmptyLines = 100;

type PasteChip = Extract<Chip, {type: 'paste'}>;

function isPasteChip(atom: Atom | undefined): atom is PasteChip {
	return typeof atom === 'object' && atom.type === 'paste';
}

/**
Returns the id of the expanded paste that is on both sides of a position. The newlines between the lines of a paste
belong to the paste.
*/
export function pasteAround(draft: Draft, {line, column}: Position): string | undefined {
	const here = draftLine(draft, line);
	const id = pasteOf(column > 0 ? here[column - 1] : nearestLine(draft, line, -1)?.at(-1));
	if (id === undefined) return undefined;
	const next = column < here.length ? here[column] : nearestLine(draft, line, 1)?.[0];
	return pasteOf(next) === id ? id : undefined;
}

/** Returns the nearest line in a direction that is not empty. */
function nearestLine(draft: Draft, line: number, step: -1 | 1): Line | undefined {
	for (let at = line + step, left = maxEmptyLines; left > 0; at += step, left--) {
		const found = draft[at];
		if (found === undefined || found.length > 0) return found;
	}
	return undefined;
}
