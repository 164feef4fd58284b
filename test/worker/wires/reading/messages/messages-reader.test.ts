import {describe, expect, it} from 'vitest';
import type {AssistantPart} from '../../../../../src/worker/history/model.ts';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {createMessagesReader} from '../../../../../src/worker/wires/reading/messages/messages-reader.ts';
import {loadModel} from '../../../../../src/worker/wires/load.ts';
import {ask, assemble, collect} from '../../../../helpers/collect.ts';
import {messagesCorpus} from '../corpus-native/messages-corpus.ts';
import {describeStreams} from '../describe-streams.ts';
import {answerTo, framed, playing, seenIn} from '../played-native.ts';

describeStreams('anthropic', messagesCorpus);

const reader = () => createMessagesReader(createAnswerNotes('anthropic'));

/** What a user gets of a whole JSON answer. */
async function seenOfWhole(answer: unknown) {
	return seenIn(await answerTo('anthropic', [Buffer.from(JSON.stringify(answer))]));
}

describe('a whole message of the Messages API', () => {
	it('is read like its stream', async () => {
		const content = [
			{type: 'thinking', thinking: 'Hm.', signature: 'c2ln'},
			{type: 'text', text: 'Hello', citations: null},
			{type: 'tool_use', id: 't', name: 'read_file', input: {path: 'a.ts'}},
		];
		const usage = {input_tokens: 10, output_tokens: 5};
		expect(
			await seenOfWhole({type: 'message', role: 'assistant', content, stop_reason: 'tool_use', usage}),
		).toMatchObject({
			texts: ['Hello'],
			thoughts: ['Hm.'],
			calls: [['read_file', {path: 'a.ts'}]],
			usage: {input: 10, output: 5},
			stop: 'tool_calls',
		});
	});

	it('may have a text instead of blocks', async () => {
		expect(await seenOfWhole({role: 'assistant', content: 'Hello'})).toMatchObject({texts: ['Hello'], stop: 'end'});
	});

	it('may be an error', async () => {
		const error = {type: 'error', error: {type: 'not_found_error', message: 'No such model.'}};
		expect(await seenOfWhole(error)).toMatchObject({
			error: 'not_found',
			errorText: expect.stringContaining('No such model.'),
		});
	});

	it.each([[null], [{}], [[]], ['text'], [{choices: []}]])('is not read from %j', value => {
		expect(reader().readWhole(value)).toBeUndefined();
	});
});

describe('the data of a message that must be sent back', () => {
	const stream = {
		name: '',
		seen: {},
		events: [
			{type: 'content_block_start', index: 0, content_block: {type: 'thinking', thinking: ''}},
			{type: 'content_block_delta', index: 0, delta: {type: 'thinking_delta', thinking: 'Hm.'}},
			{type: 'content_block_delta', index: 0, delta: {type: 'signature_delta', signature: 'c2ln'}},
			{type: 'content_block_stop', index: 0},
			{type: 'content_block_start', index: 1, content_block: {type: 'redacted_thinking', data: 'c2VjcmV0'}},
			{type: 'content_block_stop', index: 1},
			{type: 'content_block_start', index: 2, content_block: {type: 'text', text: 'Hello'}},
			{
				type: 'content_block_delta',
				index: 2,
				delta: {
					type: 'citations_delta',
					citation: {
						type: 'page_location',
						cited_text: 'So',
						document_index: 0,
						document_title: null,
						start_page_number: 1,
						end_page_number: 2,
						odd: 1,
					},
				},
			},
			{type: 'message_delta', delta: {stop_reason: 'end_turn'}, usage: {output_tokens: 1}},
			{type: 'message_stop'},
		],
	};

	it('is sent unchanged: signatures, redacted thoughts and citations', async () => {
		const {parts} = assemble(await answerTo('anthropic', framed(stream)));
		const {fetch, bodies} = playing([]);
		const model = await loadModel({provider: 'anthropic', model: 'claude-sonnet-5', apiKey: 'k', options: {fetch}});
		const said: readonly AssistantPart[] = parts;
		await collect(
			model,
			ask([
				{role: 'user', text: 'A'},
				{role: 'assistant', parts: said},
				{role: 'user', text: 'B'},
			]),
		);
		expect(JSON.parse(bodies[0] ?? '').messages[1].content).toMatchObject([
			{type: 'thinking', thinking: 'Hm.', signature: 'c2ln'},
			{type: 'redacted_thinking', data: 'c2VjcmV0'},
			{
				type: 'text',
				text: 'Hello',
				citations: [
					{
						type: 'page_location',
						cited_text: 'So',
						document_index: 0,
						document_title: null,
						start_page_number: 1,
						end_page_number: 2,
					},
				],
			},
		]);
	});
});

