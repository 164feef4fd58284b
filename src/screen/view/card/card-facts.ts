import {isEmpty} from '../../editor/draft.ts';
import type {AppState} from '../../model/app-state.ts';
import {asksOf, statusOf} from '../../model/selectors.ts';
import {deadlineOf, type Answering, type Note} from '../../model/card/answering.ts';
import {hasDigitsOnCard, mayStopTurn} from '../../model/card/card-step.ts';
import {refusalOf, maxReason} from '../../model/card/card.ts';
import {
	cardLabels,
	cardStates,
	placeholders,
	answered,
	choosing,
	marking,
	denies,
	escapes,
	noteTexts,
	reasonTooLong,
	sendsMessage,
	typesReason,
	writesRule,
	type HintText,
} from '../../model/card/texts.ts';
import type {Ask} from '../../../pod/protocol.ts';
import type {Progress} from '../../model/card/progress.ts';
import {
	answerHints,
	closedHints,
	openHints,
	planHints,
	typedBesideMarks,
	type OwnHints,
} from '../../model/card/questions-texts.ts';
import {required} from '../../../text/lines.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';

/** Returns the hint of the card for the row above the composer. */
export function cardHint(state: AppState): Hint | undefined {
	const [ask] = asksOf(state);
	if (ask === undefined || state.asks.card === undefined) return undefined;
	const queues = statusOf(state).kind === 'running';
	const own = ownHints(ask, state.asks.card.questions);
	const isSpoken = state.setup.isSpoken === true;
	const {note, isAnswered} = state.asks.card.answering;
	const marks = optionsToMark(ask, state.asks.card.questions);
	if (hasDigitsOnCard(state) && note === undefined && isAnswered !== true) return {...notes.digit, isWarning: true};
	const mayStop = mayStopTurn(state);
	const facts = {isDraftEmpty: isDraftEmpty(state), queues, own, marks, isSpoken, mayStop};
	return hintOf(ask, state.asks.card.answering, facts);
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
	const {card} = state.asks;
	if (card === undefined || isDraftEmpty(state) || card.answering.draft === 'message') return cardStates.choose;
	const [ask] = asksOf(state);
	return (ask && ownHints(ask, card.questions)?.status) ?? cardStates.reason;
}

/** Returns the next time at which the card changes without a key press. */
export function nextCardChange({asks: {card}}: AppState): number | undefined {
	return card && deadlineOf(card.answering);
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
	const hasOptions = (question.options ?? []).length > 0;
	const hints = !hasOptions ? openHints : question.free === false ? closedHints : answerHints;
	return progress?.chosen.length ? {...hints, typed: typedBesideMarks} : hints;
}

function optionsToMark({questions}: Ask, progress?: Progress): number {
	const {multiple = false, options = []} = questions?.[progress?.answers.length ?? 0] ?? {};
	return multiple ? options.length : 0;
}

/** A hint in the row above the composer while a card is open. */
type Hint = HintText & {readonly isWarning: boolean};

type HintFacts = {
	readonly isDraftEmpty: boolean;
	/** Whether Enter would queue a message until the turn ends. */
	readonly queues: boolean;
	/** The hints of a card with questions or with a plan. */
	readonly own?: OwnHints | undefined;
	/** The number of options of which you can mark several, or 0 if the first choice is the answer. */
	readonly marks: number;
	/** Whether a screen reader reads the hint. Only such a hint repeats the placeholder of the composer. */
	readonly isSpoken: boolean;
	/** Whether a second Esc stops the turn. */
	readonly mayStop: boolean;
};

/** Returns a hint that says what Enter does now, or why the last key did nothing. */
function hintOf(
	ask: Ask,
	{note, confirming, draft, isAnswered}: Answering,
	{isDraftEmpty, queues, own, marks, isSpoken, mayStop}: HintFacts,
): Hint {
	if (note !== undefined) return {...notes[note], isWarning: true};
	const refusal = required(ask.choices[refusalOf(ask)], 'refusal');
	const takesReason = refusal.reason === true;
	if (isAnswered === true) return quiet(answered);
	if (!isDraftEmpty && draft === 'message') return quiet(sendsMessage(queues));
	if (!isDraftEmpty && own !== undefined) return quiet(own.typed);
	if (!isDraftEmpty) return {...denies(refusal.label, takesReason), isWarning: true};
	if (confirming !== undefined) return quiet(writesRule);
	const typing = isSpoken && takesReason ? (own?.typing ?? typesReason) : undefined;
	const isCall = ask.callId !== undefined && own === undefined && refusal.choice === 'deny';
	const escape = escapes(isCall ? undefined : sanitizeLine(firstLine(refusal.label)), mayStop);
	if (typing !== undefined) return quiet({text: `${typing} · ${escape}`, short: typing});
	return quiet(marks > 0 ? marking(marks, escape) : choosing(ask.choices.length, escape));
}

function firstLine(label: string): string {
	return label.split('\n', 1)[0] ?? '';
}

function quiet(text: HintText): Hint {
	return {...text, isWarning: false};
}

const notes: {readonly [Each in Note]: HintText} = {...noteTexts, too_long: reasonTooLong(maxReason)};
