import {describe, expect, it} from 'vitest';
import {createSlots} from '../../../../src/pod/family/children/children.ts';

const never = new AbortController().signal;

describe('slots', () => {
	it('let holders in in their order, as many as there are', async () => {
		const slots = createSlots(2);
		const order: number[] = [];
		const releases: Array<(() => void) | undefined> = [];
		const take = async (n: number) => {
			releases[n] = await slots.take(never);
			order.push(n);
		};
		const all = [0, 1, 2, 3].map(take);
		await Promise.all(all.slice(0, 2));
		expect(order).toEqual([0, 1]);
		releases[1]?.();
		await all[2];
		releases[0]?.();
		await all[3];
		expect(order).toEqual([0, 1, 2, 3]);
	});

	it('are freed once, however often a holder says so', async () => {
		const slots = createSlots(1);
		const release = await slots.take(never);
		const next = slots.take(never);
		const last = slots.take(never);
		release?.();
		release?.();
		(await next)?.();
		expect(await last).toBeTypeOf('function');
	});

	it('are not taken by a holder that stopped to wait', async () => {
		const slots = createSlots(1);
		const release = await slots.take(never);
		const leaving = new AbortController();
		const left = slots.take(leaving.signal);
		leaving.abort();
		expect(await left).toBeUndefined();
		release?.();
		expect(await slots.take(never)).toBeTypeOf('function');
		expect(await createSlots(1).take(leaving.signal)).toBeUndefined();
	});
});
