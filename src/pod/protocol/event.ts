import {z} from 'zod';
import {parseItem, type Item} from '../../worker/index.ts';
import type {Immutable} from './immutable.ts';
import {priceListSchema} from './prices.ts';
import {sentence} from './sentence.ts';
import {statusSchema, type Status} from './status.ts';

export type Alert = Immutable<z.infer<typeof alertSchema>>;
const alertSchema = z.object({level: z.enum(['info', 'warn', 'error']), text: sentence});

export type SessionInfo = Immutable<z.infer<typeof sessionSchema>>;
const sessionSchema = z.object({
	id: z.string(),
	/** The model of the next request, `provider/name`. */
	model: z.string(),
	scope: z.object({pwd: z.string(), writable: z.boolean(), readRoots: z.array(z.string())}),
	/** Known prices of the models in history and of the next request's model. */
	prices: priceListSchema.optional(),
});

/** Like a line of a history: keys that this version does not know are kept. */
export const itemSchema = z.custom<Item>(value => parseItem(value) !== undefined, 'This is not an item.');

/**
All that a client receives. First comes `snapshot`, then every committed item as `item` and every streamed piece as
`delta`. A `delta` with `begin` opens a provisional item under the id of its later commit; `text` is appended to it. An
`item` of that id settles it. A `request` item drops the open parts of the model's answer, a `run_end` drops everything
open.
*/
export type Event =
	| Immutable<z.infer<typeof eventSchema>>
	| {
			readonly type: 'snapshot';
			readonly session: SessionInfo;
			readonly items: readonly Item[];
			readonly tail: readonly Item[];
			readonly status: Status;
	  };

/** Every event except `snapshot`, which does not fit into one line of the wire. */
export const eventSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('item'), item: itemSchema}),
	z.object({type: z.literal('delta'), id: z.string(), text: z.string(), begin: itemSchema.optional()}),
	z.object({type: z.literal('status'), status: statusSchema}),
	z.object({type: z.literal('alert'), alert: alertSchema}),
	z.object({type: z.literal('closed'), sentence: sentence.optional()}),
]);

/**
The head of a snapshot. Its `count` items follow in lines of their own, then events. A snapshot that comes before the
last item replaces the unfinished one.
*/
export const snapshotSchema = z.object({
	type: z.literal('snapshot'),
	session: sessionSchema,
	tail: z.array(itemSchema),
	status: statusSchema,
	count: z.number().int().nonnegative(),
});
