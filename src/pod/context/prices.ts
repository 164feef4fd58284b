import type {RequestItem, Usage} from '../../worker/index.ts';

/** USD per million tokens. Where cached tokens have no price of their own they cost what others do. */
export type Rates = {
	readonly input: number;
	readonly output: number;
	readonly cacheRead?: number;
	readonly cacheWrite?: number;
};

/**
What a model costs from a day on (`YYYY-MM-DD`, in UTC; the first step: ever since). `above` holds for the whole of a
request whose input has more tokens.
*/
export type PriceStep = Rates & {readonly from?: string; readonly above?: Rates & {readonly tokens: number}};

/** In the order of their days, at least one. */
export type Prices = readonly PriceStep[];

/** The prices of models by their names, `provider/name`. One that is not here is unknown. */
export type PriceList = Readonly<Record<string, Prices>>;

/** What requests cost together: USD, and how many of them it is of. Of the others the cost is not known. */
export type Cost = {readonly usd: number; readonly known: number; readonly unknown: number};

export const noCost: Cost = {usd: 0, known: 0, unknown: 0};

/** A cost with that of one request more. */
export function addCost({usd, known, unknown}: Cost, cost: number | undefined): Cost {
	return cost === undefined ? {usd, known, unknown: unknown + 1} : {usd: usd + cost, known: known + 1, unknown};
}

/**
What one request cost. `undefined`: its model's prices are not known, or it did not tell its tokens. One that failed
before it told any costs nothing.
*/
export function costOf(
	{model, usage, startedAt, stop}: Pick<RequestItem, 'model' | 'usage' | 'startedAt' | 'stop'>,
	list: PriceList,
): number | undefined {
	if (stop === 'error' && usage.input === undefined && usage.output === undefined) return 0;
	const prices = Object.hasOwn(list, model) ? list[model] : undefined;
	return prices === undefined ? undefined : costAt(usage, prices, startedAt);
}

/** The cost of tokens at a time (ISO). */
export function costAt(usage: Usage, prices: Prices, at: string): number | undefined {
	const {input, output, cacheRead = 0, cacheWrite = 0} = usage;
	const step = prices.findLast(({from}) => from === undefined || from <= at);
	if (step === undefined) return undefined;
	if (isFree(step)) return 0;
	if (input === undefined || output === undefined) return undefined;
	const rates: Rates = step.above !== undefined && input > step.above.tokens ? step.above : step;
	const fresh = Math.max(0, input - cacheRead - cacheWrite);
	return (
		(fresh * rates.input +
			cacheRead * (rates.cacheRead ?? rates.input) +
			cacheWrite * (rates.cacheWrite ?? rates.input) +
			output * rates.output) /
		1_000_000
	);
}

/** What costs nothing costs nothing whatever it tells of its tokens. */
function isFree({input, output, cacheRead = 0, cacheWrite = 0, above}: PriceStep): boolean {
	return input + output + cacheRead + cacheWrite === 0 && above === undefined;
}
