import {describe, expect, it} from 'vitest';
import type {ModelFailureReason} from '../../../src/worker/model.ts';
import {ask, collect, type Collected} from '../../helpers/collect.ts';
import {
	bomb,
	chunk,
	chunked,
	encoders,
	ending,
	floods,
	says,
	saysRaw,
	text,
	toolCall,
	whole,
	type Encoding,
} from '../../helpers/wire-servers/hostile.ts';
import {wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {flood, head, startRawServer, type Play} from '../../helpers/wire-servers/raw.ts';
import {modelAt} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);
const mebibyte = 1024 * 1024;
const isLong = process.env['INKPOD_TEST'] === 'long';

type Answered = Collected & {readonly sentMegabytes: number};

/** What comes of an answer. A connection that stays open ends the test by its time; what goes unhandled fails it. */
async function answered(
	wire: WireName,
	play: Play,
	{stall = 60_000, signal}: {readonly stall?: number; readonly signal?: AbortSignal} = {},
): Promise<Answered> {
	await using server = await startRawServer(play);
	const got = await collect(await modelAt(wire, server, {stallTimeoutMs: stall}), hello, signal);
	await server.allClosed();
	return {...got, sentMegabytes: server.sent() / mebibyte};
}

const compressed = (encoding: Encoding, body = whole): Buffer => encoders[encoding](Buffer.from(body));
const inChunk = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;
const slow = '{"error":{"message":"slow"}}';

describe('an answer encoded 20 times, with a large body', () => {
	it.each(wires)('is an error of %s, and nothing is left unhandled', async wire => {
		const {error} = await answered(
			wire,
			floods(Buffer.alloc(65_536), {'content-encoding': Array.from({length: 20}, () => 'gzip').join(', ')}),
		);
		expect(error).toMatchObject({reason: 'bad_response', retryable: false});
		expect(error?.message).toContain('in an encoding that inkpod does not read (gzip, gzip, gzip …)');
	});
});

