import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {unfinishedSchema} from './ledger.ts';

const amount = z.number().nonnegative();

/** Prices in USD per million tokens. Cached tokens without their own price cost as much as other input tokens. */
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

const tokens = z.number().nonnegative().optional();

const priceStepSchema = ratesSchema.extend({
	from: z.string().optional(),
	above: ratesSchema.extend({tokens: amount}).optional(),
});

/** At least one price step, in the order of days. */
export type Prices = readonly PriceStep[];

/** The prices by model, as `provider/name`. A model that is not listed has an unknown price. */
export type PriceList = Immutable<z.infer<typeof priceListSchema>>;

export const priceListSchema = z.record(z.string(), z.array(priceStepSchema));

/**
The cost of several requests. `usd` is the sum for the `known` requests. `unknown` is the number of requests whose cost
is unknown.
*/
export type Cost = Immutable<z.infer<typeof costSchema>>;

export const costSchema = z.object({usd: amount, known: amount, unknown: amount});

/** The requests of a session to one model. A token count that no answer reported is absent. */
export type ModelSpending = Immutable<z.infer<typeof modelSpendingSchema>>;

/** The tokens and the cost of a session by model, in the order of their first requests. */
export type Spending = Immutable<z.infer<typeof spendingSchema>>;

const modelSpendingSchema = z.object({
	/** The model as `provider/model`. */
	model: z.string(),
	/** The number of requests. */
	requests: z.number(),
	/** The number of requests whose tokens were not reported. */
	uncounted: z.number(),
	/** All tokens that were sent, including those from the cache. */
	input: tokens,
	output: tokens,
	cacheRead: tokens,
	cacheWrite: tokens,
	cost: costSchema,
});

export const spendingSchema = z.object({
	models: z.array(modelSpendingSchema),
	/**
	Absent if every compaction of the session finished. The counts above include the requests of unfinished compactions.
	*/
	unfinished: unfinishedSchema.optional(),
});
