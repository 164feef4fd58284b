import type {Alert} from '../../pod/protocol.ts';
import {textRow, type Row} from '../text/row.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut} from '../text/width.ts';
import {wrap} from '../text/wrap.ts';
import type {Alerts, ShownAlert} from './alerts.ts';

/**
Inert rows of the latest alerts: a sentence that does not fit on one row continues on the next. At most `mostShown` of
them in at most `maxRows`; where more are there, it says how many.
*/
export function alertRows(alerts: Alerts, columns: number, maxRows = mostShown * 2): Row[] {
	if (maxRows <= 0) return [];
	const blocks = alerts.map(shown => rowsOf(shown, columns, Math.min(longest, maxRows)));
	let hidden = 0;
	while (blocks.length > mostShown || (blocks.length > 1 && blocks.flat().length + (hidden > 0 ? 1 : 0) > maxRows)) {
		blocks.shift();
		hidden++;
	}
	const rows = blocks.flat();
	return hidden > 0 && rows.length < maxRows ? [textRow(`… ${hidden} more`, 'dim'), ...rows] : rows;
}

/** Of a sentence that is longer, its beginning. */
function rowsOf({alert, count}: ShownAlert, columns: number, most: number): Row[] {
	const {sign, style} = levels[alert.level];
	const text = `${sanitizeLine(alert.text.trim().replaceAll(/\s*\n\s*/g, ' '))}${count > 1 ? ` (${count} times)` : ''}`;
	const rows = wrap(text, Math.max(1, columns - 2));
	const shown = rows.length <= most ? rows : [...rows.slice(0, most - 1), `${rows[most - 1]!} ${rows[most]!}`];
	return shown.map((row, index) => textRow(cut(`${index === 0 ? sign : ' '} ${row}`, columns, '…'), style));
}

/** Rows of one alert: as many as a sentence with two paths needs on 60 columns. */
const longest = 5;

const mostShown = 8;
type Look = {readonly sign: string; readonly style: 'info' | 'warn' | 'error'};
const levels: {readonly [Level in Alert['level']]: Look} = {
	info: {sign: 'ℹ', style: 'info'},
	warn: {sign: '▲', style: 'warn'},
	error: {sign: '✗', style: 'error'},
};
