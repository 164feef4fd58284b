import {sliceSpans, type Span, type Style} from '../../../text/span.ts';
import {diffStyles, isInside, type DiffKind, type DiffLine} from './diff-layout.ts';
import {type Part, wordMarks, type WordMarks} from './diff-layout.ts';
import {highlight, isHighlightReady} from '../../markdown/highlight.ts';

/** Returns the spans of a line of a diff: its sign and its text. The text is not sanitized yet. */
export function plainSpans(line: DiffLine): readonly Span[] {
	return spansOf(line, undefined, []);
}

/**
Returns a function that returns the spans of a line by its index. The spans have syntax colours and marks for changed
words. The function reads only the lines around that line. `path` is the file of the lines that have no header before
them.
*/
export function createDiffSpans(lines: readonly DiffLine[], path = ''): (index: number) => readonly Span[] {
	const colours = createDiffColours(lines, path);
	const marks = createDiffMarks(lines);
	return index => {
		const line = lines[index];
		return line === undefined ? [] : spansOf(line, colours(index), marks(index));
	};
}

function spansOf(
	{kind, text}: DiffLine,
	colours: readonly Span[] | undefined,
	marks: readonly Part[],
): readonly Span[] {
	if (!isInside(kind)) return [{text, style: diffStyles[kind]}];
	const sign: Span = {text: text.slice(0, 1), style: signStyles[kind]};
	const body = colours ?? [{text: text.slice(1)}];
	return [sign, ...painted(body, kind, marks)].filter(span => span.text !== '');
}

/** The styles of the signs. A sign has its own colour in addition to the tint of its line. */
const signStyles = {added: ['ok', 'added'], removed: ['error', 'removed'], same: 'plain'} as const;

/** Returns the kind whose tint fills a row to its end. Returns `undefined` if lines of this kind have no tint. */
export function fillStyle(kind: DiffKind): 'added' | 'removed' | undefined {
	return kind === 'added' || kind === 'removed' ? kind : undefined;
}

/**
Returns a function that returns the coloured spans of a line by its index, without the sign. A hunk is coloured in
pieces of a few lines, on the first request for one of these lines. So the time does not grow with the size of the diff.
The old and the new text of a piece are coloured separately. Some lines before the piece are included, because a comment
or a string may begin there.
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
			// The highlighter does not know the language, or took too long. It would fail again, so the language is not
			// tried again.
			if (isHighlightReady()) failed.add(language);
			return undefined;
		}
		const made = new Map(code.indexes.map((each, at) => [each, colours[at] ?? []]));
		pieces.set(name, made);
		return made.get(index);
	};
}

/** Returns the highlighter's name for the language of a file, by the file's name. */
export function languageOf(path: string): string {
	const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
	if (name === 'dockerfile' || name === 'makefile') return name;
	return /\.([a-z0-9+]+)$/.exec(name)?.[1] ?? '';
}

/**
Adds the style of the line to its spans. This style comes last, so in a theme without tints it replaces the syntax
colours.
*/
function painted(body: readonly Span[], kind: 'added' | 'removed' | 'same', marks: readonly Part[]): readonly Span[] {
	if (kind === 'same') return body;
	const word: Style = kind === 'added' ? 'added.word' : 'removed.word';
	const spans: Span[] = [];
	let at = 0;
	const put = (to: number, style: Style) => {
		for (const span of sliceSpans(body, at, to)) spans.push({text: span.text, style: [...listed(span), style]});
		at = to;
	};
	for (const {from, to} of marks) {
		put(from, kind);
		put(to, word);
	}
	put(Number.MAX_SAFE_INTEGER, kind);
	return spans;
}

function listed({style}: Span): readonly Style[] {
	return style === undefined ? [] : [style].flat();
}

/** The coloured spans of lines, by line index. */
type Colours = ReadonlyMap<number, readonly Span[]>;

/** The index of the first line of each line's hunk, and the language of each line. */
type Hunks = {readonly starts: Int32Array; readonly languages: readonly string[]};

/** The number of lines of a piece. */
const pieceLines = 24;

/** The maximum number of characters of a piece. Colouring a piece takes a few milliseconds. */
const maxPiece = 4000;

/** The maximum number of characters before a piece that are included. */
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

type Piece = {readonly start: number; readonly from: number; readonly side: 'added' | 'removed'};

type Code = {readonly text: string; readonly indexes: readonly number[]};

/** Returns the old or the new code of a piece, and up to `maxBefore` characters of the code before the piece. */
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

/**
Returns a function that returns the changed words of a line by its index. The lines of each change form pairs: the first
removed line with the first added line, and so on. The words of a pair are compared on the first request for one of its
lines.
*/
export function createDiffMarks(lines: readonly DiffLine[]): (index: number) => readonly Part[] {
	let others: Int32Array | undefined;
	const compared = new Map<number, WordMarks | undefined>();
	const compare = (old: number, fresh: number) => {
		if (!compared.has(old)) compared.set(old, wordMarks(textAt(lines, old), textAt(lines, fresh)));
		return compared.get(old);
	};
	return index => {
		const other = (others ??= pairsOf(lines))[index] ?? none;
		if (other === none) return [];
		return (index < other ? compare(index, other)?.removed : compare(other, index)?.added) ?? [];
	};
}

/** The index of a line without a partner. */
const none = -1;

/** Returns the partner of each line. */
function pairsOf(lines: readonly DiffLine[]): Int32Array {
	const others = new Int32Array(lines.length).fill(none);
	for (let at = 0; at < lines.length;) {
		const removed = runOf(lines, at, 'removed');
		const added = runOf(lines, at + removed, 'added');
		for (let pair = 0; pair < Math.min(removed, added); pair++) {
			others[at + pair] = at + removed + pair;
			others[at + removed + pair] = at + pair;
		}
		at += Math.max(1, removed + added);
	}
	return others;
}

function runOf(lines: readonly DiffLine[], from: number, kind: 'added' | 'removed'): number {
	let count = 0;
	while (lines[from + count]?.kind === kind) count++;
	return count;
}

function textAt(lines: readonly DiffLine[], index: number): string {
	return lines[index]?.text.slice(1) ?? '';
}
