import {statusOnCard} from '../card/card-facts.ts';
import {newText} from '../transcript/pill.ts';
import {showChord, type ActionName} from '../keymap.ts';
import type {AppState} from '../state/app-state.ts';
import {asksOf, statusOf} from '../state/selectors.ts';
import type {StatusFacts} from './status-line.ts';
import {keyHints, loadingRest, mouseIsOff, opening, scrolled} from './texts.ts';

/** What the screen shows of the transcript. `below`: blocks that are new below. `hasPill`: a row of its own says so. */
export type ShownTranscript = {readonly below: number; readonly hasPill: boolean};

/** What the status line says. */
export function statusFacts(state: AppState, shown: ShownTranscript): StatusFacts {
	const {transcript, setup, ownAsks} = state;
	const status = statusOf(state);
	return {
		session: transcript?.transcript.session ?? setup.session,
		status: ownAsks.length === 0 ? status : {...status, asks: asksOf(state)},
		hints: statusHints(state),
		notes: statusNotes(state, shown),
		...(setup.home !== undefined && {home: setup.home}),
	};
}

/** Keys that matter now, most important first. */
export function statusHints(state: AppState): string[] {
	const {
		setup: {keymap},
		queue,
		quitUntil,
		now,
	} = state;
	const {kind} = statusOf(state);
	const hint = (name: ActionName, what: string) => {
		const [chord] = keymap.chords(name);
		return chord === undefined ? [] : [`${showChord(chord)} ${what}`];
	};
	if (quitUntil > now) return hint('cancel', keyHints.quitAgain);
	if (asksOf(state).length > 0) return [statusOnCard(state)];
	const queued = (name: ActionName, what: string) => (queue.length > 0 ? hint(name, what) : []);
	if (kind === 'running')
		return [
			...hint('pause', keyHints.stop),
			...hint('cancel', keyHints.cancel),
			...queued('steer', keyHints.steer),
		];
	if (kind === 'paused') return [...hint('submit', keyHints.continue), ...hint('cancel', keyHints.discard)];
	return [
		...queued('submit', keyHints.send),
		...hint('switch view', keyHints.view),
		...hint('erase right or quit', keyHints.quit),
	];
}

/** What the transcript and the screen say of themselves. */
export function statusNotes(state: AppState, {below, hasPill}: ShownTranscript): string[] {
	const {sessionTail, hold, scroll, transcript, setup, mouse, now} = state;
	const isReading =
		sessionTail !== undefined && (sessionTail.wanted.length > 0 || now >= sessionTail.since + quietMs);
	const isOpening = hold !== undefined && now >= hold.since + quietMs;
	const view = transcript?.layout.view;
	return [
		...(isReading ? [loadingRest] : []),
		...(isOpening ? [opening] : []),
		...(scroll.follow ? [] : [below > 0 && !hasPill ? newText(below) : scrolled]),
		...(view === undefined || view === 'normal' ? [] : [view]),
		...(setup.mouse === true && !mouse ? [mouseIsOff] : []),
	];
}

/** When the status line changes by itself. Some of these times may be over. */
export function statusTimes(state: AppState): number[] {
	const {quitUntil, sessionTail, hold} = state;
	const quiet = [sessionTail, hold].flatMap(each => (each === undefined ? [] : [each.since + quietMs]));
	return [quitUntil, ...quiet];
}

/** When the next second of a countdown is over. */
export function nextSecond(state: AppState, now: number): number | undefined {
	const {kind, retryAt = 0} = statusOf(state);
	return kind === 'running' && retryAt > now ? now + ((retryAt - now) % 1000 || 1000) : undefined;
}

/** Milliseconds for which nothing is said of what is being read or opened: mostly it is there by then. */
const quietMs = 300;
