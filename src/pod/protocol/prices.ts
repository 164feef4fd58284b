import {z} from 'zod';
import type {Immutable} from './immutable.ts';

const amount = z.number().nonnegative();

/** USD per million tokens. Cached tokens without a price of their own cost as much as others. */
export type Rates = Immutable<z.infer<typeof ratesSchema>>;
const ratesSchema = z.object({
	input: amount,
	output: amount,
	cacheRead: amount.optional(),
	cacheWrite: amount.optional(),
});

/**
The rates of a model from a day on (`YYYY-MM-DD`, in UTC). The first step has always applied. `above` replaces the rates
for a whole request whose input has more tokens.
*/
export type PriceStep = Immutable<z.infer<typeof priceStepSchema>>;
const priceStepSchema = ratesSchema.extend({
	from: z.string().optional(),
	above: ratesSchema.extend({tokens: amount}).optional(),
});

/** In the order of their days, at least one. */
export type Prices = readonly PriceStep[];

/** Prices by model, `provider/name`. The price of a model that is not listed is unknown. */
export type PriceList = Immutable<z.infer<typeof priceListSchema>>;
export const priceListSchema = z.record(z.string(), z.array(priceStepSchema));

/** The cost of several requests: USD, and how many requests it covers. The cost of `unknown` more is not known. */
export type Cost = Immutable<z.infer<typeof costSchema>>;
export const costSchema = z.object({usd: amount, known: amount, unknown: amount});
