import {basename} from 'node:path';
import type {AppState} from '../state/app-state.ts';
import {queueOf, sessionOf, statusOf} from '../state/selectors.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut} from '../text/width.ts';
import type {NotificationOptions, NotificationState} from './notification-state.ts';

/** `next` is the new notification state. `rings`: the pod needs the user, who may look elsewhere. */
export type NextNotifications = {readonly next: NotificationState; readonly rings: boolean};

/** Compares the pod's state with the latest notifications. */
export function nextNotifications(state: AppState, options: NotificationOptions): NextNotifications {
	const {
		notifications: {runningSince: since, askId},
		now,
	} = state;
	const {
		kind,
		asks: [ask],
	} = statusOf(state);
	// Queued messages go out at the end of a run, so the work is not done yet.
	const isOver = since !== undefined && kind !== 'running' && queueOf(state).length === 0;
	const isAsked = ask !== undefined && ask.id !== askId;
	return {
		next: {title: titleOf(state), runningSince: kind === 'running' ? (since ?? now) : undefined, askId: ask?.id},
		rings: (isOver || isAsked) && isElsewhere(state, options, since ?? now),
	};
}

/** Tells whether the terminal has a window with a title. */
export function hasWindow({title, term}: NotificationOptions): boolean {
	return title && term !== undefined && !['', 'dumb', 'linux'].includes(term);
}

/**
Tells whether the user looks elsewhere. A terminal may not report its focus. After a long run without a key, you have
probably turned away.
*/
function isElsewhere({focused, lastPress, now}: AppState, {bell}: NotificationOptions, since: number): boolean {
	if (bell !== 'unfocused') return bell === 'always';
	if (focused !== undefined) return !focused;
	return now - since > longRun && now - (lastPress?.at ?? Number.NEGATIVE_INFINITY) > longRun;
}

/** The number of milliseconds after which you may have turned to something else. */
const longRun = 10_000;

function titleOf(state: AppState): string {
	const {kind, asks} = statusOf(state);
	const {pwd} = sessionOf(state).scope;
	const sign = asks.length > 0 ? '? ' : kind === 'running' ? '● ' : '';
	return `${sign}inkpod · ${cut(sanitizeLine(basename(pwd) || pwd), 60, '…')}`;
}
