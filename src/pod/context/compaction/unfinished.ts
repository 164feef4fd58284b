import type {Item} from '../../../worker/index.ts';
import type {UnfinishedCompactions} from '../../protocol.ts';
import {usageOf} from './sum-usage.ts';

/** Adds the conversation of one compaction that did not finish. */
export function addUnfinished(
	{compactions, requests, input, output}: UnfinishedCompactions,
	items: readonly Item[],
): UnfinishedCompactions {
	const usage = usageOf(items);
	const sent = items.filter(({type}) => type === 'request').length;
	const [read, written] = [sum(input, usage.input), sum(output, usage.output)];
	return {
		compactions: compactions + 1,
		requests: requests + sent,
		input: read,
		output: written,
	};
}

export const noUnfinished: UnfinishedCompactions = {compactions: 0, requests: 0};

function sum(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined ? other : one + (other ?? 0);
}
