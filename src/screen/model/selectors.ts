import type {BackgroundCommand, QueuedMessage, RunEnd, SessionInfo, Status} from '../../pod/protocol.ts';
import {isEmpty} from '../editor/draft.ts';
import {withShownChoices, type ShownAsk} from './card/card.ts';
import {askOnCard} from './card/progress.ts';
import type {AppState} from './app-state.ts';

/** Returns the latest status of the pod. Before a session exists, returns an idle status. */
export function statusOf({transcript: {store}}: AppState): Status {
	return store?.transcript.status ?? {kind: 'idle', asks: [], queue: []};
}

/**
Returns the queued messages to show, in the order in which they are sent. A running command is left out, because the
transcript shows it.
*/
export function queueOf(state: AppState): readonly QueuedMessage[] {
	const {kind, queue} = statusOf(state);
	const isHidden = (row: QueuedMessage) =>
		row.state === 'returned' || (row.state === 'sending' && row.isCommand === true && kind === 'running');
	return queue.some(isHidden) ? queue.filter(row => !isHidden(row)) : queue;
}

/** Returns the facts about the session. They come from the pod, or from the setup before a pod is connected. */
export function sessionOf({transcript: {store}, setup}: AppState): SessionInfo {
	return store?.transcript.session ?? setup.session;
}

/** Tells whether the whole session is loaded. While a long session loads, only its end is in the store. */
export function isLoaded({transcript: {store, tail}}: AppState): boolean {
	return store !== undefined && store.transcript.epoch > 0 && tail === undefined;
}

/** Returns the background commands. */
export function backgroundOf(state: AppState): readonly BackgroundCommand[] {
	return statusOf(state).background ?? [];
}

/**
Returns the open questions: first the screen's own questions, then the pod's questions. The first one is on the screen.
*/
export function asksOf(state: AppState): readonly ShownAsk[] {
	const {asks} = statusOf(state);
	const all = state.asks.own.length === 0 ? asks : [...state.asks.own, ...asks];
	const [first, ...rest] = all;
	if (first === undefined) return all;
	const card = state.asks.card?.id === first.id ? state.asks.card : undefined;
	const shown = withShownChoices(askOnCard(first, card?.questions), card?.answering.isMore === true);
	return shown === first ? all : [shown, ...rest];
}

/** Returns sentences about where the parts of the call on the card came from. The calls of a child have none. */
export function originsOnCard(state: AppState): readonly string[] {
	const [ask] = asksOf(state);
	const {store} = state.transcript;
	return ask?.callId === undefined || ask.child !== undefined ? [] : (store?.originsOf(ask.callId) ?? []);
}

/** Tells whether a turn is running, or a draft is being sent to the pod. */
export function isBusy(state: AppState): boolean {
	return statusOf(state).kind === 'running' || state.composer.held !== undefined;
}

/** Tells whether the last turn was interrupted because the provider refused the API key. */
export function isKeyRefused(state: AppState): boolean {
	return statusOf(state).kind === 'paused' && lastEnd(state)?.keyRefused === true;
}

/** Returns the end of the last run, unless the run has not ended. */
export function lastEnd({transcript: {store}}: AppState): RunEnd | undefined {
	const last = store?.transcript.folded.blocks.findLast(({kind}) => kind === 'usage');
	return last?.kind === 'usage' ? last.end : undefined;
}

/** Tells whether Esc has no other use now, so that it can open the rewind page. */
export function mayOpenRewind(state: AppState): boolean {
	const isFree = state.page === undefined && asksOf(state).length === 0 && !isBusy(state);
	return isFree && isEmpty(state.composer.editor.draft);
}
