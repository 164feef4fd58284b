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

const output = [
	{type: 'reasoning', id: 'rs_1', encrypted_content: 'c2VjcmV0', summary: [{type: 'summary_text', text: 'Hm.'}]},
	{type: 'message', id: 'm', phase: 'commentary', content: [{type: 'output_text', text: 'Hello', annotations: []}]},
	{type: 'function_call', id: 'f', call_id: 'c', name: 'read_file', arguments: {path: 'a.ts'}, namespace: 'n'},
];

describe('a whole response', () => {
	it('is read like its stream', async () => {
		const whole = {object: 'response', status: 'completed', output, usage: {input_tokens: 10, output_tokens: 5}};
		expect(seenIn(await answered(reader().readWhole(whole) ?? []))).toMatchObject({
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
		expect(seenIn(await answered(reader().readWhole(whole) ?? []))).toMatchObject(seen);
	});

	it.each([[null], [{}], [[]], ['text'], [{choices: []}]])('is not read from %j', value => {
		expect(reader().readWhole(value)).toBeUndefined();
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
