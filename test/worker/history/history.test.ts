import {describe, expect, it} from 'vitest';
import {createHistory, HistoryError, stamp, type Item} from '../../../src/worker/index.ts';
import {countedClock} from '../../helpers/clock.ts';

const clock = countedClock();
const note = (text: string): Item => stamp(clock, {type: 'message', role: 'system', text});

describe('a history', () => {
	it('makes an append durable before it notifies observers', async () => {
		const order: string[] = [];
		const history = createHistory({
			async write(items) {
				await Promise.resolve();
				order.push(`wrote ${items.length}`);
			},
		});
		history.observe(item => order.push(`notified ${(item as {text: string}).text}`));
		await history.append([note('a'), note('b')]);
		expect(order).toEqual(['wrote 2', 'notified a', 'notified b']);
	});

	it('keeps the order of overlapping appends', async () => {
		let slow = true;
		const history = createHistory({
			async write() {
				if (slow) await new Promise(resolve => setImmediate(resolve));
				slow = false;
			},
		});
		await Promise.all([history.append([note('a')]), history.append([note('b')])]);
		expect(history.items.map(item => (item as {text: string}).text)).toEqual(['a', 'b']);
	});

	it('drops a failed append without notifying observers, and accepts the next append', async () => {
		let full = true;
		const history = createHistory({
			async write() {
				if (full) throw new HistoryError('no_space', 'The disk is full.');
			},
		});
		const notified: Item[] = [];
		history.observe(item => notified.push(item));
		await expect(history.append([note('a')])).rejects.toThrow('The disk is full.');
		expect([history.items, notified]).toEqual([[], []]);
		full = false;
		await history.append([note('b')]);
		expect(history.items).toHaveLength(1);
	});

	it('does not notify an observer that was removed', async () => {
		const history = createHistory({async write() {}});
		const notified: Item[] = [];
		history.observe(item => notified.push(item))();
		await history.append([note('a')]);
		expect(notified).toEqual([]);
	});

	it('notifies the other observers and keeps the items when one observer throws', async () => {
		const history = createHistory({async write() {}});
		const thrown = new Promise(resolve => process.once('uncaughtException', resolve));
		const notified: Item[] = [];
		history.observe(() => {
			throw new Error('a bug of the listener');
		});
		history.observe(item => notified.push(item));
		await history.append([note('a')]);
		expect([history.items.length, notified.length]).toEqual([1, 1]);
		expect(await thrown).toMatchObject({message: 'a bug of the listener'});
	});
});
