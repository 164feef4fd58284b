import type {Ask, BackgroundCommand, SessionInfo, Status} from '../../pod/protocol.ts';
import type {AppState} from './app-state.ts';

/** Returns the pod's status as far as it is known. */
export function statusOf({transcript}: AppState): Status {
	return transcript?.transcript.status ?? {kind: 'idle', asks: [], queue: []};
}

/** Returns the facts about the session: those of the pod, and before it is connected those of the start. */
export function sessionOf({transcript, setup}: AppState): SessionInfo {
	return transcript?.transcript.session ?? setup.session;
}

/** Returns the background commands. */
export function backgroundOf(state: AppState): readonly BackgroundCommand[] {
	return statusOf(state).background ?? [];
}

/** Returns the open questions: those of this screen, then those of the pod. The first one is on the screen. */
export function asksOf(state: AppState): readonly Ask[] {
	const {asks} = statusOf(state);
	return state.ownAsks.length === 0 ? asks : [...state.ownAsks, ...asks];
}

/** Checks whether something runs or is on its way to the pod. */
export function isBusy(state: AppState): boolean {
	return statusOf(state).kind === 'running' || state.composer.held !== undefined;
}
