import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, beforeEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import {createStallTimeout} from '../../../src/worker/wires/stall-timeout.ts';
import {Silence, silenceLimits} from '../../../src/worker/wires/silence.ts';
import {openGuarded} from '../../../src/worker/wires/http/guarded-fetch.ts';
import {isLocalAddress} from '../../../src/worker/wires/http/loopback.ts';
import {textOf} from '../../../src/worker/wires/http/source.ts';
import {text} from '../../helpers/wire-servers/hostile.ts';
import {startRawServer} from '../../helpers/wire-servers/raw.ts';
import {collect} from '../../helpers/collect.ts';
import {hello} from './hostile-answer.ts';
import {modelAt} from './wire-model.ts';

const minute = 60_000;
const context = {provider: 'openai-compatible', model: 'q', host: 'h', loopback: false, isLocal: false, secrets: []};
const delta = {type: 'delta', key: 'p1', text: 'word'} as const;
const beginning = {type: 'start', key: 'p1', part: {type: 'text'}} as const;

describe('the limits of silence', () => {
	it.each([
		[{}, false, 5 * minute, 90_000],
		[{}, true, 10 * minute, 5 * minute],
		[{stallTimeoutMs: 20_000}, false, 5 * minute, 20_000],
		[{stallTimeoutMs: 20 * minute}, true, 20 * minute, 20 * minute],
		[{firstTokenTimeoutMs: 1000}, true, 1000, 5 * minute],
		[{firstTokenTimeoutMs: 1000, stallTimeoutMs: 2000}, false, 1000, 2000],
	])('are for %j, local: %s, %i ms and %i ms', (options, isLocal, firstMs, nextMs) => {
		expect(silenceLimits(options, isLocal)).toEqual({firstMs, nextMs});
	});

	it.each(['127.0.0.1', '10.1.2.3', '172.31.0.9', '192.168.1.20', '100.64.3.4', 'fd12::1', '[::1]', 'fe80::1%eth0'])(
		'are those of a local server at %s',
		address => expect(isLocalAddress(address)).toBe(true),
	);

	it.each(['::ffff:192.168.1.20', '::ffff:c0a8:114', 'localhost', 'a.localhost'])('also at %s', address =>
		expect(isLocalAddress(address)).toBe(true),
	);

	it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2001:db8::1', 'api.example.org', '10.example.org', ''])(
		'are those of another server at %j',
		address => expect(isLocalAddress(address)).toBe(false),
	);
});

describe('the silence of an answer', () => {
	beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']}));
	afterEach(() => void vi.useRealTimers());

	function waiting(isLocal = false) {
		const stall = createStallTimeout(new AbortController().signal, silenceLimits({}, isLocal).firstMs);
		const silence = new Silence(stall, {}, isLocal);
		silence.onSend();
		return {stall, silence, wait: () => stall.wait(new Promise(() => {}))};
	}

	async function pass(ms: number): Promise<void> {
		await vi.advanceTimersByTimeAsync(ms);
	}

	it('may last five minutes before the first content, and is then a failure that names its setting', async () => {
		const {stall, silence, wait} = waiting();
		void wait();
		await pass(5 * minute - 1);
		expect(stall.signal.aborted).toBe(false);
		await pass(2);
		expect(stall.signal.aborted).toBe(true);
		expect(silence.failure(context)).toEqual({
			reason: 'stalled',
			message:
				'openai-compatible at h sent no answer for 300 s, so the request was ended. ' +
				'inkpod does not repeat the request by itself, because each request may cost money. ' +
				'Continue to try again, or set model.first_token_timeout to more seconds.',
			retryable: false,
		});
	});

	it('may last ten minutes when the name of the server leads to a private address', async () => {
		const {stall, silence, wait} = waiting();
		void wait();
		silence.onConnect('192.168.1.20');
		await pass(10 * minute - 1);
		expect(stall.signal.aborted).toBe(false);
		await pass(2);
		expect(stall.signal.aborted).toBe(true);
	});

	it('keeps the first limit after headers and an empty beginning', async () => {
		const {stall, silence, wait} = waiting();
		void wait();
		silence.onBytes();
		silence.onEvents([beginning]);
		await pass(4 * minute);
		expect(stall.signal.aborted).toBe(false);
		silence.onEvents([delta]);
		await pass(90_001);
		expect(stall.signal.aborted).toBe(true);
		expect(silence.failure(context).message).toContain('sent nothing more for 90 s');
	});

	it.each([
		['before the first content', false],
		['between two pieces', true],
	])('is extended by keep-alive comments %s, to 30 minutes at most', async (_, hasContent) => {
		const {stall, silence, wait} = waiting();
		if (hasContent) silence.onEvents([delta]);
		void wait();
		for (let minutes = 1; minutes < 30; minutes++) {
			await pass(minute);
			silence.onBytes();
		}
		expect(stall.signal.aborted).toBe(false);
		await pass(minute + 1);
		expect(stall.signal.aborted).toBe(true);
	});

	it('begins again with each piece of content, however long the answer is', async () => {
		const {stall, silence, wait} = waiting();
		void wait();
		for (let pieces = 0; pieces < 60; pieces++) {
			silence.onEvents([delta]);
			await pass(minute);
		}
		expect(stall.signal.aborted).toBe(false);
	});

	it('counts neither for the phase nor for the limit while nobody waits', async () => {
		const {stall, silence} = waiting();
		await stall.wait(Promise.resolve());
		await pass(40 * minute);
		const waited = stall.wait(Promise.resolve('here'));
		silence.onBytes();
		expect(await waited).toEqual({type: 'value', value: 'here'});
	});
});

describe('a server that is silent', () => {
	const role = 'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';

	it.each([
		['sends headers and a role at once', role],
		['sends a comment at once', ': processing\n\n'],
	])('is waited for with the first limit when it %s', async (_, beginningBytes) => {
		await using server = await startRawServer(socket => {
			socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${beginningBytes}`);
		});
		const limits = {firstTokenTimeoutMs: 80, stallTimeoutMs: 60_000};
		const {error} = await collect(await modelAt('openai-compatible', server, limits), hello);
		expect(error).toMatchObject({reason: 'stalled', retryable: false});
		expect(error?.message).toContain('sent no answer for 80 ms');
	});

	it('is not waited for with the first limit after a word', async () => {
		await using server = await startRawServer(socket => {
			socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${text('Half')}`);
		});
		const limits = {firstTokenTimeoutMs: 60_000, stallTimeoutMs: 80};
		const {error} = await collect(await modelAt('openai-compatible', server, limits), hello);
		expect(error?.message).toContain('sent nothing more for 80 ms');
	});

	it('is recognised by the address of its connection, new or used again, but not behind a proxy', async () => {
		const server = createServer((_, response) => response.end('{}')).listen(0);
		onTestFinished(() => void server.close());
		await once(server, 'listening');
		const {port} = server.address() as AddressInfo;
		const seen: string[] = [];
		const onConnect = (address: string) => void seen.push(address);
		for (const _ of ['new', 'used']) {
			const {source} = await openGuarded(`http://localhost:${port}`, {onConnect});
			await textOf(source!);
		}
		expect(seen.length).toBe(2);
		expect(seen.every(isLocalAddress)).toBe(true);
		const http = {variable: 'HTTP_PROXY', value: `http://127.0.0.1:${port}`};
		const network = {proxies: {http, exceptions: ''}};
		const {source} = await openGuarded('http://api.example.test', {onConnect}, {network});
		await textOf(source!);
		expect(seen.length).toBe(2);
	});
});
