import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {originRules} from '../../../src/pod/ground/history/reader.ts';
import type {Item} from '../../../src/worker/index.ts';
import {createGrowingRepairs, repairs} from '../../../src/worker/loop/repairs.ts';
import {countedClock} from '../../helpers/clock.ts';
import {anyHistory, randomHistory} from '../../helpers/random-history.ts';

const runs = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 1000;
const options = () => ({clock: countedClock('other'), origins: originRules});
const told = (items: readonly Item[]) => items.map(item => ({...item, id: '', at: ''}));

describe('growing repairs', () => {
	it('equal the repairs of all items, however the history grows', () => {
		fc.assert(
			fc.property(
				anyHistory,
				fc.integer({min: 1, max: 4}),
				fc.nat(2),
				fc.boolean(),
				(random, step, more, keep) => {
					const all = randomHistory(random);
					const items: Item[] = [];
					const growing = createGrowingRepairs({items}, options());
					for (let at = 0; at < all.length; at += step + more) {
						items.push(...all.slice(at, at + step));
						const added = all.slice(at + step, at + step + more);
						const found = growing(added);
						expect(told(found)).toEqual(told(repairs([...items, ...added], options())));
						items.push(...added, ...(keep ? found : []));
					}
				},
			),
			{numRuns: runs},
		);
	});

	it('reads only the new items of a turn', () => {
		let read = 0;
		const items: Item[] = [];
		const watched = new Proxy(items, {
			get(target, key, receiver) {
				if (typeof key === 'string' && /^\d+$/.test(key)) read++;
				return Reflect.get(target, key, receiver) as unknown;
			},
		});
		const growing = createGrowingRepairs({items: watched}, options());
		const {clock} = options();
		for (let n = 0; n < 300; n++) {
			const at = {id: clock.id(), at: ''};
			items.push(
				{...at, type: 'tool_call', callId: `${n}`, name: 'x', arguments: '{}'},
				{
					...at,
					id: clock.id(),
					type: 'tool_result',
					callId: `${n}`,
					summary: '',
					content: 'x',
					isError: false,
					ms: 0,
				},
			);
			expect(growing()).toEqual([]);
		}
		expect(read).toBeLessThan(2000);
	});
});
