import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {sentence} from './refusals.ts';

const changedFileSchema = z.object({
	/** The path from `pwd`. */
	path: z.string(),
	/** It is empty if not shown. */
	diff: z.string(),
	/** A remark as the end of a sentence about the file. */
	remark: z.string().optional(),
});

/** The files that git neither tracks nor ignores. `hasMore`: there are more of them. */
export type Untracked = Immutable<z.infer<typeof untrackedSchema>>;
const untrackedSchema = z.object({
	files: z.array(changedFileSchema),
	hasMore: z.boolean(),
	/** Says why they could not be listed. */
	problem: sentence.optional(),
});

/** The changes of a session: what its tools wrote, and what git has not committed. All texts are untrusted. */
export type SessionChanges = Immutable<z.infer<typeof sessionChangesSchema>>;
export const sessionChangesSchema = z.object({
	/** The files that tools changed. Each diff leads from the contents before the first change to the current ones. */
	files: z.array(changedFileSchema),
	/** The number of changed files beyond the limit. */
	moreFiles: z.number(),
	/** `none`: no repository that inkpod may use. */
	git: z.discriminatedUnion('kind', [
		z.object({kind: z.literal('none')}),
		z.object({kind: z.literal('failed'), sentence}),
		z.object({
			kind: z.literal('diff'),
			/** The diff of the tracked files. */
			text: z.string(),
			truncated: z.boolean(),
			untracked: untrackedSchema.optional(),
		}),
	]),
});
