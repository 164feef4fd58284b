import type {ModelFailure} from '../history/model.ts';
import {retryLater} from './texts.ts';

export type RetryLimits = {
	/** The number of attempts, including the first one. */
	readonly maxAttempts: number;
	/** The number of milliseconds before the second attempt. Each later wait is three times as long, up to `maxMs`. */
	readonly baseMs: number;
	readonly maxMs: number;
	/**
	The longest wait, in milliseconds, that a server may ask for. If the server asks for a longer wait, the request
	fails.
	*/
	readonly maxWaitMs: number;
};

/**
Returns the milliseconds until the next attempt, or `undefined` if there is none. If the server asks for a wait of up to
`maxWaitMs`, the function returns that wait. If the server asks for no wait, the wait grows exponentially, and its upper
half is random.
*/
export function retryDelay(
	failure: ModelFailure,
	attempt: number,
	limits: RetryLimits,
	random: () => number,
): number | undefined {
	if (!failure.retryable || attempt >= limits.maxAttempts) return undefined;
	if (failure.retryAfterMs !== undefined)
		return failure.retryAfterMs > limits.maxWaitMs ? undefined : failure.retryAfterMs;
	const full = Math.min(limits.maxMs, limits.baseMs * 3 ** (attempt - 1));
	return Math.round(full / 2 + (full / 2) * random());
}

/**
If the server asked for a longer wait than `maxWaitMs`, adds to the failure's message when the user can try again.
*/
export function withTimeToRetry(failure: ModelFailure, {maxWaitMs}: RetryLimits, now: number): ModelFailure {
	const {retryable, retryAfterMs = 0, message} = failure;
	return retryable && retryAfterMs > maxWaitMs
		? {...failure, message: retryLater(message, retryAfterMs, now)}
		: failure;
}
