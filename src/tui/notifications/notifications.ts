import {basename} from 'node:path';
import type {AppState} from '../state/app-state.ts';
import {statusOf} from '../state/selectors.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut} from '../text/width.ts';
import type {NotificationOptions, NotificationState} from './notification-state.ts';

/** What the user is made aware of now. `rings`: the user is wanted, and may be looking elsewhere. */
export type NextNotifications = {readonly next: NotificationState; readonly rings: boolean};

/** Compares what the pod does with what the user was last made aware of. */
export function nextNotifications(state: AppState, options: NotificationOptions): NextNotifications {
	const {
		notifications: {runningSince: since, askId},
		queue,
		now,
	} = state;
	const {
		kind,
		asks: [ask],
	} = statusOf(state);
	// What waits in the queue goes out at the end of a run: the work is not done.
	const isOver = since !== undefined && kind !== 'running' && queue.length === 0;
	const isAsked = ask !== undefined && ask.id !== askId;
	return {
		next: {title: titleOf(state), runningSince: kind === 'running' ? (since ?? now) : undefined, askId: ask?.id},
		rings: (isOver || isAsked) && isElsewhere(state, options, since ?? now),
	};
}

/** Whether the terminal has a window that can be named. */
export function hasWindow({title, term}: NotificationOptions): boolean {
	return title && term !== undefined && !['', 'dumb', 'linux'].includes(term);
}

/** A terminal may not report its focus: after a long run without a key the user has probably turned away. */
function isElsewhere({focused, lastPress, now}: AppState, {bell}: NotificationOptions, since: number): boolean {
	if (bell !== 'unfocused') return bell === 'always';
	if (focused !== undefined) return !focused;
	return now - since > longRun && now - (lastPress?.at ?? Number.NEGATIVE_INFINITY) > longRun;
}

/** Milliseconds after which a user may have turned to something else. */
const longRun = 10_000;

function titleOf(state: AppState): string {
	const {kind, asks} = statusOf(state);
	const {pwd} = (state.transcript?.transcript.session ?? state.setup.session).scope;
	const sign = asks.length > 0 ? '? ' : kind === 'running' ? '● ' : '';
	return `${sign}inkpod · ${cut(sanitizeLine(basename(pwd) || pwd), 60, '…')}`;
}
