import type {Ask} from '../../../pod/protocol.ts';
import {noProgress, type Progress} from './progress.ts';
import {newAnswering, type Answering, type AnsweringChoice, type AnsweringFacts, type Note} from './answering.ts';
import {noOffer, type ApprovalState} from '../approval/approval-state.ts';

/** The questions of the screen itself, the open card, and the offer of another approval mode. */
export type AsksState = {
	/** The questions of the screen itself, oldest first. */
	readonly own: readonly Ask[];
	readonly card: Card | undefined;
	/** The time when Esc denied the call of the last card. */
	readonly escapedAt?: number | undefined;
	readonly approval: ApprovalState;
};

export type AsksAction =
	| {readonly type: 'scroll card'; readonly scroll: number}
	/** Shows on the card why a key had no effect. */
	| {readonly type: 'note on card'; readonly note: Note}
	/** Opens a question of the screen itself. */
	| {readonly type: 'open own ask'; readonly ask: Ask}
	| {readonly type: 'close own ask'; readonly id: string}
	/** The user changes the approval mode. `offersAuto`: the next press of the same key changes the mode to `auto`. */
	| {readonly type: 'change approval'; readonly offersAuto: boolean};

export const noAsks: AsksState = {own: [], card: undefined, approval: noOffer};

export function reduceAsks(asks: AsksState, action: AsksAction, now: number): AsksState {
	const {own, card} = asks;
	switch (action.type) {
		case 'scroll card':
			return card === undefined ? asks : {...asks, card: {...card, scroll: action.scroll}};
		case 'note on card':
			return card === undefined
				? asks
				: {...asks, card: {...card, answering: {...card.answering, note: action.note}}};
		case 'open own ask':
			return {...asks, own: [...own, action.ask]};
		case 'close own ask':
			return {...asks, own: own.filter(ask => ask.id !== action.id)};
		case 'change approval':
			return {...asks, approval: {offeredAt: action.offersAuto ? now : undefined}};
		default:
			return action satisfies never;
	}
}

/** Returns the state with this card. Returns the same object if the card is unchanged or `undefined`. */
export function withCard(asks: AsksState, card: Card | undefined): AsksState {
	if (card === undefined || card === asks.card) return asks;
	return {...asks, card, escapedAt: card.answering.escapedAt};
}

/** The card on the screen, which shows one question. It contains its scroll position and the state of its answer. */
export type Card = {
	/** The id of the question. */
	readonly id: string;
	/** The number of rows by which the detail is scrolled down. */
	readonly scroll: number;
	readonly answering: Answering;
	/** The answers that the user has already given, on a card with questions. */
	readonly questions?: Progress;
};

/**
The facts about the draft that a card depends on. `hasOnlyDigits`: the draft contains only digits, which are not an
answer to a question.
*/
export type DraftFacts = {readonly isEmpty: boolean; readonly length: number; readonly hasOnlyDigits: boolean};

/** The maximum number of characters of a reason. */
export const maxReason = 4000;

export function newCard(ask: Ask, isDraftEmpty: boolean, escapedAt?: number): Card {
	const questions = ask.questions === undefined ? {} : {questions: noProgress};
	return {
		id: ask.id,
		scroll: 0,
		...questions,
		answering: newAnswering({refusal: refusalOf(ask), isDraftEmpty}, escapedAt),
	};
}

/**
A question with the choices that its card shows. `hasMore`: the question has choices that the card does not show yet.
*/
export type ShownAsk = Ask & {readonly hasMore?: true};

/** Returns a question with the choices that its card shows. The result is cached, because rows are cached by ask. */
export function withShownChoices(ask: Ask, isMore: boolean): ShownAsk {
	if (!ask.choices.some(({more}) => more === true)) return ask;
	const known = (isMore ? opened : folded).get(ask);
	if (known !== undefined) return known;
	const usual = ask.choices.filter(({more}) => more !== true);
	const rest = ask.choices.filter(({more}) => more === true);
	const shown: ShownAsk = isMore ? {...ask, choices: [...usual, ...rest]} : {...ask, choices: usual, hasMore: true};
	(isMore ? opened : folded).set(ask, shown);
	return shown;
}

const opened = new WeakMap<Ask, ShownAsk>();
const folded = new WeakMap<Ask, ShownAsk>();

/** Returns the index of the choice that denies. */
export function refusalOf({choices}: Ask): number {
	const index = choices.findIndex(({refuses}) => refuses === true);
	return index === -1 ? choices.length - 1 : index;
}

export function factsOf(ask: ShownAsk, draft: DraftFacts, mayStop: boolean): AnsweringFacts {
	return {
		choices: choicesOf(ask),
		hasMore: ask.hasMore === true,
		refusal: refusalOf(ask),
		isDraftEmpty: draft.isEmpty,
		mayStop,
		get hasOnlyDigits() {
			return draft.hasOnlyDigits;
		},
		get isDraftTooLong() {
			return draft.length > maxReason;
		},
	};
}

function choicesOf(ask: Ask): readonly AnsweringChoice[] {
	const refusal = refusalOf(ask);
	return ask.choices.map(({choice, reason, rule, unread}, index) => ({
		choice,
		isUnread: index === refusal || unread === true,
		takesReason: reason === true,
		writesRule: rule !== undefined,
	}));
}
