import {ReadableStream} from 'node:stream/web';
import {describe, expect, it} from 'vitest';
import type {ModelEvent} from '../../../src/worker/history/model.ts';
import {ask, assemble, collect} from '../../helpers/collect.ts';
import {startServer, wires, type WireServer} from '../../helpers/wire-servers/index.ts';
import {bare, modelAt} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);

describe.each(wires)('the stream of %s', wire => {
	describe.each(['drop', 'end'] as const)('after the connection breaks (%s)', cutBy => {
		it('ends as cut, with the text so far', async () => {
			await using server = await startServer(
				wire,
				[[{type: 'text', text: 'Half of it', chunk: 4}, {type: 'cut'}]],
				{cutBy},
			);
			const {error, events} = await collect(await modelAt(wire, server), hello);
			expect(error).toMatchObject({reason: 'cut', retryable: true});
			expect(events.flatMap(event => (event.type === 'delta' ? [event.text] : [])).join('')).toBe('Half of it');
		});

		it('ends with an error that is tried again when no part has arrived', async () => {
			await using server = await startServer(wire, [[{type: 'cut'}]], {cutBy});
			const {error, parts} = await collect(await modelAt(wire, server), hello);
			// A body that ends is not known to be cut.
			expect(error).toMatchObject({reason: cutBy === 'drop' ? 'cut' : 'bad_response', retryable: true});
			expect(parts).toEqual([]);
		});
	});

	it('ends as stalled when it is silent from the start', async () => {
		await using server = await startServer(wire, [[{type: 'stall'}]]);
		const {error} = await collect(await modelAt(wire, server, {stallTimeoutMs: 60}), hello);
		expect(error).toMatchObject({reason: 'stalled', retryable: false});
		expect(error?.message).toContain('sent no answer for 60 ms');
		expect(error?.message).toContain('model.first_token_timeout');
		// On a busy machine the request may not arrive within that time.
		await server.requests[0]?.closed;
	});

	it('ends as stalled when it becomes silent after some text', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Half'}, {type: 'stall'}]]);
		const {error, events} = await collect(await modelAt(wire, server, {stallTimeoutMs: 120}), hello);
		expect(error).toMatchObject({reason: 'stalled', retryable: false});
		expect(error?.message).toContain('model.stall_timeout');
		expect(events.some(({type}) => type === 'delta')).toBe(true);
		await server.requests[0]!.closed;
	});

	it('finishes and closes the connection when the server leaves it open', async () => {
		const answer = [
			{type: 'text', text: 'All of it'},
			{type: 'usage', input: 7, output: 3},
		] as const;
		await using server = await startServer(wire, [answer], {holdsOpen: true});
		const {error, parts, stop, usage} = await collect(await modelAt(wire, server), hello);
		expect(error).toBeUndefined();
		expect({parts: bare(parts), stop, usage}).toMatchObject({
			parts: [{type: 'text', text: 'All of it'}],
			stop: 'end',
			usage: {input: 7, output: 3},
		});
		await server.requests[0]!.closed;
	});

	it('finishes when it is slow but never silent for long', async () => {
		await using server = await startServer(wire, [
			[{type: 'text', text: 'slow and steady', chunk: 1, delayMs: 20}],
		]);
		const {error, parts} = await collect(await modelAt(wire, server, {stallTimeoutMs: 200}), hello);
		expect(error).toBeUndefined();
		expect(parts).toMatchObject([{type: 'text', text: 'slow and steady'}]);
	});

	it('ends as aborted when the signal is aborted before it begins', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'no'}]]);
		const {error, parts} = await collect(await modelAt(wire, server), hello, AbortSignal.abort());
		expect(error).toMatchObject({reason: 'aborted', retryable: false});
		expect(parts).toEqual([]);
		expect(server.requests).toEqual([]);
	});

	it('sends nothing when its reader stops before the request is sent', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'One'}], [{type: 'text', text: 'Two'}]]);
		const model = await modelAt(wire, server);
		for await (const event of model.stream(hello, new AbortController().signal)) {
			expect([event.type, server.requests.length]).toEqual(['sending', 0]);
			break;
		}
		await collect(model, hello);
		expect(server.requests).toHaveLength(1);
	});

	it('closes the connection when it is aborted while the server is silent', async () => {
		await using server = await startServer(wire, [[{type: 'stall'}]]);
		const {error} = await abortedAfter(server, await modelAt(wire, server), ({type}) => type === 'sending');
		expect(error).toMatchObject({reason: 'aborted'});
	});

	it('closes the connection when it is aborted within a text', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Half'}, {type: 'stall'}]]);
		const {error} = await abortedAfter(server, await modelAt(wire, server), ({type}) => type === 'delta');
		expect(error).toMatchObject({reason: 'aborted'});
	});

	it('closes the connection when it is no longer read', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Half'}, {type: 'stall'}]]);
		for await (const event of (await modelAt(wire, server)).stream(hello, new AbortController().signal))
			if (event.type === 'delta') break;
		await server.requests[0]!.closed;
	});
});

