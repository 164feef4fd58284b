import type {Status} from '../../../pod/protocol.ts';
import {statusOnCard} from '../card/card-facts.ts';
import {newText} from '../transcript/scrollbar.ts';
import {showChord, type ActionName} from '../../model/keys/keymap.ts';
import type {VimState} from '../../editor/vim/vim-state.ts';
import {modeNames} from '../../editor/texts.ts';
import type {AppState} from '../../model/app-state.ts';
import {nextIn} from '../../model/queue.ts';
import {asksOf, isKeyRefused, queueOf, sessionOf, statusOf} from '../../model/selectors.ts';
import {activityOf, backgroundHint, longCommandAt} from './activity-facts.ts';
import type {StatusFacts} from './status-line.ts';
import {keyHints, loadingRest, mouseIsOff, notSaved, opening, scrolled, viewWords} from './texts.ts';

/** `below` is the number of new blocks below the screen. `hasPill`: whether a separate row shows that number. */
type ShownTranscript = {readonly below: number; readonly hasPill: boolean};

/** Returns the facts for the status line. */
export function statusFacts(state: AppState, shown: ShownTranscript): StatusFacts {
	const {setup} = state;
	const {own: ownAsks} = state.asks;
	const status = shownStatus(state);
	const activity = ownAsks.length === 0 ? activityOf(state) : undefined;
	return {
		session: sessionOf(state),
		status: ownAsks.length === 0 ? status : {...status, asks: asksOf(state)},
		activity,
		isStill: setup.isStill,
		parts: setup.statusParts,
		hints: statusHints(state),
		notes: statusNotes(state, shown),
		...(state.composer.vim !== undefined && {mode: modeOf(state.composer.vim)}),
		home: setup.home,
	};
}

/** Returns vim's mode, followed by the keys of an incomplete command. */
function modeOf({mode, keys}: VimState): string {
	return keys.length === 0 ? modeNames[mode] : `${modeNames[mode]} ${keys.join('')}`;
}

/** Returns the status with only the visible messages in its queue. */
function shownStatus(state: AppState): Status {
	const status = statusOf(state);
	const queue = queueOf(state);
	return status.queue === queue ? status : {...status, queue};
}

/** Returns hints about the useful keys, most important first. */
export function statusHints(state: AppState): string[] {
	const {setup, now} = state;
	const {quitUntil} = state.keys;
	const {keymap} = setup;
	const {kind} = statusOf(state);
	const hint = (name: ActionName, what: string) => {
		const [chord] = keymap.chords(name);
		return chord === undefined ? [] : [`${showChord(chord)} ${what}`];
	};
	if (quitUntil > now) return hint('cancel', keyHints.quitAgain);
	// On a screen, the hint above the composer describes the card. A screen reader reads this text with the status.
	if (asksOf(state).length > 0) return setup.isSpoken === true ? [statusOnCard(state)] : [];
	if (state.lifecycle.isDetaching) return hint('pause', keyHints.stay);
	const isChild = sessionOf(state).child !== undefined;
	const next = nextIn(queueOf(state));
	const queued = (name: ActionName, what: string) => (next !== undefined ? hint(name, what) : []);
	if (kind === 'running')
		return [
			...hint('pause', isChild ? keyHints.back : keyHints.stop),
			...hint('cancel', keyHints.cancel),
			...queued('steer', keyHints.steer),
			...spokenBackgroundHint(state),
		];
	if (kind === 'paused' && isKeyRefused(state))
		return [
			...hint('log in', keyHints.logIn),
			...hint('submit', keyHints.continue),
			...hint('cancel', keyHints.discard),
		];
	// The last row of the transcript already names these keys.
	if (kind === 'paused' && namesResumeKeys(state)) return [];
	if (kind === 'paused') return [...hint('submit', keyHints.continue), ...hint('cancel', keyHints.discard)];
	return [
		...(isChild ? [...hint('pause', keyHints.back), ...hint('next child', keyHints.nextChild)] : []),
		...queued('submit', keyHints.send),
		...hint('switch view', keyHints.view),
		...hint('erase right or quit', keyHints.quit),
	];
}

/**
Returns the hint about moving a command to the background, for a screen reader. On a screen, the row of the command has
this hint. A screen reader reads that row only after the command has ended.
*/
function spokenBackgroundHint(state: AppState): string[] {
	const hint = state.setup.isSpoken === true ? backgroundHint(state) : undefined;
	return hint === undefined ? [] : [hint];
}

/**
Tells whether the last row of the transcript is visible and names the keys that continue or discard the interrupted run.
*/
function namesResumeKeys({transcript: {store, scroll}, setup, page}: AppState): boolean {
	const last = store?.block(store.count() - 1);
	return last !== undefined && 'derived' in last && scroll.follow && page === undefined && setup.isSpoken !== true;
}

/** Returns notes about the transcript and the screen. */
export function statusNotes(state: AppState, {below, hasPill}: ShownTranscript): string[] {
	const {setup, now} = state;
	const {tail: sessionTail, scroll, store: transcript} = state.transcript;
	const {hold} = state.keys;
	const {mouse} = state.terminal;
	const isReading =
		sessionTail !== undefined && (sessionTail.wanted.length > 0 || now >= sessionTail.since + quietMs);
	const isOpening = hold !== undefined && now >= hold.since + quietMs && asksOf(state).length === 0;
	const view = transcript?.layout.view;
	const isSpoken = setup.isSpoken === true;
	return [
		...(setup.isUnsaved === true ? [notSaved] : []),
		...(isReading ? [loadingRest] : []),
		...(isOpening ? [opening] : []),
		...(scroll.follow || isSpoken ? [] : [below > 0 && !hasPill ? newText(below) : scrolled]),
		...(view === undefined || view === 'normal' ? [] : [isSpoken ? viewWords[view] : view]),
		...(setup.mouse === true && !mouse ? [mouseIsOff] : []),
	];
}

/** Returns the times at which the status line changes without a key press. Some of these times may be in the past. */
export function statusTimes(state: AppState): number[] {
	const {setup} = state;
	const {quitUntil, hold} = state.keys;
	const {tail: sessionTail} = state.transcript;
	const quiet = [sessionTail, hold].flatMap(each => (each === undefined ? [] : [each.since + quietMs]));
	const hint = setup.isSpoken === true ? longCommandAt(state) : undefined;
	return [quitUntil, ...quiet, ...(hint === undefined ? [] : [hint])];
}

/**
Returns the next time at which a visible countdown or running time changes. Returns `undefined` if none is visible.
*/
export function nextSecond(state: AppState, now: number): number | undefined {
	const {kind, retryAt = 0, since, children} = statusOf(state);
	// The rows of child sessions show their own running times.
	const child = children === undefined || state.setup.isSpoken === true ? undefined : now + 1000;
	if (kind !== 'running') return child;
	if (retryAt > now) return now + ((retryAt - now) % 1000 || 1000);
	const isCounting = since !== undefined && asksOf(state).length === 0 && state.setup.isSpoken !== true;
	return isCounting ? now + 1000 - (Math.max(0, now - since) % 1000) : child;
}

/**
The status line shows that something is loading only after this number of milliseconds, because most loads are faster.
*/
const quietMs = 300;
