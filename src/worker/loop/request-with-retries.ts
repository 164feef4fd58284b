import {moment, wait} from '../history/clock.ts';
import type {Model, ModelFailure, ModelRequest} from '../history/model.ts';
import {retryDelay, withTimeToRetry, type RetryLimits} from './retry.ts';
import {takeTurn, type TurnContext, type TurnResult} from './turn.ts';

/** What a run is doing. If `retryAt` is set, the run waits until that time because of `failure`. */
export type WorkerStep = {
	readonly step: 'requesting' | 'streaming' | 'tools';
	readonly retryAt?: number;
	readonly failure?: ModelFailure;
};

type Composed = {readonly request: ModelRequest} & Pick<TurnContext, 'rewrites'>;

type RetryOptions = Omit<TurnContext, 'onBegin' | 'rewrites'> & {
	readonly limits: RetryLimits;
	readonly onStep: (step: WorkerStep) => void;
	/** Returns a number in [0, 1) for the jitter of retries. */
	readonly random: () => number;
};

/**
Makes a model call, and repeats the call after a temporary failure. Once a text or call has arrived, a failure is final,
so that the user does not pay for an answer twice. Received thoughts are committed as interrupted and are not sent, so
each attempt sends the same messages. But the request's item also names the thoughts that the request omits, so each
attempt composes the request again.
*/
export async function requestWithRetries(
	model: Model,
	compose: () => Composed,
	attempts: RetryOptions,
): Promise<TurnResult> {
	const {clock, signal, limits, onStep, random} = attempts;
	for (let number = 1; ; number++) {
		onStep({step: 'requesting'});
		const {request, rewrites} = compose();
		const result = await takeTurn(model, request, {
			...attempts,
			rewrites,
			onBegin: () => onStep({step: 'streaming'}),
		});
		if (result.type !== 'failed' || result.began) return result;
		const delay = retryDelay(result.failure, number, limits, random);
		if (delay === undefined) return {...result, failure: withTimeToRetry(result.failure, limits, clock.now())};
		onStep({step: 'requesting', retryAt: moment(clock) + delay, failure: result.failure});
		await wait(delay, signal);
		if (signal.aborted) return {type: 'aborted'};
	}
}
