import {basename} from 'node:path';
import type {AppState} from '../../model/app-state.ts';
import {lastEnd, queueOf, sessionOf, statusOf} from '../../model/selectors.ts';
import type {ProgramStatus} from '../../terminal/window/program-status.ts';
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
	const next = {
		title: titleOf(state),
		runningSince: kind === 'running' ? (since ?? now) : undefined,
		askId: ask?.id,
		status: programStatus(state, isOver),
	};
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
Returns the state of the program for the terminal. The end of a run counts until the next run, because the user may see
it later. Returns the same object while the state stays the same.
*/
function programStatus(state: AppState, isOver: boolean): ProgramStatus {
	const {status: before} = state.notifications;
	const {
		kind,
		asks: [ask],
	} = statusOf(state);
	if (ask !== undefined) {
		const blocked = {
			state: 'blocked',
			kind: ask.questions === undefined ? 'permission' : 'question',
			about: ask.title,
		} as const;
		return before?.state === 'blocked' && before.kind === blocked.kind && before.about === blocked.about
			? before
			: blocked;
	}
	if (kind === 'running') return statuses.working;
	if (isOver) return endStatus(state);
	if (before?.state === 'working' && queueOf(state).length > 0) return before;
	return before?.state === 'done' || before?.state === 'error' || before === keyNeeded ? before : statuses.idle;
}

/** Returns the state after a run. A user who stopped the run knows that it has ended. */
function endStatus(state: AppState): ProgramStatus {
	const end = lastEnd(state);
	if (end?.keyRefused === true) return keyNeeded;
	if (end?.outcome === 'error') return statuses.error;
	return end?.outcome === 'paused' || end?.outcome === 'cancelled' ? statuses.idle : statuses.done;
}

const statuses = {
	idle: {state: 'idle'},
	working: {state: 'working'},
	done: {state: 'done'},
	error: {state: 'error'},
} as const;
const keyNeeded: ProgramStatus = {state: 'blocked', kind: 'auth'};

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
