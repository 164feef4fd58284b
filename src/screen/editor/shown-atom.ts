import {changesOf, sanitize, sanitizePieces} from '../../text/sanitize.ts';
import {isInvisible, shortMarkOf} from '../../text/invisible.ts';
import {cut, width} from '../../text/width.ts';
import {chipLabel, type Chip} from './chip.ts';
import {textOfAtom, type Line} from './graphemes.ts';

export function cellsOf(line: Line, column: number, columns: number): number {
	const atom = line[column];
	const text = textOfAtom(atom);
	if (text !== undefined) return shownIn(line, column, text).cells;
	return typeof atom !== 'object' || atom.type === 'pasted' ? 0 : width(shortLabel(atom, columns));
}

/** Returns the label of a chip, cut to one row. */
export function shortLabel(chip: Chip, columns: number): string {
	return cut(chipLabel(chip), Math.max(2, columns - 1), '…');
}

type Shown = {readonly text: string; readonly cells: number};

/**
Returns how a grapheme is drawn between its neighbours. A joiner alone is a visible mark, but between two letters it is
not.
*/
export function shownIn(line: Line, column: number, grapheme: string): Shown {
	const alone = shown(grapheme);
	if (alone.text === grapheme || !isInvisible(grapheme)) return alone;
	const pieces = [textBefore(line, column), grapheme, textAfter(line, column)];
	const [, text = ''] = sanitizePieces(pieces, changesOf(pieces.join('').toWellFormed(), shortMarkOf));
	return cap({text, cells: width(text)});
}

/**
The number of atoms that the sanitizer gets on each side. Each atom of an invisible run has a mark of its own, so that
you can delete it.
*/
const reach = 24;

function textBefore(line: Line, column: number): string {
	let text = '';
	for (let at = column - 1; at >= 0 && at >= column - reach; at--) {
		const atom = textOfAtom(line[at]);
		if (atom === undefined || (at === column - 1 && isInvisible(Array.from(atom).at(-1) ?? ''))) break;
		text = atom + text;
	}
	return text;
}

function textAfter(line: Line, column: number): string {
	let text = '';
	for (let at = column + 1; at < line.length && at <= column + reach; at++) {
		const atom = textOfAtom(line[at]);
		if (atom === undefined || (at === column + 1 && isInvisible(firstCharacter(atom)))) break;
		text += atom;
	}
	return text;
}

function firstCharacter(text: string): string {
	const [first = ''] = text;
	return first;
}

/** Returns how a grapheme is drawn: sanitized, in one row of any width. */
function shown(grapheme: string): Shown {
	const known = graphemes.get(grapheme);
	if (known !== undefined) return known;
	const text = sanitize(grapheme);
	const made = cap({text, cells: width(text)});
	if (graphemes.size >= 8192) graphemes.clear();
	graphemes.set(grapheme, made);
	return made;
}

/** Replaces a grapheme that no cell can show, because it has too many combining marks. The replacement is U+FFFD. */
function cap(made: Shown): Shown {
	return made.cells <= 12 && made.text.length <= 64 ? made : {text: '\uFFFD', cells: 1};
}

const graphemes = new Map<string, Shown>(
	Array.from({length: 95}, (_, index) => String.fromCharCode(0x20 + index)).map(text => [text, {text, cells: 1}]),
);
