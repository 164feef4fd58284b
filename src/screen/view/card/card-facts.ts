import {isEmpty} from '../../editor/draft.ts';
import type {AppState} from '../../model/app-state.ts';
import {asksOf, statusOf} from '../../model/selectors.ts';
import {answerDelay, deadlineOf, type Answering, type Note} from '../../model/card/answering.ts';
import {refusalOf, maxReason} from '../../model/card/card.ts';
import {
	cardLabels,
	cardStates,
	placeholders,
	answered,
	answersNow,
	answering,
	answeringDigit,
	choosing,
	denies,
	justAppeared,
	noteTexts,
	reasonTooLong,
	sendsMessage,
	typesReason,
	writesRule,
	type HintText,
} from '../../model/card/texts.ts';
import type {Ask} from '../../../pod/protocol.ts';
import type {Progress} from '../../model/card/progress.ts';
import {answerHints, closedHints, planHints, type OwnHints} from '../../model/card/questions-texts.ts';
import {required} from '../../../text/lines.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';

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

/** Returns the next time at which the card changes without a key press. */
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

/** Returns the label that a screen reader reads before the card. */
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

/** A hint in the row above the composer while a card is open. */
type Hint = HintText & {readonly isWarning: boolean};

type HintFacts = {
	readonly now: number;
	readonly isDraftEmpty: boolean;
	/** Whether Enter would queue a message until the turn ends. */
	readonly queues: boolean;
	/** The hints of a card with questions or with a plan. */
	readonly own?: OwnHints | undefined;
	/** Whether a screen reader reads the hint. Only such a hint repeats the placeholder of the composer. */
	readonly isSpoken: boolean;
};

/** Returns a hint that says what Enter does now, or why the last key did nothing. */
function hintOf(
	ask: Ask,
	{drawnAt, note, lit, confirming, draft, isAnswered, marked}: Answering,
	{isDraftEmpty, queues, now, own, isSpoken}: HintFacts,
): Hint {
	if (note !== undefined) return {...notes[note], isWarning: true};
	const refusal = required(ask.choices[refusalOf(ask)], 'refusal');
	const takesReason = refusal.reason === true;
	if (isAnswered === true) return quiet(answered);
	if (!isDraftEmpty && draft === 'message') return quiet(sendsMessage(queues));
	if (!isDraftEmpty && own !== undefined) return quiet(own.typed);
	if (!isDraftEmpty) return {...denies(refusal.label, takesReason), isWarning: true};
	if (confirming !== undefined) return quiet(writesRule);
	if (lit !== undefined) return quiet(lit.typed === '' ? answering : answeringDigit);
	if (drawnAt === undefined || now - drawnAt < answerDelay) return quiet(justAppeared);
	if (isSpoken) return quiet(choosing(ask.choices.length, takesReason ? (own?.typing ?? typesReason) : undefined));
	const label = own === undefined ? ask.choices[marked]?.label.split('\n', 1)[0] : undefined;
	return quiet(choosing(ask.choices.length, label === undefined ? undefined : answersNow(sanitizeLine(label))));
}

/** Returns the text of the status line about the card. */
function cardStatus({drawnAt, draft, lit}: Answering, isDraftEmpty: boolean, now: number): string {
	if (drawnAt === undefined || now - drawnAt < answerDelay || lit !== undefined) return cardStates.waiting;
	return isDraftEmpty || draft === 'message' ? cardStates.choose : cardStates.reason;
}

function quiet(text: HintText): Hint {
	return {...text, isWarning: false};
}

const notes: {readonly [Each in Note]: HintText} = {...noteTexts, too_long: reasonTooLong(maxReason)};
