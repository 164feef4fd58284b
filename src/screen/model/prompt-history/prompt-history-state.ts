import type {FoundPrompt, FoundPrompts, PromptQuery} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';

/** An open search in earlier prompts. */
export type RecallState = {
	readonly query: Field;
	/** Whether prompts of other projects are searched, too. */
	readonly isEverywhere: boolean;
	/** The last answer. It may belong to an earlier query. */
	readonly answer: FoundPrompts | undefined;
	/** The reason why the last query has no answer. */
	readonly problem: {readonly query: PromptQuery; readonly sentence: string} | undefined;
	/** The index of the marked prompt. */
	readonly selected: number;
};

export function openedRecall(): RecallState {
	return {query: createField(), isEverywhere: false, answer: undefined, problem: undefined, selected: 0};
}

/** Returns the query for the pod. */
export function queryOf({query, isEverywhere}: RecallState): PromptQuery {
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
export function isAnswered(recall: RecallState): boolean {
	return isSameQuery(queryOf(recall), recall.answer?.query);
}

/** Takes an answer, unless the query has changed since it was asked. */
export function withAnswer(recall: RecallState, answer: FoundPrompts): RecallState {
	if (!isSameQuery(queryOf(recall), answer.query)) return recall;
	return {...recall, answer, problem: undefined, selected: 0};
}

/** Moves the marker. It stays at the ends. */
export function moved(recall: RecallState, by: number): RecallState {
	const last = (recall.answer?.prompts.length ?? 0) - 1;
	return {...recall, selected: Math.max(0, Math.min(last, recall.selected + by))};
}

/** Returns the marked prompt. A list that belongs to an earlier query has none. */
export function markedPrompt(recall: RecallState): FoundPrompt | undefined {
	return isAnswered(recall) ? recall.answer?.prompts[recall.selected] : undefined;
}

/** The maximum length of a query, in UTF-16 code units. */
const maxQuery = 1000;
/** The maximum number of prompts in the list. */
const maxListed = 100;
