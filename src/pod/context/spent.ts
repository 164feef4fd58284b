import {createRequestPairing, type Item} from '../../worker/index.ts';
import {addCost, costOf, noCost, type Cost, type PriceList} from './prices.ts';

/**
Creates a function for the cost of all requests and compactions. It counts each item once while the prices stay the
same. The cost of a request whose answer is lost is unknown. `restored`: the number of items that the pod found at its
start. The answers to requests among them can no longer come.
*/
export function createSpent(restored: number): (items: readonly Item[], prices: PriceList) => Cost {
	let spent: Spent | undefined;
	return (items, prices) => {
		if (spent?.prices !== prices) spent = startAt(prices);
		for (const [offset, item] of items.slice(spent.counted).entries())
			add(spent, item, spent.counted + offset < restored);
		spent.counted = items.length;
		const {cost, pairing, current} = spent;
		const lost = pairing.open.size - (current !== undefined && pairing.open.has(current) ? 1 : 0);
		return {...cost, unknown: cost.unknown + lost};
	};
}

type Spent = {
	readonly prices: PriceList;
	readonly pairing: ReturnType<typeof createRequestPairing>;
	cost: Cost;
	counted: number;
	/** The id of the request whose answer may still come. */
	current: string | undefined;
};

function startAt(prices: PriceList): Spent {
	return {prices, pairing: createRequestPairing(), cost: noCost, counted: 0, current: undefined};
}

function add(spent: Spent, item: Item, isRestored: boolean): void {
	const {prices, pairing} = spent;
	const finished = pairing.add(item);
	if (item.type === 'request') spent.current = isRestored || finished !== undefined ? undefined : item.id;
	if (item.type === 'run_end' || item.type === 'rewind') spent.current = undefined;
	if (finished !== undefined) spent.cost = addCost(spent.cost, costOf(finished, prices));
	else if (item.type === 'compaction')
		spent.cost = addCost(spent.cost, costOf({...item, startedAt: item.at, stop: 'end'}, prices));
}
