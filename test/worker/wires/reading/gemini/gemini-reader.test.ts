import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {createGeminiReader} from '../../../../../src/worker/wires/reading/gemini/gemini-reader.ts';
import {loadModel} from '../../../../../src/worker/wires/load.ts';
import {ask, assemble, collect} from '../../../../helpers/collect.ts';
import {geminiCorpus} from '../corpus-native/gemini-corpus.ts';
import {describeStreams} from '../describe-streams.ts';
import {answerTo, framed, playing, seenIn} from '../played-native.ts';

describeStreams('google', geminiCorpus);

const reader = (dataKeys: readonly string[] = ['google']) =>
	createGeminiReader(createAnswerNotes(dataKeys[0] ?? ''), dataKeys);
const answered = async (events: readonly unknown[]) => answerTo('google', framed({name: '', events, seen: {}}));
const chunk = (parts: readonly unknown[], more: object = {}) => ({candidates: [{content: {parts}, ...more}]});
const signed = (thoughtSignature: string) => ({data: {google: {thoughtSignature}}});

/** Returns everything that a reader finds in a stream of these events. */
function found(events: readonly unknown[], dataKeys?: readonly string[]) {
	const reading = reader(dataKeys);
	return [...events.flatMap(event => reading.read(event)), ...reading.end(false)];
}

describe('a whole answer of Gemini', () => {
	const whole = {...chunk([{text: 'Hello'}], {finishReason: 'STOP'}), usageMetadata: {promptTokenCount: 10}};
	const usage = {input: 10, output: 0, cacheRead: 0, reasoning: 0};
	const ended = [
		{type: 'end', kind: 'text', id: '0'},
		{type: 'finish', stop: 'end', usage},
	];

	it('is read like its stream', () => {
		expect(reader().readWhole(whole)).toEqual([{type: 'delta', kind: 'text', id: '0', text: 'Hello'}, ...ended]);
		const list = [
			chunk([{text: 'Hel'}]),
			chunk([{text: 'lo'}], {finishReason: 'STOP'}),
			{usageMetadata: {promptTokenCount: 10}},
		];
		expect(reader().readWhole(list)).toEqual([
			{type: 'delta', kind: 'text', id: '0', text: 'Hel'},
			{type: 'delta', kind: 'text', id: '0', text: 'lo'},
			...ended,
		]);
	});

	it.each([
		[whole],
		[
			[
				chunk([{text: 'Hel'}]),
				chunk([{text: 'lo'}], {finishReason: 'STOP'}),
				{usageMetadata: {promptTokenCount: 10}},
			],
		],
	])('reaches the user as its stream does: %j', async answer => {
		const seen = seenIn(await answerTo('google', [Buffer.from(JSON.stringify(answer))]));
		expect(seen).toMatchObject({texts: ['Hello'], usage: {input: 10}, stop: 'end'});
	});

	it('may be an error in a list', async () => {
		const error = [{error: {code: 404, message: 'No such model.', status: 'NOT_FOUND'}}];
		expect(reader().readWhole(error)?.[0]).toEqual({
			type: 'error',
			error: {message: 'No such model.', type: 'NOT_FOUND', statusCode: 404},
		});
		expect(seenIn(await answerTo('google', [Buffer.from(JSON.stringify(error))]))).toMatchObject({
			error: 'not_found',
		});
	});

	it.each([[null], [{}], [[]], ['text'], [{choices: []}]])('is not read from %j', value => {
		expect(reader().readWhole(value)).toBeUndefined();
	});
});

