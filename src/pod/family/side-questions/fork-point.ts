import type {Item} from '../../../worker/index.ts';

/**
Returns the number of items that a side question sees. If the session is idle, the question sees all items. During a
run, an answer or its calls may be incomplete, so the question sees only the items before the last request of the run.
*/
export function forkPoint(items: readonly Item[], isResting: boolean): number {
	if (isResting) return items.length;
	const request = items.findLastIndex(({type}) => type === 'request');
	const end = items.findLastIndex(({type}) => type === 'run_end');
	// Before its first request, a run adds only messages, which are complete.
	return request > end ? request : items.length;
}
