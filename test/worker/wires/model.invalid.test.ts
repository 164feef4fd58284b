import {describe, expect, it} from 'vitest';
import type {ModelFailureReason} from '../../../src/worker/history/model.ts';
import {says, saysRaw, text, whole} from '../../helpers/wire-servers/hostile.ts';
import {flood, head, type Play} from '../../helpers/wire-servers/raw.ts';
import {answered, compressed, mebibyte, slow} from './hostile-answer.ts';

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
	// Nothing of it can be decoded.
	[
		'of brotli that is cut',
		says(compressed('br').subarray(0, 60), {'content-encoding': 'br'}),
		'bad_response',
		'without content',
	],
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
		'with a chunk size that is not a number',
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
	[
		'with a chunk extension without end',
		async socket => {
			socket.write(`${head({'transfer-encoding': 'chunked'})}5;`);
			await flood(socket, 'x'.repeat(65_536));
		},
		'cut',
		'was cut off',
	],
	['with a header of 1 MB', says(whole, {'x-a': 'b'.repeat(mebibyte)}), 'unreachable', 'HEADER_OVERFLOW'],
	['of status 204', says('', {}, '204 No Content'), 'bad_response', 'answered without content'],
	['of status 205', says('', {}, '205 Reset Content'), 'bad_response', 'answered without content'],
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
	['of TLS', saysRaw(Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])), 'unreachable', / expects TLS\. Write https/],
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
	[
		'of a page',
		says('<html><title>Sign in</title></html>', {'content-type': 'text/html'}),
		'bad_response',
		'sent a web page instead of an answer (“Sign in”)',
	],
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
	['with __proto__ in an event', says('data: {"__proto__":{"polluted":1},"choices":[]}\n\n'), 'cut', 'was cut off'],
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

describe('an invalid answer', () => {
	it.each([...encodings, ...framing, ...breaks, ...contents])(
		'ends with an error and a sentence: %s',
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
	])('ends as stalled when it stalls %s', async (_, play) => {
		expect((await answered('openai-compatible', play, {stall: 300})).error).toMatchObject({reason: 'stalled'});
	});
});
