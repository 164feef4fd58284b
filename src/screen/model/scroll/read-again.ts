import type {Block} from '../../../transcript/block.ts';
import type {TranscriptStore} from '../../rows/store.ts';
import {atEnd, home, pageBy, scrollBy, toMessage, type RowSource, type Scroll} from '../../rows/viewport/viewport.ts';

/**
A request to a screen reader to read `count` blocks again, beginning with the block `from`. `number` grows with each
request. `total` is the number of blocks in the transcript at the time of the request.
*/
export type ReadAgain = {
	readonly number: number;
	readonly from: string;
	readonly count: number;
	readonly total: number;
};

/**
Returns the turn before or after the turn of the last request. A turn is your message and all blocks before your next
message. If there is no last request, or if there are new blocks, the function starts at the end of the transcript.
Returns `undefined` if there is no such turn.
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

/** Returns the last block with hidden rows that is not after the end of the last request. */
export function blockToOpen(store: TranscriptStore, last: ReadAgain | undefined): Block | undefined {
	const {to} = placeOf(store, last);
	const at = indexes(0, to).findLast(index => hidesRows(store, index));
	return at === undefined ? undefined : store.block(at);
}

/** The possible scroll movements. A negative `by` scrolls up. */
export type ScrollTo =
	| {readonly kind: 'rows' | 'page'; readonly by: number}
	| {readonly kind: 'message'; readonly by: 1 | -1}
	| {readonly kind: 'home' | 'end'};

/** Returns the scroll position after a scroll movement. */
export function scrolledTo(source: RowSource, scroll: Scroll, height: number, to: ScrollTo): Scroll {
	if (to.kind === 'rows') return scrollBy(source, scroll, height, to.by);
	if (to.kind === 'page') return pageBy(source, scroll, height, to.by);
	if (to.kind === 'message') return toMessage(source, scroll, height, to.by);
	return to.kind === 'home' ? home(source, scroll, height) : atEnd;
}

/** The last turn of the mouse wheel: its time, its direction, and the number of fast turns right before it. */
export type Wheel = {readonly at: number; readonly direction: -1 | 0 | 1; readonly count: number};

export const stillWheel: Wheel = {at: 0, direction: 0, count: 0};

/** Returns the state of the wheel after another turn. */
export function turnWheel(wheel: Wheel, direction: -1 | 1, now: number): Wheel {
	const isQuick = direction === wheel.direction && now - wheel.at < quick;
	return {at: now, direction, count: isQuick ? wheel.count + 1 : 0};
}

/**
Returns the number of rows that a turn scrolls: three, or more after several fast turns, but at most half of the height.
*/
export function rowsOfTurn({count}: Wheel, height: number): number {
	return Math.max(1, Math.min(Math.floor(height / 2), 3 * Math.min(3, 1 + Math.floor(count / 6))));
}

function placeOf(store: TranscriptStore, last: ReadAgain | undefined): {readonly from: number; readonly to: number} {
	const count = store.count();
	const from = last?.total === count ? store.indexOf(last.from) : undefined;
	return last === undefined || from === undefined ? {from: count, to: count} : {from, to: from + last.count};
}

/**
Tells whether a block has hidden rows. Such a block has a row that counts its hidden lines, or shows only its head.
*/
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

/** A turn is fast if the previous turn was less than this number of milliseconds ago. */
const quick = 60;
