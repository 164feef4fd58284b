import type {Interceptor, Item, ModelFailureReason} from '../../../worker/index.ts';
import {lastTruncation} from '../truncation/truncation.ts';
import {context, projectedItems} from '../../ground/history/reader.ts';
import {compactionTexts} from './texts.ts';

const maxRequests = 20;
/**
All requests together may send this many times the tokens of the first one, plus extra tokens for the files that are
read.
*/
const inputFactor = 4;
const extraInput = 100_000;

export type SummaryWatch = {
	readonly interceptor: Interceptor;
	/** Returns the reason why the last failed request failed. */
	readonly failure: () => ModelFailureReason | undefined;
	/** Tells whether the server dropped the beginning of a request. A summary of the rest would lose what was said. */
	readonly isTruncated: () => boolean;
};

/** Creates a watch that ends a run if it sends too much. It counts the tokens of both messages to the model. */
export function createSummaryWatch(
	items: () => readonly Item[],
	{estimate, window}: {readonly estimate: (text: string) => number; readonly window?: number | undefined},
): SummaryWatch {
	let [requests, sent, maxSent] = [0, 0, 0];
	let failure: ModelFailureReason | undefined;
	let isTruncated = false;
	const cancel = (reason: string) => ({type: 'cancel', reason}) as const;
	return {
		failure: () => failure,
		isTruncated: () => isTruncated,
		interceptor: {
			onAnswer() {
				isTruncated ||= lastTruncation(items(), projectedItems) !== undefined;
				return {type: 'continue'};
			},
			preRequest() {
				if (isTruncated) return cancel(compactionTexts.truncated);
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
