import type {FinishedRequest, Usage} from '../../worker/index.ts';
import type {Cost, PriceList, Prices, PriceStep, Rates} from '../protocol/prices.ts';
import {wholeUsage} from './whole-usage.ts';

export type {Cost, PriceList, Prices, PriceStep, Rates} from '../protocol/prices.ts';

export const noCost: Cost = {usd: 0, known: 0, unknown: 0};

/** Adds the cost of one request. */
export function addCost({usd, known, unknown}: Cost, cost: number | undefined): Cost {
	return cost === undefined ? {usd, known, unknown: unknown + 1} : {usd: usd + cost, known: known + 1, unknown};
}

export function sumCosts(one: Cost, other: Cost): Cost {
	const unknown = one.unknown + other.unknown;
	return {usd: one.usd + other.usd, known: one.known + other.known, unknown};
}

/**
Returns the cost of one request, or `undefined` if its prices or tokens are unknown.
A request that failed before the server reported tokens is free.
*/
export function costOf(
	{model, usage, startedAt, stop}: Pick<FinishedRequest, 'model' | 'usage' | 'startedAt' | 'stop'>,
	list: PriceList,
): number | undefined {
	if (stop === 'error' && usage.input === undefined && usage.output === undefined) return 0;
	const prices = Object.hasOwn(list, model) ? list[model] : undefined;
	return prices === undefined ? undefined : costAt(usage, prices, startedAt);
}

/** Returns the cost of the tokens in USD with the prices that apply at the time `at` (ISO). */
export function costAt(usage: Usage, prices: Prices, at: string): number | undefined {
	const {input, output, cacheRead = 0, cacheWrite = 0, cacheWriteHour = 0} = wholeUsage(usage);
	const step = prices.findLast(({from}) => from === undefined || from <= at);
	if (step === undefined) return undefined;
	if (isFree(step)) return 0;
	if (input === undefined || output === undefined) return undefined;
	const rates: Rates = step.above !== undefined && input > step.above.tokens ? step.above : step;
	const fresh = Math.max(0, input - cacheRead - cacheWrite);
	return (
		(fresh * rates.input +
			cacheRead * (rates.cacheRead ?? rates.input) +
			(cacheWrite + hourSurcharge * cacheWriteHour) * (rates.cacheWrite ?? rates.input) +
			output * rates.output) /
		1_000_000
	);
}

/**
The surcharge for a cache write that lasts an hour, as a share of the price of a five-minute cache write. An hour costs
2 times the price of input, five minutes cost 1.25 times (platform.claude.com/docs/en/about-claude/pricing).
*/
const hourSurcharge = 2 / 1.25 - 1;

/** Tells whether a model is free. The cost of a free model needs no token count. */
function isFree({input, output, cacheRead = 0, cacheWrite = 0, above}: PriceStep): boolean {
	return input + output + cacheRead + cacheWrite === 0 && above === undefined;
}
