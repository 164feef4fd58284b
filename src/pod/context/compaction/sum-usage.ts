import {finishedRequests, type Item, type Usage} from '../../../worker/index.ts';

const kinds = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const satisfies ReadonlyArray<keyof Usage>;

/** Returns the tokens of all requests among these items. It omits a kind of tokens that none of them counted. */
export function usageOf(items: readonly Item[]): Usage {
	const sums: Usage = {};
	for (const {usage} of finishedRequests(items))
		for (const kind of kinds) {
			const tokens = usage[kind];
			if (tokens !== undefined) sums[kind] = (sums[kind] ?? 0) + tokens;
		}
	return sums;
}
