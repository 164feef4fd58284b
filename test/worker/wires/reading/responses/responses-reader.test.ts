import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {createResponsesReader} from '../../../../../src/worker/wires/reading/responses/responses-reader.ts';
import {loadModel} from '../../../../../src/worker/wires/load.ts';
import {ask, assemble, collect} from '../../../../helpers/collect.ts';
import {responsesCorpus} from '../corpus-native/responses-corpus.ts';
import {describeStreams} from '../describe-streams.ts';
import {answerTo, framed, playing, seenIn} from '../played-native.ts';

describeStreams('openai', responsesCorpus);

const reader = () => createResponsesReader(createAnswerNotes('openai'));
const answered = async (events: readonly unknown[]) => answerTo('openai', framed({name: '', events, seen: {}}));
const answeredWhole = async (answer: unknown) => answerTo('openai', [Buffer.from(JSON.stringify(answer))]);

const output = [
	{type: 'reasoning', id: 'rs_1', encrypted_content: 'c2VjcmV0', summary: [{type: 'summary_text', text: 'Hm.'}]},
	{type: 'message', id: 'm', phase: 'commentary', content: [{type: 'output_text', text: 'Hello', annotations: []}]},
	{type: 'function_call', id: 'f', call_id: 'c', name: 'read_file', arguments: {path: 'a.ts'}, namespace: 'n'},
];

describe('a whole response', () => {
	it('is read like its stream', async () => {
		const whole = {object: 'response', status: 'completed', output, usage: {input_tokens: 10, output_tokens: 5}};
		expect(seenIn(await answeredWhole(whole))).toMatchObject({
			texts: ['Hello'],
			thoughts: ['Hm.'],
			calls: [['read_file', {path: 'a.ts'}]],
			usage: {input: 10, output: 5},
			stop: 'tool_calls',
		});
	});

	it.each([
		[{status: 'incomplete', output, incomplete_details: {reason: 'max_output_tokens'}}, {stop: 'length'}],
		[{status: 'failed', output: [], error: {code: 'server_error', message: 'Broken.'}}, {error: 'overloaded'}],
		[{error: {code: 'model_not_found', message: 'No such model.'}}, {error: 'not_found'}],
	])('may end in another way: %j', async (whole, seen) => {
		expect(seenIn(await answeredWhole(whole))).toMatchObject(seen);
	});

	it.each([[null], [{}], [[]], ['text'], [{choices: []}]])('is not read from %j', value => {
		expect(reader().readWhole(value)).toBeUndefined();
	});
});

