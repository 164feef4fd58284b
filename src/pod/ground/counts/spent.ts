import {createRequestPairing, type FinishedRequest, type Item, type Usage} from '../../../worker/index.ts';
import type {ModelSpending} from '../../protocol.ts';
import {wholeUsage} from '../../protocol/whole-usage.ts';
import {addCost, costAt, costOf, noCost, sumCosts, type Cost, type PriceList} from '../../protocol/cost.ts';

/**
Returns the cost of all requests, by model, in the order of their first requests. A compaction of an early version has
no conversation of its own, and counts as one request.
*/
type Spent = (items: readonly Item[], prices: PriceList) => readonly ModelSpending[];

/**
Creates a function that counts all requests. As long as the prices stay the same, it counts each item
only once. If the answer to a request is lost, the cost of the request is unknown. `restored`: the number of items that
the pod found at its start. The answers to requests among them can no longer arrive.
*/
export function createSpent(restored: number): Spent {
	let tally: Tally | undefined;
	return (items, prices) => {
		if (tally?.prices !== prices) tally = startAt(prices);
		for (const [offset, item] of items.slice(tally.counted).entries())
			add(tally, item, tally.counted + offset < restored);
		tally.counted = items.length;
		return [...withLost(tally).values()];
	};
}

/** Returns the sum over all models. */
export function totalCost(models: readonly ModelSpending[]): Cost {
	return models.reduce((sum, {cost}) => sumCosts(sum, cost), noCost);
}

/** Returns the sum of several lists, by model. */
export function sumSpending(lists: ReadonlyArray<readonly ModelSpending[]>): readonly ModelSpending[] {
	const models: Models = new Map();
	for (const {model, requests, uncounted, cost, ...usage} of lists.flat()) {
		const known = models.get(model) ?? unused(model);
		models.set(model, {
			...withUsage(known, wholeUsage(usage)),
			requests: known.requests + requests,
			uncounted: known.uncounted + uncounted,
			cost: sumCosts(known.cost, cost),
		});
	}
	return [...models.values()];
}

/**
Returns the items with the costs of requests. Leaves out a compaction with its own conversation, because the items of
that conversation have the costs.
*/
export function paidItems(items: readonly Item[]): readonly Item[] {
	return items.filter(
		item =>
			item.type === 'request' ||
			item.type === 'request_end' ||
			(item.type === 'compaction' && item.conversation === undefined),
	);
}

/** The requests of a child to its model. If `cost` is absent, inkpod computes the cost from the tokens. */
export type EndedChild = {
	readonly model: string;
	readonly requests: number;
	readonly usage: Usage;
	readonly cost?: number | undefined;
	/** The time of the end (ISO). */
	readonly at: string;
};

/** Returns the cost of the children for which inkpod knows only the end. */
export function endedSpending(ended: readonly EndedChild[], prices: PriceList): readonly ModelSpending[] {
	return ended.map(child => {
		const {model, requests, usage} = child;
		const {input, output, cacheRead, cacheWrite} = usage;
		return {
			model,
			requests,
			uncounted: input === undefined || output === undefined ? requests : 0,
			input,
			output,
			cacheRead,
			cacheWrite,
			cost: costOfEnded(child, prices),
		};
	});
}

function costOfEnded({model, requests, usage, cost, at}: EndedChild, list: PriceList): Cost {
	const prices = Object.hasOwn(list, model) ? list[model] : undefined;
	const usd = cost ?? (prices === undefined ? undefined : costAt(usage, prices, at));
	return usd === undefined ? {usd: 0, known: 0, unknown: requests} : {usd, known: requests, unknown: 0};
}

type Models = Map<string, ModelSpending>;

type Tally = {
	readonly prices: PriceList;
	readonly pairing: ReturnType<typeof createRequestPairing>;
	readonly models: Models;
	counted: number;
	/** The id of the request whose answer may still come. */
	current: string | undefined;
};

function startAt(prices: PriceList): Tally {
	return {prices, pairing: createRequestPairing(), models: new Map(), counted: 0, current: undefined};
}

function add(tally: Tally, item: Item, isRestored: boolean): void {
	const {prices, pairing, models} = tally;
	const finished = pairing.add(item);
	if (item.type === 'request') tally.current = isRestored || finished !== undefined ? undefined : item.id;
	if (item.type === 'run_end' || item.type === 'rewind') tally.current = undefined;
	if (finished !== undefined) addRequest(models, finished, costOf(finished, prices));
	else if (item.type === 'compaction' && item.conversation === undefined) {
		const whole = {...item, startedAt: item.at, stop: 'end'} as const;
		addRequest(models, whole, costOf(whole, prices));
	}
}

/** Returns the spending by model, including the requests whose answers are lost. */
function withLost({pairing, models, current}: Tally): Models {
	const lost = [...pairing.open.values()].filter(({id}) => id !== current);
	if (lost.length === 0) return models;
	const all: Models = new Map(models);
	for (const {model} of lost) addRequest(all, {model, usage: {}, stop: 'aborted'}, undefined);
	return all;
}

type Counted = Pick<FinishedRequest, 'model' | 'usage' | 'stop'>;

function addRequest(models: Models, {model, usage, stop}: Counted, cost: number | undefined): void {
	const {input, output} = usage;
	const known = models.get(model) ?? unused(model);
	// A request that failed before the server reported tokens used no tokens.
	const hasFailed = stop === 'error' && input === undefined && output === undefined;
	const isCounted = (input !== undefined && output !== undefined) || hasFailed;
	models.set(model, {
		...withUsage(known, wholeUsage(usage)),
		requests: known.requests + 1,
		uncounted: known.uncounted + Number(!isCounted),
		cost: addCost(known.cost, cost),
	});
}

function unused(model: string): ModelSpending {
	return {model, requests: 0, uncounted: 0, cost: noCost};
}

const kinds = ['input', 'output', 'cacheRead', 'cacheWrite'] as const satisfies ReadonlyArray<keyof Usage>;

/** Adds tokens. A kind of token that is absent in both usages stays absent. */
function withUsage(known: ModelSpending, usage: Usage): ModelSpending {
	const sums = kinds.flatMap(kind => {
		const [one, other] = [known[kind], usage[kind]];
		return one === undefined && other === undefined ? [] : [[kind, (one ?? 0) + (other ?? 0)] as const];
	});
	return {...known, ...Object.fromEntries(sums)};
}
