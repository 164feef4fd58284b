import type {ModelFailure} from './model.ts';

export type RetryLimits = {
	/** The number of attempts, including the first. */
	readonly maxAttempts: number;
	/** The milliseconds before the second attempt. The wait doubles with each further attempt. */
	readonly baseMs: number;
	readonly maxMs: number;
};

/**
Returns the milliseconds until the next attempt, or `undefined` if there is none. It honours a wait that the server asks
for, up to a limit. Otherwise the wait grows exponentially, with full jitter over its upper half.
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

/** 10 minutes. A longer wait counts as an error. */
const maxWaitMs = 600_000;

/** Waits. Returns at once if the signal is aborted. */
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
