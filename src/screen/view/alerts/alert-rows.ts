import type {Alert} from '../../../pod/protocol.ts';
import {textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import type {Alerts, ShownAlert} from '../../model/alerts/alerts.ts';
import {t} from '../../../language/index.ts';

/**
Returns the rows of the latest alerts, sanitized and wrapped. At most `maxShown` alerts are shown in at most `maxRows`
rows. If alerts are hidden, the first row counts them.
*/
export function alertRows(alerts: Alerts, columns: number, maxRows = maxShown * 2): Row[] {
	if (maxRows <= 0) return [];
	const blocks = alerts.map(shown => rowsOf(shown, columns, Math.min(maxAlertRows, maxRows)));
	let hidden = 0;
	while (blocks.length > maxShown || (blocks.length > 1 && blocks.flat().length + (hidden > 0 ? 1 : 0) > maxRows)) {
		blocks.shift();
		hidden++;
	}
	const rows = blocks.flat();
	return hidden > 0 && rows.length < maxRows ? [textRow(moreAlerts(hidden), 'dim'), ...rows] : rows;
}

/** Returns at most `maxRows` rows of one alert. A longer sentence is cut off. */
function rowsOf({alert, count}: ShownAlert, columns: number, maxRows: number): Row[] {
	const {sign, style} = levels[alert.level];
	const text = repeated(sanitizeLine(alert.text.trim().replaceAll(/\s*\n\s*/g, ' ')), count);
	const rows = wrap(text, Math.max(1, columns - 2));
	const shown =
		rows.length <= maxRows ? rows : [...rows.slice(0, maxRows - 1), rows.slice(maxRows - 1, maxRows + 1).join(' ')];
	return shown.map((row, index) => textRow(cut(`${index === 0 ? sign : ' '} ${row}`, columns, '…'), style));
}

/** The maximum number of rows of an alert. It is enough for a sentence with two paths on 60 columns. */
const maxAlertRows = 5;

const maxShown = 8;

type Look = {readonly sign: string; readonly style: 'info' | 'warn' | 'error'};

const levels: {readonly [Level in Alert['level']]: Look} = {
	info: {sign: '•', style: 'info'},
	warn: {sign: '▲', style: 'warn'},
	error: {sign: '×', style: 'error'},
};

function moreAlerts(count: number): string {
	return t`… ${count} more`;
}

function repeated(text: string, count: number): string {
	return count > 1 ? t`${text} (${count} times)` : text;
}
