import {statusOnCard} from '../card/card-facts.ts';
import {newText} from '../transcript/pill.ts';
import {showChord, type ActionName} from '../keymap.ts';
import type {AppState} from '../state/app-state.ts';
import {asksOf, sessionOf, statusOf} from '../state/selectors.ts';
import type {StatusFacts} from './status-line.ts';
import {keyHints, loadingRest, mouseIsOff, opening, scrolled} from './texts.ts';

/** `below` counts new blocks below the screen. `hasPill`: a row of its own shows that count. */
export type ShownTranscript = {readonly below: number; readonly hasPill: boolean};

/** Returns the facts for the status line. */
export function statusFacts(state: AppState, shown: ShownTranscript): StatusFacts {
	const {setup, ownAsks} = state;
	const status = statusOf(state);
	return {
		session: sessionOf(state),
		status: ownAsks.length === 0 ? status : {...status, asks: asksOf(state)},
		hints: statusHints(state),
		notes: statusNotes(state, shown),
		...(setup.home !== undefined && {home: setup.home}),
	};
}

/** Returns the useful keys, most important first. */
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

/** Returns notes about the transcript and the screen. */
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

/** Returns the times at which the status line changes without a key. Some of them may be past. */
export function statusTimes(state: AppState): number[] {
	const {quitUntil, sessionTail, hold} = state;
	const quiet = [sessionTail, hold].flatMap(each => (each === undefined ? [] : [each.since + quietMs]));
	return [quitUntil, ...quiet];
}

/** Returns when the next second of a countdown ends. */
export function nextSecond(state: AppState, now: number): number | undefined {
	const {kind, retryAt = 0} = statusOf(state);
	return kind === 'running' && retryAt > now ? now + ((retryAt - now) % 1000 || 1000) : undefined;
}

/** The status line shows loading only after these milliseconds, since most things load faster. */
const quietMs = 300;
