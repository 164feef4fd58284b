import type {Reducers} from '../reducers.ts';
import type {AppState} from '../app-state.ts';
import {
	afterAnswer,
	afterClose,
	afterEdit,
	afterHighlight,
	afterShown,
	type CompletionState,
} from './completion-state.ts';

export const completionReducers: Reducers<
	'completions came' | 'highlight completion' | 'close completion' | 'completion shown'
> = {
	'completions came': (state, {answer}) => withCompletion(state, afterAnswer(state.completion, answer)),
	'highlight completion': (state, {by}) => withCompletion(state, afterHighlight(state.completion, by)),
	'close completion': state => withCompletion(state, afterClose(state.completion)),
	'completion shown': (state, {seen}) => withCompletion(state, afterShown(state.completion, seen)),
};

/** Updates the popup after a change of the draft. */
export function followDraft(state: AppState, isSetByProgram: boolean): AppState {
	return withCompletion(state, afterEdit(state.completion, state.composer, isSetByProgram, state.now));
}

function withCompletion(state: AppState, completion: CompletionState): AppState {
	return completion === state.completion ? state : {...state, completion};
}
