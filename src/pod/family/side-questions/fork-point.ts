import type {Item} from '../../../worker/index.ts';

/**
Returns the number of items that a side question sees. At rest it sees all of them. Otherwise an answer or its calls may
be incomplete, so it sees what the last request of the run saw.
*/
export function forkPoint(items: readonly Item[], isResting: boolean): number {
	if (isResting) return items.length;
	const request = items.findLastIndex(({type}) => type === 'request');
	const end = items.findLastIndex(({type}) => type === 'run_end');
	// Until its first request, a run has added only messages.
	return request > end ? request : items.length;
}
