import {z} from 'zod';
import {fileRefSchema, refFailures, segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';

/**
The effect of a draft's file ref if the draft is sent now. Bytes and lines are those of the attached body.
`totalBytes` is the size of the file. For a directory `lines` counts the listed entries.
*/
export type RefForecast = Immutable<z.infer<typeof forecastSchema>>;
const forecastSchema = z.discriminatedUnion('ok', [
	z.object({
		ref: fileRefSchema,
		ok: z.literal(true),
		kind: z.enum(['file', 'dir']),
		bytes: z.number(),
		totalBytes: z.number(),
		lines: z.number(),
		truncated: z.boolean(),
		tokens: z.number(),
	}),
	z.object({
		ref: fileRefSchema,
		ok: z.literal(false),
		reason: z.enum(refFailures),
		sentence: z.string(),
		/** The path that the confirmation of a `denied` ref must contain. */
		real: z.string().optional(),
	}),
]);

/** The effect of a draft if it is sent now. A preflight commits nothing and runs no hook. */
export type Preflight = Immutable<z.infer<typeof preflightSchema>>;
export const preflightSchema = z.object({
	/** The draft as the pod parses it. A client sends it back to confirm a ref that the user typed. */
	segments: z.array(segmentSchema),
	/** Each distinct path and range, in order of occurrence. */
	refs: z.array(forecastSchema),
	/** The estimated tokens of the whole submission with its attachments. */
	tokens: z.number(),
	/** A sentence that tells why the pod would refuse the draft. */
	rejection: z.string().optional(),
});
