import {flatten, type Item, type QuestionAnswer, type Segment} from '../../../pod/protocol.ts';
import type {Unrecorded} from '../queue.ts';

/**
Returns the text that the user typed on a card as a message that is not in the history yet. The message's id contains
the id of the call that waits for the answer.
*/
export function answerMessage(callId: string | undefined, segments: readonly Segment[]): Unrecorded {
	return {id: `${prefix}${callId ?? ''}`, segments};
}

/** Returns the typed answers to the questions of a card as a message that is not in the history yet. */
export function answersMessage(answers: readonly QuestionAnswer[], callId?: string, reason = ''): Unrecorded {
	const texts = [...answers.map(({text = ''}) => text), reason].filter(text => text !== '');
	return answerMessage(callId, texts.length === 0 ? [] : [{type: 'text', text: texts.join('\n')}]);
}

/** Tells whether an item is the result of the call and contains the typed text. */
export function isAnswerIn(item: Item, {id, segments}: Sent): boolean {
	if (item.type !== 'tool_result' || id !== `${prefix}${item.callId}`) return false;
	const result = JSON.stringify(item);
	const lines = flatten(segments).trim().split('\n');
	return lines.every(line => result.includes(JSON.stringify(line.trim()).slice(1, -1)));
}

type Sent = {readonly id?: string | undefined; readonly segments: readonly Segment[]};

const prefix = 'answer:';
