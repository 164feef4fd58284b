import type {Ask, AskChoice} from '../../../pod/protocol.ts';
import {joinRowLists, type RowList} from '../../spans/row-list.ts';
import {blankRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {ruleAboveCard, statusRows} from '../../model/composer/composer-view.ts';
import type {Answering} from '../../model/card/answering.ts';

import {refusalOf, type Card, type ShownAsk} from '../../model/card/card.ts';
import {detailRows, sentenceRows} from './choices.ts';
import {foldedChoices, listedChoices, type ChoiceFacts} from './choices.ts';
import {titleOfChild, cardPlace, placeTexts, ruleTitle, unseenTexts} from '../../model/card/texts.ts';

/** The rows of a drawn card. */
export type AskView = {
	readonly rows: readonly Row[];
	/** The index of the first visible row of the detail, limited to the rows that exist. */
	readonly scroll: number;
	/** `total` is the number of rows of the detail, and `shown` is the number of visible rows. */
	readonly total: number;
	readonly shown: number;
};

export type AskFacts = {
	readonly columns: number;
	readonly maxRows: number;
	readonly scroll?: number;
	readonly answering?: Answering | undefined;
	/** The number of open questions, including this one. */
	readonly count?: number;
	/** Whether a diff shows the old and the new text side by side. */
	readonly isSplit?: boolean;
	/** Whether the rows are lines for a screen reader. */
	readonly isSpoken?: boolean;
	/** Sentences about where the parts of the call came from. */
	readonly origins?: readonly string[];
};

/**
Draws the card: the title, the detail in a window that scrolls, and the choices. If the user must confirm a rule, the
rule replaces the detail. A title or choice that is cut off is repeated in full in the window. Until the screen has
shown the end of the window, you can only choose to deny.
*/
export function viewAsk(ask: ShownAsk, facts: AskFacts): AskView {
	const {columns, maxRows, scroll = 0} = facts;
	const title = titleRows(ask, facts);
	const left = maxRows - title.rows.length;
	const detail = joinRowLists([
		...title.rest.map(text => sentenceRows(text, columns)),
		subjectRows(ask, facts),
		originRows(facts),
		noteRows(ask, columns),
	]);
	const again = repeatsQuestion(detail.length, facts) ? [questionRow(ask, columns)] : [];
	const foot = footOf(ask, facts, detail.length, left - again.length);
	const body = joinRowLists([detail, ...foot(false).rest.map(text => sentenceRows(text, columns))]);
	const room = Math.max(1, left - again.length - foot(false).rows.length);
	const scrolls = body.length > room;
	const shown = scrolls ? Math.max(1, room - 1) : body.length;
	const first = Math.max(0, Math.min(scroll, body.length - shown));
	const isSeen = facts.answering?.isSeen === true || first + shown >= body.length;
	const note = scrolls ? [noteRow({first, shown, total: body.length, isSeen}, columns)] : [];
	const choices = foot(isSeen).rows;
	const isSpare = left - body.length - choices.length >= spareRows;
	const gap = isSpare && body.length > 0 && choices.length > 1 ? [blankRow, ...again] : again;
	return {
		rows: [...title.rows, ...body.slice(first, first + shown), ...note, ...gap, ...choices],
		scroll: first,
		total: body.length,
		shown,
	};
}

/** Tells whether the question is repeated above the choices, because its title is far above them. */
function repeatsQuestion(detail: number, {maxRows, answering, isSpoken = false}: AskFacts): boolean {
	return !isSpoken && answering?.confirming === undefined && detail >= farRows && maxRows >= minForRepeat;
}

function questionRow(ask: Ask, columns: number): Row {
	return makeRow([{text: cut(sanitizeLine(questionOf(ask)), columns - 2, '…'), style: 'bold'}], 'text', {text: '  '});
}

function questionOf({child, title}: Ask): string {
	return child === undefined ? title : titleOfChild(child.title, title);
}

/** Returns the rows about where the parts of the call came from. */
function originRows({origins = [], columns}: AskFacts): readonly Row[] {
	return origins.flatMap(text => wrap(sanitizeLine(text), columns - 2).map(row => textRow(`  ${row}`, 'warn')));
}

/** Returns the rows of the note below the detail. */
function noteRows({note}: Ask, columns: number): readonly Row[] {
	return note === undefined ? [] : wrap(sanitizeLine(note), columns - 2).map(row => textRow(`  ${row}`, 'dim'));
}

/** `asks` contains all open questions. The first one is on the card. */
type CardFacts = {
	readonly asks: readonly ShownAsk[];
	readonly card: Card | undefined;
	readonly isSplit?: boolean;
	readonly isSpoken?: boolean | undefined;
	readonly origins?: readonly string[];
};

/** Draws the card of the first question in at most `maxRows` rows. */
export function viewCard(
	{asks, card, isSplit = false, isSpoken = false, origins = []}: CardFacts,
	columns: number,
	maxRows: number,
): AskView | undefined {
	const [ask] = asks;
	if (ask === undefined) return undefined;
	const {scroll = 0, answering} = card ?? {};
	return viewAsk(ask, {columns, maxRows, scroll, answering, count: asks.length, isSplit, isSpoken, origins});
}

/** Returns the number of rows that a card may take. `below` counts the rows of the composer and of its hint. */
export function maxCardRows(rows: number, below: number): number {
	const spare = Math.max(0, Math.floor(rows / 12) - 1);
	const rule = ruleAboveCard({columns: 0, rows}).length;
	return Math.max(minForCard, rows - below - statusRows(rows) - rule - minForTranscript - spare);
}

type Foot = {readonly rows: readonly Row[]; readonly rest: readonly string[]};

/** Draws the choices as a list if that leaves enough rows for the detail, and otherwise in one row. */
function footOf(
	ask: ShownAsk,
	{columns, answering, isSpoken = false}: AskFacts,
	detail: number,
	left: number,
): (isSeen: boolean) => Foot {
	if (answering?.confirming !== undefined) return () => ({rows: [], rest: []});
	const refusal = ask.choices[refusalOf(ask)];
	const {lit} = answering ?? {};
	const isInert = lit?.isBlocked === true || lit?.isVoid === true;
	const facts = (isSeen: boolean): ChoiceFacts => ({
		marked: answering?.marked ?? refusalOf(ask),
		isSpoken,
		lit: isInert ? undefined : lit?.choice,
		isOpen: (choice: AskChoice) => isSeen || choice === refusal || choice.unread === true,
	});
	const listed = listedChoices(ask, columns, facts(false)).length;
	const least = isSpoken ? minForSpokenDetail : minForDetail;
	if (left - listed >= Math.min(detail, least + 1))
		return isSeen => ({rows: listedChoices(ask, columns, facts(isSeen)), rest: []});
	return isSeen => {
		const {row, rest} = foldedChoices(ask, isSpoken ? columns - 1 : columns, facts(isSeen));
		return {rows: [row], rest};
	};
}

/** Returns the rows of the detail, or of the rule that needs a confirmation. */
function subjectRows(ask: Ask, {columns, answering, isSplit, isSpoken}: AskFacts): RowList {
	const rule = answering?.confirming === undefined ? undefined : ask.choices[answering.confirming.choice]?.rule;
	return rule === undefined
		? detailRows(ask, columns, isSplit, isSpoken)
		: rule.split('\n').flatMap(line => sentenceRows(line, columns));
}

type Place = {readonly first: number; readonly shown: number; readonly total: number; readonly isSeen: boolean};

/** Returns a row that counts the hidden rows, with the longest text that fits. */
function noteRow({first, shown, total, isSeen}: Place, columns: number): Row {
	const words = isSeen ? placeTexts({first, shown, total}) : unseenTexts({first, shown, total});
	const text = words.find(each => width(each) <= columns) ?? cut(words.at(-1) ?? '', columns, '…');
	return textRow(text, isSeen ? 'dim' : 'warn');
}

/**
Returns the title. If several questions are open, it includes the position of this one. `rest` contains the whole title
if the title is too long for its rows.
*/
function titleRows(ask: Ask, {columns, maxRows, count = 1, answering}: AskFacts): Foot {
	const title = answering?.confirming === undefined ? questionOf(ask) : ruleTitle;
	const maxTitleRows = maxRows < 8 ? 1 : 2;
	const place = cardPlace(count);
	const all = wrap(`${sanitizeLine(title)}${place}`, columns - 2);
	const isLong = all.length > maxTitleRows;
	const tail = all
		.slice(maxTitleRows - 1)
		.join(' ')
		.slice(0, columns * 2);
	const rows = isLong
		? [...all.slice(0, maxTitleRows - 1), cut(tail, columns - 3 - place.length) + '…' + place]
		: all;
	return {
		rows: rows.map((row, index) =>
			makeRow([{text: row, style: 'bold'}], 'head', {text: index === 0 ? '? ' : '  ', style: 'warn'}),
		),
		rest: isLong ? [title] : [],
	};
}

/** If at least this number of rows is free, a blank row separates the choices from the detail. */
const spareRows = 8;
/** If the detail has at least this number of rows, the question is repeated above the choices. */
const farRows = 16;
const minForRepeat = 24;
/** A card needs at least four rows: title, detail, note and choices. */
const minForCard = 4;
const minForTranscript = 1;
/** The choices are shown as a list only if at least this number of rows is left for the detail. */
const minForDetail = 8;
/**
The same number for a screen reader. It is smaller, because a screen reader reads single lines, so complete choices
matter more than a long window.
*/
const minForSpokenDetail = 5;
