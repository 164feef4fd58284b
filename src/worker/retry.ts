import type {ModelFailure} from './model.ts';

export type RetryLimits = {
	/** All attempts, including the first. */
	readonly maxAttempts: number;
	/** Milliseconds before the second attempt; doubled for each further one. */
	readonly baseMs: number;
	readonly maxMs: number;
};

/**
Milliseconds until the next attempt; `undefined` if there is none. A wait that the server asks for is honoured up to a
limit. Otherwise the wait grows exponentially, with full jitter over its upper half.
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

/** 10 minutes. A server that asks for a longer wait is an error. */
const maxWaitMs = 600_000;

/** Waits, or returns at once if the signal is aborted. */
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