describe('an answer that no honest server gives, but that can be read', () => {
	it.each<readonly [string, Play]>([
		['compressed with gzip', says(compressed('gzip'), {'content-encoding': 'gzip'})],
		['compressed with x-gzip', says(compressed('gzip'), {'content-encoding': 'X-GZip'})],
		['compressed with deflate', says(compressed('deflate'), {'content-encoding': 'deflate'})],
		['compressed with brotli', says(compressed('br'), {'content-encoding': 'br'})],
		['compressed with zstd', says(compressed('zstd'), {'content-encoding': 'zstd'})],
		['called identity', says(whole, {'content-encoding': 'identity'})],
		[
			'with broken UTF-8 around it',
			says(Buffer.concat([Buffer.from([0x3a, 0xff, 0xfe, 0xc0, 0x0a, 0x0a]), Buffer.from(whole)])),
		],
		['with NUL bytes around it', says(`:\0\0\n\n${whole}`)],
		[
			'with 100,000 levels of JSON in an event',
			says(
				chunk({content: ''}, {x: 1}).replace('"x":1', `"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`) +
					whole,
			),
		],
		[
			'of HTTP/1.0, without a length',
			saysRaw(`HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${whole}`),
		],
		[
			'with trailers',
			saysRaw(`${head({'transfer-encoding': 'chunked', trailer: 'x-a'})}${inChunk(whole)}0\r\nx-a: b\r\n\r\n`),
		],
		['shorter than its length', says(whole, {'content-length': '100000'})],
		['reset after its last event', saysRaw(head({'transfer-encoding': 'chunked'}) + inChunk(whole), 'reset')],
		[
			'after three early hints',
			saysRaw('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(3) + head({connection: 'close'}) + whole),
		],
	])('%s, is read', async (_, play) => {
		expect(await answered('openai-compatible', play)).toMatchObject({
			stop: 'end',
			parts: [{type: 'text', text: 'Hello'}],
		});
	});
});

const lengthOf = ({events}: Collected): number =>
	events.reduce((sum, event) => sum + (event.type === 'delta' ? event.text.length : 0), 0);

type Failing = readonly [what: string, play: Play, reason: ModelFailureReason, words: string | RegExp];

const encodings: readonly Failing[] = [
	['in an unknown encoding', says(whole, {'content-encoding': 'rot13'}), 'bad_response', '(rot13)'],
	['in two layers of gzip', says(whole, {'content-encoding': 'gzip, gzip'}), 'bad_response', '(gzip, gzip)'],
	[
		'that is not gzip',
		says('not gzip at all', {'content-encoding': 'gzip'}),
		'bad_response',
		'broken compression (gzip)',
	],
	[
		'that is not brotli',
		says('not brotli at all', {'content-encoding': 'br'}),
		'bad_response',
		'broken compression (br)',
	],
	[
		'that is not zstd',
		says('not zstd at all', {'content-encoding': 'zstd'}),
		'bad_response',
		'broken compression (zstd)',
	],
	[
		'of gzip that is cut',
		says(compressed('gzip').subarray(0, 60), {'content-encoding': 'gzip'}),
		'cut',
		'was cut off',
	],
	['of brotli that is cut', says(compressed('br').subarray(0, 60), {'content-encoding': 'br'}), 'cut', 'was cut off'],
	[
		'of zstd that is cut',
		says(compressed('zstd').subarray(0, 60), {'content-encoding': 'zstd'}),
		'bad_response',
		'broken compression (zstd)',
	],
];

const framing: readonly Failing[] = [
	['longer than its length', says(whole, {'content-length': '50'}), 'cut', 'was cut off'],
	['of a negative length', says(whole, {'content-length': '-5'}), 'unreachable', 'no HTTP'],
	[
		'with a length and chunks',
		says(whole, {'content-length': '50', 'transfer-encoding': 'chunked'}),
		'unreachable',
		/cannot be reached/,
	],
	[
		'with a chunk size that is no number',
		saysRaw(`${head({'transfer-encoding': 'chunked'})}zz\r\n${whole}`),
		'cut',
		'was cut off',
	],
	[
		'with an endless chunk size',
		saysRaw(`${head({'transfer-encoding': 'chunked'})}${'f'.repeat(40)}\r\n${whole}`),
		'cut',
		'was cut off',
	],
	['with a header of 1 MB', says(whole, {'x-a': 'b'.repeat(mebibyte)}), 'unreachable', 'HEADERS_OVERFLOW'],
	['of status 204', says('', {}, '204 No Content'), 'bad_response', 'could not be understood'],
	['of status 205', says('', {}, '205 Reset Content'), 'bad_response', 'could not be understood'],
	['of status 304', says('', {}, '304 Not Modified'), 'bad_response', 'answered without content (304)'],
	['of status 600', says(whole, {}, '600 What'), 'bad_response', 'answered with 600, which is not an HTTP status'],
	['of status 999', says(whole, {}, '999 What'), 'bad_response', 'answered with 999'],
	['of status 199', says(whole, {}, '199 What'), 'unreachable', 'cannot be reached'],
	['of status 000', says(whole, {}, '000 What'), 'unreachable', 'no HTTP'],
	[
		'of status 101',
		saysRaw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
		'unreachable',
		'cannot be reached',
	],
	['of another protocol', saysRaw('SSH-2.0-OpenSSH_9.6\r\n'), 'unreachable', 'no HTTP'],
	['of TLS', saysRaw(Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])), 'unreachable', 'no HTTP'],
	['of HTTP/0.9', saysRaw(whole), 'unreachable', 'no HTTP'],
];

