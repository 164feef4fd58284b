import {describe, expect, it} from 'vitest';
import {isRunningAt, pauseBefore, placeAfter, stepAt} from '../../../../src/pod/open/replay/replay.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {call, request, result, user} from '../../disk/fixture.ts';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const end: Item = {id: 'e', at: at(9), type: 'run_end', outcome: 'finished'};
const items: readonly Item[] = [
	{...user('a', '1'), at: at(0)},
	{...request('b'), at: at(1)},
	{...call('c', 'c1'), at: at(1)},
	{...result('d', 'c1'), at: at(3)},
	{...request('f'), at: at(4)},
	end,
];

describe('a place in a replay', () => {
	it('moves by item and stays within the session', () => {
		expect(placeAfter(items, 0, 'next item')).toBe(1);
		expect(placeAfter(items, 6, 'next item')).toBe(6);
		expect(placeAfter(items, 1, 'previous item')).toBe(0);
		expect(placeAfter(items, 0, 'previous item')).toBe(0);
		expect(placeAfter(items, 3, 'start')).toBe(0);
		expect(placeAfter(items, 3, 'end')).toBe(6);
	});

	it('moves by request', () => {
		expect([0, 2, 5].map(place => placeAfter(items, place, 'next request'))).toEqual([2, 5, 6]);
		expect([6, 5, 2, 0].map(place => placeAfter(items, place, 'previous request'))).toEqual([5, 2, 0, 0]);
	});

	it('moves by second, and by one item at least', () => {
		expect([1, 3, 5].map(place => placeAfter(items, place, 'next second'))).toEqual([3, 4, 6]);
		expect([6, 5, 3].map(place => placeAfter(items, place, 'previous second'))).toEqual([5, 4, 1]);
	});

	it('pauses as the session did, but at most two seconds', () => {
		expect([0, 1, 2, 5].map(place => pauseBefore(items, place, 1))).toEqual([0, 1000, 0, 2000]);
		expect(pauseBefore(items, 5, 4)).toBe(500);
	});

	it('is in a turn between a message and its end, and at rest at the end of the session', () => {
		expect(items.map((_, place) => isRunningAt(items, place))).toEqual([false, true, true, true, true, true]);
		expect(isRunningAt(items, 6)).toBe(false);
		expect(isRunningAt(items.slice(0, 3), 3)).toBe(false);
		expect([stepAt(items, 1), stepAt(items, 3), stepAt(items, 4)]).toEqual(['requesting', 'tools', 'requesting']);
	});
});
