import {z} from 'zod';
import {parseItem, type Item} from '../../worker/index.ts';
import {effortSchema} from './effort.ts';
import type {Immutable} from './immutable.ts';
import {priceListSchema} from './prices.ts';
import {sentence} from './refusals.ts';
import {statusSchema, type Status} from './status.ts';

export type Alert = Immutable<z.infer<typeof alertSchema>>;
const alertSchema = z.object({level: z.enum(['info', 'warn', 'error']), text: sentence});

export type SessionInfo = Immutable<z.infer<typeof sessionSchema>>;
const sessionSchema = z.object({
	id: z.string(),
	/** Only for a child session: the id of its parent, and its own title, which is untrusted text. */
	child: z.object({parent: z.string(), title: z.string()}).optional(),
	/** The model of the next request as `provider/name`. */
	model: z.string(),
	/** The source of the model's key, such as `key from keychain`, or the reason why the model needs no key. */
	access: sentence.optional(),
	/** The chosen reasoning effort. If it is absent, the model uses its default effort. */
	effort: effortSchema.optional(),
	/** The settings of the model's requests, in the form of a setup item. */
	settings: z.record(z.string(), z.unknown()).optional(),
	scope: z.object({pwd: z.string(), writable: z.boolean(), readRoots: z.array(z.string())}),
	/** The known prices of all models in history, and of the next request's model. */
	prices: priceListSchema.optional(),
});

/** The schema of an item. It keeps unknown keys, as the parser of history lines does. */
export const itemSchema = z.custom<Item>(value => parseItem(value) !== undefined, 'This is not an item.');

/**
The events that a client receives. `snapshot` comes first.
Then each committed item comes as `item`, and each streamed piece as `delta`. A `delta` with `begin` opens a provisional
item, which has the id of the later committed item. The `text` of a `delta` is appended to the provisional item with its
id. A committed `item` with this id replaces the provisional item. A `request` or `request_end` item drops the
provisional items of the model's answer, and a `run_end` drops all provisional items.
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

/** The schema of every event except `snapshot`. A snapshot may be too long for one line, so it has its own schema. */
export const eventSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('item'), item: itemSchema}),
	z.object({type: z.literal('delta'), id: z.string(), text: z.string(), begin: itemSchema.optional()}),
	z.object({type: z.literal('status'), status: statusSchema}),
	z.object({type: z.literal('alert'), alert: alertSchema}),
	z.object({type: z.literal('closed'), sentence: sentence.optional()}),
]);

/**
The head of a snapshot. The `count` items of the snapshot follow, each on its own line, and then the events follow.
Before all items have arrived, another snapshot may replace this one.
*/
export const snapshotSchema = z.object({
	type: z.literal('snapshot'),
	session: sessionSchema,
	tail: z.array(itemSchema),
	status: statusSchema,
	count: z.number().int().nonnegative(),
});