const breaks: readonly Failing[] = [
	['ended before its head', saysRaw(''), 'unreachable', 'cannot be reached'],
	['reset before its head', saysRaw('', 'reset'), 'unreachable', 'ECONNRESET'],
	['ended within its head', saysRaw('HTTP/1.1 200 OK\r\ncontent-'), 'unreachable', 'cannot be reached'],
	['reset within its head', saysRaw('HTTP/1.1 200 OK\r\ncontent-', 'reset'), 'unreachable', 'ECONNRESET'],
	['reset after its head', saysRaw(head(), 'reset'), 'cut', 'was cut off'],
	[
		'reset within a chunk',
		saysRaw(`${head({'transfer-encoding': 'chunked'})}50\r\ndata: {"`, 'reset'),
		'cut',
		'was cut off',
	],
	['reset after a text', saysRaw(head() + text('half'), 'reset'), 'cut', 'was cut off'],
	['ended after a text', saysRaw(head() + text('half')), 'cut', 'was cut off'],
];

const contents: readonly Failing[] = [
	['of a page', says('<html><h1>Bad</h1></html>', {'content-type': 'text/html'}), 'cut', 'was cut off'],
	[
		'of an error page',
		says('<html><h1>Bad</h1></html>', {'content-type': 'text/html'}, '502 Bad Gateway'),
		'overloaded',
		'(502): Bad Gateway.'.slice(0, -1),
	],
	[
		'with an error body that is reset',
		saysRaw(`${head({}, '401 No')}{"err`, 'reset'),
		'unauthorized',
		'Invalid API key (401 from',
	],
	[
		'with __proto__ in an event',
		says('data: {"__proto__":{"polluted":1},"choices":[]}\n\n'),
		'bad_response',
		'could not be understood',
	],
	[
		'with tokens as words',
		says(text('x') + ending('stop', {prompt_tokens: 'many'})),
		'bad_response',
		'could not be understood',
	],
	['that asks to wait 1e309 s', says(slow, {'retry-after': '1e309'}, '429 Slow'), 'rate_limited', '(429): slow'],
	['that asks to wait 1e309 ms', says(slow, {'retry-after-ms': '1e309'}, '429 Slow'), 'rate_limited', '(429): slow'],
	[
		'that redirects to a file',
		says('', {location: 'file:///etc/passwd'}, '302 Found'),
		'bad_response',
		'redirects to file:…',
	],
	[
		'that redirects to itself',
		says('', {location: '/v1/chat/completions?key=k'}, '302 Found'),
		'bad_response',
		/redirects to \/v1\/chat\/completions \(/,
	],
	[
		'that redirects with a password',
		says('', {location: 'http://a:secret@b.example/x?key=k'}, '307 Found'),
		'bad_response',
		'redirects to http://b.example/x (',
	],
];

describe('an answer that cannot be read', () => {
	it.each([...encodings, ...framing, ...breaks, ...contents])(
		'%s, ends as an error with a sentence',
		async (_, play, reason, words) => {
			const {error} = await answered('openai-compatible', play);
			expect(error?.reason).toBe(reason);
			expect(error?.message).toMatch(words);
			expect(error?.message.length).toBeLessThan(700);
		},
	);

	it.each<readonly [string, Play]>([
		['within its head', saysRaw('HTTP/1.1 200 OK\r\nx-', 'stall')],
		['after its head', saysRaw(head(), 'stall')],
		['after a text', saysRaw(head() + text('half'), 'stall')],
		[
			'within its compression',
			saysRaw(
				Buffer.concat([Buffer.from(head({'content-encoding': 'gzip'})), compressed('gzip').subarray(0, 40)]),
				'stall',
			),
		],
		[
			'with early hints only',
			socket => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(1000)),
		],
		[
			'with a chunk extension without end',
			async socket => {
				socket.write(`${head({'transfer-encoding': 'chunked'})}5;`);
				await flood(socket, 'x'.repeat(65_536));
			},
		],
	])('that stalls %s, ends as stalled', async (_, play) => {
		expect((await answered('openai-compatible', play, {stall: 300})).error).toMatchObject({reason: 'stalled'});
	});
});

