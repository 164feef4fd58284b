import type {Ask} from '../../../pod/protocol.ts';
import {noProgress, type Progress} from './progress.ts';
import {newAnswering, type Answering, type AnsweringChoice, type AnsweringFacts} from './answering.ts';

/** The card on the screen, which shows one question. It contains its scroll position and the state of its answer. */
export type Card = {
	/** The id of the question. */
	readonly id: string;
	/** The number of rows by which the detail is scrolled down. */
	readonly scroll: number;
	readonly answering: Answering;
	/** The answers so far, on a card with questions. */
	readonly questions?: Progress;
};

/** The facts about the draft that a card depends on. */
export type DraftFacts = {readonly isEmpty: boolean; readonly length: number};

/** The maximum number of characters of a reason. */
export const maxReason = 4000;

export function newCard(ask: Ask, isDraftEmpty: boolean): Card {
	const questions = ask.questions === undefined ? {} : {questions: noProgress};
	return {id: ask.id, scroll: 0, ...questions, answering: newAnswering({refusal: refusalOf(ask), isDraftEmpty})};
}

/** Returns the index of the choice that denies. */
export function refusalOf({choices}: Ask): number {
	const index = choices.findIndex(({refuses}) => refuses === true);
	return index === -1 ? choices.length - 1 : index;
}

export function factsOf(ask: Ask, draft: DraftFacts): AnsweringFacts {
	return {
		choices: choicesOf(ask),
		refusal: refusalOf(ask),
		isDraftEmpty: draft.isEmpty,
		get isDraftTooLong() {
			return draft.length > maxReason;
		},
	};
}

function choicesOf(ask: Ask): readonly AnsweringChoice[] {
	const refusal = refusalOf(ask);
	return ask.choices.map(({choice, reason, rule}, index) => ({
		choice,
		isRefusal: index === refusal,
		takesReason: reason === true,
		writesRule: rule !== undefined,
	}));
}
