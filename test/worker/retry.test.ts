import {expect, test} from 'vitest';
import {retryDelay, wait} from '../../src/worker/retry.ts';

const limits = {maxAttempts: 4, baseMs: 1000, maxMs: 5000};
const failure = {reason: 'overloaded', message: '', retryable: true} as const;

test.each([
	['the first attempt, half to whole base', failure, 1, [500, 1000]],
	['the second, doubled', failure, 2, [1000, 2000]],
	['a late one, capped', failure, 3, [2000, 4000]],
	['what the server asked for, honoured', {...failure, retryAfterMs: 42_000}, 1, [42_000, 42_000]],
	['an hour that the server asked for, none', {...failure, retryAfterMs: 3_600_000}, 1, [undefined, undefined]],
	['the last attempt, none', failure, 4, [undefined, undefined]],
	['not retryable, none', {...failure, retryable: false}, 1, [undefined, undefined]],
])('delay after %s', (_name, given, attempt, [low, high]) => {
	expect(retryDelay(given, attempt, limits, () => 0)).toBe(low);
	expect(retryDelay(given, attempt, limits, () => 1)).toBe(high);
});

test('a wait whose signal is aborted, ends at once', async () => {
	const abort = new AbortController();
	const waiting = wait(1_000_000, abort.signal);
	abort.abort();
	await waiting;
	await wait(1_000_000, abort.signal);
});
