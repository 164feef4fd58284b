import type {AppState} from '../../model/app-state.ts';
import {asksOf, sessionOf} from '../../model/selectors.ts';

/** Tells whether the first screen is visible and gets its keys: nothing covers it, and the session is empty. */
export function isFirstScreenShown(state: AppState): boolean {
	const {page, setup} = state;
	const {store: transcript} = state.transcript;
	if (setup.firstScreen === undefined || page !== undefined || asksOf(state).length > 0) return false;
	return transcript === undefined || transcript.count() === 0;
}

/** Returns the model of this machine that a key uses, if one is offered: while no other model is connected. */
export function offeredModel(state: AppState): string | undefined {
	return sessionOf(state).model === 'offline' ? state.firstScreen.news.localModels?.[0] : undefined;
}