describe('an answer that is too large', () => {
	const answerSize =
		/^openai-compatible at 127\.0\.0\.1:\d+ sent an answer larger than 64 MB\. inkpod stopped reading it\.$/;
	const eventSize = /sent a single event larger than 24 MB\. inkpod stopped reading it\.$/;

	it.each<readonly [string, Play, RegExp, number]>([
		['with comments without end', floods(': nothing\n\n'.repeat(1000)), answerSize, 64],
		['with chunks without end', chunked(': nothing\n\n'.repeat(1000)), answerSize, 64],
		['with a line without end', floods('x'.repeat(65_536)), eventSize, 24],
		['with data lines without a blank one', floods('data: x\n'.repeat(1000)), eventSize, 24],
		[
			'with one chunk of 100 MB',
			async socket => {
				socket.write(`${head({'transfer-encoding': 'chunked'})}${(100 * mebibyte).toString(16)}\r\n`);
				await flood(socket, Buffer.alloc(65_536, 'x'));
			},
			eventSize,
			24,
		],
		['with an event of 30 MB', says(`data: "${'x'.repeat(30 * mebibyte)}"\n\n`), eventSize, 30],
		['that unpacks from gzip', bomb('gzip', '\0'), eventSize, 0],
		['that unpacks from deflate', bomb('deflate', '\0'), eventSize, 0],
		['that unpacks from brotli', bomb('br', '\0'), eventSize, 0],
		['that unpacks from zstd', bomb('zstd', '\0'), eventSize, 0],
		['that unpacks from gzip in lines', bomb('gzip', '\n'), answerSize, 0],
		...(isLong ? [['of 3 million tiny events', floods(chunk({}).repeat(300)), answerSize, 64] as const] : []),
		...(isLong ? [['of 400,000 tiny texts', floods(text('x').repeat(300)), answerSize, 64] as const] : []),
	])(
		'%s, is left at the limit, and its memory is free again',
		async (_, play, words, megabytes) => {
			const before = process.memoryUsage().rss;
			const {error, sentMegabytes} = await answered('openai-compatible', play);
			expect(error).toMatchObject({reason: 'too_large', retryable: false});
			expect(error?.message).toMatch(words);
			expect(sentMegabytes).toBeLessThan(megabytes + 12);
			expect(process.memoryUsage().rss - before).toBeLessThan(400 * mebibyte);
		},
		60_000,
	);

	it.each<readonly [string, Play, ModelFailureReason]>([
		['of 1 GB', floods('x'.repeat(65_536), {'content-type': 'application/json'}, '500 Oh'), 'overloaded'],
		[
			'that unpacks to 100 MB',
			says(encoders.gzip(Buffer.alloc(100 * mebibyte, 'x')), {'content-encoding': 'gzip'}, '400 No'),
			'bad_request',
		],
	])('as the body of an error %s, is read to 1 MB, and is the error of its status', async (_, play, reason) => {
		const {error, sentMegabytes} = await answered('openai-compatible', play);
		expect(error?.reason).toBe(reason);
		expect(error?.message.length).toBeLessThan(700);
		expect(sentMegabytes).toBeLessThan(12);
	});

	it('with headers without end, is left', async () => {
		const {error, sentMegabytes} = await answered('openai-compatible', async socket => {
			socket.write('HTTP/1.1 200 OK\r\n');
			await flood(socket, 'x-a: b\r\n'.repeat(1000));
		});
		expect(error).toMatchObject({reason: 'unreachable'});
		expect(sentMegabytes).toBeLessThan(12);
	});

	it.each<readonly [string, (part: string) => string]>([
		['text', part => text(part)],
		['thoughts', part => chunk({reasoning_content: part})],
		['text and thoughts', part => text(part.slice(0, 500_000)) + chunk({reasoning_content: part.slice(500_000)})],
	])('of %s without end, is left at 8 MB, keeps what came, and closes the connection', async (_, piece) => {
		const got = await answered('openai-compatible', floods(piece('word '.repeat(200_000))));
		expect(got.error).toMatchObject({reason: 'too_large', retryable: false});
		expect(got.error?.message).toContain('longer than 8 MB');
		expect(lengthOf(got)).toBe(8 * mebibyte);
		expect(got.sentMegabytes).toBeLessThan(64);
	});

	it('with more than 10,000 parts, is left', async () => {
		const {error} = await answered(
			'openai-compatible',
			says(Array.from({length: 10_050}, (_, at) => toolCall(at, {})).join('') + ending('tool_calls')),
		);
		expect(error).toMatchObject({reason: 'too_large', retryable: false});
		expect(error?.message).toContain('has more than 10000 parts');
	}, 60_000);
});

