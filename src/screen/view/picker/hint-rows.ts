import type {Size} from '../../model/terminal-state.ts';
import {makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, fit, width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {nextScope, type Notice, type PickerState} from '../../model/picker/picker-state.ts';
import {exportHints, pickerHints, scopes, spokenWarning} from '../../model/picker/texts.ts';

/** Returns the rows below the list: the notice, or as many key hints as fit. */
export function hintRows(state: PickerState, size: Size, isSpoken: boolean): readonly Row[] {
	const {notice, exporting, scope, isByNeed} = state;
	if (notice !== undefined) return noticeRows(notice, size, isSpoken);
	const hints = exporting === undefined ? pickerHints(scopes[nextScope[scope]], isByNeed) : exportHints;
	return packed(hints, size.columns, hintCount(size));
}

/** Returns the number of rows that are always free for hints, so that the list keeps its place. */
export function hintCount({rows}: Size): number {
	return rows >= roomyFrom ? 2 : 1;
}

/** Puts hints side by side. Those that fit into no row are left out. */
function packed(hints: readonly string[], columns: number, count: number): readonly Row[] {
	const rows: string[] = [];
	for (const hint of hints) {
		const last = rows.at(-1);
		const longer = last === undefined ? hint : `${last} · ${hint}`;
		if (fit(longer, columns) === longer.length) rows.splice(Math.max(0, rows.length - 1), 1, longer);
		else if (rows.length < count && width(hint) <= columns) rows.push(hint);
		else break;
	}
	return rows.length === 0 ? [textRow('', 'dim')] : rows.map(text => textRow(text, 'dim'));
}

/** A notice may take more rows than hints, because it is the only report of what was done. */
function noticeRows({text, tone}: Notice, size: Size, isSpoken: boolean): readonly Row[] {
	const {columns} = size;
	const {sign, style} = looks[tone];
	const inert = sanitizeLine(text);
	const said = isSpoken && tone === 'warn' ? spokenWarning(inert) : inert;
	const gutter = isSpoken ? '' : cut(`${sign} `, columns);
	const lines = wrap(said, Math.max(2, columns - gutter.length));
	const kept = lines.slice(0, noticeCount(size));
	return kept.map((line, index) => {
		const isCut = index === kept.length - 1 && lines.length > kept.length;
		const shown = isCut ? `${cut(line, columns - gutter.length - 1)}…` : cut(line, columns - gutter.length);
		return makeRow([{text: shown, style}], 'text', {text: index === 0 ? gutter : ' '.repeat(gutter.length), style});
	});
}

function noticeCount({rows}: Size): number {
	return rows >= roomyFrom ? 4 : rows >= smallFrom ? 2 : 1;
}

const looks = {info: {sign: '•', style: 'info'}, warn: {sign: '▲', style: 'warn'}} as const;
const roomyFrom = 14;
const smallFrom = 8;
