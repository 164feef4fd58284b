import {z} from 'zod';
import {originKinds, type Origin} from './origin.ts';
import {rangeSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';

/** Whether the file of an item is still as the model saw it. `unknown`: this cannot be checked now. */
export type FileState = Immutable<z.infer<typeof fileStateSchema>>;

const states = z.enum(['same', 'changed', 'gone', 'unknown']);

export const fileStateSchema = z.object({id: z.string(), state: states});

/** The kinds of ledger rows that are not origins of system items. `gap` is the row about omitted items. */
const ownLedgerKinds = [
	'prompt',
	'tool',
	'summary',
	'gap',
	'user',
	'assistant',
	'thought',
	'call',
	'result',
	'system',
] as const;

export type LedgerKind = (typeof ownLedgerKinds)[number] | Origin['kind'];

const ledgerKinds: readonly LedgerKind[] = [...ownLedgerKinds, ...originKinds];

const ledgerKindSchema = z.enum(ledgerKinds);

/**
One item of the next request. `tokens` are estimated. The row of a dropped item does not count in the totals. `bytes` is
the size of the item's content in UTF-8. The size includes data for the provider, but not the overhead of the request.
*/
export type LedgerRow = Ledger['rows'][number];

const ledgerRowSchema = z.object({
	/** The id of the item or of the setup. It is absent for other rows. */
	id: z.string().optional(),
	kind: ledgerKindSchema,
	/** The name of the item on one line. It is untrusted text that has not passed the sanitizer. */
	label: z.string(),
	bytes: z.number(),
	tokens: z.number(),
	path: z.string().optional(),
	range: rangeSchema.optional(),
	/** The sizes of the sent body and of the whole file, in bytes. */
	body: z.object({bytes: z.number(), totalBytes: z.number()}).optional(),
	pinned: z.boolean().optional(),
	dropped: z.boolean().optional(),
	/** Whether a line replaces the output of this result. */
	pruned: z.boolean().optional(),
	/** The number of context items that a summary replaces. */
	summarised: z.number().optional(),
	/** The state of the item's file. It is absent if the item has no file, or before inkpod has checked the file. */
	state: states.optional(),
});

/**
The compactions that did not finish. No request contains their summaries, but their own requests cost money. A token
count that no provider reported is absent.
*/
export type UnfinishedCompactions = Immutable<z.infer<typeof unfinishedSchema>>;

export const unfinishedSchema = z.object({
	compactions: z.number(),
	requests: z.number(),
	input: z.number().optional(),
	output: z.number().optional(),
});

/** The contents of the next request, in order. The rows add up to the request's content. */
export type Ledger = Immutable<z.infer<typeof ledgerSchema>>;

export const ledgerSchema = z.object({
	/** The model as `provider/model`. It is empty if history has no setup item yet. */
	model: z.string(),
	rows: z.array(ledgerRowSchema),
	/** The totals by kind, in order of first occurrence. */
	totals: z.array(z.object({kind: ledgerKindSchema, rows: z.number(), bytes: z.number(), tokens: z.number()})),
	bytes: z.number(),
	tokens: z.number(),
	/** The context window in tokens. It is absent if the window is unknown. */
	window: z.number().optional(),
	/** Absent if every compaction of the session finished. */
	unfinished: unfinishedSchema.optional(),
});

/** Where a piece of a request comes from. */
export type PieceSource = RequestView['pieces'][number]['source'];

/** The exact body of a request with the source of each piece. All texts are untrusted. */
export type RequestView = Immutable<z.infer<typeof requestViewSchema>>;

const sourceSchema = z.object({
	/**
	`item` and `setup`: a part of history. `rule`: words that a rule added and that no item contains. `form`: syntax of
	the provider's format. `unknown`: a bug in inkpod.
	*/
	kind: z.enum(['item', 'setup', 'rule', 'form', 'unknown']),
	/** The id of the item, and the part of the item. */
	id: z.string().optional(),
	part: z.string().optional(),
	/** The key in the setup. */
	key: z.string().optional(),
	/** The rule that made the piece differ from its source. */
	rule: z.string().optional(),
});

const requestViewSchema = z.object({
	/** The id of the request's item. */
	id: z.string(),
	model: z.string(),
	/** The size of the body. */
	bytes: z.number(),
	/** Whether the sha256 of this body equals that of the sent body. It is absent if nothing was sent. */
	isSame: z.boolean().optional(),
	/**
	The pieces of the body in order. The middle of a long body is left out. `hidden` is the number of characters that
	are left out.
	*/
	pieces: z.array(z.object({text: z.string(), source: sourceSchema})),
	hidden: z.number(),
	/** The number of pieces before the hidden characters. */
	headPieces: z.number(),
	/** The headers that inkpod sets. The header with the API key has no value here. */
	headers: z.array(z.object({name: z.string(), value: z.string().optional(), source: z.string()})),
});

/** A request, or a sentence that explains why inkpod cannot show it. */
export const requestAnswerSchema = z.union([
	z.object({ok: z.literal(true), request: requestViewSchema}),
	z.object({ok: z.literal(false), sentence: z.string()}),
]);

/** A step of a replay. `play` continues or pauses the replay. */
export type ReplayStep =
	| 'next item'
	| 'previous item'
	| 'next request'
	| 'previous request'
	| 'next second'
	| 'previous second'
	| 'start'
	| 'end'
	| 'play';
