import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {collect, ask} from '../../helpers/collect.ts';
import {flood, head, startRawServer, type Play} from '../../helpers/wire-servers/raw.ts';
import type {WireName} from '../../helpers/wire-servers/index.ts';
import {modelAt} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);
const data = (...events: readonly object[]) => events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');

const chat = (delta: object, more: object = {}) => ({
	id: 'c',
	choices: [{index: 0, delta, finish_reason: null, ...more}],
});
const usage = {prompt_tokens: 7, completion_tokens: 3, total_tokens: 10};
const chatText = data(chat({role: 'assistant', content: 'Hel'}), chat({content: 'lo'}));
const chatStop = data(chat({}, {finish_reason: 'stop'}));
const chatUsage = data({id: 'c', choices: [], usage});
const done = 'data: [DONE]\n\n';

const part = (text: string, more: object = {}) => ({
	candidates: [{index: 0, content: {role: 'model', parts: [{text}]}, ...more}],
});
const counts = {usageMetadata: {promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10}};

const response = {id: 'r', created_at: 1, model: 'm'};
const item = {type: 'message', id: 'm1', role: 'assistant', status: 'in_progress', content: []};
const tokens = {
	input_tokens: 7,
	output_tokens: 3,
	total_tokens: 10,
	input_tokens_details: {},
	output_tokens_details: {},
};
const responses = data(
	{type: 'response.created', response},
	{type: 'response.output_item.added', output_index: 0, item},
	{type: 'response.output_text.delta', item_id: 'm1', output_index: 0, delta: 'Hello'},
	{
		type: 'response.output_item.done',
		output_index: 0,
		item: {...item, status: 'completed', content: [{type: 'output_text', text: 'Hello', annotations: []}]},
	},
);
const completed = data({type: 'response.completed', response: {...response, usage: tokens}});

/** The answer as a model reads it. If inkpod does not close the connection, the test does not end. */
async function answered(wire: WireName, play: Play, options: {stallTimeoutMs?: number} = {}) {
	await using server = await startRawServer(play);
	const {parts, stop, usage: counted, error} = await collect(await modelAt(wire, server, options), hello);
	await server.allClosed();
	return {
		text: parts.map(one => (one.type === 'text' ? one.text : one.type)).join('|'),
		stop,
		input: counted?.input,
		error: error?.reason,
	};
}

/** Sends these pieces and leaves the connection open. */
const leavesOpen =
	(...pieces: readonly string[]): Play =>
	async socket => {
		socket.write(head());
		for (const [index, piece] of pieces.entries()) {
			if (index > 0) await sleep(300);
			socket.write(piece);
		}
	};

const whole = {text: 'Hello', stop: 'end', input: 7, error: undefined};

