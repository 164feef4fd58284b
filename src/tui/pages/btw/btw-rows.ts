import {lineRows, textRow, type Row} from '../../text/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut} from '../../text/width.ts';
import type {AppState} from '../../state/app-state.ts';
import type {PageSize} from '../page-size.ts';
import {btwPageTexts, pageHints} from '../texts.ts';
import type {BtwPage, BtwState} from './btw-state.ts';

/** Returns the title with the keys, and the end of the side conversation, or the part that you scrolled to. */
export function btwPageRows({answer, below}: BtwPage, {columns, height}: PageSize, state: AppState): readonly Row[] {
	const body = btwBody(answer, columns, state);
	const room = roomOf(height);
	const last = Math.max(Math.min(body.length, room), body.length - below);
	const {title, discard, keep, attach} = btwPageTexts;
	const keys = answer.isRunning
		? [discard]
		: [discard, keep, attach, ...(body.length > room ? [pageHints.scroll] : [])];
	const head = textRow(cut([title, ...keys].join(' · '), columns, '…'), 'bold');
	return [head, ...body.slice(Math.max(0, last - room), last)].slice(0, height);
}

/** Returns the number of rows of the conversation on the page. */
export function roomOf(height: number): number {
	return Math.max(1, height - 1);
}

/** Returns all rows of the side conversation, made by the same fold as those of a session. */
export function btwBody(
	answer: BtwState,
	columns: number,
	{transcript, setup}: Pick<AppState, 'transcript' | 'setup'>,
): readonly Row[] {
	const last = cached.get(answer);
	if (last?.columns === columns) return last.rows;
	const {before, isPartial, items, kept} = answer;
	const rows = [
		...lineRows([{text: btwPageTexts.sees(before, isPartial), style: 'dim'}], {columns}),
		...(transcript?.rowsOf(items, columns) ?? []).map(row => (setup.isSpoken === true ? withoutSign(row) : row)),
		...(kept === undefined ? [] : lineRows([{text: btwPageTexts.kept(sanitizeLine(kept))}], {columns})),
	];
	cached.set(answer, {columns, rows});
	return rows;
}

/** A page is read with its gutters, but these contain only signs. */
function withoutSign(row: Row): Row {
	return {...row, gutter: undefined};
}

const cached = new WeakMap<BtwState, {readonly columns: number; readonly rows: readonly Row[]}>();