describe('a hostile tool call', () => {
	it('with a name of 1 MB, has a name that is cut', async () => {
		const {parts} = await answered(
			'openai-compatible',
			says(toolCall(0, {name: 'n'.repeat(mebibyte)}) + ending('tool_calls')),
		);
		expect(parts).toMatchObject([{type: 'tool_call', name: `${'n'.repeat(256)}…`}]);
	});

	it('with an id of 1 MB, has another id', async () => {
		const {parts} = await answered(
			'openai-compatible',
			says(toolCall(0, {id: 'i'.repeat(mebibyte)}) + ending('tool_calls')),
		);
		expect(parts).toMatchObject([{type: 'tool_call', callId: 'call_1'}]);
	});

	it('with arguments of 7 MB, has them whole', async () => {
		const args = JSON.stringify({a: 'x'.repeat(7 * mebibyte)});
		const {parts} = await answered('openai-compatible', says(toolCall(0, {args}) + ending('tool_calls')));
		expect(parts[0]?.type === 'tool_call' && parts[0].arguments === args).toBe(true);
	});

	it('with arguments of 20 MB, ends the answer', async () => {
		const args = JSON.stringify({a: 'x'.repeat(20 * mebibyte)});
		const {error} = await answered('openai-compatible', says(toolCall(0, {args}) + ending('tool_calls')));
		expect(error).toMatchObject({reason: 'too_large', retryable: false});
	});

	it.each([
		['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
		['__proto__', '{"__proto__":{"polluted":1}}'],
	])('with %s in its arguments, keeps them as text', async (_, args) => {
		const {parts} = await answered('openai-compatible', says(toolCall(0, {args}) + ending('tool_calls')));
		expect(parts).toMatchObject([{type: 'tool_call', arguments: args}]);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});
});

describe('counts of tokens that cannot be', () => {
	it.each([
		['negative', {prompt_tokens: -5, completion_tokens: -1}],
		['1e308', {prompt_tokens: 1e308, completion_tokens: 1e308}],
	])('%s, are not known', async (_, usage) => {
		const {usage: read} = await answered('openai-compatible', says(text('x') + ending('stop', usage)));
		expect([read?.input, read?.output]).toEqual([undefined, undefined]);
	});
});

describe('an answer that is stopped in the middle', () => {
	it.each<readonly [string, Play]>([
		['a flood', floods(text('x').repeat(100))],
		['a stall', saysRaw(head() + text('half'), 'stall')],
		[
			'a bomb',
			socket => {
				socket.write(head({'content-encoding': 'gzip'}));
				const piece = encoders.gzip(Buffer.from(text('x').repeat(1000)));
				return flood(socket, piece);
			},
		],
		[
			'a cut encoding',
			saysRaw(
				Buffer.concat([Buffer.from(head({'content-encoding': 'gzip'})), compressed('gzip').subarray(0, 60)]),
				'stall',
			),
		],
	])('within %s, closes its connection and leaves nothing unhandled', async (_, play) => {
		await using server = await startRawServer(play);
		const stop = new AbortController();
		const model = await modelAt('openai-compatible', server, {stallTimeoutMs: 60_000});
		const seen: string[] = [];
		for await (const event of model.stream(hello, stop.signal)) {
			seen.push(event.type === 'error' ? event.error.reason : event.type);
			if (event.type === 'sent') setTimeout(() => stop.abort(), 30);
		}
		expect(seen.at(-1)).toBe('aborted');
		await server.allClosed();
	});
});
