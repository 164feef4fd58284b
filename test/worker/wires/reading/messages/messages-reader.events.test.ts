import {describe, expect, it} from 'vitest';
import type {AnswerEvent} from '../../../../../src/worker/wires/reading/answer-event.ts';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {createMessagesReader} from '../../../../../src/worker/wires/reading/messages/messages-reader.ts';
import {fieldOf} from '../../../../../src/worker/wires/values.ts';

/** The events of a stream, as the reader gives them. */
function read(...events: readonly unknown[]): readonly AnswerEvent[] {
	const reader = createMessagesReader(createAnswerNotes('anthropic'));
	return [...events.flatMap(event => reader.read(event)), ...reader.end(false)];
}

const begin = (index: number, content_block: object) => ({type: 'content_block_start', index, content_block});
const delta = (index: number, delta: object) => ({type: 'content_block_delta', index, delta});
const stop = (index: number) => ({type: 'content_block_stop', index});
const text = (index: number) => delta(index, {type: 'text_delta', text: 'Hello'});
const signature = (index: number) => delta(index, {type: 'signature_delta', signature: 'c2ln'});
const own = (data: object) => ({data: {anthropic: data}});

describe('the events of a message', () => {
	it('are its parts, with the data that goes back, its counts and its end', () => {
		const citation = {
			cited_text: 'So',
			type: 'web_search_result_location',
			encrypted_index: 'e',
			title: null,
			url: 'u',
		};
		const caller = {type: 'code_execution_20250825', tool_id: 't'};
		const events = read(
			{type: 'message_start', message: {usage: {input_tokens: 3, cache_read_input_tokens: 20}}},
			begin(0, {type: 'thinking', thinking: 'Hm.'}),
			signature(0),
			stop(0),
			begin(1, {type: 'redacted_thinking', data: 'c2VjcmV0'}),
			stop(1),
			begin(2, {type: 'text', text: ''}),
			text(2),
			delta(2, {type: 'citations_delta', citation}),
			stop(2),
			begin(3, {type: 'tool_use', id: 'c1', name: 'f', input: {}, caller}),
			delta(3, {type: 'input_json_delta', partial_json: '{"a":'}),
			delta(3, {type: 'input_json_delta', partial_json: '1}'}),
			stop(3),
			begin(4, {type: 'compaction', content: 'So far.', signature: 's'}),
			stop(4),
			{
				type: 'message_delta',
				delta: {stop_reason: 'tool_use'},
				usage: {output_tokens: 5, output_tokens_details: {thinking_tokens: 2}},
			},
			{type: 'message_stop'},
		);
		const cited = {
			type: 'web_search_result_location',
			cited_text: 'So',
			url: 'u',
			title: null,
			encrypted_index: 'e',
		};
		const expected = [
			{type: 'start', kind: 'reasoning', id: '0'},
			{type: 'delta', kind: 'reasoning', id: '0', text: 'Hm.'},
			{type: 'delta', kind: 'reasoning', id: '0', text: '', ...own({signature: 'c2ln'})},
			{type: 'end', kind: 'reasoning', id: '0'},
			{type: 'start', kind: 'reasoning', id: '1', ...own({redactedData: 'c2VjcmV0'})},
			{type: 'end', kind: 'reasoning', id: '1'},
			{type: 'start', kind: 'text', id: '2'},
			{type: 'delta', kind: 'text', id: '2', text: 'Hello'},
			{type: 'end', kind: 'text', id: '2', ...own({citations: [cited]})},
			{type: 'call_start', id: 'c1', name: 'f'},
			{type: 'delta', kind: 'tool_call', id: 'c1', text: '{"a":'},
			{type: 'delta', kind: 'tool_call', id: 'c1', text: '1}'},
			{
				type: 'call_end',
				id: 'c1',
				name: 'f',
				text: '{"a":1}',
				...own({caller: {type: 'code_execution_20250825', toolId: 't'}}),
			},
			{type: 'start', kind: 'text', id: '4', ...own({type: 'compaction', signature: 's'})},
			{type: 'delta', kind: 'text', id: '4', text: 'So far.'},
			{type: 'end', kind: 'text', id: '4'},
			{
				type: 'finish',
				stop: 'tool_calls',
				usage: {input: 23, output: 5, cacheRead: 20, cacheWrite: 0, reasoning: 2},
			},
		];
		// The order of the keys is stored, too.
		expect(JSON.stringify(events)).toBe(JSON.stringify(expected));
	});

	it.each([
		[{}, '{}', []],
		[{a: 1}, '{"a":1}', ['{"a":1}']],
		['', '{}', []],
		[null, '{}', []],
	])('contain the arguments in the start of a call: %j', (input, text, deltas) => {
		const events = read(begin(0, {type: 'tool_use', id: 'c', name: 'f', input}), stop(0));
		expect(events.at(-1)).toEqual({type: 'call_end', id: 'c', name: 'f', text});
		expect(events.flatMap(event => (event.type === 'delta' ? [event.text] : []))).toEqual(deltas);
	});

	it('give a signature to the thought of its block, whichever block is open beside it', () => {
		const events = read(begin(0, {type: 'thinking', thinking: 'Hm.'}), begin(1, {type: 'text'}), signature(0));
		expect(events.at(-1)).toEqual({
			type: 'delta',
			kind: 'reasoning',
			id: '0',
			text: '',
			...own({signature: 'c2ln'}),
		});
	});

	it('have no end when the stream was cut', () => {
		expect(read(begin(0, {type: 'text'}), text(0)).map(({type}) => type)).toEqual(['start', 'delta']);
	});

	it('have no counts when the server gives none, and no count that is too large', () => {
		expect(read(text(0), {type: 'message_stop'}).at(-1)).toEqual({type: 'finish', stop: 'end', usage: {}});
		const usage = {input_tokens: Number.MAX_SAFE_INTEGER, cache_read_input_tokens: 1, output_tokens: 5};
		expect(read(text(0), {type: 'message_stop', usage}).at(-1)).toMatchObject({
			usage: {output: 5, cacheRead: 1, cacheWrite: 0},
		});
	});
});

describe('an error in the events of a message', () => {
	const error = (type: string) => ({type: 'error', error: {type, message: 'No.', code: 7}});
	const statusOf = (...events: readonly unknown[]) => {
		const last = read(...events).at(-1);
		return last?.type === 'error' ? fieldOf(last.error, 'statusCode') : undefined;
	};

	it('has the words and the code of the server', () => {
		expect(read(error('rate_limit_error'))).toEqual([
			{type: 'error', error: {message: 'No.', type: 'rate_limit_error', code: 7, statusCode: 429}},
		]);
	});

	it.each([
		['api_error', 500],
		['overloaded_error', 529],
		['rate_limit_error', 429],
		['request_too_large', 413],
		['authentication_error', 401],
		['permission_error', 403],
		['not_found_error', 404],
		['billing_error', 400],
		['invalid_request_error', 400],
	])('counts as its status: %s', (type, status) => {
		expect([statusOf(error(type)), statusOf(text(0), error(type))]).toEqual([status, status]);
	});

	it('has a status without a known type only when nothing came before it', () => {
		expect([statusOf(error('odd')), statusOf(text(0), error('odd'))]).toEqual([500, undefined]);
	});
});
