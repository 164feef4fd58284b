import {describe, expect, it} from 'vitest';
import {wait} from '../../../src/worker/history/clock.ts';
import {retryDelay, withTimeToRetry} from '../../../src/worker/loop/retry.ts';

const limits = {maxAttempts: 4, baseMs: 1000, maxMs: 5000, maxWaitMs: 600_000};
const failure = {reason: 'overloaded', message: '', retryable: true} as const;

describe('the wait before a retry', () => {
	it.each([
		['half to all of the base after the first attempt', failure, 1, [500, 1000]],
		['tripled after the second attempt', failure, 2, [1500, 3000]],
		['limited after a late attempt', failure, 3, [2500, 5000]],
		['the wait that the server asked for', {...failure, retryAfterMs: 42_000}, 1, [42_000, 42_000]],
		['none when the server asked for an hour', {...failure, retryAfterMs: 3_600_000}, 1, [undefined, undefined]],
		['none after the last attempt', failure, 4, [undefined, undefined]],
		['none when the failure is not retryable', {...failure, retryable: false}, 1, [undefined, undefined]],
	])('takes %s', (_name, given, attempt, [low, high]) => {
		expect(retryDelay(given, attempt, limits, () => 0)).toBe(low);
		expect(retryDelay(given, attempt, limits, () => 1)).toBe(high);
	});

	it('ends at once when its signal is aborted', async () => {
		const abort = new AbortController();
		const waiting = wait(1_000_000, abort.signal);
		abort.abort();
		await waiting;
		await wait(1_000_000, abort.signal);
	});
});

describe('a failure whose wait is too long', () => {
	it('reports when another try makes sense', () => {
		const now = Date.parse('2026-01-01T10:00:00');
		const late = {...failure, message: 'Rate limited.', retryAfterMs: 25 * 60_000};
		expect(withTimeToRetry(late, limits, now).message).toBe('Rate limited. Try again at 10:25 (in 25 min).');
		const later = {...late, retryAfterMs: 50 * 3_600_000};
		expect(withTimeToRetry(later, limits, now).message).toBe('Rate limited. Try again in 50 h.');
		expect(withTimeToRetry({...late, retryAfterMs: 1000}, limits, now).message).toBe('Rate limited.');
	});
});
