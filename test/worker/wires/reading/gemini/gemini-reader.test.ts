import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {createGeminiReader} from '../../../../../src/worker/wires/reading/gemini/gemini-reader.ts';
import {loadModel} from '../../../../../src/worker/wires/load.ts';
import {ask, assemble, collect} from '../../../../helpers/collect.ts';
import {geminiCorpus} from '../corpus-native/gemini-corpus.ts';
import {describeStreams} from '../describe-streams.ts';
import {answerTo, framed, playing, seenIn} from '../played-native.ts';

describeStreams('google', geminiCorpus);

const reader = () => createGeminiReader(createAnswerNotes('google'));
const answered = async (events: readonly unknown[]) => answerTo('google', framed({name: '', events, seen: {}}));
const chunk = (parts: readonly unknown[], more: object = {}) => ({candidates: [{content: {parts}, ...more}]});

describe('a whole answer of Gemini', () => {
	const whole = {...chunk([{text: 'Hello'}], {finishReason: 'STOP'}), usageMetadata: {promptTokenCount: 10}};

	it.each([
		[whole],
		[
			[
				chunk([{text: 'Hel'}]),
				chunk([{text: 'lo'}], {finishReason: 'STOP'}),
				{usageMetadata: {promptTokenCount: 10}},
			],
		],
	])('is read like its stream: %j', async answer => {
		const seen = seenIn(await answered(reader().readWhole(answer) ?? []));
		expect(seen).toMatchObject({texts: ['Hello'], usage: {input: 10}, stop: 'end'});
	});

	it('may be an error in a list', async () => {
		const error = [{error: {code: 404, message: 'No such model.', status: 'NOT_FOUND'}}];
		expect(seenIn(await answered(reader().readWhole(error) ?? []))).toMatchObject({error: 'not_found'});
	});

	it.each([[null], [{}], [[]], ['text'], [{choices: []}]])('is not read from %j', value => {
		expect(reader().readWhole(value)).toBeUndefined();
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