describe.concurrent('an answer whose connection stays open', () => {
	it.each<readonly [string, WireName, Play]>([
		['after [DONE]', 'openai-compatible', leavesOpen(chatText + chatStop + chatUsage + done)],
		[
			'after [DONE] without a newline',
			'openai-compatible',
			leavesOpen(`${chatText}${chatStop}${chatUsage}data: [DONE]`),
		],
		[
			'after [DONE] in pieces',
			'openai-compatible',
			leavesOpen(`${chatText}${chatStop}${chatUsage}dat`, 'a: [DO', 'NE]'),
		],
		['with its usage after the finish', 'openai-compatible', leavesOpen(chatText + chatStop, chatUsage + done)],
		[
			'with usage after the finish, without [DONE]',
			'openai-compatible',
			leavesOpen(chatText + chatStop, chatUsage),
		],
		[
			'with its usage in the finish, and no [DONE]',
			'openai-compatible',
			leavesOpen(chatText + data({...chat({}, {finish_reason: 'stop'}), usage})),
		],
		[
			'with its usage in every event',
			'openai-compatible',
			leavesOpen(
				data({...chat({content: 'Hel'}), usage}),
				data({...chat({content: 'lo'}), usage}),
				data({...chat({}, {finish_reason: 'stop'}), usage}),
			),
		],
		[
			'with an empty finish_reason in every event',
			'openai-compatible',
			leavesOpen(
				data(chat({content: 'Hel'}, {finish_reason: ''})),
				data(chat({content: 'lo'}, {finish_reason: ''})),
				chatStop + chatUsage,
			),
		],
		[
			'with another name of the finish and its usage in x_groq',
			'openai-compatible',
			leavesOpen(
				chatText + data({...chat({}, {finish_reason: undefined, finishReason: 'endTurn'}), x_groq: {usage}}),
			),
		],
		[
			'with the finish and usage of Ollama',
			'openai-compatible',
			leavesOpen(chatText + data({done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 3})),
		],
		[
			'with "null" as the finish of every event',
			'openai-compatible',
			leavesOpen(
				data(chat({content: 'Hel'}, {finish_reason: 'null'}), chat({content: 'lo'}, {finish_reason: 'null'})),
				chatStop + chatUsage,
			),
		],
		[
			'with the timings of llama.cpp',
			'openai-compatible',
			leavesOpen(chatText + data({...chat({}, {finish_reason: 'stop'}), timings: {prompt_n: 7, predicted_n: 3}})),
		],
		[
			'with keep-alive comments',
			'openai-compatible',
			leavesOpen(chatText + chatStop + chatUsage, ': alive\n\n', ': alive\n\n', ': alive\n\n', ': alive\n\n'),
		],
		[
			'with lines that end in CRLF',
			'openai-compatible',
			leavesOpen((chatText + chatStop + chatUsage + done).replaceAll('\n', '\r\n')),
		],
		[
			'with lines that end in CR',
			'openai-compatible',
			leavesOpen((chatText + chatStop + chatUsage + done).replaceAll('\n', '\r')),
		],
		[
			'with a text about ends',
			'openai-compatible',
			leavesOpen(
				data(chat({content: 'Hel'})),
				data(chat({content: ''}), {...chat({content: 'lo'}), note: 'data: [DONE] "finish_reason":"stop"'}),
				chatStop + chatUsage + done,
			),
		],
		['after response.completed', 'openai', leavesOpen(responses + completed)],
		['after a split last event', 'openai', leavesOpen(responses, completed.slice(0, 30), completed.slice(30))],
		['after response.completed without a blank line', 'openai', leavesOpen(responses + completed.slice(0, -1))],
		[
			'after the finish',
			'google',
			leavesOpen(data(part('Hel'), {...part('lo', {finishReason: 'STOP'}), ...counts})),
		],
		[
			'with its usage after the finish',
			'google',
			leavesOpen(data(part('Hel'), part('lo', {finishReason: 'STOP'})), data(counts)),
		],
	])('is complete %s over the wire of %s', async (_, wire, play) => {
		expect(await answered(wire, play)).toEqual(whole);
	});

	it.each<readonly [WireName, string]>([
		['google', data(part('Hel'), {...part('lo', {finishReason: 'STOP'}), ...counts})],
		['openai-compatible', chatText + chatStop + chatUsage],
		['openai', responses + completed],
	])(
		'is complete over the wire of %s even if the stall timeout is shorter than the wait for its end',
		async (wire, text) => {
			expect(await answered(wire, leavesOpen(text), {stallTimeoutMs: 700})).toEqual(whole);
		},
	);

	it.skipIf(process.env['INKPOD_TEST'] !== 'long')(
		'ends without the usage when that does not arrive',
		async () => {
			expect(await answered('openai-compatible', leavesOpen(chatText + chatStop))).toEqual({
				...whole,
				input: undefined,
			});
		},
		15_000,
	);

	it('is not read after [DONE], however much follows', async () => {
		const play: Play = async socket => {
			socket.write(head() + chatText + chatStop + chatUsage + done);
			await flood(socket, data(chat({content: 'x'.repeat(1000)})));
		};
		expect(await answered('openai-compatible', play)).toMatchObject({stop: 'end', error: undefined});
	});
});

describe('an answer whose connection breaks', () => {
	it.each<readonly [string, WireName, string]>([
		['[DONE]', 'openai-compatible', chatText + chatStop + chatUsage + done],
		['the usage', 'openai-compatible', chatText + chatStop + chatUsage],
		['response.completed', 'openai', responses + completed],
		['the finish', 'google', data({...part('Hello', {finishReason: 'STOP'}), ...counts})],
	])('is complete after %s over the wire of %s', async (_, wire, body) => {
		const play: Play = socket =>
			socket.write(head({'transfer-encoding': 'chunked'}) + `${body.length.toString(16)}\r\n${body}\r\n`, () =>
				setTimeout(() => socket.resetAndDestroy(), 50),
			);
		expect(await answered(wire, play)).toEqual(whole);
	});
});
