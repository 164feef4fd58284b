import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createContextSum} from '../../../../src/pod/ground/counts/context-sum.ts';
import {projectedItems} from '../../../../src/pod/ground/history/reader.ts';
import type {Item, Setup} from '../../../../src/worker/index.ts';
import {anyHistory, randomHistory} from '../../../helpers/random-history.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const valueOf = (item: Item, setup: Setup | undefined) =>
	Number(item.id.slice(1)) + (setup === undefined ? 0.5 : 0) + (item.type === 'reasoning' ? 1000 : 0);
const project = (items: readonly Item[]) => projectedItems(items);

describe('a sum over the context', () => {
	it('equals the sum over all items, at every end of a history that grows in any way', () => {
		fc.assert(
			fc.property(
				anyHistory,
				fc.array(fc.integer({min: 0, max: 5}), {minLength: 60, maxLength: 60}),
				(random, back) => {
					const all = randomHistory(random);
					const items: Item[] = [];
					const sum = createContextSum(valueOf);
					for (const [n, item] of all.entries()) {
						items.push(item);
						const end = Math.max(0, items.length - (back[n] ?? 0));
						expect(sum(items, project, end)).toBe(summed(items.slice(0, end)));
						expect(sum(items, project)).toBe(summed(items));
					}
				},
			),
			{numRuns: long ? 5000 : 300},
		);
	});
});

function summed(items: readonly Item[]): number {
	const setup = items.findLast(item => item.type === 'setup');
	const context = project(items).filter(({type}) => type !== 'setup');
	return context.reduce((sum, item) => sum + valueOf(item, setup), setup === undefined ? 0 : valueOf(setup, setup));
}
