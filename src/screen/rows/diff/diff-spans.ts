import {sliceSpans, type Span, type Style} from '../../../text/span.ts';
import {createDiffColours} from './diff-colours.ts';
import {diffStyles, isInside, type DiffKind, type DiffLine} from './diff-lines.ts';
import {createDiffMarks} from './diff-marks.ts';
import type {Part} from './word-marks.ts';

/** Returns the spans of a line of a diff: its sign and its text. The text is as stored, so it is not inert yet. */
export function plainSpans(line: DiffLine): readonly Span[] {
	return spansOf(line, undefined, []);
}

/**
Returns a function for the spans of each line, by its index: with the colours of its language, and with the changed
words marked. It reads only the line's surroundings. `path` names the file of lines that no header precedes.
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

/** A sign keeps its colour on a tint. */
const signStyles = {added: ['ok', 'added'], removed: ['error', 'removed'], same: 'plain'} as const;

/** The kind whose tint fills the row of a line to its end, if it has one. */
export function fillStyle(kind: DiffKind): 'added' | 'removed' | undefined {
	return kind === 'added' || kind === 'removed' ? kind : undefined;
}

/** The style of the line comes last, so without tints it replaces the colours of the language. */
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
