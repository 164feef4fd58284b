import type {Alert} from '../../pod/protocol.ts';

/** The alerts that are on the screen, oldest first. Times are the app's milliseconds, of any epoch. */
export type Alerts = readonly ShownAlert[];
export type ShownAlert = {
	readonly alert: Alert;
	readonly until: number;
	readonly count: number;
	readonly topic?: AlertTopic;
};

/** What an alert is about, where a change makes the alert untrue. */
export type AlertTopic = 'approval';

export const noAlerts: Alerts = [];

/** Adds an alert. The same alert again is counted and lives on. Of very many, the latest stay. */
export function addAlert(alerts: Alerts, alert: Alert, now: number, topic?: AlertTopic): Alerts {
	const same = alerts.find(shown => shown.alert.level === alert.level && shown.alert.text === alert.text);
	const rest = passAlerts(alerts, now).filter(shown => shown !== same);
	const count = (same?.count ?? 0) + 1;
	const added = {alert, until: now + lifetimes[alert.level], count, ...(topic !== undefined && {topic})};
	return [...rest, added].slice(-maxKept);
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

const maxKept = 100;
/** An error stays until something is sent or Esc is pressed. */
const lifetimes: {readonly [Level in Alert['level']]: number} = {
	info: 6000,
	warn: 12_000,
	error: Number.POSITIVE_INFINITY,
};
