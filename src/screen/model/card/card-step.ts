import {flatten} from '../../../pod/protocol.ts';
import {isEmpty} from '../../editor/draft.ts';
import {toSegments} from '../../editor/segments.ts';
import type {AppState} from '../app-state.ts';
import {asksOf} from '../selectors.ts';
import type {Press} from '../keys/press.ts';
import {answerDelay, stepAnswering, type Note} from './answering.ts';
import type {AnsweringEffect, AnsweringEvent} from './events.ts';
import {stepQuestions} from './step-questions.ts';
import {factsOf, newCard, type Card, type DraftFacts} from './card.ts';

/** The next card, and the effects of the event. */
type CardStep = {readonly card: Card; readonly effects: readonly AnsweringEffect[]};

/** Applies an event to the card. Returns `undefined` when no card shows the first question. */
export function stepCard(state: AppState, event: AnsweringEvent): CardStep | undefined {
	const [ask] = asksOf(state);
	const {card} = state.asks;
	if (ask === undefined || card === undefined || ask.id !== card.id) return undefined;
	const {state: answering, effects} = stepAnswering(card.answering, event, factsOf(ask, draftFacts(state)));
	const answer = ask.questions && effects.find(effect => effect.type === 'answer');
	if (answer !== undefined) return stepQuestions(ask, {...card, answering}, answer, draftText(state).trim());
	if (answering === card.answering) return {card, effects};
	const isOther = (answering.confirming === undefined) !== (card.answering.confirming === undefined);
	return {card: {...card, answering, ...(isOther && {scroll: 0})}, effects};
}

/** Returns the state with the card of the first question. A draft from before the card is a message. */
export function followAsks(state: AppState): AppState {
	const [ask] = asksOf(state);
	if (ask?.id === state.asks.card?.id) return state;
	const card = ask && newCard(ask, isEmpty(state.composer.editor.draft));
	return {...state, asks: {...state.asks, card}};
}

/**
Returns the reason why a key may not change the request while a card is open. It may have come with other keys, or the
whole card was not on the screen for a moment.
*/
export function bypassNote({asks: {card}}: AppState, {alone, isHeld}: Press, now: number): Note | undefined {
	if (card === undefined) return undefined;
	const {drawnAt, isSeen} = card.answering;
	if (!alone) return 'together';
	if (isHeld) return 'held';
	if (drawnAt === undefined || now - drawnAt < answerDelay) return 'early';
	return isSeen ? undefined : 'unseen';
}

/** The length is computed on demand, because a draft may be as long as the longest paste. */
function draftFacts({
	composer: {
		editor: {draft},
	},
}: AppState): DraftFacts {
	return {
		isEmpty: isEmpty(draft),
		get length() {
			return flatten(toSegments(draft)).length;
		},
	};
}

function draftText({composer}: AppState): string {
	return flatten(toSegments(composer.editor.draft));
}