describe('the parts of an answer', () => {
	const interrupted = {type: 'finish', stop: 'interrupted', usage: {}};

	it('end where a part of another kind begins', () => {
		const events = [
			chunk([{text: 'Hm.', thought: true}, {text: 'A'}]),
			chunk([{text: 'B'}, {text: 'Hm.', thought: true}]),
			chunk([{functionCall: {id: 'f', name: 'now', args: {}}}]),
		];
		expect(found(events)).toEqual([
			{type: 'delta', kind: 'reasoning', id: '0', text: 'Hm.'},
			{type: 'end', kind: 'reasoning', id: '0'},
			{type: 'delta', kind: 'text', id: '1', text: 'A'},
			{type: 'delta', kind: 'text', id: '1', text: 'B'},
			{type: 'end', kind: 'text', id: '1'},
			{type: 'delta', kind: 'reasoning', id: '2', text: 'Hm.'},
			{type: 'end', kind: 'reasoning', id: '2'},
			{type: 'call_start', id: 'f', name: 'now'},
			{type: 'delta', kind: 'tool_call', id: 'f', text: '{}'},
			{type: 'call_end', id: 'f', name: 'now', text: '{}'},
			interrupted,
		]);
	});

	it('keep their signatures, which on Vertex have two names', () => {
		const events = [
			chunk([{text: 'Hm.', thought: true, thoughtSignature: 'YQ=='}]),
			chunk([{thoughtSignature: 'Yg=='}, {text: 'A'}, {thoughtSignature: 'Yw=='}]),
			chunk([{functionCall: {id: 'f', name: 'now'}, thoughtSignature: 'ZA=='}]),
		];
		expect(found(events)).toEqual([
			{type: 'delta', kind: 'reasoning', id: '0', text: 'Hm.', ...signed('YQ==')},
			{type: 'end', kind: 'reasoning', id: '0'},
			{type: 'delta', kind: 'text', id: '1', text: '', ...signed('Yg==')},
			{type: 'end', kind: 'text', id: '1'},
			{type: 'delta', kind: 'text', id: '2', text: 'A'},
			{type: 'delta', kind: 'text', id: '2', text: '', ...signed('Yw==')},
			{type: 'end', kind: 'text', id: '2'},
			{type: 'call_start', id: 'f', name: 'now', ...signed('ZA==')},
			{type: 'call_end', id: 'f', name: 'now', text: '{}'},
			interrupted,
		]);
		const names = ['googleVertex', 'vertex'];
		expect(JSON.stringify(found([chunk([{text: 'A', thoughtSignature: 'Y'}])], names)[0])).toContain(
			'"data":{"googleVertex":{"thoughtSignature":"Y"},"vertex":{"thoughtSignature":"Y"}}',
		);
	});

	it('contain a call whose arguments come in pieces', () => {
		const piece = (stringValue: string, more: object = {}) => ({
			functionCall: {partialArgs: [{jsonPath: '$.path', stringValue, ...more}], willContinue: true},
		});
		const events = [
			chunk([{text: 'A'}, {functionCall: {id: 'f', name: 'read', willContinue: true}, thoughtSignature: 'Y'}]),
			chunk([piece('a.', {willContinue: true})]),
			chunk([piece('ts')]),
			chunk([{functionCall: {}}]),
		];
		expect(found(events)).toEqual([
			{type: 'delta', kind: 'text', id: '0', text: 'A'},
			{type: 'call_start', id: 'f', name: 'read', ...signed('Y')},
			{type: 'delta', kind: 'tool_call', id: 'f', text: '{"path":"a.'},
			{type: 'delta', kind: 'tool_call', id: 'f', text: 'ts"'},
			{type: 'end', kind: 'text', id: '0'},
			{type: 'delta', kind: 'tool_call', id: 'f', text: '}'},
			{type: 'call_end', id: 'f', name: 'read', text: '{"path":"a.ts"}', ...signed('Y')},
			interrupted,
		]);
	});

	it('contain a call that was cut without its end', () => {
		const piece = {jsonPath: '$.path', stringValue: 'a.', willContinue: true};
		expect(found([chunk([{functionCall: {id: 'f', name: 'read', partialArgs: [piece]}}])])).toEqual([
			{type: 'call_start', id: 'f', name: 'read'},
			{type: 'delta', kind: 'tool_call', id: 'f', text: '{"path":"a.'},
			interrupted,
		]);
	});

	it('have ids of their own if the server sends none', () => {
		const [first, second] = found([chunk([{functionCall: {name: 'a'}}])]);
		const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
		expect([first, second]).toEqual([
			{type: 'call_start', id, name: 'a'},
			{type: 'call_end', id: first?.type === 'call_start' ? first.id : '', name: 'a', text: '{}'},
		]);
	});

	it('are dropped after a prompt was blocked, but their counts are kept', () => {
		const events = [
			{...chunk([{text: 'A'}]), promptFeedback: {blockReason: 'SAFETY'}},
			{...chunk([{text: 'B'}], {finishReason: 'STOP'}), usageMetadata: {promptTokenCount: 3}},
		];
		const usage = {input: 3, output: 0, cacheRead: 0, reasoning: 0};
		expect(found(events).filter(({type}) => type !== 'end')).toEqual([{type: 'finish', stop: 'blocked', usage}]);
	});
});

