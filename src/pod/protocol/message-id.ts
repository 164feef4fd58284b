import type {Item} from '../../worker/index.ts';

/** Returns the id that a client gave the message of this item. */
export function messageIdOf(item: Item): string | undefined {
	if (item.type !== 'message') return undefined;
	const {origin} = item;
	const id = origin?.kind === 'submit' || origin?.kind === 'shell' ? origin['id'] : undefined;
	return typeof id === 'string' ? id : undefined;
}
