import type {Interceptor, Item, ModelFailureReason} from '../../worker/index.ts';
import {context} from '../history/reader.ts';
import {compactionTexts} from './texts.ts';

export const maxRequests = 20;
/**
All requests together may send this many times the tokens of the first one, and extra tokens for the files that are
read.
*/
const inputFactor = 4;
const extraInput = 100_000;

export type SummaryWatch = {
	readonly interceptor: Interceptor;
	/** Returns the reason why the last failed request failed. */
	readonly failure: () => ModelFailureReason | undefined;
};

/** Creates a watch that ends a run if it sends too much. It counts the tokens of both messages to the model. */
export function createSummaryWatch(
	items: () => readonly Item[],
	{estimate, window}: {readonly estimate: (text: string) => number; readonly window?: number | undefined},
): SummaryWatch {
	let [requests, sent, maxSent] = [0, 0, 0];
	let failure: ModelFailureReason | undefined;
	const cancel = (reason: string) => ({type: 'cancel', reason}) as const;
	return {
		failure: () => failure,
		interceptor: {
			preRequest() {
				const size = estimate(JSON.stringify(context(items()).messages));
				requests++;
				sent += size;
				maxSent ||= size * inputFactor + extraInput;
				if (requests > maxRequests) return cancel(compactionTexts.tooManyRequests(maxRequests));
				if (sent > maxSent) return cancel(compactionTexts.tooMuchInput(maxSent));
				return window !== undefined && size > window ? cancel(compactionTexts.notFitting) : {type: 'continue'};
			},
			onRequestFailure({reason}) {
				failure = reason;
				return {type: 'fail'};
			},
		},
	};
}
