import {Box, Text} from 'ink';
import type {Alert} from '../pod/protocol.ts';
import {sanitizeLine} from './screen/sanitize.ts';
import {cut} from './screen/width.ts';
import {paint} from './theme.ts';

/** The alerts that are on the screen, oldest first. Times are the app's milliseconds, of any epoch. */
export type Alerts = readonly ShownAlert[];
export type ShownAlert = {readonly alert: Alert; readonly until: number; readonly count: number};

export const noAlerts: Alerts = [];

/** One more alert; the same one again is counted and lives on. Of many, the latest stay. */
export function addAlert(alerts: Alerts, alert: Alert, now: number): Alerts {
	const same = alerts.find(shown => shown.alert.level === alert.level && shown.alert.text === alert.text);
	const rest = passAlerts(alerts, now).filter(shown => shown !== same);
	return [...rest, {alert, until: now + lifetimes[alert.level], count: (same?.count ?? 0) + 1}].slice(-limit);
}

/** Without those whose time is over; the same value when all stay. */
export function passAlerts(alerts: Alerts, now: number): Alerts {
	return alerts.some(({until}) => until <= now) ? alerts.filter(({until}) => until > now) : alerts;
}

/** When the next one passes away; nothing when there is none, and then no timer is needed. */
export function nextPassing(alerts: Alerts): number | undefined {
	return alerts.length === 0 ? undefined : Math.min(...alerts.map(({until}) => until));
}

/** One inert row for each of the latest alerts. */
export function alertRows(alerts: Alerts, columns: number, maxRows = limit): string[] {
	return alerts.slice(-Math.max(0, maxRows)).filter(() => maxRows > 0).map(({alert, count}) => {
		const {sign, style} = levels[alert.level];
		const text = `${sign} ${sanitizeLine(alert.text.trim().replaceAll(/\s*\n\s*/g, ' '))}`;
		const times = count > 1 ? ` (${count} times)` : '';
		return paint(style, cut(text, Math.max(1, columns - times.length), '…') + times);
	});
}

type Props = {readonly rows: readonly string[]};

export function AlertRows({rows}: Props) {
	return (
		<Box flexDirection="column" flexShrink={0} height={rows.length}>
			{rows.map((row, index) => <Text key={index} wrap="truncate">{row}</Text>)}
		</Box>
	);
}

const limit = 4;
const lifetimes: {readonly [Level in Alert['level']]: number} = {info: 6000, warn: 12_000, error: 20_000};
const levels: {readonly [Level in Alert['level']]: {readonly sign: string; readonly style: 'info' | 'warn' | 'error'}} = {
	info: {sign: 'ℹ', style: 'info'},
	warn: {sign: '▲', style: 'warn'},
	error: {sign: '✗', style: 'error'},
};
