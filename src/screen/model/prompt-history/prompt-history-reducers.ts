import type {AppState} from '../app-state.ts';
import type {Reducers} from '../reducers.ts';
import {moved, openedPromptHistory, withAnswer, type PromptHistoryState} from './prompt-history-state.ts';

type PromptHistoryActions =
	| 'open prompt history'
	| 'write prompt history'
	| 'widen prompt history'
	| 'move prompt history'
	| 'prompts came'
	| 'prompts failed'
	| 'close prompt history';

export const promptHistoryReducers: Reducers<PromptHistoryActions> = {
	'open prompt history': state => ({...state, promptHistory: openedPromptHistory()}),
	'write prompt history': (state, {query}) => withPromptHistory(state, promptHistory => ({...promptHistory, query})),
	'widen prompt history': state =>
		withPromptHistory(state, promptHistory => ({...promptHistory, isEverywhere: !promptHistory.isEverywhere})),
	'move prompt history': (state, {by}) => withPromptHistory(state, promptHistory => moved(promptHistory, by)),
	'prompts came': (state, {answer}) => withPromptHistory(state, promptHistory => withAnswer(promptHistory, answer)),
	'prompts failed': (state, {query, sentence}) =>
		withPromptHistory(state, promptHistory => ({...promptHistory, problem: {query, sentence}})),
	'close prompt history': state => (state.promptHistory === undefined ? state : {...state, promptHistory: undefined}),
};

function withPromptHistory(
	state: AppState,
	change: (promptHistory: PromptHistoryState) => PromptHistoryState,
): AppState {
	return state.promptHistory === undefined ? state : {...state, promptHistory: change(state.promptHistory)};
}