describe('a part of a message that cannot be read', () => {
	it('contains the texts of its deltas, up to the limit', async () => {
		const events = [
			{
				type: 'content_block_start',
				index: 0,
				content_block: {type: 'server_tool_use', id: 's', name: 'code', input: {}},
			},
			{type: 'content_block_delta', index: 0, delta: {type: 'input_json_delta', partial_json: '{"code":"1'}},
			{type: 'content_block_delta', index: 0, delta: {type: 'input_json_delta', partial_json: '+1"}'}},
			{type: 'content_block_stop', index: 0},
			{type: 'content_block_start', index: 1, content_block: {type: 'film', data: 'A'.repeat(1_000_000)}},
			{type: 'content_block_stop', index: 1},
			{type: 'message_stop'},
		];
		const unread = (await answerTo('anthropic', framed({name: '', events, seen: {}}))).flatMap(event =>
			event.type === 'start' && event.part.type === 'unread' ? [event.part] : [],
		);
		expect(JSON.parse(unread[0]?.data ?? '')).toEqual({
			type: 'server_tool_use',
			id: 's',
			name: 'code',
			input: {code: '1+1'},
		});
		expect(unread[1]).toMatchObject({kind: 'film', data: expect.stringContaining('(1000000 characters)')});
		expect(unread[1]?.data?.length).toBeLessThan(64 * 1024);
	});

	it('is one of at most 1,000', async () => {
		const blocks = Array.from({length: 5000}, (_, index) => [
			{type: 'content_block_start', index, content_block: {type: 'film', data: 'A'}},
			{type: 'content_block_stop', index},
		]);
		const events = [...blocks.flat(), {type: 'message_stop'}];
		const {unread, stop} = seenIn(await answerTo('anthropic', framed({name: '', events, seen: {}})));
		expect(unread).toHaveLength(1000);
		expect(stop).toBe('end');
	});

	it('may be an event that is not JSON', async () => {
		const pieces = [
			Buffer.from(
				'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}\n\n',
			),
			Buffer.from('data: {"type":"content_block_delta","index":0,"delta":{"t": NaN}}\n\n'),
			Buffer.from('data: {"type":"message_stop"}\n\n'),
		];
		expect(seenIn(await answerTo('anthropic', pieces))).toMatchObject({
			texts: ['Hello'],
			unread: ['event'],
			stop: 'end',
		});
	});
});

describe('an error within a message', () => {
	it.each([
		[
			{type: 'error', error: {type: 'overloaded_error', message: 'Too busy.', request_id: 'r'}},
			'overloaded',
			'Too busy.',
		],
		[{type: 'error', error: {type: 'rate_limit_error', message: 'Slow down.'}}, 'rate_limited', 'Slow down.'],
		[{type: 'error', error: {message: 'Odd.', code: 42}}, 'overloaded', 'Odd.'],
		[{type: 'error', message: 'No envelope.'}, 'overloaded', 'No envelope.'],
		[{error: 'Only text.'}, 'overloaded', 'Only text.'],
		[{error: {detail: 'Detail.'}}, 'overloaded', 'Detail.'],
	])('contains the words of the server: %j', async (event, error, words) => {
		const seen = seenIn(await answerTo('anthropic', framed({name: '', events: [event], seen: {}})));
		expect(seen).toMatchObject({error, errorText: expect.stringContaining(words)});
	});
});
