import type {Ask} from '../../pod/protocol.ts';
import {sanitizeLine} from '../screen/sanitize.ts';
import {cut, width} from '../screen/width.ts';
import {wrap} from '../screen/wrap.ts';
import {viewQuery} from '../search/query.ts';
import {paint} from '../theme.ts';
import {plural} from '../transcript/blocks/format.ts';
import type {Card} from './card.ts';
import {detailRows, sentenceRows} from './card-detail.ts';
import {choiceRows, saysNo} from './choices.ts';

/** A card as it is drawn: inert, painted rows, none wider than the screen. */
export type AskView = {
	readonly rows: readonly string[];
	/** The first row of the detail that is shown, after it was kept within what there is. */
	readonly scroll: number;
	/** Rows of the detail in all, and how many of them are shown. */
	readonly total: number;
	readonly shown: number;
	/** Where the cursor stands while a reason is written, in cells from the card's upper left corner. */
	readonly caret?: {readonly x: number; readonly y: number};
};

export type AskFacts = Partial<Pick<Card, 'scroll' | 'seen' | 'reason'>> & {
	readonly columns: number;
	readonly maxRows: number;
	/** How many are asked in all, this one included. */
	readonly count?: number;
	/** Whether the keys answer, or still write the draft. */
	readonly listening?: boolean;
};

/**
The card of what is asked: title, the whole detail in a window that scrolls, then the choices with their keys, or the reason that is being written.
Title and choices are always shown; words of theirs that find no room stand in the detail's window, the title's before it and the choices' behind it.
Until the end of that window has been seen, nothing but a no can be chosen.
*/
export function viewAsk(ask: Ask, facts: AskFacts): AskView {
	const {columns, maxRows, scroll = 0, seen = false, listening = true, reason} = facts;
	const title = titleRows(ask, facts);
	const detail = [...title.rest.flatMap(text => sentenceRows(text, columns)), ...detailRows(ask, columns)];
	const left = maxRows - title.rows.length;
	const window = Math.max(2, Math.ceil(maxRows / 3));
	const choices = (isSeen: boolean) => choiceRows(ask, columns, {whole: left - Math.min(detail.length, window), cut: left - window}, choice => listening && (isSeen || saysNo(choice)));
	const closed = choices(false);
	const input = reason?.open === true ? reasonRows(reason, columns) : undefined;
	const body = [...detail, ...closed.rest.flatMap(text => sentenceRows(text, columns))];
	const room = Math.max(1, left - (input ?? closed).rows.length);
	const scrolls = body.length > room;
	const shown = scrolls ? Math.max(1, room - 1) : body.length;
	const first = Math.max(0, Math.min(scroll, body.length - shown));
	const isSeen = seen || first + shown >= body.length;
	const rows = [...title.rows, ...body.slice(first, first + shown), ...(scrolls ? [noteRow({first, shown, total: body.length, isSeen}, columns)] : [])];
	return {
		rows: [...rows, ...(input ?? choices(isSeen)).rows],
		scroll: first,
		total: body.length,
		shown,
		...(input !== undefined && {caret: {x: input.caret, y: rows.length + 1}}),
	};
}

type Place = {readonly first: number; readonly shown: number; readonly total: number; readonly isSeen: boolean};

/** What is hidden, in the longest words that fit. */
function noteRow({first, shown, total, isSeen}: Place, columns: number): string {
	const hidden = total - first - shown;
	const place = `rows ${first + 1}-${first + shown} of ${total}`;
	const words = isSeen
		? [`${hidden > 0 ? '▼' : '▲'} ${place} (PgUp, PgDn)`, place]
		: [`▼ ${place}, ${hidden} more below: PgDn, Ctrl+End. Nothing says yes before its end was shown.`, `▼ ${hidden} of ${total} rows more: PgDn. No yes before the end.`, `▼ ${plural(hidden, 'more row')}: PgDn, then yes`, `▼ ${hidden} more`];
	const text = words.find(text => width(text) <= columns) ?? cut(words.at(-1)!, columns, '…');
	return paint(isSeen ? 'dim' : 'warn', text);
}

/** The title with its place among several; what is longer than its rows is whole in `rest`. */
function titleRows({title}: Ask, {columns, maxRows, count = 1}: AskFacts): {readonly rows: readonly string[]; readonly rest: readonly string[]} {
	const most = maxRows < 8 ? 1 : 2;
	const place = count > 1 ? ` (1 of ${count})` : '';
	const text = sanitizeLine(title);
	const all = wrap(`${text}${place}`, columns - 2);
	const isLong = all.length > most;
	const rows = isLong ? [...all.slice(0, most - 1), cut(all.slice(most - 1).join(' ').slice(0, columns * 2), columns - 3 - place.length) + '…' + place] : all;
	return {rows: rows.map((row, index) => paint('warn', `${index === 0 ? '?' : ' '} ${row}`)), rest: isLong ? [title] : []};
}

function reasonRows({text}: NonNullable<Card['reason']>, columns: number): {readonly rows: readonly string[]; readonly caret: number} {
	const view = viewQuery(text, Math.max(4, columns - 2));
	const words = ['A reason for the model, in one line: Enter sends it with the no, Esc goes back', 'Why? Enter sends, Esc goes back'];
	return {rows: [paint('dim', words.find(text => width(text) <= columns) ?? cut(words.at(-1)!, columns, '…')), `${paint('warn', '❯')} ${view.text}`], caret: view.caret + 2};
}
