import {basename} from 'node:path';
import type {AppState} from '../../model/app-state.ts';
import {queueOf, sessionOf, statusOf} from '../../model/selectors.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut} from '../../../text/width.ts';
import type {NotificationOptions, NotificationState} from '../../model/notifications/notification-state.ts';
import {t} from '../../../language/index.ts';

/** A desktop notification. Its texts may be untrusted. */
export type DesktopNotice = {readonly title: string; readonly body: string};

/**
`next` is the new notification state. `rings`: the pod needs the user, and the options allow the bell now. `notice` is
the desktop notification, if the user is looking elsewhere.
*/
type NextNotifications = {
	readonly next: NotificationState;
	readonly rings: boolean;
	readonly notice?: DesktopNotice;
};

/** Compares the pod's state with the last notification state. */
export function nextNotifications(state: AppState, options: NotificationOptions): NextNotifications {
	const {
		notifications: {runningSince: since, askId},
		now,
	} = state;
	const {
		kind,
		asks: [ask],
	} = statusOf(state);
	// The pod sends queued messages when a run ends, so the work is not done while the queue has messages.
	const isOver = since !== undefined && kind !== 'running' && queueOf(state).length === 0;
	const isAsked = ask !== undefined && ask.id !== askId;
	const next = {title: titleOf(state), runningSince: kind === 'running' ? (since ?? now) : undefined, askId: ask?.id};
	if (!isOver && !isAsked) return {next, rings: false};
	const isAway = isElsewhere(state, since ?? now);
	const rings = options.bell === 'unfocused' ? isAway : options.bell === 'always';
	const ended = kind === 'paused' ? desktopTexts.interrupted : desktopTexts.ended;
	const body = isAsked ? approvalNeeded(ask.title) : ended;
	return {next, rings, ...(isAway && {notice: {title: nameOf(state), body}})};
}

/** Tells whether the terminal has a window with a title. */
export function hasWindow({title, term}: NotificationOptions): boolean {
	return title && term !== undefined && !['', 'dumb', 'linux'].includes(term);
}

/**
Tells whether the user is probably looking elsewhere. If the terminal does not report its focus, this is the case after
a long run without a key press.
*/
function isElsewhere({terminal: {focused}, keys: {lastPress}, now}: AppState, since: number): boolean {
	if (focused !== undefined) return !focused;
	return now - since > longRun && now - (lastPress?.at ?? Number.NEGATIVE_INFINITY) > longRun;
}

/** After this number of milliseconds without a key press, the user may be looking elsewhere. */
const longRun = 10_000;

function titleOf(state: AppState): string {
	const {kind, asks} = statusOf(state);
	const sign = asks.length > 0 ? '? ' : kind === 'running' ? '● ' : '';
	return `${sign}${nameOf(state)}`;
}

function nameOf(state: AppState): string {
	const {pwd} = sessionOf(state).scope;
	return `inkpod · ${cut(sanitizeLine(basename(pwd) || pwd), 60, '…')}`;
}

/** The texts of desktop notifications. */
const desktopTexts = {
	ended: t`The turn has ended.`,
	interrupted: t`The turn was interrupted.`,
} as const;

/** `question` is the title of the card. */
function approvalNeeded(question: string): string {
	return t`Approval needed: ${question}`;
}
