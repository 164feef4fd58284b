import type {Block} from '../../../transcript/block.ts';
import type {TranscriptStore} from '../../rows/store.ts';

/**
Blocks that a screen reader reads once more: `count` blocks from the block `from` on. `number` grows with each request,
and `total` is the number of blocks of the transcript at that time.
*/
export type ReadAgain = {
	readonly number: number;
	readonly from: string;
	readonly count: number;
	readonly total: number;
};

/**
Returns the blocks of the turn before or after the one that was read again last: your message and everything up to the
next one. Without an earlier request, or after new blocks, it begins at the end. `undefined` means that there is none.
*/
export function turnToRead(
	store: TranscriptStore,
	last: ReadAgain | undefined,
	by: -1 | 1,
): Pick<ReadAgain, 'from' | 'count'> | undefined {
	const place = placeOf(store, last);
	const users = indexes(0, store.count()).filter(index => store.block(index)?.kind === 'user');
	const at = by < 0 ? users.findLast(index => index < place.from) : users.find(index => index > place.from);
	const block = at === undefined ? undefined : store.block(at);
	if (at === undefined || block === undefined) return undefined;
	const next = users.find(index => index > at) ?? store.count();
	return {from: block.id, count: next - at};
}

/** Returns the nearest block of which some rows are hidden, backwards from the end of what was read again last. */
export function blockToOpen(store: TranscriptStore, last: ReadAgain | undefined): Block | undefined {
	const {to} = placeOf(store, last);
	const at = indexes(0, to).findLast(index => hidesRows(store, index));
	return at === undefined ? undefined : store.block(at);
}

function placeOf(store: TranscriptStore, last: ReadAgain | undefined): {readonly from: number; readonly to: number} {
	const count = store.count();
	const from = last?.total === count ? store.indexOf(last.from) : undefined;
	return last === undefined || from === undefined ? {from: count, to: count} : {from, to: from + last.count};
}

/** The rows name what they hide: a note counts more lines, and the head of some blocks is all that they show. */
function hidesRows(store: TranscriptStore, index: number): boolean {
	const block = store.block(index);
	if (
		block === undefined ||
		block.open ||
		'derived' in block ||
		!store.folds(block.kind) ||
		store.isDetailed(block.id)
	)
		return false;
	return store.rows(index).some(({role}) => role === 'more' || role === 'head');
}

function indexes(from: number, to: number): readonly number[] {
	return Array.from({length: Math.max(0, to - from)}, (_, at) => from + at);
}