describe('the end of an answer', () => {
	it.each([
		['STOP', 'end'],
		['MAX_TOKENS', 'length'],
		['CONTINUATION', 'paused'],
		['FULL_MOON', 'other'],
	])('after the reason %s is %s', (finishReason, stop) => {
		expect(found([chunk([{text: 'A'}], {finishReason})]).at(-1)).toMatchObject({type: 'finish', stop});
	});

	it('has the counts of tools and thoughts', () => {
		const usageMetadata = {
			promptTokenCount: 10,
			toolUsePromptTokenCount: 5,
			candidatesTokenCount: 3,
			thoughtsTokenCount: 2,
			cachedContentTokenCount: 8,
		};
		const last = found([{...chunk([], {finishReason: 'STOP'}), usageMetadata}]).at(-1);
		expect(JSON.stringify(last)).toBe(
			'{"type":"finish","stop":"end","usage":{"input":15,"output":5,"cacheRead":8,"reasoning":2}}',
		);
	});

	it('is not a second request when the server would continue the answer', async () => {
		const usageMetadata = {promptTokenCount: 10, candidatesTokenCount: 3};
		const last = chunk([{text: 'Hel'}], {finishReason: 'CONTINUATION', continuationToken: 't'});
		const {fetch, bodies} = playing(framed({name: '', events: [{...last, usageMetadata}], seen: {}}));
		const model = await loadModel({provider: 'google', model: 'gemini-4-argon', apiKey: 'k', options: {fetch}});
		const {parts, stop, usage} = await collect(model, ask([{role: 'user', text: 'A'}]));
		expect({parts, stop, usage}).toEqual({
			parts: [{type: 'text', text: 'Hel'}],
			stop: 'paused',
			usage: {input: 10, output: 3, cacheRead: 0, reasoning: 0},
		});
		expect(bodies).toHaveLength(1);
	});

	it.each([
		[
			{code: '503', message: 'm', status: 'UNAVAILABLE'},
			{message: 'm', type: 'UNAVAILABLE', statusCode: 503},
		],
		[
			{message: 'm', status: 'RESOURCE_EXHAUSTED'},
			{message: 'm', type: 'RESOURCE_EXHAUSTED', statusCode: 429},
		],
		[
			{code: 'overloaded', message: 'm'},
			{message: 'm', type: 'overloaded'},
		],
	])('may be an error: %j', (error, facts) => {
		expect(found([{error}])[0]).toEqual({type: 'error', error: facts});
	});
});

describe('the data of an answer that must be sent back', () => {
	it('is sent unchanged, each signature on its part', async () => {
		const {parts} = assemble(
			await answered([
				chunk([{text: 'Hm.', thought: true, odd: 1}]),
				chunk([{text: 'Hello'}, {thoughtSignature: 'YQ=='}]),
				chunk([{functionCall: {id: 'f', name: 'read_file', args: {path: 'a.ts'}}, thoughtSignature: 'Yg=='}]),
				chunk([], {finishReason: 'STOP'}),
			]),
		);
		const {fetch, bodies} = playing([]);
		const model = await loadModel({
			provider: 'google',
			model: 'gemini-3-pro-preview',
			apiKey: 'k',
			options: {fetch},
		});
		const result = {callId: 'f', name: 'read_file', content: 'x', isError: false};
		await collect(
			model,
			ask([
				{role: 'user', text: 'A'},
				{role: 'assistant', parts},
				{role: 'tool', results: [result]},
			]),
		);
		expect(JSON.parse(bodies[0] ?? '').contents[1].parts).toMatchObject([
			{text: 'Hm.', thought: true},
			{text: 'Hello', thoughtSignature: 'YQ=='},
			{functionCall: {name: 'read_file', args: {path: 'a.ts'}}, thoughtSignature: 'Yg=='},
		]);
	});
});

describe('the citations of an answer', () => {
	it('belong to their text, even when all of it comes at once', async () => {
		const cited = (uri: string) => ({groundingMetadata: {groundingChunks: [{web: {uri}}]}});
		const {parts} = assemble(
			await answered([
				[
					chunk([{text: 'A'}], cited('https://a.example')),
					chunk([{text: 'Hm.', thought: true}]),
					chunk([{text: 'none'}]),
					chunk([{functionCall: {name: 'now'}}]),
					chunk([{text: 'B'}], cited('https://b.example')),
					chunk([], {finishReason: 'STOP'}),
				],
			]),
		);
		expect(parts.filter(({type}) => type === 'text').map(({provider}) => provider?.['google'])).toEqual([
			{citations: [{url: 'https://a.example'}]},
			undefined,
			{citations: [{url: 'https://b.example'}]},
		]);
	});
});
