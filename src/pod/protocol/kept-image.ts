import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {sentence} from './refusals.ts';

/** The result of keeping a pasted image: what a `file_ref` names it by, or why it was not kept. */
export type KeptImage = Immutable<z.infer<typeof keptImageSchema>>;
export const keptImageSchema = z.discriminatedUnion('ok', [
	z.object({ok: z.literal(true), sha256: z.string(), extension: z.string()}),
	z.object({ok: z.literal(false), sentence}),
]);
