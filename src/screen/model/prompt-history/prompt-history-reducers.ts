import type {AppState} from '../app-state.ts';
import type {Reducers} from '../reducers.ts';
import {moved, openedRecall, withAnswer, type RecallState} from './prompt-history-state.ts';

type RecallActions =
	| 'open recall'
	| 'write recall'
	| 'widen recall'
	| 'move recall'
	| 'prompts came'
	| 'prompts failed'
	| 'close recall';

export const recallReducers: Reducers<RecallActions> = {
	'open recall': state => ({...state, recall: openedRecall()}),
	'write recall': (state, {query}) => withRecall(state, recall => ({...recall, query})),
	'widen recall': state => withRecall(state, recall => ({...recall, isEverywhere: !recall.isEverywhere})),
	'move recall': (state, {by}) => withRecall(state, recall => moved(recall, by)),
	'prompts came': (state, {answer}) => withRecall(state, recall => withAnswer(recall, answer)),
	'prompts failed': (state, {query, sentence}) =>
		withRecall(state, recall => ({...recall, problem: {query, sentence}})),
	'close recall': state => (state.recall === undefined ? state : {...state, recall: undefined}),
};

function withRecall(state: AppState, change: (recall: RecallState) => RecallState): AppState {
	return state.recall === undefined ? state : {...state, recall: change(state.recall)};
}
