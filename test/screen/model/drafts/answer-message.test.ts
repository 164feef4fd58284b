import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {answerMessage, answersMessage, isAnswerIn} from '../../../../src/screen/model/drafts/answer-message.ts';

const result = (callId: string, text: string): Item => ({
	id: 'i',
	at: '2026-01-01T00:00:00.000Z',
	type: 'tool_result',
	callId,
	ms: 1,
	content: text,
	summary: 'Denied',
	isError: true,
});

describe('an answer on a card', () => {
	it('is recorded when the result of its call contains all of its lines', () => {
		const message = answerMessage('c', [{type: 'text', text: 'not "this"\nbut that'}]);
		expect(isAnswerIn(result('c', 'The user denied: not "this"\nbut that'), message)).toBe(true);
		expect(isAnswerIn(result('c', 'The user denied: but that'), message)).toBe(false);
		expect(isAnswerIn(result('d', 'not "this"\nbut that'), message)).toBe(false);
	});

	it('has all typed answers, and is empty without any', () => {
		const answers = [{options: [1]}, {text: 'because'}];
		expect(answersMessage(answers, 'c', 'and so').segments).toEqual([{type: 'text', text: 'because\nand so'}]);
		expect(answersMessage([{options: [1]}], 'c').segments).toEqual([]);
	});
});
