import {z} from 'zod';
import {fileRefSchema, refFailures, segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';

/**
What a file ref of a draft becomes if it is sent now. Bytes and lines describe the attached body, `totalBytes` the
file. For a directory `lines` counts the listed entries.
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
		/** Of a `denied` ref: the path that its confirmation has to contain. */
		real: z.string().optional(),
	}),
]);

/** What a draft becomes if it is sent now. Commits nothing and runs no hook. */
export type Preflight = Immutable<z.infer<typeof preflightSchema>>;
export const preflightSchema = z.object({
	/** The draft as the pod reads it. A client sends it back to confirm a ref that the user typed. */
	segments: z.array(segmentSchema),
	/** Each distinct path and range once, in order of occurrence. */
	refs: z.array(forecastSchema),
	/** Estimated tokens of the whole submission, with its attachments. */
	tokens: z.number(),
	/** Why it would be refused, in one sentence. */
	rejection: z.string().optional(),
});
