import {describe, expect, it} from 'vitest';
import {finishIn, settledFinish, type Finish} from '../../../../../src/worker/wires/reading/chat/chat-finish.ts';

const kindOf = (choice: object, event: object = {}) => finishIn(event, choice)?.kind;

describe('the finish of an answer', () => {
	it.each<readonly [Finish['kind'], string]>([
		['stop', 'stop STOP Stop eos eos_token end_turn endTurn stop_sequence COMPLETE done FINISH_REASON_STOP'],
		[
			'length',
			'length max_tokens MAX_TOKENS max_output_tokens model_length maxTokens model_context_window_exceeded',
		],
		['tool_calls', 'tool_calls toolCalls tool-calls tool_use function_call TOOL_CALL'],
		['blocked', 'content_filter contentFilter SAFETY RECITATION PROHIBITED_CONTENT sensitive guardrail_intervened'],
		['refused', 'refusal'],
		['unread_call', 'MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL'],
		['paused', 'pause_turn'],
		['error', 'error network_error insufficient_system_resource abort cancelled server_error'],
		['other', 'tired 42nd'],
	])('is %s in all its spellings', (kind, spellings) => {
		for (const spelling of spellings.split(' '))
			expect([spelling, kindOf({finish_reason: spelling})]).toEqual([spelling, kind]);
	});

	it.each([['null'], [''], ['None'], ['FINISH_REASON_UNSPECIFIED'], [null], [undefined], [0], [{}], [[]], [true]])(
		'is absent in %j',
		value => {
			expect(finishIn({finish_reason: value}, {finish_reason: value})).toBeUndefined();
		},
	);

	it.each<readonly [string, object, object]>([
		['in the choice', {finish_reason: 'length'}, {}],
		['in the choice, as another name', {finishReason: 'length'}, {}],
		['in the delta', {delta: {finish_reason: 'length'}}, {}],
		['in the message', {message: {finish_reason: 'length'}}, {}],
		['in the event', {}, {finish_reason: 'length'}],
		['in the event, as a known stop_reason', {}, {stop_reason: 'max_tokens'}],
		['as an object', {finish_reason: {type: 'length'}}, {}],
		['as the done_reason of Ollama', {}, {done: true, done_reason: 'length'}],
		['beside a stop_reason that is a text of the model', {finish_reason: 'length', stop_reason: 'END'}, {}],
		['as the native reason of an unknown one', {finish_reason: 'odd', native_finish_reason: 'max_tokens'}, {}],
	])('is found %s', (_, choice, event) => {
		expect(kindOf(choice, event)).toBe('length');
	});

	it('is not read from a stop_reason that contains the model’s text', () => {
		expect(kindOf({finish_reason: null, stop_reason: 'User:'}, {done: false, done_reason: 'stop'})).toBeUndefined();
	});

	it.each<readonly [string, string, boolean, boolean, boolean, string]>([
		['stop after a call', 'stop', true, false, false, 'tool_calls'],
		['tool_calls after text only', 'tool_calls', false, true, false, 'stop'],
		['tool_calls after nothing', 'tool_calls', false, false, false, 'tool_calls'],
		['tool_calls after a call that cannot be read', 'tool_calls', false, true, true, 'unread_call'],
		['length after a call', 'length', true, false, false, 'length'],
	])('is settled by the parts of the answer: %s', (_, kind, hasCalls, hasText, hasUnread, settled) => {
		const finish = {kind, raw: kind} as Finish;
		expect(settledFinish(finish, {hasCalls, hasText, hasUnread}).kind).toBe(settled);
	});
});
