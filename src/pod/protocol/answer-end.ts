import type {AnswerEnd, Item} from '../../worker/index.ts';

/**
Returns how an answer ended, if this item ends an answer. The worker has the same function, but clients do not load the
worker.
*/
export function answerEnd(item: Item | undefined): AnswerEnd | undefined {
	if (item?.type === 'request_end') return item;
	if (item?.type !== 'request') return undefined;
	const {usage, endedAt, stop} = item;
	return usage === undefined || endedAt === undefined || stop === undefined
		? undefined
		: {...item, usage, endedAt, stop};
}
