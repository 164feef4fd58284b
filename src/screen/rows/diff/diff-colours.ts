import type {Span} from '../../../text/span.ts';
import {highlight, isHighlightReady} from '../../markdown/highlight.ts';
import {isInside, type DiffLine} from './diff-lines.ts';

/**
Returns a function for the colours of each line, by its index, without its sign. A hunk is coloured in pieces of some
lines when one of them is asked for, so the cost does not grow with the diff. The old and the new text of a piece are
coloured apart, each together with the lines before it, where a comment or a string may begin.
*/
export function createDiffColours(
	lines: readonly DiffLine[],
	path: string,
): (index: number) => readonly Span[] | undefined {
	let hunks: Hunks | undefined;
	const failed = new Set<string>();
	const pieces = new Map<string, Colours>();
	return index => {
		const kind = lines[index]?.kind;
		if (!isInside(kind)) return undefined;
		hunks ??= hunksOf(lines, path);
		const language = hunks.languages[index] ?? '';
		if (language === '' || failed.has(language)) return undefined;
		const start = hunks.starts[index] ?? index;
		const from = index - ((index - start) % pieceLines);
		const side = kind === 'removed' ? 'removed' : 'added';
		const name = `${from} ${side}`;
		const known = pieces.get(name);
		if (known !== undefined) return known.get(index);
		const code = codeOf(lines, {start, from, side});
		const colours = highlight(code.text, language);
		if (colours === undefined) {
			// The highlighter does not know the language, or took too long and would do so again.
			if (isHighlightReady()) failed.add(language);
			return undefined;
		}
		const made = new Map(code.indexes.map((each, at) => [each, colours[at] ?? []]));
		pieces.set(name, made);
		return made.get(index);
	};
}

/** The colours of lines by their indexes. */
type Colours = ReadonlyMap<number, readonly Span[]>;

/** The first line of each line's hunk, and its language. */
type Hunks = {readonly starts: Int32Array; readonly languages: readonly string[]};

/** The number of lines that are coloured at once. */
const pieceLines = 24;
/** The maximum number of characters that are coloured at once, which takes a few milliseconds. */
const maxPiece = 4000;
/** The maximum number of characters before them that are read too. */
const maxBefore = 600;

function hunksOf(lines: readonly DiffLine[], path: string): Hunks {
	const starts = new Int32Array(lines.length);
	let language = languageOf(path);
	let start = 0;
	const languages = lines.map(({kind, text}, index) => {
		if (kind === 'file' && text.startsWith('+++ ')) language = languageOf(text.slice(4));
		if (!isInside(kind)) start = index + 1;
		starts[index] = start;
		return language;
	});
	return {starts, languages};
}

/** Returns the language of a file by its name, as the highlighter calls it. */
export function languageOf(path: string): string {
	const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
	if (name === 'dockerfile' || name === 'makefile') return name;
	return /\.([a-z0-9+]+)$/.exec(name)?.[1] ?? '';
}

type Piece = {readonly start: number; readonly from: number; readonly side: 'added' | 'removed'};
type Code = {readonly text: string; readonly indexes: readonly number[]};

/** Returns the code of a piece on one side, with as much of the code before it as there is room for. */
function codeOf(lines: readonly DiffLine[], {start, from, side}: Piece): Code {
	const isOnSide = (index: number) => lines[index]?.kind === 'same' || lines[index]?.kind === side;
	const length = (index: number) => lines[index]?.text.length ?? 0;
	const indexes: number[] = [];
	let left = maxPiece;
	for (let index = from; index < from + pieceLines && isInside(lines[index]?.kind); index++) {
		if (!isOnSide(index) || length(index) > left) continue;
		left -= length(index);
		indexes.push(index);
	}
	left = Math.min(left, maxBefore);
	for (let index = from - 1; index >= Math.max(start, from - pieceLines); index--) {
		if (!isOnSide(index)) continue;
		if (length(index) > left) break;
		left -= length(index);
		indexes.unshift(index);
	}
	return {text: indexes.map(index => lines[index]?.text.slice(1) ?? '').join('\n'), indexes};
}
