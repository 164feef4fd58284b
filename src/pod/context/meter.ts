import {setImmediate as turn} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import type {History, ModelDescription} from '../../worker/index.ts';
import type {ContextUse, Item, RequestItem} from '../protocol.ts';
import {lookUp, type ModelFacts} from './catalogue.ts';
import {addCost, costOf, noCost, type Cost, type PriceList} from './prices.ts';
import {contextSize, countedSize, estimateItem, type Projection} from './usage.ts';

export type MeterOptions = {
	readonly history: History;
	readonly project: Projection;
	readonly model: {
		readonly name: string;
		/** What the person says of models, by their names: it counts before all else. */
		readonly facts?: Readonly<Record<string, ModelFacts>> | undefined;
		/** Asks the model's own server; once, after it has answered a request, and nobody waits for it. */
		readonly describe?: (() => Promise<ModelDescription | undefined>) | undefined;
	};
	/** What the context holds is known, or has changed. Not told: nothing was ever to be sent. */
	readonly onUse: (use: ContextUse) => void;
	/** Other prices hold than those that were told. */
	readonly onPrices: () => void;
};

/** Weighs what the next request holds, and what the session has cost. */
export type Meter = {
	/** Of all models that history names, and of the one of the next request. */
	prices(): PriceList;
	/** Tokens that the model takes, where that is known by now. */
	window(): number | undefined;
	close(): void;
};

/** A long history is weighed in slices, between which others have their turn. */
export function createMeter({history, project, model, onUse, onPrices}: MeterOptions): Meter {
	const spent = createSpent();
	let described: ModelFacts = {};
	let asked = model.describe === undefined;
	let {window} = factsOf(model.name);
	let prices = pricesOf([model.name], history.items, factsOf);
	let weighed = false;
	let closed = false;
	let use: ContextUse | undefined;

	function factsOf(name: string): ModelFacts {
		return {...lookUp(name), ...(name === model.name && described), ...model.facts?.[name]};
	}

	function weigh(): ContextUse | undefined {
		const size = weighed ? contextSize(history.items, project) : countedSize(history.items);
		if (size === undefined) return undefined;
		const cost = spent(history.items, prices);
		const cached = cachedShare(history.items);
		return {
			...size,
			...(window !== undefined && {window}),
			...(cached !== undefined && {cached}),
			...(cost.known > 0 && {cost}),
		};
	}

	function renew(): void {
		const next = closed ? undefined : weigh();
		if (next === undefined || isDeepStrictEqual(next, use)) return;
		use = next;
		onUse(next);
	}

	async function ask(): Promise<void> {
		asked = true;
		const said = await model.describe?.();
		if (said === undefined || closed) return;
		described = {
			...(said.window !== undefined && {window: said.window}),
			...(said.prices !== undefined && {prices: [said.prices]}),
		};
		const before = prices;
		({window} = factsOf(model.name));
		prices = pricesOf([model.name], history.items, factsOf);
		renew();
		if (!isDeepStrictEqual(prices, before)) onPrices();
	}

	const stop = history.observe(item => {
		// Items that are appended together are weighed together: there may be thousands.
		if (item === history.items.at(-1)) renew();
		if (!asked && isCounted(item)) void ask();
	});
	renew();
	void inSlices(history.items, () => closed).then(() => {
		weighed = true;
		renew();
	});
	return {
		prices: () => prices,
		window: () => window,
		close() {
			closed = true;
			stop();
		},
	};
}

/** What is known of the prices of the models that some items name, and of more. */
export function pricesOf(
	more: readonly string[],
	items: readonly Item[],
	facts: (name: string) => ModelFacts,
): PriceList {
	const names = new Set([
		...more,
		...items.flatMap(item => (item.type === 'request' || item.type === 'compaction' ? [item.model] : [])),
	]);
	return Object.fromEntries(
		[...names].flatMap(name => {
			const known = facts(name).prices;
			return known === undefined ? [] : [[name, known]];
		}),
	);
}

function cachedShare(items: readonly Item[]): number | undefined {
	const {input = 0, cacheRead} = items.findLast(isCounted)?.usage ?? {};
	return cacheRead === undefined || input === 0 ? undefined : Math.min(1, cacheRead / input);
}

function isCounted(item: Item): item is RequestItem {
	return item.type === 'request' && item.usage.input !== undefined;
}

/** What all requests cost, those of compactions too. Counts each item once while the prices stay. */
function createSpent(): (items: readonly Item[], prices: PriceList) => Cost {
	let state: {readonly prices: PriceList; readonly cost: Cost; readonly counted: number} | undefined;
	return (items, prices) => {
		const known = state?.prices === prices ? state : {cost: noCost, counted: 0};
		const cost = items.slice(known.counted).reduce((sum, item) => {
			if (item.type === 'request') return addCost(sum, costOf(item, prices));
			return item.type === 'compaction'
				? addCost(sum, costOf({...item, startedAt: item.at, stop: 'end'}, prices))
				: sum;
		}, known.cost);
		state = {prices, cost, counted: items.length};
		return cost;
	};
}

/** Characters that are weighed at a stretch: about two milliseconds. */
const slice = 262_144;

async function inSlices(items: readonly Item[], isClosed: () => boolean): Promise<void> {
	let walked = 0;
	for (const item of items) {
		estimateItem(item);
		walked += lengthOf(item);
		if (walked < slice) continue;
		walked = 0;
		await turn();
		if (isClosed()) return;
	}
}

function lengthOf(item: Item): number {
	return item.type === 'message' || item.type === 'reasoning'
		? item.text.length
		: item.type === 'tool_result'
			? item.content.length
			: item.type === 'tool_call'
				? item.arguments.length
				: 0;
}
