import {z} from 'zod';
import type {RawOrigin} from '../../worker/index.ts';
import {rangeSchema, segmentSchema} from './segment.ts';

const fileFields = {
	/** As the user or the compaction wrote it. */
	path: z.string(),
	range: rangeSchema.optional(),
	/** Bytes of body sent, and of the file on disk. */
	bytes: z.number(),
	totalBytes: z.number(),
	/** Lines of the body sent. */
	lines: z.number(),
	truncated: z.boolean(),
	sha256: z.string(),
	mtimeMs: z.number(),
};

/** Why a message is in history. Kinds that are not listed are legal and shown generically. */
export type Origin = z.infer<typeof originSchema>;
export type OriginOf<Kind extends Origin['kind']> = Extract<Origin, {kind: Kind}>;
const originSchema = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('submit'), segments: z.array(segmentSchema)}),
	z.object({kind: z.literal('file'), ...fileFields}),
	z.object({kind: z.literal('auto_read'), ...fileFields, compaction: z.string()}),
	z.object({kind: z.literal('dir'), path: z.string(), entries: z.number(), truncated: z.boolean()}),
	z.object({kind: z.literal('workflow'), slug: z.string(), invocation: z.string(), arguments: z.string().optional()}),
	z.object({kind: z.literal('knowledge'), slug: z.string(), workflow: z.string(), invocation: z.string()}),
	z.object({kind: z.literal('interrupt'), cause: z.string()}),
	/**
	`path` from `pwd`, on one line; `file` absolute. Bytes of body sent, and of the file; sha256 of the whole file.
	`gone`: it no longer applies.
	*/
	z.object({
		kind: z.literal('instructions'),
		path: z.string(),
		truncated: z.boolean(),
		file: z.string().optional(),
		bytes: z.number().optional(),
		totalBytes: z.number().optional(),
		sha256: z.string().optional(),
		gone: z.boolean().optional(),
	}),
	/** `run`: a notification that a run is to answer. */
	z.object({kind: z.literal('notice'), about: z.string(), run: z.boolean().optional()}),
	/** A command that the user ran. Bytes of output sent, and in all; without `exitCode` a signal ended it. */
	z.object({
		kind: z.literal('shell'),
		command: z.string(),
		exitCode: z.number().optional(),
		bytes: z.number(),
		totalBytes: z.number(),
		truncated: z.boolean(),
	}),
]);

/** The kinds of origin, by their names in history. */
export const originKinds = originSchema.options.map(({shape}) => shape.kind.value);

/** Narrows an item's origin. `undefined` for an absent, unknown or misshapen one. */
export function narrowOrigin(origin: RawOrigin | undefined): Origin | undefined {
	if (origin === undefined) return undefined;
	const parsed = originSchema.safeParse(origin);
	return parsed.success ? parsed.data : undefined;
}
