import type {Ask, BackgroundCommand, Status} from '../../pod/protocol.ts';
import type {AppState} from './app-state.ts';

/** What the pod does, as far as it is known. */
export function statusOf({transcript}: AppState): Status {
	return transcript?.transcript.status ?? {kind: 'idle', asks: [], queue: []};
}

/** The commands that run in the background. */
export function backgroundOf(state: AppState): readonly BackgroundCommand[] {
	return statusOf(state).background ?? [];
}

/** What is asked, the one on the screen first: this screen's own questions, then the pod's. */
export function asksOf(state: AppState): readonly Ask[] {
	const {asks} = statusOf(state);
	return state.ownAsks.length === 0 ? asks : [...state.ownAsks, ...asks];
}

/** Whether something runs, or is on its way to the pod. */
export function isBusy(state: AppState): boolean {
	return statusOf(state).kind === 'running' || state.composer.held !== undefined;
}
