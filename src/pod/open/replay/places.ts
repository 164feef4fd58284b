import type {Item} from '../../../worker/index.ts';
import type {ReplayStep} from '../../protocol/replay-step.ts';

/** Returns how many items are shown after a step, if `shown` are shown before it. */
export function placeAfter(items: readonly Item[], shown: number, step: Exclude<ReplayStep, 'play'>): number {
	return places[step](items, shown);
}

const places: {
	readonly [Step in Exclude<ReplayStep, 'play'>]: (items: readonly Item[], shown: number) => number;
} = {
	'next item': (items, shown) => Math.min(shown + 1, items.length),
	'previous item': (_, shown) => Math.max(shown - 1, 0),
	'next request': (items, shown) => afterRequest(items, shown, 1),
	'previous request': (items, shown) => afterRequest(items, shown, -1),
	'next second': later,
	'previous second': earlier,
	start: () => 0,
	end: items => items.length,
};

/** Returns the number of milliseconds until the next item is shown. A long wait is cut short. */
export function pauseBefore(items: readonly Item[], shown: number, speed: number): number {
	const [last, next] = [timeOf(items[shown - 1]), timeOf(items[shown])];
	const gap = last === undefined || next === undefined ? 0 : Math.max(0, next - last);
	return Math.min(gap, maxPauseMs) / speed;
}

/** Returns what a turn does at a place: it runs tools after a call, and otherwise waits for the model. */
export function stepAt(items: readonly Item[], shown: number): 'tools' | 'requesting' {
	const last = items.slice(0, shown).findLast(({type}) => type !== 'request_end');
	return last?.type === 'tool_call' ? 'tools' : 'requesting';
}

/** Tells whether a turn runs at a place. The end of a history is at rest, as when it is resumed. */
export function isRunningAt(items: readonly Item[], shown: number): boolean {
	if (shown === items.length) return false;
	for (let at = shown - 1; at >= 0; at--) {
		const item = items[at];
		if (item?.type === 'run_end') return false;
		if (item?.type === 'request' || (item?.type === 'message' && item.role === 'user')) return true;
	}
	return false;
}

function afterRequest(items: readonly Item[], shown: number, direction: 1 | -1): number {
	for (let place = shown + direction; place > 0 && place < items.length; place += direction)
		if (items[place - 1]?.type === 'request') return place;
	return direction === 1 ? items.length : 0;
}

/** The place after all items of the second that follows, and after one more item at least. */
function later(items: readonly Item[], shown: number): number {
	const until = (timeOf(items[Math.max(0, shown - 1)]) ?? 0) + 1000;
	let place = Math.min(shown + 1, items.length);
	while (place < items.length && (timeOf(items[place]) ?? 0) <= until) place++;
	return place;
}

function earlier(items: readonly Item[], shown: number): number {
	const until = (timeOf(items[Math.max(0, shown - 1)]) ?? 0) - 1000;
	let place = Math.max(shown - 1, 0);
	while (place > 0 && (timeOf(items[place - 1]) ?? 0) > until) place--;
	return place;
}

function timeOf(item: Item | undefined): number | undefined {
	const time = Date.parse(item?.at ?? '');
	return Number.isNaN(time) ? undefined : time;
}

const maxPauseMs = 2000;
