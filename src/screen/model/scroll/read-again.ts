import type {Block} from '../../../transcript/block.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {atEnd, home, pageBy, scrollBy, toMessage, type RowSource, type Scroll} from '../../rows/viewport/viewport.ts';

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

/** The ways in which the view can scroll. A negative `by` scrolls up. */
export type ScrollTo =
	| {readonly kind: 'rows' | 'page'; readonly by: number}
	| {readonly kind: 'message'; readonly by: 1 | -1}
	| {readonly kind: 'home' | 'end'};

/** Returns the view after a scroll. */
export function scrolledTo(source: RowSource, scroll: Scroll, height: number, to: ScrollTo): Scroll {
	if (to.kind === 'rows') return scrollBy(source, scroll, height, to.by);
	if (to.kind === 'page') return pageBy(source, scroll, height, to.by);
	if (to.kind === 'message') return toMessage(source, scroll, height, to.by);
	return to.kind === 'home' ? home(source, scroll, height) : atEnd;
}

/** The last turn of the wheel: its time, its direction, and how many fast turns came before it. */
export type Wheel = {readonly at: number; readonly direction: -1 | 0 | 1; readonly count: number};

export const stillWheel: Wheel = {at: 0, direction: 0, count: 0};

/** Returns the wheel after one more turn. */
export function turnWheel(wheel: Wheel, direction: -1 | 1, now: number): Wheel {
	const isQuick = direction === wheel.direction && now - wheel.at < quick;
	return {at: now, direction, count: isQuick ? wheel.count + 1 : 0};
}

/** Returns by how many rows a turn scrolls: three, more if turns follow fast, and at most half of the height. */
export function rowsOfTurn({count}: Wheel, height: number): number {
	return Math.max(1, Math.min(Math.floor(height / 2), 3 * Math.min(3, 1 + Math.floor(count / 6))));
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

/** The number of milliseconds within which two turns count as fast. */
const quick = 60;
