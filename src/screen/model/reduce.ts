import {alertReducers} from './alerts/alert-reducers.ts';
import {passAlerts} from './alerts/alerts.ts';
import {approvalReducers} from './approval/approval-reducers.ts';
import {notificationReducers} from './notifications/notification-reducers.ts';
import {cardReducers} from './card/card-reducers.ts';
import {followAsks} from './card/card-step.ts';
import {compose} from './composer/composer-state.ts';
import {composerTop, editorColumns} from './composer/composer-view.ts';
import type {Action, ActionOf} from './actions.ts';
import {pageReducers} from './pages/page-reducers.ts';
import {promptHistoryReducers} from './prompt-history/prompt-history-reducers.ts';
import {firstScreenReducers} from './first-screen/first-screen-reducers.ts';
import {searchReducers} from './search/search-reducers.ts';
import {openerReducers} from './opener/opener-reducers.ts';
import {endedSearch} from './search/search-state.ts';
import {selectionReducers} from './selection/selection-reducers.ts';
import {noSelection} from './selection/selection-state.ts';
import {wheelReducers} from './scroll/wheel-reducers.ts';
import {holdReducers} from './hold/hold-reducers.ts';
import type {AppState} from './app-state.ts';
import {completionReducers, followDraft} from './completion/completion-reducers.ts';
import {preflightDraft, preflightEvent, preflightReducers} from './preflight/preflight-reducers.ts';
import {isEdited, isSetByProgram} from './drafts/edits.ts';
import {recordedIn, submitReducers} from './submit-reducers.ts';
import {taskListReducers} from './task-list-reducers.ts';
import type {Reducers} from './reducers.ts';

/** Returns the next state. The function is pure: effects handle the pod, the terminal and timers. */
export function reduce<Type extends Action['type']>(state: AppState, action: ActionOf<Type>, now: number): AppState {
	const type: Type = action.type;
	const before = state.now === now ? state : {...state, now};
	const next = keepCaretShown(before, followAsks(reducers[type](before, action)));
	return isEdited(before, next) ? preflightDraft(followDraft(next, isSetByProgram(before, next, action))) : next;
}

/** Scrolls the draft to its caret after the caret moved or the screen was resized. */
function keepCaretShown(before: AppState, next: AppState): AppState {
	const {
		composer,
		size: {rows},
	} = next;
	if (composer === before.composer && rows === before.size.rows) return next;
	const top = composerTop(composer, rows);
	return top.line === composer.top.line && top.row === composer.top.row
		? next
		: {...next, composer: {...composer, top}};
}

const transcriptReducers: Reducers<
	| 'open transcript'
	| 'transcript changed'
	| 'scroll'
	| 'read again'
	| 'want scroll'
	| 'forget wanted scrolls'
	| 'session loaded'
> = {
	'open transcript': (state, {transcript, isSessionTail = false}) => ({
		...state,
		transcript,
		sessionTail: isSessionTail ? {since: state.now, wanted: []} : state.sessionTail,
		transcriptVersion: state.transcriptVersion + 1,
	}),
	'transcript changed': state => ({...state, transcriptVersion: state.transcriptVersion + 1}),
	scroll: (state, {scroll}) => (state.scroll === scroll ? state : {...state, scroll}),
	'read again': (state, {from, count}) => {
		const number = (state.readAgain?.number ?? 0) + 1;
		return {...state, readAgain: {number, from, count, total: state.transcript?.count() ?? 0}};
	},
	'want scroll': (state, {to}) => withWanted(state, wanted => [...wanted, to]),
	'forget wanted scrolls': state => withWanted(state, () => []),
	'session loaded': state => ({...state, sessionTail: undefined}),
};

type Wanted = NonNullable<AppState['sessionTail']>['wanted'];

function withWanted(state: AppState, change: (wanted: Wanted) => Wanted): AppState {
	const {sessionTail} = state;
	return sessionTail === undefined
		? state
		: {...state, sessionTail: {...sessionTail, wanted: change(sessionTail.wanted)}};
}

const composerReducers: Reducers<'compose' | 'set composer'> = {
	compose: (state, {action}) => ({...state, composer: compose(state.composer, action)}),
	'set composer': (state, {composer}) => ({...state, composer}),
};

/** Reducers for the pod's events, which the transcript already contains. */
const podReducers: Reducers<'pod connected' | 'pod event'> = {
	'pod connected': state => ({...state, isConnected: true}),
	'pod event': (state, {event}) => preflightEvent(recordedIn(state, event), event),
};

const screenReducers: Reducers<
	| 'resize'
	| 'tick'
	| 'press'
	| 'lend terminal'
	| 'toggle mouse'
	| 'split diffs'
	| 'focus'
	| 'terminal ground'
	| 'arm quit'
	| 'leave screen'
	| 'quit'
	| 'detach'
	| 'replay at'
> = {
	resize(state, {size}) {
		if (size.columns === state.size.columns) return {...state, size};
		return {
			...state,
			size,
			composer: compose(state.composer, {type: 'resize', columns: editorColumns(size.columns)}),
		};
	},
	tick: state => ({...state, alerts: passAlerts(state.alerts, state.now)}),
	press: (state, {press}) => ({...state, lastPress: press}),
	'lend terminal': (state, {isAway}) => ({...state, isAway}),
	'toggle mouse': state => ({...state, mouse: !state.mouse}),
	'split diffs': (state, {isSplit}) => ({...state, isSplit}),
	focus: (state, {focused}) => ({...state, focused}),
	'terminal ground': (state, {ground}) => ({...state, ground}),
	'arm quit': (state, {until}) => ({...state, quitUntil: until}),
	'leave screen': state => ({...state, selection: noSelection, search: endedSearch(state.search)}),
	quit: state => ({...state, quitting: true}),
	detach: (state, {isDetaching}) => ({...state, isDetaching}),
	'replay at': (state, {line}) => ({...state, replayLine: line}),
};

/** The actions that do not change the state. An effect or a subscriber handles each of them. */
const signals: Reducers<'edit outside'> = {
	'edit outside': state => state,
};

const reducers: Reducers<Action['type']> = {
	...transcriptReducers,
	...composerReducers,
	...submitReducers,
	...alertReducers,
	...approvalReducers,
	...notificationReducers,
	...cardReducers,
	...holdReducers,
	...screenReducers,
	...pageReducers,
	...wheelReducers,
	...selectionReducers,
	...searchReducers,
	...promptHistoryReducers,
	...openerReducers,
	...podReducers,
	...firstScreenReducers,
	...taskListReducers,
	...completionReducers,
	...preflightReducers,
	...signals,
};
