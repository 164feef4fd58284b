import {describe, expect, it} from 'vitest';
import {requestedWait} from '../../../../src/worker/wires/errors/wait-hint.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const nothing = {headers: {}, body: '', text: ''};

describe('the wait that a server asks for', () => {
	it.each([
		['Groq', 'Please try again in 7.66s. Visit https://x for more.', 7660],
		['Groq, longer', 'Please try again in 1h2m3.5s.', 3_723_500],
		['OpenAI', 'Please try again in 1m30.5s.', 90_500],
		['OpenAI, short', 'Please try again in 350ms.', 350],
		['OpenAI, whole minutes', 'Please try again in 6m0s.', 360_000],
		['Azure', 'Please retry after 20 seconds.', 20_000],
		['a gateway', 'retry in 2 minutes', 120_000],
		['a gateway with a pause', 'Please wait for 3 s before you continue', 3000],
		['a gateway without a preposition', 'Please wait 3 seconds before retrying', 3000],
	])('is read from the message of %s', (_server, text, ms) => {
		expect(requestedWait({...nothing, text}, now)).toBe(ms);
	});

	it.each(['try again in 20 apples', 'wait 5', 'try again later', 'in 350ms', 'retry after', ''])(
		'is not read from "%s"',
		text => {
			expect(requestedWait({...nothing, text}, now)).toBeUndefined();
		},
	);

	it.each([
		[{'retry-after': '7'}, 7000],
		[{'retry-after': '7s'}, 7000],
		[{'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT'}, 60_000],
		[{'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT'}, 0],
		[{'retry-after-ms': '1250', 'retry-after': '9'}, 1250],
		[{'retry-after': '9'.repeat(400)}, Number.MAX_SAFE_INTEGER],
	])('is read from the headers %j', (headers: Record<string, string>, ms) => {
		expect(requestedWait({...nothing, headers}, now)).toBe(ms);
	});

	it.each([
		['OpenAI', {'x-ratelimit-reset-requests': '3s', 'x-ratelimit-remaining-requests': '0'}, 3000],
		['OpenAI, milliseconds', {'x-ratelimit-reset-tokens': '60ms', 'x-ratelimit-remaining-tokens': '0'}, 60],
		['Groq', {'x-ratelimit-reset-tokens': '6m0s'}, 360_000],
		['Anthropic', {'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:42Z'}, 42_000],
		['OpenRouter', {'x-ratelimit-reset': String(now + 9000), 'x-ratelimit-remaining': '0'}, 9000],
		['GitHub', {'x-ratelimit-reset': String((now + 9000) / 1000)}, 9000],
		['the draft of the IETF', {'ratelimit-reset': '11', 'ratelimit-remaining': '0'}, 11_000],
		[
			'the only limit that is used up',
			{
				'x-ratelimit-reset-requests': '3s',
				'x-ratelimit-remaining-requests': '7',
				'x-ratelimit-reset-tokens': '8s',
				'x-ratelimit-remaining-tokens': '0',
			},
			8000,
		],
		['the nearest of several without counts', {'ratelimit-reset': '11', 'x-ratelimit-reset-tokens': '8s'}, 8000],
		['a limit that is not used up', {'ratelimit-reset': '11', 'ratelimit-remaining': '4'}, undefined],
		['a value without a meaning', {'ratelimit-reset': 'soon'}, undefined],
	])('is read from the reset headers of %s', (_server, headers: Record<string, string>, ms) => {
		expect(requestedWait({...nothing, headers, status: 429}, now)).toBe(ms);
		expect(requestedWait({...nothing, headers, status: 500}, now)).toBeUndefined();
	});

	it('lasts until midnight in California if a quota of Google for a day is used up, whatever else it says', () => {
		const quota = (id: string) =>
			JSON.stringify({error: {details: [{violations: [{quotaId: id}]}, {retryDelay: '2s'}]}});
		// Midnight UTC is 16:00 in winter.
		expect(requestedWait({...nothing, body: quota('GenerateRequestsPerDayPerProject-FreeTier')}, now)).toBe(
			8 * 3_600_000,
		);
		expect(requestedWait({...nothing, body: quota('GenerateRequestsPerMinutePerProject')}, now)).toBe(2000);
	});

	it('is a minute if a quota of Google for a minute is used up and nothing else says when', () => {
		const body = '{"error":{"details":[{"violations":[{"quotaId": "RequestsPerMinutePerModel"}]}]}}';
		expect(requestedWait({...nothing, body}, now)).toBe(60_000);
	});

	it.each([
		['{"error":{"details":[{"retryDelay":"37s"}]}}', 37_000],
		['{"error":{"retry_after_ms": 250}}', 250],
		['{"retry_after":"3"}', 3000],
		['{"retry_after_seconds":4.5}', 4500],
	])('is read from the body %s', (body, ms) => {
		expect(requestedWait({...nothing, body}, now)).toBe(ms);
	});

	it('is taken from a header first, then from the body, then from a sentence', () => {
		const [body, text] = ['{"retry_after":3}', 'try again in 9s'];
		expect(requestedWait({headers: {'retry-after': '1'}, body, text}, now)).toBe(1000);
		expect(requestedWait({headers: {}, body, text}, now)).toBe(3000);
	});
});
