import type {Ask} from '../../pod/protocol.ts';
import {newAnswering, type Answering, type AnsweringChoice, type AnsweringFacts} from './answering/answering.ts';

/** The card on the screen: which question it shows, how far it is scrolled, and the state of its answer. */
export type Card = {
	/** Of the ask. */
	readonly id: string;
	/** How far the detail is scrolled, in rows. */
	readonly scroll: number;
	readonly answering: Answering;
};

/** What of the draft matters to a card. */
export type DraftFacts = {readonly isEmpty: boolean; readonly length: number};

/** The longest reason, in characters. */
export const maxReason = 4000;

export function newCard(ask: Ask, isDraftEmpty: boolean): Card {
	return {id: ask.id, scroll: 0, answering: newAnswering({refusal: refusalOf(ask), isDraftEmpty})};
}

/** The index of the choice that lets nothing happen. */
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
