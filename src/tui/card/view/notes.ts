import type {Ask} from '../../../pod/protocol.ts';
import {answerDelay, type Answering, type Note} from '../answering.ts';
import {maxReason, refusalOf} from '../card.ts';

/** What the row above the composer says while a card is up. */
export type Hint = {readonly text: string; readonly short: string; readonly isWarning: boolean};

export type HintFacts = {
	readonly now: number;
	readonly isDraftEmpty: boolean;
	/** A message waits for the end of the run, instead of going out at once. */
	readonly queues: boolean;
};

/** What Enter does now, or why the last key did nothing. */
export function hintOf(
	ask: Ask,
	{drawnAt, note, lit, confirming, draft, isAnswered}: Answering,
	{isDraftEmpty, queues, now}: HintFacts,
): Hint {
	if (note !== undefined) return {...notes[note], isWarning: true};
	const refusal = ask.choices[refusalOf(ask)]!;
	const takesReason = refusal.reason === true;
	if (isAnswered === true) return hint('Answered', 'Answered');
	if (!isDraftEmpty && draft === 'message') {
		const verb = queues ? 'queue' : 'send';
		return hint(`Enter: ${verb} this message; the card stays open`, `Enter: ${verb} message`);
	}
	if (!isDraftEmpty) {
		const text = takesReason
			? `Enter: answer "${refusal.label}" with this reason`
			: `Enter: answer "${refusal.label}"; your text stays here`;
		return {text, short: takesReason ? 'Enter: deny with reason' : 'Enter: deny', isWarning: true};
	}
	if (confirming !== undefined)
		return hint('Enter: write this rule · Esc: back to the choices', 'Enter: write · Esc: back');
	if (lit?.typed === '') return hint('Answering in a moment · Enter: at once', 'Enter: at once');
	if (lit !== undefined)
		return hint('Answering in a moment · Enter: at once · keep typing to write text instead', 'Enter: at once');
	if (drawnAt === undefined || now - drawnAt < answerDelay)
		return hint('Finish typing first: the card has just appeared', 'Finish typing first');
	const keys = `${ask.choices.length > 1 ? `1-${ask.choices.length}` : '1'}, or ↑↓ and Enter`;
	return hint(`${keys}${takesReason ? ' · type a reason to deny with it' : ''}`, keys);
}

/** What the status line says of the card. */
export function cardStatus({drawnAt, draft, lit}: Answering, isDraftEmpty: boolean, now: number): string {
	if (drawnAt === undefined || now - drawnAt < answerDelay || lit !== undefined) return 'finish typing first';
	return isDraftEmpty || draft === 'message' ? 'choose an option' : 'enter a reason';
}

function hint(text: string, short: string): Hint {
	return {text, short, isWarning: false};
}

const notes: {readonly [Each in Note]: {readonly text: string; readonly short: string}} = {
	unseen: {text: 'Scroll to the end to enable approval.', short: 'Scroll to the end.'},
	early: {text: 'The card has just appeared. Press the key again to answer.', short: 'Press it again.'},
	together: {text: 'Several keys arrived at once. Press one key to answer.', short: 'Press one key.'},
	held: {text: 'Release the key, then press it again.', short: 'Press it again.'},
	too_long: {text: `A reason has at most ${maxReason} characters. Shorten it.`, short: 'Shorten the reason.'},
};
