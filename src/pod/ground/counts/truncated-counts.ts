import type {Item} from '../../../worker/index.ts';

/** The topic of a notice that the server dropped the beginning of a request. */
export const truncatedTopic = 'truncated';

/** Returns the id of the request that a notice is about, if this item is such a notice. */
export function truncatedRequest(item: Item): string | undefined {
	if (item.type !== 'message' || item.origin?.kind !== 'notice' || item.origin['about'] !== truncatedTopic)
		return undefined;
	const {request} = item.origin;
	return typeof request === 'string' ? request : undefined;
}
