import type {AnswerEnd, Item} from '../../worker/index.ts';

/**
Returns how an answer ended, if this item ends one. It is the worker's function of this name, for clients that do not
load the worker.
*/
export function answerEnd(item: Item | undefined): AnswerEnd | undefined {
	if (item?.type === 'request_end') return item;
	if (item?.type !== 'request') return undefined;
	const {usage, endedAt, stop} = item;
	return usage === undefined || endedAt === undefined || stop === undefined
		? undefined
		: {...item, usage, endedAt, stop};
}
