import type {Ask, AskChoice} from '../../../pod/protocol.ts';
import type {ShownAsk} from '../../model/card/card.ts';
import {makeRow, type Row, lineRows} from '../../spans/row.ts';
import {sanitizeLine, oneLine, sanitizePieces, wellFormed} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {type Span, type Style, spansText} from '../../../text/span.ts';
import {refusalOf} from '../../model/card/card.ts';
import {moreChoices, selectedMark, withEscape} from '../../model/card/texts.ts';
import type {RowList} from '../../spans/row-list.ts';
import {invisibleSigns} from '../../../text/invisible.ts';
import {isDiff, parseDiff} from '../../rows/diff/diff-layout.ts';
import {listOfDiff} from '../../rows/diff/diff-rows.ts';
import {isHighlightReady} from '../../markdown/highlight.ts';
import {loadedMarkdown} from '../../markdown/markdown-maker.ts';

export type ChoiceFacts = {
	/** The index of the choice at the marker. */
	readonly marked: number;
	/** The highlighted choice, which takes effect in a moment. */
	readonly lit?: number | undefined;
	/** Whether a word marks the choice, instead of a sign, if several choices share a row. */
	readonly isSpoken?: boolean;
	/** Tells whether you can take a choice now. Other choices are dim. */
	readonly isOpen: (choice: AskChoice) => boolean;
};

/** Returns the choices as a list with a marker, each at most `columns` wide. */
export function listedChoices(ask: ShownAsk, columns: number, facts: ChoiceFacts): readonly Row[] {
	const refusal = refusalOf(ask);
	const more = ask.hasMore === true ? [moreRow(ask.choices.length, facts)] : [];
	const rows = ask.choices.flatMap((choice, index) => {
		const mark = markOf(index, facts);
		const number = `${index + 1}. `;
		const style = styleOf(choice, index, facts);
		const lead = width(mark) + 1 + width(number);
		const rows = wordsOf(choice, index === refusal).flatMap(line => wrap(line, Math.max(1, columns - lead)));
		const role = isMarked(index, facts) ? 'chosen' : 'choice';
		return rows.map((row, part) =>
			part === 0
				? makeRow(
						[
							{text: number, style: style === 'plain' ? 'accent' : style},
							{text: row, style},
						],
						role,
						{
							text: `${mark} `,
							style,
						},
					)
				: makeRow([{text: row, style}], 'text', {text: ' '.repeat(lead), style}),
		);
	});
	return [...rows, ...more];
}

/** Returns the row that opens the choices that are not shown. */
function moreRow(index: number, facts: ChoiceFacts): Row {
	const style = moreStyle(index, facts);
	const role = isMarked(index, facts) ? 'chosen' : 'choice';
	return makeRow([{text: moreWords(facts), style}], role, {text: `${markOf(index, facts)} `, style});
}

function moreWords({isSpoken}: ChoiceFacts): string {
	return moreChoices[isSpoken === true ? 'spoken' : 'drawn'];
}

function moreStyle(index: number, facts: ChoiceFacts): Style {
	return isMarked(index, facts) ? 'accent' : 'plain';
}

/** Returns the choices in one row. `rest` contains the whole texts of the choices that are cut off in this row. */
export function foldedChoices(
	ask: ShownAsk,
	columns: number,
	facts: ChoiceFacts,
): {readonly row: Row; readonly rest: readonly string[]} {
	const refusal = refusalOf(ask);
	const words = ask.choices.map((choice, index) => wordsOf(choice, index === refusal).join(' '));
	const texts = words.map((text, index) => `${wordOf(index, facts)}${index + 1} ${text}`);
	if (ask.hasMore === true) texts.push(`${wordOf(words.length, facts)}${moreWords(facts)}`);
	const rooms = share(texts.map(width), Math.max(0, columns - (texts.length - 1)), facts.marked);
	const cells: Span[] = [];
	const rest: string[] = [];
	for (const [index, text] of texts.entries()) {
		const [choice, room = 0] = [ask.choices[index], rooms[index]];
		if (index > 0) cells.push({text: ' '});
		const style = choice === undefined ? moreStyle(index, facts) : styleOf(choice, index, facts);
		cells.push({text: cut(text, room, '…'), style});
		if (choice !== undefined && width(text) > room) rest.push(`${index + 1}. ${words[index]}`);
	}
	return {row: makeRow(cells), rest};
}

