import type {Event} from '../../../pod/protocol.ts';
import type {AppState} from '../app-state.ts';
import type {Reducers} from '../reducers.ts';
import {afterConfirm, afterEdit, afterPreflight, afterRun, type PreflightState} from './preflight-state.ts';

export const preflightReducers: Reducers<'preflight answered' | 'confirm began' | 'confirm answered' | 'secrets told'> =
	{
		'preflight answered': (state, {answer}) => withPreflight(state, afterPreflight(state.preflight, answer)),
		'confirm began': state => withPreflight(state, {...state.preflight, isConfirming: true}),
		'confirm answered': (state, {answer}) => withPreflight(state, afterConfirm(state.preflight, answer)),
		'secrets told': (state, {told}) => withPreflight(state, {...state.preflight, told}),
	};

/** Updates the forecast after a change of the draft. */
export function preflightDraft(state: AppState): AppState {
	return withPreflight(state, afterEdit(state.preflight, state.composer));
}

/** Updates the forecast of the initial draft once a session exists. */
export function preflightEvent(state: AppState, event: Event): AppState {
	if (event.type === 'snapshot') return preflightDraft(state);
	return isRunEnd(event) ? withPreflight(state, afterRun(state.preflight)) : state;
}

export function isRunEnd(event: Event): boolean {
	return event.type === 'item' && event.item.type === 'run_end';
}

function withPreflight(state: AppState, preflight: PreflightState): AppState {
	return preflight === state.preflight ? state : {...state, preflight};
}
