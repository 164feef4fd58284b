import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it} from 'vitest';
import {loadModel} from '../../../src/worker/wires/load.ts';
import type {ModelFailure} from '../../../src/worker/history/model.ts';
import type {StepOf} from '../../../src/worker/wires/script.ts';
import {ask, collect, type Collected} from '../../helpers/collect.ts';
import {startServer, wires, type ServerAnswer, type WireName} from '../../helpers/wire-servers/index.ts';
import {modelAt, testKey} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);

async function answerTo(wire: WireName, answer: ServerAnswer): Promise<Collected> {
	await using server = await startServer(wire, [answer]);
	return await collect(await modelAt(wire, server), hello);
}

function bodyOf(wire: WireName, status: number, message: string): string {
	return JSON.stringify(
		wire === 'anthropic'
			? {type: 'error', error: {type: 'some_error', message}}
			: {error: {code: status, message, status: 'SOME'}},
	);
}

describe('an HTTP status', () => {
	const cases: ReadonlyArray<readonly [number, string, ModelFailure['reason'], boolean]> = [
		[400, 'bad tool schema', 'bad_request', false],
		[401, 'invalid x-api-key', 'unauthorized', false],
		[402, 'no credits', 'other', false],
		[403, 'not allowed', 'unauthorized', false],
		[404, 'model: nothing', 'not_found', false],
		[408, 'timeout', 'overloaded', true],
		[409, 'conflict', 'overloaded', true],
		[413, 'Request exceeds the maximum size', 'too_long', false],
		[422, 'extra inputs', 'bad_request', false],
		[425, 'too early', 'overloaded', true],
		[429, 'slow down', 'rate_limited', true],
		[500, 'internal', 'overloaded', true],
		[503, 'unavailable', 'overloaded', true],
		[529, 'Overloaded', 'overloaded', true],
	];
	it.each(wires.flatMap(wire => cases.map(each => [wire, ...each] as const)))(
		'fails for %s, %i with "%s" as %s',
		async (wire, status, message, reason, retryable) => {
			const {error, events} = await answerTo(wire, {status, body: bodyOf(wire, status, message)});
			expect(events.map(({type}) => type)).toEqual(['sending', 'error']);
			expect(error).toMatchObject({reason, retryable});
			expect(error?.message).toContain(message);
		},
	);

	it.each([
		['anthropic', 'prompt is too long: 210000 tokens > 200000 maximum'],
		['openai', "This model's maximum context length is 8192 tokens."],
		['google', 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).'],
		['openai-compatible', 'the request exceeds the available context size, try increasing it'],
	] as const)('fails as too_long when it is 400 from %s with "%s"', async (wire, message) => {
		expect((await answerTo(wire, {status: 400, body: bodyOf(wire, 400, message)})).error).toMatchObject({
			reason: 'too_long',
			retryable: false,
		});
	});

	it('names the variable of the key when the key is invalid', async () => {
		const {error} = await answerTo('google', {
			status: 400,
			body: bodyOf('google', 400, 'API key not valid. Please pass a valid API key.'),
		});
		expect(error).toMatchObject({reason: 'unauthorized'});
		expect(error?.message).toContain('GEMINI_API_KEY');
	});

	it('is not retryable when it is 429 because of an exhausted quota', async () => {
		const body = JSON.stringify({
			error: {
				message: 'You exceeded your current quota.',
				type: 'insufficient_quota',
				code: 'insufficient_quota',
			},
		});
		expect((await answerTo('openai', {status: 429, body})).error).toMatchObject({
			reason: 'rate_limited',
			retryable: false,
		});
	});

	it('is a limit, and not missing credit, when the server says how long to wait', async () => {
		const message = 'You exceeded your current quota, please check your plan and billing details.';
		const quota = (quotaId: string) =>
			JSON.stringify({
				error: {
					code: 429,
					message,
					status: 'RESOURCE_EXHAUSTED',
					details: [
						{'@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{quotaId}]},
						{'@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s'},
					],
				},
			});
		const minute = await answerTo('google', {status: 429, body: quota('GenerateRequestsPerMinutePerProject')});
		expect(minute.error).toMatchObject({reason: 'rate_limited', retryable: true, retryAfterMs: 2000});
		expect(minute.error?.message).not.toContain('redit');
		const day = await answerTo('google', {status: 429, body: quota('GenerateRequestsPerDayPerProject')});
		expect(day.error).toMatchObject({reason: 'rate_limited', retryable: true});
		expect(day.error?.retryAfterMs).toBeGreaterThan(2000);
	});

	it('is reported and not followed when it is a redirect', async () => {
		await using elsewhere = await startServer('anthropic', [[{type: 'text', text: 'stolen'}]]);
		const {error} = await answerTo('anthropic', {status: 307, headers: {location: `${elsewhere.url}/v1/messages`}});
		expect(error).toMatchObject({reason: 'bad_response', retryable: false});
		expect(error?.message).toContain(elsewhere.url);
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('the wait that a server asks for', () => {
	it.each([
		[{'retry-after': '7'}, 7000],
		[{'retry-after': '0.5'}, 500],
		[{'retry-after-ms': '1250', 'retry-after': '9'}, 1250],
		[{'x-ratelimit-reset-requests': '3s'}, 3000],
		[{'x-ratelimit-reset-requests': '3s', 'x-ratelimit-remaining-requests': '0'}, 3000],
		[{'anthropic-ratelimit-requests-reset': new Date(0).toISOString()}, 0],
	])('is read from %j as %i ms', async (headers: Record<string, string>, ms) => {
		expect(
			(await answerTo('anthropic', {status: 429, headers, body: bodyOf('anthropic', 429, 'slow')})).error
				?.retryAfterMs,
		).toBe(ms);
	});

	it('is read from words', async () => {
		const body = bodyOf('openai-compatible', 429, 'Rate limit reached. Please wait 3 seconds before retrying.');
		const {error} = await answerTo('openai-compatible', {status: 429, body});
		expect(error).toMatchObject({retryable: true, retryAfterMs: 3000});
	});

	it('is the time until a date', async () => {
		const date = new Date(Date.now() + 60_000);
		const all: ReadonlyArray<Record<string, string>> = [
			{'retry-after': date.toUTCString()},
			{'anthropic-ratelimit-requests-reset': date.toISOString()},
		];
		for (const headers of all) {
			const answer = {status: 429, headers, body: bodyOf('anthropic', 429, 'slow')};
			const ms = (await answerTo('anthropic', answer)).error?.retryAfterMs;
			expect(ms).toBeGreaterThan(50_000);
			expect(ms).toBeLessThanOrEqual(60_000);
		}
	});

	it('is zero when the date is in the past', async () => {
		const headers = {'retry-after': new Date(0).toUTCString()};
		expect((await answerTo('openai', {status: 503, headers, body: '{}'})).error?.retryAfterMs).toBe(0);
	});

	it('is read from the RetryInfo of Google', async () => {
		const body = JSON.stringify({
			error: {
				code: 429,
				message: 'Quota.',
				status: 'RESOURCE_EXHAUSTED',
				details: [{'@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s'}],
			},
		});
		expect((await answerTo('google', {status: 429, body})).error?.retryAfterMs).toBe(37_000);
	});
});

describe('the text of a provider', () => {
	it.each(wires)('loses the key of %s', async wire => {
		const {error} = await answerTo(wire, {
			status: 401,
			body: bodyOf(wire, 401, `Incorrect API key provided: ${testKey}.`),
		});
		expect(error?.message).toContain('[key]');
		expect(JSON.stringify(error)).not.toContain(testKey);
	});

	it('is cut between characters', async () => {
		const {error} = await answerTo('openai', {status: 400, body: bodyOf('openai', 400, `x${'👍'.repeat(5000)}`)});
		expect(error!.message.length).toBeLessThan(600);
		expect(error!.message.isWellFormed()).toBe(true);
	});

	it('is on one line, without control characters', async () => {
		const {error} = await answerTo('openai', {
			status: 400,
			body: bodyOf('openai', 400, 'one\n\u001B[31mtwo\u0007'),
		});
		expect(error?.message).toMatch(/one \[31mtwo\.$/);
	});

	it.each([
		['{"error":"model \\"x\\" not found, try pulling it first"}', 'model "x" not found, try pulling it first'],
		['{"detail":"Not Found"}', 'Not Found'],
		['plain text', 'plain text'],
		['<html><body>Bad gateway</body></html>', 'Not Found'],
	])('is found in an error of the form %s', async (body, words) => {
		const {error} = await answerTo('openai-compatible', {status: 404, body});
		expect(error).toMatchObject({reason: 'not_found'});
		expect(error?.message).toMatch(new RegExp(`${words}\\.?$`));
	});
});

describe('a request without an answer', () => {
	it('is not sent when there is no key', async () => {
		const {events, error} = await collect(
			await loadModel({provider: 'anthropic', model: 'claude-sonnet-5'}),
			hello,
		);
		expect(events).toHaveLength(1);
		expect(error).toMatchObject({
			reason: 'unauthorized',
			message: 'No API key for anthropic. Set ANTHROPIC_API_KEY.',
			retryable: false,
		});
	});

	it.each(['sk-a\nb', '\u201Csk-a\u201D', 'sk a'])(
		'is not sent when the key cannot be in a header: %j',
		async apiKey => {
			const {events, error} = await collect(
				await loadModel({
					provider: 'anthropic',
					model: 'claude-sonnet-5',
					apiKey,
					baseURL: 'http://127.0.0.1:1',
				}),
				hello,
			);
			expect(events).toHaveLength(1);
			expect(error).toMatchObject({reason: 'unauthorized', retryable: false});
			expect(error?.message).toBe(
				'The API key for anthropic contains a space, a line break or another invalid character. ' +
					'Set ANTHROPIC_API_KEY again.',
			);
		},
	);

	it.each([[undefined], ['ftp://example.org'], ['not a url']])(
		'counts as unreachable with the base URL %s',
		async baseURL => {
			const {events, error} = await collect(
				await loadModel({
					provider: 'openai-compatible',
					model: 'm',
					...(baseURL === undefined ? {} : {baseURL}),
				}),
				hello,
			);
			expect(events).toHaveLength(1);
			expect(error).toMatchObject({reason: 'unreachable', retryable: false});
		},
	);

	it.each(wires)('counts as unreachable at once when %s refuses the connection on loopback', async wire => {
		const server = await startServer(wire, []);
		await server.close();
		const {events, error} = await collect(await modelAt(wire, server), hello);
		expect(events.map(({type}) => type)).toEqual(['sending', 'error']);
		expect(error).toMatchObject({reason: 'unreachable', retryable: false});
		expect(error?.message).toContain(new URL(server.url).host);
	});

	it('counts as unreachable when the host does not exist', async () => {
		const {error} = await collect(await modelAt('openai-compatible', {url: 'http://nobody.invalid'}), hello);
		expect(error).toMatchObject({reason: 'unreachable', retryable: true});
		expect(error?.message).toContain('nobody.invalid');
	});

	it('counts as unreachable and retryable when the socket closes', async () => {
		expect(
			(await answerTo('anthropic', [{type: 'error', reason: 'unreachable', message: ''}])).error,
		).toMatchObject({reason: 'unreachable', retryable: true});
	});

	it('fails with a sentence when the server does not speak HTTP', async () => {
		const server = createServer();
		server.on('connection', socket => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
		await new Promise<void>(resolve => {
			server.listen(0, '127.0.0.1', resolve);
		});
		const {error} = await collect(
			await modelAt('openai', {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`}),
			hello,
		);
		server.close();
		expect(error).toMatchObject({reason: 'unreachable'});
	});

	it.each<readonly [string, boolean, RegExp]>([
		['CERT_HAS_EXPIRED', false, /^The certificate of \S+ was not accepted \(CERT_HAS_EXPIRED\)\./],
		['ERR_TLS_CERT_ALTNAME_INVALID', false, /^The certificate of \S+ is for another name\. Check the base URL/],
		['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', false, /^\S+ refused the client certificate \(ERR\S+\)\. Check cert/],
		[
			'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
			false,
			/^\S+ refused the client certificate .* under \[providers\.openai\]\.$/,
		],
		[
			'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
			true,
			/^\S+ cannot be reached \(ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE\)\.$/,
		],
		['ECONNRESET', true, /^\S+ cannot be reached \(ECONNRESET\)\.$/],
		['ENETUNREACH', true, /^\S+ cannot be reached \(ENETUNREACH\)\.$/],
		['EAI_AGAIN', true, /^Host \S+ not found\./],
		['HPE_HEADER_OVERFLOW', true, /^\S+ cannot be reached \(HPE_HEADER_OVERFLOW\)\.$/],
		['HPE_INVALID_CONSTANT', true, /^\S+ cannot be reached \(no HTTP\)\.$/],
	])('has a sentence for %s', async (code, retryable, sentence) => {
		const cause = Object.assign(new Error('why'), {code});
		const fetch = async () => Promise.reject(new TypeError('fetch failed', {cause}));
		const {error} = await collect(await modelAt('openai', {url: 'http://host.invalid'}, {fetch}), hello);
		expect(error).toMatchObject({reason: 'unreachable', retryable, message: expect.stringMatching(sentence)});
	});

	it('names the reason of OpenSSL when Node reports only EPROTO', async () => {
		const message =
			'write EPROTO 40:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../x.c:9:';
		const cause = Object.assign(new Error(message), {code: 'EPROTO'});
		const fetch = async () => Promise.reject(new TypeError('fetch failed', {cause}));
		const {error} = await collect(await modelAt('openai', {url: 'http://host.invalid'}, {fetch}), hello);
		expect(error?.message).toBe('host.invalid cannot be reached (ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE).');
	});

	it.each(wires)('fails as bad_response or cut when the answer of %s is not a stream', async wire => {
		const {error} = await answerTo(wire, {status: 200, body: '<html>Welcome to nginx</html>'});
		expect(['bad_response', 'cut']).toContain(error?.reason);
	});
});

describe.each(wires)('an error within the stream of %s', wire => {
	it('ends it as overloaded after the text so far', async () => {
		const {error, events} = await answerTo(wire, [
			{type: 'text', text: 'Half'},
			{type: 'error', reason: 'overloaded', message: 'Overloaded for now'},
		]);
		expect(error).toMatchObject({reason: 'overloaded', retryable: true});
		expect(error?.message).toContain('Overloaded for now');
		expect(events.some(event => event.type === 'delta' && event.text === 'Half')).toBe(true);
	});

	it('ends it as cut when the last event is incomplete', async () => {
		const {error} = await answerTo(wire, [
			{type: 'text', text: 'Half'},
			{type: 'error', reason: 'bad_response', message: ''},
		]);
		expect(error?.reason).toBe('cut');
	});

	it('is retryable when it comes before the first part', async () => {
		const {error, parts} = await answerTo(wire, [
			{type: 'stop', stop: 'end'},
			{type: 'error', reason: 'overloaded', message: 'Overloaded for now'},
		]);
		expect(error).toMatchObject({reason: 'overloaded', retryable: true});
		expect(parts).toEqual([]);
	});
});

/** The stops for which each wire has a word. */
const stops: ReadonlyArray<readonly [WireName, StepOf<'stop'>['stop']]> = [
	...wires.flatMap(wire => [[wire, 'end'] as const, [wire, 'length'] as const]),
	['anthropic', 'refused'],
	['anthropic', 'paused'],
	['anthropic', 'other'],
	['openai', 'blocked'],
	['google', 'blocked'],
	['google', 'unread_call'],
	['google', 'other'],
	['openai-compatible', 'blocked'],
	['openai-compatible', 'other'],
];

describe('the stop of an answer', () => {
	it.each(stops)('from %s is reported as %s', async (wire, stop) => {
		expect(
			(
				await answerTo(wire, [
					{type: 'text', text: 'Well'},
					{type: 'stop', stop},
				])
			).stop,
		).toBe(stop === 'refused' && filters.has(wire) ? 'blocked' : stop);
	});
});

/** The wires whose servers report a refusal as a filter. */
const filters: ReadonlySet<string> = new Set(['openai', 'google']);