/**
Returns the whole detail as sanitized rows of `columns` cells. The rows of a diff are created when they are shown. No
text is left out, not even a space at the end of a row. Characters that have no width, reorder text or move the cursor
become visible signs. A row that continues on the next row ends in `→`. The next row then begins with a different
gutter, which no text can imitate.
*/
export function detailRows(ask: Ask, columns: number, isSplit = false, isSpoken = false): RowList {
	const known = made.get(ask);
	if (known?.columns === columns && known.isSplit === isSplit && !known.awaitsColours()) return known.rows;
	const awaitsColours = coloursChange();
	const rows = ask.detail === '' ? [] : (planRows(ask, columns, isSpoken) ?? rowsOfDetail(ask, columns, isSplit));
	made.set(ask, {columns, isSplit, rows, awaitsColours});
	return rows;
}

/** Returns rows for a sentence that does not fit elsewhere on the card. */
export function sentenceRows(sentence: string, columns: number): readonly Row[] {
	return rowsOf({text: sentence, style: 'plain'}, columns);
}

function wordsOf(choice: AskChoice, isRefusal: boolean): readonly string[] {
	const lines = choice.label.split('\n').map(sanitizeLine);
	return lines.map((line, index) => (isRefusal && index === 0 ? withEscape(line) : line));
}

function markOf(index: number, facts: ChoiceFacts): string {
	return isMarked(index, facts) ? '❯' : ' ';
}

/**
Returns the mark before a choice that shares its row with other choices. A screen reader leaves out signs, and can mark
only whole rows as selected, so it gets a word.
*/
function wordOf(index: number, facts: ChoiceFacts): string {
	if (facts.isSpoken !== true) return markOf(index, facts);
	return isMarked(index, facts) ? selectedMark : '';
}

function isMarked(index: number, {marked, lit}: ChoiceFacts): boolean {
	return (lit ?? marked) === index;
}

function styleOf(choice: AskChoice, index: number, {marked, lit, isOpen}: ChoiceFacts): Style {
	if (lit === index) return 'selection';
	if (!isOpen(choice)) return 'dim';
	return marked === index ? 'accent' : 'plain';
}

/**
Distributes the columns among the choices. The marked choice gets the columns that it needs, if possible. The others get
equal shares. The remaining columns go to the choices from left to right.
*/
function share(needs: readonly number[], columns: number, marked: number): readonly number[] {
	const others = needs.length - 1;
	const equal = Math.floor(columns / needs.length);
	const first = Math.min(needs[marked] ?? 0, Math.max(equal, columns - others * minCells));
	const equalShare = others === 0 ? 0 : Math.floor((columns - first) / others);
	const rooms = needs.map((need, index) => ({need, room: index === marked ? first : Math.min(need, equalShare)}));
	let left = columns - rooms.reduce((sum, {room}) => sum + room, 0);
	return rooms.map(({need, room}) => {
		const more = Math.min(left, need - room);
		left -= more;
		return room + more;
	});
}

/** The number of cells for the marker, the number and the first letters of a choice. */
const minCells = 6;

/** Returns the rows of a detail in Markdown, rendered as in the transcript. Returns `undefined` for other details. */
function planRows({detail, shows}: Ask, columns: number, isSpoken: boolean): readonly Row[] | undefined {
	const bar = gutter('│ ');
	const layout = {columns, gutter: bar, rest: bar, ...(isSpoken && {isSpoken})};
	return shows === 'markdown' ? loadedMarkdown()?.(detail, layout) : undefined;
}

/**
The cached rows of each question, for the last layout. Without this cache, each key press would lay out a long diff
again.
*/
const made = new WeakMap<Ask, Made>();

type Made = {
	readonly columns: number;
	readonly isSplit: boolean;
	readonly rows: RowList;
	/** Tells whether the syntax highlighter was loaded after these rows were created. */
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
Sanitizes the spans of a diff line, and replaces invisible characters with visible signs. Tabs get a sign only if the
change of the line is in its white space.
*/
function visibleSpans(spans: readonly Span[], isSpacing: boolean): readonly Span[] {
	const fills = tabFills(spansText(spans));
	let tab = 0;
	const texts = spans.map(span => span.text.replaceAll('\t', () => `${isSpacing ? '␉' : ' '}${fills[tab++] ?? ''}`));
	const shown = sanitizePieces(texts.map(text => wellFormed(oneLine(text))));
	return spans.flatMap((span, index) => marked({...span, text: shown[index] ?? ''}));
}

/**
Returns the spaces that follow the sign of each tab in a line. With these spaces, a tab keeps its width in source code.
*/
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

/** Matches the signs with which the sanitizer replaces characters that a terminal does not draw. */
const signs = new RegExp(String.raw`([\u2400-\u2421]|⟨[\da-f]{2}⟩|${invisibleSigns.source})`);

/**
Returns the style of a sign. The sign of a tab is dim, because tabs are usual in code. All other signs are highlighted
as a warning.
*/
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
