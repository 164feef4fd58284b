import type {ModelFailure} from './model.ts';

export type RetryLimits = {
	/** Attempts in all, the first included. */
	readonly maxAttempts: number;
	/** Wait before the second attempt, in milliseconds; doubled for each further one. */
	readonly baseMs: number;
	readonly maxMs: number;
};

/**
How long to wait before the next attempt, in milliseconds; `undefined` when there is to be none. What the server asked
for is honoured, unless that is longer than a person would wait; else exponential with full jitter over the upper half.
*/
export function retryDelay(
	failure: ModelFailure,
	attempt: number,
	limits: RetryLimits,
	random: () => number,
): number | undefined {
	if (!failure.retryable || attempt >= limits.maxAttempts) return undefined;
	if (failure.retryAfterMs !== undefined) return failure.retryAfterMs > maxWaitMs ? undefined : failure.retryAfterMs;
	const full = Math.min(limits.maxMs, limits.baseMs * 2 ** (attempt - 1));
	return Math.round(full / 2 + (full / 2) * random());
}

/** A server that asks for more than this is an error, not a wait: 10 minutes. */
const maxWaitMs = 600_000;

/** Waits, or returns at once when the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>(resolve => {
		const done = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', done);
	});
}
