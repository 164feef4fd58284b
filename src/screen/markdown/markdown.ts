import type {MarkedToken, Token, Tokens} from 'marked';
import {gutterCells, lineRow, lineRows, storedRows, type Layout, type Row} from '../spans/row.ts';
import {width} from '../../text/width.ts';
import type {Span, Style} from '../../text/span.ts';
import {childrenOf, codeOf, infoOf, itemTokens, numberOf} from './block-facts.ts';
import {highlight} from './highlight.ts';
import {inlineLines} from './lexer.ts';
import {tableRows} from './table.ts';
import {headingLabel, spokenLabels} from '../../transcript/texts.ts';

/**
Normalises line breaks for the lexer. A carriage return without a newline is not a line break, and is replaced with a
visible sign.
*/
export function normalise(text: string): string {
	return text.includes('\r') ? text.replaceAll(/\r\n?/g, end => (end === '\r' ? '␍' : '\n')) : text;
}

/** Returns the rows of blocks, with a blank row between them. */
export function blocksRows(tokens: readonly MarkedToken[], layout: Layout): Row[] {
	const rows: Row[] = [];
	for (const token of tokens) {
		if (token.type === 'space') continue;
		if (rows.length > 0) rows.push(emptyRow(layout));
		for (const row of blockRows(token, layout)) rows.push(row);
	}
	return rows;
}

/** Returns the rows of one top-level block. */
export function blockRows(token: MarkedToken, layout: Layout): Row[] {
	const make = renderers[token.type] as ((token: MarkedToken, layout: Layout) => Row[]) | undefined;
	const own = token.type === 'code' || token.type === 'table' ? layout : proseLayout(layout);
	return make === undefined ? textRows(token.raw.replace(/\n+$/, ''), own) : make(token, own);
}

/**
Returns a narrower layout for prose, because shorter lines are easier to read. Code and tables may use the whole width.
*/
function proseLayout(layout: Layout): Layout {
	return {...layout, columns: Math.min(layout.columns, width(gutterText(layout)) + maxProse)};
}

const maxProse = 110;

export function emptyRow(layout: Layout): Row {
	return lineRow([], layout);
}

/** Returns the rows of one line of code without colours. */
export function codeLineRows(line: string, layout: Layout): Row[] {
	return storedRows(line, codeLayout(layout), 'code');
}

/** Returns the rows of a fence line: the language, and the text after it, because the model reads that text. */
export function infoRows(fence: string, layout: Layout): Row[] {
	const info = infoOf(fence);
	if (layout.isSpoken === true)
		return lineRows(
			[{text: `${[spokenLabels.code, info].filter(text => text !== '').join(', ')}:`}],
			codeLayout(layout),
		);
	return info === '' ? [] : lineRows([{text: info, style: 'dim'}], codeLayout(layout));
}

function codeLayout(layout: Layout): Layout {
	return nested(layout, '│ ', '│ ');
}

/** The styles of headings by level. The first three levels differ in weight and colour. Deeper levels look the same. */
const headingStyles: {readonly [depth: number]: Style | undefined} = {
	1: 'heading.1',
	2: 'heading.2',
	3: 'heading.3',
};

const renderers: {
	readonly [Type in MarkedToken['type']]?: (token: Extract<MarkedToken, {type: Type}>, layout: Layout) => Row[];
} = {
	paragraph: (token, layout) => inlineRows(token.tokens ?? [], layout),
	text: (token, layout) =>
		'tokens' in token && token.tokens !== undefined
			? inlineRows(token.tokens, layout)
			: textRows(token.raw.replace(/\n+$/, ''), layout),
	heading: (token, layout) => {
		const lines = inlineLines(token.tokens ?? [], [headingStyles[token.depth] ?? 'heading.4']);
		return lines.flatMap((line, index) =>
			lineRows(
				layout.isSpoken === true && index === 0 ? [{text: `${headingLabel(token.depth)}: `}, ...line] : line,
				layout,
			),
		);
	},
	hr: (_, layout) => (layout.isSpoken === true ? [] : [rule(layout)]),
	blockquote: (token, layout) => {
		const rows = blocksRows(childrenOf(token), nested(layout, '▎ ', '▎ '));
		const [first, ...rest] = rows;
		if (layout.isSpoken !== true || first === undefined) return rows;
		return [{...first, spans: [{text: `${spokenLabels.quote}: `}, ...first.spans]}, ...rest];
	},
	list: listRows,
	code: codeRows,
	table: tableRows,
	html: (token, layout) => textRows(token.raw.replace(/\n+$/, ''), layout),
};

