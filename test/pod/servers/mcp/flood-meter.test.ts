import {describe, expect, it} from 'vitest';
import {boundedFetch, endedWithout} from '../../../../src/pod/servers/mcp/flood-meter.ts';

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

	it.each<[string, readonly string[]]>([
		['one event in each piece', ['data: 1\n\n']],
		['events without data', ['data\n\n']],
		['events that are cut in their name', ['\n\nda', 'ta: 1']],
		['events that are cut before their colon', ['\r\rdata', ': 1']],
		['events that are cut after their newline', ['data: 1\n', '\n']],
	])('ends when it floods with %s', async (_, event) => {
		const pieces = Array.from({length: 30_000}, () => event).flat();
		const text = await fetched('text/event-stream', pieces, {maxBytes: 16_777_216});
		expect(text.match(/data/g)?.length).toBeLessThan(20_010);
		expect(text.endsWith(last)).toBe(true);
	});

	it('may contain any text in its events', async () => {
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

describe('an answer that is not a stream', () => {
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

	it.each([
		['notifications', '{"jsonrpc":"2.0","method":"x"}'],
		['requests', '{"json\\u0072pc":"2.0","id":1,"method":"sampling/createMessage"}'],
	])('is an error when it is a list of too many %s', async (_, message) => {
		const list = (count: number) => ['\ufeff \n', '[', `${message},`.repeat(count), `${message}]`];
		await expect(fetched('application/json', list(20_001), {maxBytes: 16_777_216})).rejects.toThrow(
			'more than 20000 unrequested messages',
		);
		expect(await fetched('application/json', list(10), {maxBytes: 16_777_216})).toContain(message);
	});

	it.each([
		['objects', '{"a":{},', '"b":1}'],
		['strings with quotes', '["\\\\\\"",', '"x"]'],
		['lists on lines', '[\n', '1]'],
	])('is an error when it contains too many %s', async (_, many, end) => {
		const pieces = Array.from({length: 200}, () => many.repeat(1001));
		await expect(
			fetched('application/json', ['{"result":', ...pieces, end], {maxBytes: 16_777_216}),
		).rejects.toThrow('more than 200000 JSON values');
	});

	it('may contain a text with many commas', async () => {
		const text = JSON.stringify({result: `"${',"\\,{['.repeat(300_000)}`});
		expect(await fetched('application/json', [text.slice(0, 11), text.slice(11)], {maxBytes: 16_777_216})).toBe(
			text,
		);
	});

	it('may contain many objects', async () => {
		const text = `{"result":[${'{},'.repeat(30_000)}{}]}`;
		expect(await fetched('application/json', [text], {maxBytes: 16_777_216})).toBe(text);
	});
});

describe('the refusals of a server’s own requests', () => {
	it.each([1, 5000])('are at most 16 at a time, also with an id of %i characters', async length => {
		let open = 0;
		const wait = Promise.withResolvers<Response>();
		const send = boundedFetch(100, async () => {
			open++;
			return wait.promise;
		});
		const reply = JSON.stringify({jsonrpc: '2.0', id: 'x'.repeat(length), error: {code: -32_601, message: 'no'}});
		const sent = Array.from({length: 20}, async () => send('http://a.example', {method: 'POST', body: reply}));
		const settled = Promise.allSettled(sent);
		wait.resolve(new Response(null));
		expect((await settled).filter(({status}) => status === 'rejected')).toHaveLength(4);
		expect(open).toBe(16);
	});
});
