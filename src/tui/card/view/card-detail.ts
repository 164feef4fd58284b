import type {Ask} from '../../../pod/protocol.ts';
import {lineRows, type Row} from '../../text/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {undrawnSigns} from '../../text/undrawn/undrawn.ts';
import {width} from '../../text/width.ts';
import type {Span} from '../../text/span.ts';
import type {Style} from '../../text/theme.ts';
import {diffStyles, isDiff, numberCells, parseDiff} from '../../transcript/diff/diff-lines.ts';
import {loadedMarkdown} from '../../transcript/markdown/markdown-maker.ts';

/**
Returns the whole detail as inert rows of `columns` cells. Nothing is left out, not even a space at a row's end.
Characters that have no width, reorder text or move the cursor become visible signs. A continued line ends in `→`, and
its next row begins with a different gutter, which no text can imitate.
*/
export function detailRows(ask: Ask, columns: number): readonly Row[] {
	const known = made.get(ask);
	if (known?.columns === columns) return known.rows;
	const rows = ask.detail === '' ? [] : (planRows(ask, columns) ?? storedRows(ask, columns));
	made.set(ask, {columns, rows});
	return rows;
}

function storedRows(ask: Ask, columns: number): readonly Row[] {
	return linesOf(ask).flatMap(line => rowsOf(line, columns));
}

/** Returns the rows of a Markdown text, as the transcript shows it. */
function planRows({detail, shows}: Ask, columns: number): readonly Row[] | undefined {
	const bar = gutter('│', '');
	return shows === 'markdown' ? loadedMarkdown()?.(detail, {columns, gutter: bar, rest: bar}) : undefined;
}

/** Returns rows for a sentence that does not fit elsewhere on the card. */
export function sentenceRows(sentence: string, columns: number): readonly Row[] {
	return rowsOf({text: sentence, style: 'plain', number: ''}, columns);
}

/**
The rows of each question at the last width. With this cache, a long diff is laid out once rather than with every key.
*/
const made = new WeakMap<Ask, {readonly columns: number; readonly rows: readonly Row[]}>();

type Line = {readonly text: string; readonly style: Style; readonly number: string};

function linesOf({detail, shows}: Ask): Line[] {
	const texts = (detail.endsWith('\n') ? detail.slice(0, -1) : detail).split('\n');
	const plain = texts.map(text => ({text, style: 'plain' as const, number: ''}));
	if (shows !== 'diff') return plain;
	const lines = parseDiff(texts);
	if (!isDiff(lines)) return plain;
	const digits = numberCells(lines);
	return lines.map(({kind, text, number}) => ({
		text: expandTabs(text),
		style: diffStyles[kind],
		number: `${String(number ?? '').padStart(digits)} `,
	}));
}

function rowsOf({text, style, number}: Line, columns: number): Row[] {
	const layout = {columns, gutter: gutter('│', number), rest: gutter('┆', ' '.repeat(number.length)), goesOn};
	return lineRows(marked(sanitizeLine(text), style), layout);
}

const goesOn: Span = {text: ' →', style: 'accent'};

function gutter(sign: string, number: string): Span {
	return {text: `${sign} ${number}`, style: 'dim'};
}

/** Makes tabs visible, because source code is full of them. Each visible tab keeps its columns. */
function expandTabs(text: string): string {
	const [first = '', ...rest] = text.split('\t');
	return rest.reduce((line, piece) => `${line}␉${' '.repeat(3 - (width(line) % 4))}${piece}`, first);
}

/** Matches the signs that the sanitizer writes for characters that are not drawn. */
const signs = new RegExp(String.raw`([\u2400-\u2421]|⟨[\da-f]{2}⟩|${undrawnSigns.source})`);

function marked(text: string, style: Style): Span[] {
	return text
		.split(signs)
		.map((part, index): Span => ({text: part, style: index % 2 === 1 ? ['warn', 'inverse'] : style}))
		.filter(({text}) => text !== '');
}
