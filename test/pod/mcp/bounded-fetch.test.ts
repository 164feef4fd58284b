import {describe, expect, it} from 'vitest';
import {boundedFetch, endedWithout} from '../../../src/pod/mcp/bounded-fetch.ts';

type Base = typeof globalThis.fetch;

/** Fetches an answer in these pieces. A piece that is an error breaks the connection. */
async function fetched(
	type: string,
	pieces: ReadonlyArray<string | Error>,
	{
		maxBytes = 100,
		body = '{"jsonrpc":"2.0","id":7,"method":"tools/call"}',
	}: {readonly maxBytes?: number; readonly body?: string} = {},
): Promise<string> {
	const base: Base = async () =>
		new Response(
			new ReadableStream({
				async pull(controller) {
					const piece = pieces[sent++];
					if (piece === undefined) controller.close();
					else if (typeof piece === 'string') controller.enqueue(new TextEncoder().encode(piece));
					else controller.error(piece);
				},
			}),
			{headers: {'content-type': type}},
		);
	let sent = 0;
	const response = await boundedFetch(maxBytes, base)('http://a.example', {method: 'POST', body});
	return response.text();
}

const error = {code: endedWithout, message: 'the connection ended before the answer came'};
const last = `\n\ndata: ${JSON.stringify({jsonrpc: '2.0', id: 7, error})}\n\n`;

describe('a stream of events', () => {
	it.each<[string, ReadonlyArray<string | Error>, string]>([
		['that ends', ['data: 1\n\n'], 'data: 1\n\n'],
		['that breaks', ['data: 1\n\n', 'da', new TypeError('terminated')], 'data: 1\n\nda'],
		['that is too long', ['data: 1\n\n', 'x'.repeat(100)], 'data: 1\n\n'],
	])('ends with an error for the request that opened it: %s', async (_, pieces, text) => {
		expect(await fetched('text/event-stream', pieces)).toBe(`${text}${last}`);
	});

	it.each([
		['messages', 'data: {"method":"notifications/x"}\n\n'],
		['requests', 'data: {"id":1,"method":"roots/list"}\r\n\r\n'],
		['lines that end in CR', 'data: 1\r\r'],
	])('ends when it floods with %s', async (_, event) => {
		const pieces = Array.from({length: 100}, () => event.repeat(1000));
		const text = await fetched('text/event-stream', pieces, {maxBytes: 16_777_216});
		expect(text.match(/data:/g)?.length).toBeLessThan(22_000);
		expect(text.endsWith(last)).toBe(true);
	});

	it('may have any text in its events', async () => {
		const event = `data: ${JSON.stringify('\ndata:'.repeat(50_000))}\n\n`;
		const text = await fetched('text/event-stream', [event], {maxBytes: 16_777_216});
		expect(text).toBe(`${event}${last}`);
	});

	it('ends without an error when it belongs to no request', async () => {
		expect(
			await fetched('text/event-stream; charset=utf-8', ['data: 1\n\n'], {body: '{"method":"notifications/x"}'}),
		).toBe('data: 1\n\n');
	});
});

describe('another answer', () => {
	it('is complete when it is within the limit', async () => {
		expect(await fetched('application/json', ['x'.repeat(60), 'y'.repeat(40)])).toBe(
			`${'x'.repeat(60)}${'y'.repeat(40)}`,
		);
	});

	it('is an error when it is broken or over the limit', async () => {
		await expect(fetched('application/json', ['x'.repeat(60), 'y'.repeat(41)])).rejects.toThrow(
			'more than 100 bytes',
		);
		await expect(fetched('application/json', [new TypeError('terminated')])).rejects.toThrow('terminated');
	});
});
