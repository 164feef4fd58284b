import type {Alert} from '../../pod/protocol.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {textRow, type Row} from '../text/row.ts';
import {cut} from '../text/width.ts';
import {wrap} from '../text/wrap.ts';

/** The alerts that are on the screen, oldest first. Times are the app's milliseconds, of any epoch. */
export type Alerts = readonly ShownAlert[];
export type ShownAlert = {readonly alert: Alert; readonly until: number; readonly count: number; readonly topic?: AlertTopic};

/** What an alert is about, where a change makes the alert untrue. */
export type AlertTopic = 'approval';

export const noAlerts: Alerts = [];

/** Adds an alert. The same alert again is counted and lives on. Of very many, the latest stay. */
export function addAlert(alerts: Alerts, alert: Alert, now: number, topic?: AlertTopic): Alerts {
	const same = alerts.find(shown => shown.alert.level === alert.level && shown.alert.text === alert.text);
	const rest = passAlerts(alerts, now).filter(shown => shown !== same);
	const count = (same?.count ?? 0) + 1;
	const added = {alert, until: now + lifetimes[alert.level], count, ...(topic !== undefined && {topic})};
	return [...rest, added].slice(-mostKept);
}

/** The alerts without those about a topic. */
export function withoutTopic(alerts: Alerts, topic: AlertTopic): Alerts {
	return alerts.filter(shown => shown.topic !== topic);
}

/** Without those whose time is over; the same value when all stay. */
export function passAlerts(alerts: Alerts, now: number): Alerts {
	return alerts.some(({until}) => until <= now) ? alerts.filter(({until}) => until > now) : alerts;
}

/** When the next one passes away; nothing when there is none, and then no timer is needed. */
export function nextPassing(alerts: Alerts): number | undefined {
	const next = Math.min(...alerts.map(({until}) => until));
	return Number.isFinite(next) ? next : undefined;
}

/** Inert rows of the latest alerts: a sentence that does not fit on one row goes on on the next. At most `mostShown` of them in at most `maxRows`, and it says how many are not shown. */
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
const mostKept = 100;
/** An error stays until something is sent or Esc is pressed. */
const lifetimes: {readonly [Level in Alert['level']]: number} = {info: 6000, warn: 12_000, error: Number.POSITIVE_INFINITY};
const levels: {readonly [Level in Alert['level']]: {readonly sign: string; readonly style: 'info' | 'warn' | 'error'}} = {
	info: {sign: 'ℹ', style: 'info'},
	warn: {sign: '▲', style: 'warn'},
	error: {sign: '✗', style: 'error'},
};
