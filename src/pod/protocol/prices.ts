import {z} from 'zod';
import type {Immutable} from './immutable.ts';

const amount = z.number().nonnegative();

/** Prices in USD per million tokens. Cached tokens without a price of their own have the price of other tokens. */
export type Rates = Immutable<z.infer<typeof ratesSchema>>;
const ratesSchema = z.object({
	input: amount,
	output: amount,
	cacheRead: amount.optional(),
	cacheWrite: amount.optional(),
});

/**
The rates of a model from a certain day on (`YYYY-MM-DD` in UTC). The first step also applies to all earlier days. If a
request has more input tokens than a limit, `above` replaces the rates for the whole request.
*/
export type PriceStep = Immutable<z.infer<typeof priceStepSchema>>;
const priceStepSchema = ratesSchema.extend({
	from: z.string().optional(),
	above: ratesSchema.extend({tokens: amount}).optional(),
});

/** At least one price step, in the order of days. */
export type Prices = readonly PriceStep[];

/** The prices by model, as `provider/name`. A model that is not listed has an unknown price. */
export type PriceList = Immutable<z.infer<typeof priceListSchema>>;
export const priceListSchema = z.record(z.string(), z.array(priceStepSchema));

/** The cost of several requests in USD, and their number. `unknown` counts further requests of unknown cost. */
export type Cost = Immutable<z.infer<typeof costSchema>>;
export const costSchema = z.object({usd: amount, known: amount, unknown: amount});
