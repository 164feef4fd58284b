import type {FoundPrompt, FoundPrompts, PromptQuery} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';

/** An open search in earlier prompts. */
export type PromptHistoryState = {
	readonly query: Field;
	/** Whether the search includes the prompts of other projects. */
	readonly isEverywhere: boolean;
	/** The last answer of the pod. It may belong to an earlier query. */
	readonly answer: FoundPrompts | undefined;
	/** The last query that failed, and a sentence with the reason. */
	readonly problem: {readonly query: PromptQuery; readonly sentence: string} | undefined;
	/** The index of the marked prompt. */
	readonly selected: number;
};

export type PromptHistoryAction =
	| {readonly type: 'open prompt history'}
	| {readonly type: 'write prompt history'; readonly query: Field}
	/** Switches between the prompts of all projects and the prompts of this project. */
	| {readonly type: 'widen prompt history'}
	| {readonly type: 'move prompt history'; readonly by: number}
	/** The pod answered a search in earlier prompts. */
	| {readonly type: 'prompts came'; readonly answer: FoundPrompts}
	| {readonly type: 'prompts failed'; readonly query: PromptQuery; readonly sentence: string}
	| {readonly type: 'close prompt history'};

/** Returns the next state. `undefined` means that the search is closed. */
export function reducePromptHistory(
	promptHistory: PromptHistoryState | undefined,
	action: PromptHistoryAction,
): PromptHistoryState | undefined {
	if (action.type === 'open prompt history') return openedPromptHistory();
	if (action.type === 'close prompt history' || promptHistory === undefined) return undefined;
	switch (action.type) {
		case 'write prompt history':
			return {...promptHistory, query: action.query};
		case 'widen prompt history':
			return {...promptHistory, isEverywhere: !promptHistory.isEverywhere};
		case 'move prompt history':
			return moved(promptHistory, action.by);
		case 'prompts came':
			return withAnswer(promptHistory, action.answer);
		case 'prompts failed':
			return {...promptHistory, problem: {query: action.query, sentence: action.sentence}};
		default:
			return action satisfies never;
	}
}

function openedPromptHistory(): PromptHistoryState {
	return {query: createField(), isEverywhere: false, answer: undefined, problem: undefined, selected: 0};
}

/** Returns the query for the pod. */
export function queryOf({query, isEverywhere}: PromptHistoryState): PromptQuery {
	return {
		text: fieldText(query).slice(0, maxQuery).toWellFormed(),
		scope: isEverywhere ? 'everywhere' : 'project',
		limit: maxListed,
	};
}

export function isSameQuery(one: PromptQuery, other: PromptQuery | undefined): boolean {
	return one.text === other?.text && one.scope === other.scope;
}

/** Tells whether the current query has an answer. */
export function isAnswered(promptHistory: PromptHistoryState): boolean {
	return isSameQuery(queryOf(promptHistory), promptHistory.answer?.query);
}

/** Stores an answer if it belongs to the current query. */
function withAnswer(promptHistory: PromptHistoryState, answer: FoundPrompts): PromptHistoryState {
	if (!isSameQuery(queryOf(promptHistory), answer.query)) return promptHistory;
	return {...promptHistory, answer, problem: undefined, selected: 0};
}

/** Moves the marker. The marker stops at the ends of the list. */
export function moved(promptHistory: PromptHistoryState, by: number): PromptHistoryState {
	const last = (promptHistory.answer?.prompts.length ?? 0) - 1;
	return {...promptHistory, selected: Math.max(0, Math.min(last, promptHistory.selected + by))};
}

/** Returns the marked prompt, or `undefined` if the list belongs to an earlier query. */
export function markedPrompt(promptHistory: PromptHistoryState): FoundPrompt | undefined {
	return isAnswered(promptHistory) ? promptHistory.answer?.prompts[promptHistory.selected] : undefined;
}

/** The maximum length of a query, in UTF-16 code units. */
const maxQuery = 1000;
/** The maximum number of prompts in the list. */
const maxListed = 100;
