import type {Ask} from '../../../pod/protocol.ts';
import type {RowList} from '../../spans/row-list.ts';
import {lineRows, type Row} from '../../spans/row.ts';
import {oneLine, sanitizeLine, sanitizePieces, wellFormed} from '../../../text/sanitize.ts';
import {invisibleSigns} from '../../../text/invisible.ts';
import {width} from '../../../text/width.ts';
import {spansText, type Span, type Style} from '../../../text/span.ts';
import {isDiff, parseDiff} from '../../rows/diff/diff-lines.ts';
import {listOfDiff} from '../../rows/diff/diff-rows.ts';
import {isHighlightReady} from '../../markdown/highlight.ts';
import {loadedMarkdown} from '../../markdown/markdown-maker.ts';

/**
Returns the whole detail as inert rows of `columns` cells. Those of a diff are made when they are shown. Nothing is left
out, not even a space at a row's end. Characters that have no width, reorder text or move the cursor become visible
signs. A continued line ends in `→`, and its next row begins with a different gutter, which no text can imitate.
*/
export function detailRows(ask: Ask, columns: number, isSplit = false, isSpoken = false): RowList {
	const known = made.get(ask);
	if (known?.columns === columns && known.isSplit === isSplit && !known.awaitsColours()) return known.rows;
	const awaitsColours = coloursChange();
	const rows = ask.detail === '' ? [] : (planRows(ask, columns, isSpoken) ?? rowsOfDetail(ask, columns, isSplit));
	made.set(ask, {columns, isSplit, rows, awaitsColours});
	return rows;
}

/** Returns the rows of a Markdown text, as the transcript shows it. */
function planRows({detail, shows}: Ask, columns: number, isSpoken: boolean): readonly Row[] | undefined {
	const bar = gutter('│ ');
	const layout = {columns, gutter: bar, rest: bar, ...(isSpoken && {isSpoken})};
	return shows === 'markdown' ? loadedMarkdown()?.(detail, layout) : undefined;
}

/** Returns rows for a sentence that does not fit elsewhere on the card. */
export function sentenceRows(sentence: string, columns: number): readonly Row[] {
	return rowsOf({text: sentence, style: 'plain'}, columns);
}

/**
The rows of each question at the last width. With this cache, a long diff is laid out once rather than with every key.
*/
const made = new WeakMap<Ask, Made>();

type Made = {
	readonly columns: number;
	readonly isSplit: boolean;
	readonly rows: RowList;
	/** Tells whether the highlighter was loaded after these rows were made. */
	readonly awaitsColours: () => boolean;
};

function coloursChange(): () => boolean {
	const before = isHighlightReady();
	return () => before !== isHighlightReady();
}

type Line = {readonly text: string; readonly style: Style};

function rowsOfDetail({detail, shows}: Ask, columns: number, isSplit: boolean): RowList {
	const texts = (detail.endsWith('\n') ? detail.slice(0, -1) : detail).split('\n');
	const lines = shows === 'diff' ? parseDiff(texts) : [];
	if (!isDiff(lines)) return texts.flatMap(text => rowsOf({text, style: 'plain'}, columns));
	return listOfDiff(lines, {
		columns,
		gutter: '│ ',
		rest: '┆ ',
		goesOn,
		prepare: visibleSpans,
		isPlain: true,
		isSplit,
	});
}

function rowsOf({text, style}: Line, columns: number): Row[] {
	const layout = {columns, gutter: gutter('│ '), rest: gutter('┆ '), goesOn};
	return lineRows(marked({text: sanitizeLine(text), style}), layout);
}

const goesOn: Span = {text: ' →', style: 'accent'};

function gutter(text: string): Span {
	return {text, style: 'dim'};
}

/**
Makes the spans of a line of a diff inert, and its tabs and invisible characters visible. The text is the same for all
spans of the line.
*/
function visibleSpans(spans: readonly Span[]): readonly Span[] {
	const fills = tabFills(spansText(spans));
	let tab = 0;
	const texts = spans.map(span => span.text.replaceAll('\t', () => `␉${fills[tab++] ?? ''}`));
	const shown = sanitizePieces(texts.map(text => wellFormed(oneLine(text))));
	return spans.flatMap((span, index) => marked({...span, text: shown[index] ?? ''}));
}

/** Returns the spaces after each visible tab of a line. Source code is full of tabs, and each keeps its columns. */
function tabFills(line: string): readonly string[] {
	const pieces = line.split('\t');
	let column = 0;
	return pieces.slice(0, -1).map(piece => {
		column += width(sanitizeLine(piece));
		const fill = ' '.repeat(3 - (column % 4));
		column += 1 + fill.length;
		return fill;
	});
}

/** Matches the signs that the sanitizer writes for characters that are not drawn. */
const signs = new RegExp(String.raw`([\u2400-\u2421]|⟨[\da-f]{2}⟩|${invisibleSigns.source})`);

/** A tab is usual in code. Everything else that a terminal does not draw stands out. */
function signStyle(sign: string, style: Span['style']): Span['style'] {
	if (sign !== '␉') return ['warn', 'inverse'];
	return style === undefined || style === 'plain' ? 'dim' : ['dim', ...(typeof style === 'string' ? [style] : style)];
}

function marked({text, style}: Span): Span[] {
	return text
		.split(signs)
		.map((part, index): Span => {
			const look = index % 2 === 1 ? signStyle(part, style) : style;
			return look === undefined ? {text: part} : {text: part, style: look};
		})
		.filter(span => span.text !== '');
}
