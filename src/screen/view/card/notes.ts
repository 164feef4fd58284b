import type {Ask} from '../../../pod/protocol.ts';
import {answerDelay, type Answering, type Note} from '../../model/card/answering.ts';

import {maxReason, refusalOf} from '../../model/card/card.ts';
import {
	answered,
	answersNow,
	answering,
	answeringDigit,
	cardStates,
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
import type {OwnHints} from '../../model/card/questions-texts.ts';
import {required} from '../../../text/required.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';

/** A hint in the row above the composer while a card is open. */
export type Hint = HintText & {readonly isWarning: boolean};

type HintFacts = {
	readonly now: number;
	readonly isDraftEmpty: boolean;
	/** Whether a message is queued until the turn ends. */
	readonly queues: boolean;
	/** The hints of a card with questions or with a plan. */
	readonly own?: OwnHints | undefined;
	/** Whether the hint is read aloud. Only then does it repeat the placeholder of the composer. */
	readonly isSpoken: boolean;
};

/** Returns what Enter does now, or the reason why the last key did nothing. */
export function hintOf(
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
export function cardStatus({drawnAt, draft, lit}: Answering, isDraftEmpty: boolean, now: number): string {
	if (drawnAt === undefined || now - drawnAt < answerDelay || lit !== undefined) return cardStates.waiting;
	return isDraftEmpty || draft === 'message' ? cardStates.choose : cardStates.reason;
}

function quiet(text: HintText): Hint {
	return {...text, isWarning: false};
}

const notes: {readonly [Each in Note]: HintText} = {...noteTexts, too_long: reasonTooLong(maxReason)};