async function abortedAfter(
	server: WireServer,
	model: Awaited<ReturnType<typeof modelAt>>,
	fits: (event: ModelEvent) => boolean,
): Promise<ReturnType<typeof assemble>> {
	const controller = new AbortController();
	const events: ModelEvent[] = [];
	for await (const event of model.stream(hello, controller.signal)) {
		events.push(event);
		if (fits(event)) controller.abort();
	}
	await server.requests[0]?.closed;
	return assemble(events);
}

const events = (...values: readonly object[]) => values.map(value => `data: ${JSON.stringify(value)}\n\n`).join('');

/** Streams that end in the middle of a call's arguments. */
const incompleteCalls = {
	anthropic: events(
		{type: 'message_start', message: {id: 'm', model: 'm', usage: {input_tokens: 7}}},
		{type: 'content_block_start', index: 0, content_block: {type: 'tool_use', id: 'c', name: 'f', input: {}}},
		{type: 'content_block_delta', index: 0, delta: {type: 'input_json_delta', partial_json: '{"pa'}},
	),
	openai: events(
		{
			type: 'response.output_item.added',
			output_index: 0,
			item: {type: 'function_call', id: 'f', call_id: 'c', name: 'f', arguments: ''},
		},
		{type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 0, delta: '{"pa'},
	),
	'openai-compatible': events({
		id: 'x',
		choices: [
			{
				index: 0,
				delta: {tool_calls: [{index: 0, id: 'c', type: 'function', function: {name: 'f', arguments: '{"pa'}}]},
			},
		],
	}),
};

describe('an incomplete tool call', () => {
	it.each(['anthropic', 'openai', 'openai-compatible'] as const)(
		'gets no end event when %s closes the connection cleanly',
		async wire => {
			await using server = await startServer(wire, [
				{status: 200, headers: {'content-type': 'text/event-stream'}, body: incompleteCalls[wire]},
			]);
			const {error, parts, open} = await collect(await modelAt(wire, server), hello);
			expect(error).toMatchObject({reason: 'cut'});
			expect(parts).toEqual([]);
			expect(open).toEqual(['{"pa']);
		},
	);

	it('does not lose the early token counts of Anthropic when the connection breaks', async () => {
		await using server = await startServer('anthropic', [
			[{type: 'text', text: 'Half'}, {type: 'usage', input: 100, cacheRead: 40}, {type: 'cut'}],
		]);
		const {usage} = await collect(await modelAt('anthropic', server), hello);
		expect(usage).toMatchObject({input: 100, cacheRead: 40});
	});
});

describe('a keep-alive comment', () => {
	it('prevents a stall while the model thinks', async () => {
		const words = [
			': thinking\n\n',
			': thinking\n\n',
			': thinking\n\n',
			': thinking\n\n',
			'data: {"id":"x","choices":[{"index":0,"delta":{"content":"done"},"finish_reason":"stop"}]}\n\n',
		];
		const body = ReadableStream.from(
			(async function* () {
				for (const word of words) {
					await new Promise(resolve => setTimeout(resolve, 60));
					yield new TextEncoder().encode(word);
				}
			})(),
		);
		const model = await modelAt(
			'openai-compatible',
			{url: 'http://127.0.0.1:9'},
			{
				stallTimeoutMs: 150,
				fetch: async () => new Response(body as never, {headers: {'content-type': 'text/event-stream'}}),
			},
		);
		const {parts, stop} = await collect(model, hello);
		expect(parts).toMatchObject([{type: 'text', text: 'done'}]);
		expect(stop).toBe('end');
	});
});
