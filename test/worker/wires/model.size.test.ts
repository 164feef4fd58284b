import {describe, expect, it} from 'vitest';
import type {ModelFailureReason} from '../../../src/worker/history/model.ts';
import type {Collected} from '../../helpers/collect.ts';
import {
	bomb,
	chunk,
	chunked,
	encoders,
	ending,
	floods,
	says,
	text,
	toolCall,
} from '../../helpers/wire-servers/hostile.ts';
import {flood, head, type Play} from '../../helpers/wire-servers/raw.ts';
import {answered, mebibyte} from './hostile-answer.ts';

const isLong = process.env['INKPOD_TEST'] === 'long';

const lengthOf = ({events}: Collected): number =>
	events.reduce((sum, event) => sum + (event.type === 'delta' ? event.text.length : 0), 0);

describe('an answer that is too large', () => {
	const answerSize =
		/^openai-compatible at 127\.0\.0\.1:\d+ sent an answer larger than 64 MB\. inkpod stopped reading it\.$/;
	const eventSize = /sent a single event larger than 24 MB\. inkpod stopped reading it\.$/;

	it.each<readonly [string, Play, RegExp, number]>([
		['with endless comments', floods(': nothing\n\n'.repeat(1000)), answerSize, 64],
		['with endless chunks', chunked(': nothing\n\n'.repeat(1000)), answerSize, 64],
		['with an endless line', floods('x'.repeat(65_536)), eventSize, 24],
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
		'ends at the limit and releases its memory: %s',
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
	])('becomes the error of its status, with up to 1 MB of its body, %s', async (_, play, reason) => {
		const {error, sentMegabytes} = await answered('openai-compatible', play);
		expect(error?.reason).toBe(reason);
		expect(error?.message.length).toBeLessThan(700);
		expect(sentMegabytes).toBeLessThan(12);
	});

	it('ends when its headers never end', async () => {
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
	])('ends at 8 MB of %s, keeps these 8 MB and closes the connection', async (_, piece) => {
		const got = await answered('openai-compatible', floods(piece('word '.repeat(200_000))));
		expect(got.error).toMatchObject({reason: 'too_large', retryable: false});
		expect(got.error?.message).toContain('longer than 8 MB');
		// The stored data of each thought also counts.
		expect(lengthOf(got)).toBeLessThanOrEqual(8 * mebibyte);
		expect(lengthOf(got)).toBeGreaterThan(8 * mebibyte - 1024);
		expect(got.sentMegabytes).toBeLessThan(64);
	});

	it('ends after 10,000 parts', async () => {
		const {error} = await answered(
			'openai-compatible',
			says(Array.from({length: 10_050}, (_, at) => toolCall(at, {})).join('') + ending('tool_calls')),
		);
		expect(error).toMatchObject({reason: 'too_large', retryable: false});
		expect(error?.message).toContain('more than 10000 parts');
	}, 60_000);
});
