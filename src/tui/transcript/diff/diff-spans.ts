import {sliceSpans, type Span} from '../../text/span.ts';
import type {Style} from '../../text/theme.ts';
import {highlight} from '../markdown/highlight.ts';
import {diffStyles, type DiffKind, type DiffLine} from './diff-lines.ts';
import {wordMarks, type Part} from './word-marks.ts';

/**
Returns the spans of each line of a diff: its sign, its text in the colours of its language, and the changed words
marked. The texts are as stored, so they are not inert yet. `isColoured` is false for a screen reader and for text that
is too long.
*/
export function diffSpans(lines: readonly DiffLine[], isColoured = true): readonly (readonly Span[])[] {
	const marks = isColoured ? marksOf(lines) : new Map<number, readonly Part[]>();
	const colours = isColoured ? coloursOf(lines) : new Map<number, readonly Span[]>();
	return lines.map(({kind, text}, index) => {
		if (!isInside(kind)) return [{text, style: diffStyles[kind]}];
		const sign: Span = {text: text.slice(0, 1), style: signStyles[kind]};
		const body = colours.get(index) ?? [{text: text.slice(1)}];
		return [sign, ...painted(body, kind, marks.get(index) ?? [])].filter(span => span.text !== '');
	});
}

/** A sign keeps its colour on a tint. */
const signStyles = {added: ['ok', 'added'], removed: ['error', 'removed'], same: 'plain'} as const;

/** The kind whose tint fills the row of a line to its end, if it has one. */
export function fillStyle(kind: DiffKind): 'added' | 'removed' | undefined {
	return kind === 'added' || kind === 'removed' ? kind : undefined;
}

/** Returns the language of a file by its name, as the highlighter calls it. */
export function languageOf(path: string): string {
	const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
	if (name === 'dockerfile' || name === 'makefile') return name;
	return /\.([a-z0-9+]+)$/.exec(name)?.[1] ?? '';
}

/** Tells whether lines of this kind are lines of a file. */
export function isInside(kind: DiffKind | undefined): kind is 'added' | 'removed' | 'same' {
	return kind === 'added' || kind === 'removed' || kind === 'same';
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

/** Pairs the lines of each change: the first removed line with the first added one, and so on. */
function marksOf(lines: readonly DiffLine[]): ReadonlyMap<number, readonly Part[]> {
	const marks = new Map<number, readonly Part[]>();
	let left = maxPairs;
	for (let at = 0; at < lines.length;) {
		const removed = runOf(lines, at, 'removed');
		const added = runOf(lines, at + removed, 'added');
		const pairs = Math.min(removed, added, left);
		left -= pairs;
		for (let pair = 0; pair < pairs; pair++) {
			const [old, fresh] = [at + pair, at + removed + pair];
			const found = wordMarks(textAt(lines, old), textAt(lines, fresh));
			if (found === undefined) continue;
			marks.set(old, found.removed);
			marks.set(fresh, found.added);
		}
		at += Math.max(1, removed + added);
	}
	return marks;
}

/** The maximum number of pairs whose words are compared in a diff. */
const maxPairs = 200;

function runOf(lines: readonly DiffLine[], from: number, kind: DiffKind): number {
	let count = 0;
	while (lines[from + count]?.kind === kind) count++;
	return count;
}

function textAt(lines: readonly DiffLine[], index: number): string {
	return lines[index]?.text.slice(1) ?? '';
}

/** Returns the colours of the lines, for the old and the new text of each hunk. */
function coloursOf(lines: readonly DiffLine[]): ReadonlyMap<number, readonly Span[]> {
	const colours = new Map<number, readonly Span[]>();
	let language = '';
	let budget = maxColoured;
	for (let at = 0; at < lines.length;) {
		const line = lines[at];
		if (line?.kind === 'file' && line.text.startsWith('+++ ')) language = languageOf(line.text.slice(4));
		const end = hunkEnd(lines, at);
		if (language !== '' && end > at && budget > 0)
			for (const kind of ['removed', 'added'] as const) {
				const own = indexes(at, end).filter(index => ['same', kind].includes(lines[index]?.kind ?? ''));
				const code = own.map(index => textAt(lines, index)).join('\n');
				budget -= code.length;
				const spans = budget < 0 ? undefined : highlight(code, language);
				for (const [place, index] of own.entries()) {
					const found = spans?.[place];
					if (found !== undefined) colours.set(index, found);
				}
			}
		at = Math.max(end, at + 1);
	}
	return colours;
}

/** The maximum number of characters of a diff that get the colours of their language, which takes about 20 ms. */
const maxColoured = 8000;

function hunkEnd(lines: readonly DiffLine[], from: number): number {
	let end = from;
	while (end < lines.length && isInside(lines[end]?.kind ?? 'other')) end++;
	return end;
}

function indexes(from: number, to: number): readonly number[] {
	return Array.from({length: to - from}, (_, index) => from + index);
}
