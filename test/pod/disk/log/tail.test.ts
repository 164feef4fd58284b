import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readTail} from '../../../../src/pod/disk/log/tail.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {historyOf, long, sessionOfBytes, tempHome, unsynced, user} from '../fixture.ts';

const items = Array.from({length: 30}, (_, n) => user(`id-${n}`, `words ${n}`));
const bytes = historyOf(items);

async function endingOf(file: Buffer, length: number): Promise<readonly Item[] | undefined> {
	const {dir} = await sessionOfBytes(await tempHome(), file);
	return readTail(dir, length);
}

describe('the tail of a history', () => {
	it('contains the complete lines whose previous checksum is known', async () => {
		expect(await endingOf(bytes, 1000)).toEqual(items.slice(-3));
		expect(await endingOf(bytes, 5)).toEqual([]);
	});

	it('is not read from a file that is short, torn or missing', async () => {
		expect(await endingOf(bytes, bytes.length)).toBeUndefined();
		expect(await endingOf(bytes.subarray(0, -6), 1000)).toBeUndefined();
		expect(await readTail('/nowhere/at/all', 1000)).toBeUndefined();
	});

	it('is not read when it has an unknown type', async () => {
		expect(
			await endingOf(historyOf([...items, {...items[0]!, type: 'hologram'} as unknown as Item]), 1000),
		).toBeUndefined();
	});

	it('contains only items of the whole file, whichever bytes are changed', async () => {
		const {dir, path} = await sessionOfBytes(await tempHome(), bytes);
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.tuple(
						fc.integer({min: Math.floor(bytes.length / 2), max: bytes.length - 1}),
						fc.integer({min: 1, max: 255}),
					),
					{maxLength: 3},
				),
				fc.integer({min: 10, max: bytes.length - 1}),
				async (flips, length) => {
					const bad = Buffer.from(bytes);
					for (const [at, flip] of flips) bad[at] = bad[at]! ^ flip;
					const file = await unsynced.open(path, 'r+');
					await file.write(bad, 0, bad.length, 0);
					await file.close();
					const ending = await readTail(dir, length);
					const whole = await readSession(dir);
					if (ending === undefined || !whole.ok) return;
					expect(whole.session.items.slice(whole.session.items.length - ending.length)).toEqual(ending);
				},
			),
			{numRuns: long ? 3000 : 200, seed: 20_261_121},
		);
	});
});
