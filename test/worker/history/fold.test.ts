import {describe, expect, it} from 'vitest';
import {foldOf} from '../../../src/worker/history/fold.ts';
import type {Item} from '../../../src/worker/index.ts';
import {drafts} from '../../helpers/random-history.ts';

describe('a fold', () => {
	it('reads each item of a growing array once, and another array from its start', () => {
		let read = 0;
		const count = foldOf(
			() => 0,
			sum => (read++, sum + 1),
		);
		const {user} = drafts();
		const items: Item[] = [];
		for (let n = 1; n <= 100; n++) {
			items.push(user(`${n}`));
			expect(count(items)).toBe(n);
		}
		expect(read).toBe(100);
		expect(count([...items])).toBe(100);
		expect(count([])).toBe(0);
		expect(read).toBe(200);
	});

	it('begins again when the array is not the same with more at its end', () => {
		const last = foldOf<Item | undefined>(
			() => undefined,
			(_before, item) => item,
		);
		const {user} = drafts();
		const items = [user('a'), user('b')];
		expect(last(items)).toBe(items[1]);
		items.length = 1;
		expect(last(items)).toBe(items[0]);
	});
});
