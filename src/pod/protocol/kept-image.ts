import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {sentence} from './refusals.ts';

/**
The result of storing a pasted image: the hash and the extension for its `file_ref`, or the reason why the image was not
stored.
*/
export type KeptImage = Immutable<z.infer<typeof keptImageSchema>>;
export const keptImageSchema = z.discriminatedUnion('ok', [
	z.object({ok: z.literal(true), sha256: z.string(), extension: z.string()}),
	z.object({ok: z.literal(false), sentence}),
]);
