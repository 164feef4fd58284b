import {finishedRequests, type Item, type Usage} from '../../../worker/index.ts';
import {wholeUsage} from '../../protocol/whole-usage.ts';

const kinds = [
	'input',
	'output',
	'cacheRead',
	'cacheWrite',
	'cacheWriteHour',
	'reasoning',
] as const satisfies ReadonlyArray<keyof Usage>;

/**
Returns the sum of the tokens of all requests among these items. The result omits a kind of tokens that no request
counted.
*/
export function usageOf(items: readonly Item[]): Usage {
	const sums: Usage = {};
	for (const {usage} of finishedRequests(items)) {
		const whole = wholeUsage(usage);
		for (const kind of kinds) {
			const tokens = whole[kind];
			if (tokens !== undefined) sums[kind] = (sums[kind] ?? 0) + tokens;
		}
	}
	return sums;
}
