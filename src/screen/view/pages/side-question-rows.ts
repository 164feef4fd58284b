import {lineRows, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import type {AppState} from '../../model/app-state.ts';
import type {PageSize} from './page-size.ts';
import {sideQuestionPageTexts, pageHints} from '../../model/pages/texts.ts';
import type {SideQuestionPage, SideQuestionState} from '../../model/pages/tasks-state.ts';

/**
Returns the title with the keys, and the visible part of the side conversation. Until you scroll up, this part is the
end of the conversation.
*/
export function sideQuestionRows(
	{answer, below}: SideQuestionPage,
	{columns, height}: PageSize,
	state: AppState,
): readonly Row[] {
	const body = sideQuestionBody(answer, columns, state);
	const room = roomOf(height);
	const last = Math.max(Math.min(body.length, room), body.length - below);
	const head = textRow(cut(headText(answer, columns, body.length > room), columns, '…'), 'bold');
	return [head, ...body.slice(Math.max(0, last - room), last)].slice(0, height);
}

/** Returns the longest text with the keys and the title that fits. The keys have priority over the title. */
function headText({isRunning}: SideQuestionState, columns: number, scrolls: boolean): string {
	const {title, discard, keep, attach, keepShort, attachShort} = sideQuestionPageTexts;
	if (isRunning) return [title, discard].join(' · ');
	const short = [discard, keepShort, attachShort];
	const all = [
		[title, discard, keep, attach, ...(scrolls ? [pageHints.scroll] : [])],
		[title, discard, keep, attach],
		[title, ...short],
		short,
	].map(words => words.join(' · '));
	return all.find(text => width(text) <= columns) ?? short.join(' · ');
}

/** Returns the number of rows of the conversation on the page. */
export function roomOf(height: number): number {
	return Math.max(1, height - 1);
}

/**
Returns all rows of the side conversation. Its items become blocks and rows in the same way as those of a session.
*/
export function sideQuestionBody(
	answer: SideQuestionState,
	columns: number,
	{transcript: {store: transcript}}: Pick<AppState, 'transcript'>,
): readonly Row[] {
	const last = cached.get(answer);
	if (last?.columns === columns) return last.rows;
	const {before, isPartial, items, kept} = answer;
	const rows = [
		...lineRows([{text: sideQuestionPageTexts.sees(before, isPartial), style: 'dim'}], {columns}),
		...(transcript?.rowsOf(items, columns) ?? []),
		...(kept === undefined ? [] : lineRows([{text: sideQuestionPageTexts.kept(sanitizeLine(kept))}], {columns})),
	];
	cached.set(answer, {columns, rows});
	return rows;
}

const cached = new WeakMap<SideQuestionState, {readonly columns: number; readonly rows: readonly Row[]}>();
