import {z} from 'zod';
import {originKinds, type Origin} from './origin.ts';
import {rangeSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';

/** Whether the file of an item is still what the model saw. `unknown`: that cannot be found out now. */
export type FileState = Immutable<z.infer<typeof fileStateSchema>>;
const states = z.enum(['same', 'changed', 'gone', 'unknown']);
export const fileStateSchema = z.object({id: z.string(), state: states});

/** The kind of a ledger row, if it is not the origin of a system item. `gap`: the line that says what is left out. */
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
One item of the next request. `bytes` counts its content in UTF-8, with what the provider needs back and without the
framing of the request. `tokens` are estimated. A dropped item keeps a row, which counts nothing.
*/
export type LedgerRow = Ledger['rows'][number];
const ledgerRowSchema = z.object({
	/** The id of the item, or of the setup. Absent: neither. */
	id: z.string().optional(),
	kind: ledgerKindSchema,
	/** A name for it, on one line, as it was stored: untrusted. */
	label: z.string(),
	bytes: z.number(),
	tokens: z.number(),
	path: z.string().optional(),
	range: rangeSchema.optional(),
	/** The bytes of body that were sent, and the bytes of the file. */
	body: z.object({bytes: z.number(), totalBytes: z.number()}).optional(),
	pinned: z.boolean().optional(),
	dropped: z.boolean().optional(),
	/** The number of context items that a summary replaces. */
	summarised: z.number().optional(),
	/** The state of its file. Absent: it shows no file, or it was not checked. */
	state: states.optional(),
});

/** The contents of the next request, in order. The rows add up to the request's content. */
export type Ledger = Immutable<z.infer<typeof ledgerSchema>>;
export const ledgerSchema = z.object({
	/** `provider/name`. Empty while history has no setup. */
	model: z.string(),
	rows: z.array(ledgerRowSchema),
	/** By kind, in order of first occurrence. */
	totals: z.array(z.object({kind: ledgerKindSchema, rows: z.number(), bytes: z.number(), tokens: z.number()})),
	bytes: z.number(),
	tokens: z.number(),
	/** The context window in tokens. Absent: unknown. */
	window: z.number().optional(),
});
