import type {Alert} from '../../../pod/protocol.ts';

/** The alerts on the screen, oldest first. Times are in milliseconds of the app's clock. */
export type Alerts = readonly ShownAlert[];
export type ShownAlert = {
	readonly alert: Alert;
	readonly until: number;
	readonly count: number;
	readonly topic?: AlertTopic;
};

/** The topic of an alert. When the alerts about a topic no longer apply, inkpod removes them all. */
export type AlertTopic = 'approval';

export type AlertAction =
	| {readonly type: 'alert'; readonly alert: Alert; readonly topic?: AlertTopic | undefined}
	| {readonly type: 'dismiss alerts'; readonly topic?: AlertTopic}
	/** Removes the alerts that have expired. */
	| {readonly type: 'tick'};

export const noAlerts: Alerts = [];

export function reduceAlerts(alerts: Alerts, action: AlertAction, now: number): Alerts {
	switch (action.type) {
		case 'alert':
			return addAlert(alerts, action.alert, now, action.topic);
		case 'dismiss alerts':
			return action.topic === undefined ? noAlerts : withoutTopic(alerts, action.topic);
		case 'tick':
			return passAlerts(alerts, now);
		default:
			return action satisfies never;
	}
}

/**
Adds an alert. If an alert with the same level and text is shown, it is replaced: the new one has a higher count and a
new expiry time. Only the latest `maxKept` alerts stay.
*/
export function addAlert(alerts: Alerts, alert: Alert, now: number, topic?: AlertTopic): Alerts {
	const same = alerts.find(shown => shown.alert.level === alert.level && shown.alert.text === alert.text);
	const rest = passAlerts(alerts, now).filter(shown => shown !== same);
	const count = (same?.count ?? 0) + 1;
	const added = {alert, until: now + lifetimes[alert.level], count, topic};
	return [...rest, added].slice(-maxKept);
}

/** Removes the alerts about a topic. */
function withoutTopic(alerts: Alerts, topic: AlertTopic): Alerts {
	return alerts.filter(shown => shown.topic !== topic);
}

/** Removes the alerts that have expired. Returns the same array if none has expired. */
export function passAlerts(alerts: Alerts, now: number): Alerts {
	return alerts.some(({until}) => until <= now) ? alerts.filter(({until}) => until > now) : alerts;
}

/** Returns the time when the next alert expires, or `undefined` if no alert expires. */
export function nextPassing(alerts: Alerts): number | undefined {
	const next = Math.min(...alerts.map(({until}) => until));
	return Number.isFinite(next) ? next : undefined;
}

const maxKept = 100;
/** An error stays until you send something or press Esc. */
const lifetimes: {readonly [Level in Alert['level']]: number} = {
	info: 6000,
	warn: 12_000,
	error: Number.POSITIVE_INFINITY,
};
