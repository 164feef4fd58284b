import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** Where a piece of a request comes from. */
export type PieceSource = RequestView['pieces'][number]['source'];
const sourceSchema = z.object({
	/**
	`item` and `setup` are parts of the history. `rule` added words that no item has. `form` belongs to the format of the
	provider. `unknown` would be a defect of inkpod.
	*/
	kind: z.enum(['item', 'setup', 'rule', 'form', 'unknown']),
	/** The id of the item, and which part of it. */
	id: z.string().optional(),
	part: z.string().optional(),
	/** The key in the setup. */
	key: z.string().optional(),
	/** The rule by which the piece deviates from its source. */
	rule: z.string().optional(),
});

/** The exact body of a request with the source of each piece. All texts are untrusted. */
export type RequestView = Immutable<z.infer<typeof requestViewSchema>>;
const requestViewSchema = z.object({
	/** The id of the request's item. */
	id: z.string(),
	model: z.string(),
	/** The size of the body. */
	bytes: z.number(),
	/** Whether its sha256 is that of the sent body. It is absent if nothing was sent. */
	isSame: z.boolean().optional(),
	/** The pieces of the body in order, or its beginning and its end with `hidden` characters between them. */
	pieces: z.array(z.object({text: z.string(), source: sourceSchema})),
	hidden: z.number(),
	/** The number of the last piece before the hidden ones. */
	headPieces: z.number(),
	/** The headers that inkpod sets. A key has no value. */
	headers: z.array(z.object({name: z.string(), value: z.string().optional(), source: z.string()})),
});

/** A request that cannot be shown, and why. */
export const requestAnswerSchema = z.union([
	z.object({ok: z.literal(true), request: requestViewSchema}),
	z.object({ok: z.literal(false), sentence: z.string()}),
]);
