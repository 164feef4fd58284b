import type {Item} from '../../../worker/index.ts';
import type {ModelSpending} from '../../protocol.ts';
import {readFamily, type FamilyOptions} from './family.ts';
import type {ModelFacts} from '../../ground/counts/catalogue.ts';
import {pricesOf} from '../../ground/counts/meter.ts';
import {createSpent, endedSpending, sumSpending} from '../../ground/counts/spent.ts';

/** Returns what a stored session and its family cost, from the record alone. */
export async function familySpending(
	{dir, items}: {readonly dir: string; readonly items: readonly Item[]},
	facts: (name: string) => ModelFacts,
	options?: FamilyOptions,
): Promise<readonly ModelSpending[]> {
	const family = await readFamily(dir, items, options);
	const prices = pricesOf(
		family.ended.map(({model}) => model),
		[...items, ...family.items],
		facts,
	);
	return sumSpending([
		createSpent(items.length)(items, prices),
		createSpent(Number.POSITIVE_INFINITY)(family.items, prices),
		endedSpending(family.ended, prices),
	]);
}
