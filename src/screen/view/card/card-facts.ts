import {isEmpty} from '../../editor/draft.ts';
import type {AppState} from '../../model/app-state.ts';
import {asksOf, statusOf} from '../../model/selectors.ts';
import {answerDelay, deadlineOf} from '../../model/card/answering.ts';

import {refusalOf} from '../../model/card/card.ts';
import {cardStatus, hintOf, type Hint} from './notes.ts';
import {cardLabels, cardStates, placeholders} from '../../model/card/texts.ts';
import type {Ask} from '../../../pod/protocol.ts';
import type {Progress} from '../../model/card/progress.ts';
import {answerHints, closedHints, planHints, type OwnHints} from '../../model/card/questions-texts.ts';

/** Returns the hint of the card for the row above the composer. */
export function cardHint(state: AppState): Hint | undefined {
	const [ask] = asksOf(state);
	if (ask === undefined || state.asks.card === undefined) return undefined;
	const queues = statusOf(state).kind === 'running';
	const own = ownHints(ask, state.asks.card.questions);
	const isSpoken = state.setup.isSpoken === true;
	return hintOf(ask, state.asks.card.answering, {
		isDraftEmpty: isDraftEmpty(state),
		queues,
		now: state.now,
		own,
		isSpoken,
	});
}

/** Returns the placeholder of an empty composer while a card is open. */
export function cardPlaceholder(state: AppState): string {
	const [ask] = asksOf(state);
	const own = ask && ownHints(ask, state.asks.card?.questions);
	if (own !== undefined) return own.placeholder;
	return ask?.choices[refusalOf(ask)]?.reason === true ? placeholders.reason : placeholders.choice;
}

/** Returns the text of the status line about the card. */
export function statusOnCard(state: AppState): string {
	const {now} = state;
	const {card} = state.asks;
	if (card === undefined) return cardStates.choose;
	const text = cardStatus(card.answering, isDraftEmpty(state), now);
	const [ask] = asksOf(state);
	return text === cardStates.reason ? ((ask && ownHints(ask, card.questions)?.status) ?? text) : text;
}

/** Returns the time when the card changes without a key. */
export function nextCardChange({asks: {card}}: AppState): number | undefined {
	if (card === undefined) return undefined;
	const {drawnAt} = card.answering;
	return deadlineOf(card.answering) ?? (drawnAt === undefined ? undefined : drawnAt + answerDelay);
}

function isDraftEmpty({
	composer: {
		editor: {draft},
	},
}: AppState): boolean {
	return isEmpty(draft);
}

/** Returns what a screen reader says before the card. */
export function cardLabelOf(state: AppState): string {
	return cardLabels[asksOf(state)[0]?.questions === undefined ? 'approval' : 'question'];
}

/** Returns the hints of a card with questions or with a plan. Other cards have the hints of an approval. */
function ownHints({shows, questions}: Ask, progress?: Progress): OwnHints | undefined {
	if (shows === 'markdown') return planHints;
	const question = questions?.[progress?.answers.length ?? 0];
	if (question === undefined) return undefined;
	return question.free === false && (question.options ?? []).length > 0 ? closedHints : answerHints;
}