function rule(layout: Layout): Row {
	return lineRow(
		[{text: '─'.repeat(Math.max(3, Math.min(40, layout.columns - gutterText(layout).length))), style: 'dim'}],
		layout,
	);
}

function inlineRows(tokens: readonly Token[], layout: Layout): Row[] {
	const lines = inlineLines(tokens);
	while (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
	return lines.flatMap(line => lineRows(line, layout));
}

function textRows(text: string, layout: Layout): Row[] {
	return text.split('\n').flatMap(line => storedRows(line, layout));
}

function codeRows(token: Tokens.Code, layout: Layout): Row[] {
	const {text, language} = codeOf(token);
	const info = token.codeBlockStyle === 'indented' ? [] : infoRows(token.raw, layout);
	const coloured = language === undefined ? undefined : highlight(text, language);
	if (coloured === undefined) return [...info, ...text.split('\n').flatMap(line => codeLineRows(line, layout))];
	const inner = codeLayout(layout);
	return [...info, ...text.split('\n').flatMap((_, index) => lineRows(coloured[index] ?? [], inner))];
}

/** Returns the rows of a list. Each item shows the number that was written, so that no item depends on another item. */
function listRows(token: Tokens.List, layout: Layout): Row[] {
	return token.items.flatMap(item => {
		const marker = token.ordered ? `${numberOf(item)}. ` : '• ';
		const blanks = ' '.repeat(marker.length);
		return markedRows(marker, itemRows(item, nested(layout, blanks, blanks)), layout);
	});
}

/** Returns the rows of an item. There is a blank row only between two paragraphs. */
function itemRows(item: Tokens.ListItem, layout: Layout): Row[] {
	const rows: Row[] = [];
	let previous: string | undefined;
	for (const token of itemTokens(item)) {
		if (previous === 'paragraph' && token.type === 'paragraph') rows.push(emptyRow(layout));
		previous = token.type;
		for (const row of blockRows(token, layout)) rows.push(row);
	}
	return rows.length === 0 ? [lineRow([], layout)] : rows;
}

/**
Replaces the indentation of an item's first row with the item's marker. The marker is text, so it is included if you
copy the list.
*/
function markedRows(marker: string, rows: readonly Row[], layout: Layout): Row[] {
	const [first, ...rest] = rows;
	const head = lineRow([{text: marker, style: 'accent'}], {...layout, columns: Number.MAX_SAFE_INTEGER});
	if (first === undefined || gutterCells(first) !== gutterCells(head) + width(marker)) return [head, ...rows];
	const source = first.source && {
		text: marker + first.source.text,
		at: [...Array.from(marker).keys(), ...first.source.at.map(index => index + marker.length)],
	};
	const row = {...head, spans: [...head.spans, ...first.spans], ...(source !== undefined && {source})};
	return [row, ...rest];
}

/** Returns a layout with an indentation. If there is too little room, returns the layout unchanged. */
function nested(layout: Layout, first: string, rest: string): Layout {
	const before = gutterText(layout);
	if (width(before) + width(first) + 10 > layout.columns) return layout;
	return {
		...layout,
		gutter: {text: before + first, ...styleOf(layout)},
		rest: {text: (layout.rest?.text ?? before) + rest, ...styleOf(layout)},
	};
}

function gutterText(layout: Layout): string {
	return layout.gutter?.text ?? '';
}

function styleOf(layout: Layout): Pick<Span, 'style'> {
	return layout.gutter?.style === undefined ? {style: 'dim'} : {style: layout.gutter.style};
}
