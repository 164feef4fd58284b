import {describe, expect, it} from 'vitest';
import {loadChunks, nextTurn} from '../../../src/screen/mount/start-chunks.ts';

describe('nextTurn', () => {
	it('gives each turn of the event loop to one caller, also when several callers wait', async () => {
		let turn = 0;
		let isOver = false;
		const count = () => {
			turn++;
			if (!isOver) setImmediate(count);
		};
		count();
		const taken: number[] = [];
		const caller = async () => {
			for (let slice = 0; slice < 5; slice++) {
				await nextTurn();
				taken.push(turn);
			}
		};
		await Promise.all([caller(), caller(), caller()]);
		isOver = true;
		expect(taken).toEqual([...new Set(taken)]);
		expect(taken).toHaveLength(15);
	});
});

describe('loadChunks', () => {
	it('leaves a turn to the keys even if there is no file, as when inkpod runs from the sources', async () => {
		const order: string[] = [];
		const loaded = loadChunks([]).then(() => order.push('loaded'));
		setImmediate(() => order.push('key'));
		await loaded;
		expect(order).toEqual(['key', 'loaded']);
	});

	it('rejects when a file is missing', async () => {
		await expect(loadChunks(['missing.js'])).rejects.toThrow('missing.js');
	});
});
