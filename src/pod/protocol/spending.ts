import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {unfinishedSchema} from './ledger.ts';
import {costSchema} from './prices.ts';

const tokens = z.number().nonnegative().optional();

/** The requests of a session to one model. A kind of tokens that no answer reported is absent. */
export type ModelSpending = Immutable<z.infer<typeof modelSpendingSchema>>;
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

/** The tokens and the cost of a session by model, in the order of their first requests. */
export type Spending = Immutable<z.infer<typeof spendingSchema>>;
export const spendingSchema = z.object({
	models: z.array(modelSpendingSchema),
	/** Absent if every compaction of the session finished. Their requests are included. */
	unfinished: unfinishedSchema.optional(),
});
