import {describe, expect, it} from 'vitest';
import {
	chunk,
	encoders,
	ending,
	floods,
	says,
	saysRaw,
	text,
	toolCall,
	whole,
} from '../../helpers/wire-servers/hostile.ts';
import {wires} from '../../helpers/wire-servers/index.ts';
import {flood, head, startRawServer, type Play} from '../../helpers/wire-servers/raw.ts';
import {answered, compressed, hello, inChunk, mebibyte} from './hostile-answer.ts';
import {modelAt} from './wire-model.ts';

describe('a large answer with 20 layers of encoding', () => {
	it.each(wires)('becomes an error of %s, without unhandled errors', async wire => {
		const {error} = await answered(
			wire,
			floods(Buffer.alloc(65_536), {'content-encoding': Array.from({length: 20}, () => 'gzip').join(', ')}),
		);
		expect(error).toMatchObject({reason: 'bad_response', retryable: false});
		expect(error?.message).toContain('in an encoding that inkpod does not read (gzip, gzip, gzip …)');
	});
});

describe('an unusual but valid answer', () => {
	it.each<readonly [string, Play]>([
		['compressed with gzip', says(compressed('gzip'), {'content-encoding': 'gzip'})],
		['compressed with x-gzip', says(compressed('gzip'), {'content-encoding': 'X-GZip'})],
		['compressed with deflate', says(compressed('deflate'), {'content-encoding': 'deflate'})],
		['compressed with brotli', says(compressed('br'), {'content-encoding': 'br'})],
		['compressed with zstd', says(compressed('zstd'), {'content-encoding': 'zstd'})],
		['labelled as identity', says(whole, {'content-encoding': 'identity'})],
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
	])('is read %s', async (_, play) => {
		expect(await answered('openai-compatible', play)).toMatchObject({
			stop: 'end',
			parts: [{type: 'text', text: 'Hello'}],
		});
	});
});

describe('a hostile tool call', () => {
	it('gets a shorter name when its name has 1 MB', async () => {
		const {parts} = await answered(
			'openai-compatible',
			says(toolCall(0, {name: 'n'.repeat(mebibyte)}) + ending('tool_calls')),
		);
		expect(parts).toMatchObject([{type: 'tool_call', name: `${'n'.repeat(256)}…`}]);
	});

	it('gets another id when its id has 1 MB', async () => {
		const {parts} = await answered(
			'openai-compatible',
			says(toolCall(0, {id: 'i'.repeat(mebibyte)}) + ending('tool_calls')),
		);
		expect(parts).toMatchObject([{type: 'tool_call', callId: 'call_1'}]);
	});

	it('keeps arguments of 7 MB', async () => {
		const args = JSON.stringify({a: 'x'.repeat(7 * mebibyte)});
		const {parts} = await answered('openai-compatible', says(toolCall(0, {args}) + ending('tool_calls')));
		expect(parts[0]?.type === 'tool_call' && parts[0].arguments === args).toBe(true);
	});

	it('ends the answer when its arguments have 20 MB', async () => {
		const args = JSON.stringify({a: 'x'.repeat(20 * mebibyte)});
		const {error} = await answered('openai-compatible', says(toolCall(0, {args}) + ending('tool_calls')));
		expect(error).toMatchObject({reason: 'too_large', retryable: false});
	});

	it.each([
		['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
		['__proto__', '{"__proto__":{"polluted":1}}'],
	])('keeps arguments with %s as text', async (_, args) => {
		const {parts} = await answered('openai-compatible', says(toolCall(0, {args}) + ending('tool_calls')));
		expect(parts).toMatchObject([{type: 'tool_call', arguments: args}]);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});
});

describe('an impossible token count', () => {
	it.each([
		['negative', {prompt_tokens: -5, completion_tokens: -1}],
		['a word', {prompt_tokens: 'many', completion_tokens: 'few'}],
		['1e308', {prompt_tokens: 1e308, completion_tokens: 1e308}],
	])('counts as unknown: %s', async (_, usage) => {
		const {usage: read} = await answered('openai-compatible', says(text('x') + ending('stop', usage)));
		expect([read?.input, read?.output]).toEqual([undefined, undefined]);
	});
});

describe('an answer that is aborted', () => {
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
	])('closes its connection, without unhandled errors, within %s', async (_, play) => {
		await using server = await startRawServer(play);
		const stop = new AbortController();
		const model = await modelAt('openai-compatible', server, {stallTimeoutMs: 60_000});
		const seen: string[] = [];
		for await (const event of model.stream(hello, stop.signal)) {
			seen.push(event.type === 'error' ? event.error.reason : event.type);
			if (event.type === 'sending') setTimeout(() => stop.abort(), 30);
		}
		expect(seen.at(-1)).toBe('aborted');
		await server.allClosed();
	});
});