describe('the events of a response', () => {
	const read = (...events: readonly unknown[]) => events.flatMap(event => reader().read(event));
	const readTogether = (...events: readonly unknown[]) => {
		const one = reader();
		return events.flatMap(event => one.read(event));
	};
	const added = (item: object, output_index = 0) => ({type: 'response.output_item.added', output_index, item});
	const done = (item: object, output_index = 0) => ({type: 'response.output_item.done', output_index, item});
	const own = (data: object) => ({data: {openai: data}});

	it('are those of a text, with its phase', () => {
		const message = {type: 'message', id: 'm', phase: 'commentary'};
		expect(
			readTogether(
				added(message),
				{type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: 'Hi'},
				done({...message, content: [{type: 'output_text', text: 'Hi'}]}),
			),
		).toEqual([
			{type: 'start', kind: 'text', id: 'item_1', ...own({itemId: 'm', phase: 'commentary'})},
			{type: 'delta', kind: 'text', id: 'item_1', text: 'Hi'},
			{type: 'end', kind: 'text', id: 'item_1', ...own({itemId: 'm', phase: 'commentary'})},
		]);
	});

	it('are a thought for each summary, and the last one has the encrypted content', () => {
		const summary = (summary_index: number, delta: string) => ({
			type: 'response.reasoning_summary_text.delta',
			output_index: 0,
			item_id: 'rs',
			summary_index,
			delta,
		});
		const thought = (place: number) => ({kind: 'reasoning', id: `item_1:${place}`});
		const sealed = (reasoningEncryptedContent: string | null) => own({itemId: 'rs', reasoningEncryptedContent});
		expect(
			readTogether(
				added({type: 'reasoning', id: 'rs', encrypted_content: 'S'}),
				summary(0, 'a'),
				summary(1, 'b'),
				summary(0, 'late'),
				done({type: 'reasoning', id: 'rs', encrypted_content: 'E'}),
			),
		).toEqual([
			{type: 'start', ...thought(0), ...sealed('S')},
			{type: 'delta', ...thought(0), text: 'a'},
			{type: 'end', ...thought(0), ...own({itemId: 'rs'})},
			{type: 'start', ...thought(1), ...sealed('S')},
			{type: 'delta', ...thought(1), text: 'b'},
			{type: 'delta', ...thought(0), text: 'late', ...own({itemId: 'rs'})},
			{type: 'end', ...thought(1), ...sealed('E')},
		]);
	});

	it('are those of a call, with the arguments and what goes back with it', () => {
		const call = {type: 'function_call', id: 'f', call_id: 'c', name: 'read_file'};
		const caller = {type: 'program', caller_id: 'p'};
		expect(
			readTogether(
				added(call),
				{type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f', delta: '{"a":'},
				done({...call, arguments: '{"a":1}', namespace: 'n', caller}),
			),
		).toEqual([
			{type: 'call_start', id: 'c', name: 'read_file'},
			{type: 'delta', kind: 'tool_call', id: 'c', text: '{"a":'},
			{
				type: 'call_end',
				id: 'c',
				name: 'read_file',
				text: '{"a":1}',
				...own({itemId: 'f', namespace: 'n', caller: {type: 'program', callerId: 'p'}}),
			},
		]);
	});

	it.each([
		[{}, {type: 'finish', stop: 'end', usage: {}}],
		[
			{usage: {input_tokens: 10, output_tokens: 5}},
			{type: 'finish', stop: 'end', usage: {input: 10, output: 5, cacheRead: 0, reasoning: 0}},
		],
		[
			{usage: {input_tokens: 9, input_tokens_details: {cached_tokens: 4, cache_write_tokens: 2}}},
			{type: 'finish', stop: 'end', usage: {input: 9, cacheRead: 4, cacheWrite: 2, reasoning: 0}},
		],
		[{incomplete_details: {reason: 'max_output_tokens'}}, {type: 'finish', stop: 'length', usage: {}}],
		[{incomplete_details: {reason: 'content_filter'}}, {type: 'finish', stop: 'blocked', usage: {}}],
		[{incomplete_details: {reason: 'odd'}}, {type: 'finish', stop: 'other', usage: {}}],
	])('end as the response ends: %j', (response, end) => {
		expect(read({type: 'response.completed', response})).toEqual([end]);
	});

	it.each([
		[{code: 'rate_limit_exceeded'}, 429],
		[{code: 'insufficient_quota'}, 429],
		[{code: '503'}, 503],
		[{type: 'invalid_request_error'}, 400],
		[{code: 'context_length_exceeded'}, 400],
		[{type: 'authentication_error'}, 401],
		[{type: 'overloaded_error'}, 503],
		[{type: 'odd'}, 500],
	])('name the status that an error has elsewhere: %j', (error, statusCode) => {
		const expected = [{type: 'error', error: {message: 'No.', type: 'error', ...error, statusCode}}];
		expect(read({type: 'error', error: {message: 'No.', ...error}})).toEqual(expected);
	});
});

describe('the data of a response that must be sent back', () => {
	it('is sent unchanged: encrypted reasoning with its id, and the phase of a text', async () => {
		const {parts} = assemble(await answered([{type: 'response.completed', response: {output}}]));
		const {fetch, bodies} = playing([]);
		const model = await loadModel({provider: 'openai', model: 'gpt-5.2', apiKey: 'k', options: {fetch}});
		await collect(
			model,
			ask([
				{role: 'user', text: 'A'},
				{role: 'assistant', parts},
				{role: 'user', text: 'B'},
			]),
		);
		const {input} = JSON.parse(bodies[0] ?? '');
		expect(input).toContainEqual(output[0]);
		expect(input).toContainEqual({role: 'assistant', content: 'Hello', phase: 'commentary'});
		expect(input).toContainEqual(
			expect.objectContaining({
				type: 'function_call',
				call_id: 'c',
				arguments: '{"path":"a.ts"}',
				namespace: 'n',
			}),
		);
	});

	it('includes no encrypted reasoning without an id', async () => {
		const nameless = {type: 'reasoning', encrypted_content: 'c2VjcmV0', summary: []};
		const {parts} = assemble(
			await answered([{type: 'response.completed', response: {output: [nameless, output[1]]}}]),
		);
		expect(JSON.stringify(parts)).not.toContain('c2VjcmV0');
	});
});

describe('the citations of a response', () => {
	it('belong to their text, even when all of it comes at once', async () => {
		const text = (id: string, url: string) => ({
			type: 'message',
			id,
			content: [{type: 'output_text', text: id, annotations: [{type: 'url_citation', url, title: id}]}],
		});
		const output = [
			text('A', 'https://a.example'),
			{type: 'message', id: 'N', content: 'none'},
			text('B', 'https://b.example'),
		];
		const {parts} = assemble(await answered([{type: 'response.completed', response: {output}}]));
		expect(parts.map(part => part.provider?.['openai'])).toMatchObject([
			{citations: [{title: 'A', url: 'https://a.example'}]},
			{itemId: 'N'},
			{citations: [{title: 'B', url: 'https://b.example'}]},
		]);
		expect(parts[1]?.provider?.['openai']).not.toHaveProperty('citations');
	});
});

describe('an error within a response', () => {
	it.each([
		[
			{type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null},
			'rate_limited',
			'Slow down.',
		],
		[{type: 'error', error: {type: 'server_error', message: 'Broken.'}}, 'overloaded', 'Broken.'],
		[{error: {code: 404, message: 'Gone.'}}, 'not_found', 'Gone.'],
		[{error: 'Only text.'}, 'overloaded', 'Only text.'],
		[
			{type: 'response.failed', response: {error: {code: 'rate_limit_exceeded', message: 'Slow.'}}},
			'rate_limited',
			'Slow.',
		],
	])('contains the words of the server: %j', async (event, error, words) => {
		expect(seenIn(await answered([event]))).toMatchObject({error, errorText: expect.stringContaining(words)});
	});
});
