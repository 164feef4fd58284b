import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {sentence} from './refusals.ts';

const changedFileSchema = z.object({
	/** The file's path relative to `pwd`. */
	path: z.string(),
	/** The diff of the file. It is empty if inkpod does not show a diff. */
	diff: z.string(),
	/** A remark about the file, such as `not shown`. */
	remark: z.string().optional(),
});

/** The files that git neither tracks nor ignores. `hasMore`: the list does not contain all of them. */
export type Untracked = Immutable<z.infer<typeof untrackedSchema>>;
const untrackedSchema = z.object({
	files: z.array(changedFileSchema),
	hasMore: z.boolean(),
	/** The reason why git could not list the files. */
	problem: sentence.optional(),
});

/**
The changes of a session: the files that its tools changed, and the uncommitted changes in git. All texts are untrusted.
*/
export type SessionChanges = Immutable<z.infer<typeof sessionChangesSchema>>;
export const sessionChangesSchema = z.object({
	/**
	The files that tools changed. Each diff compares the contents before the first change with the current contents.
	*/
	files: z.array(changedFileSchema),
	/** The number of changed files beyond the limit. */
	moreFiles: z.number(),
	/** `none`: there is no repository that inkpod may use. */
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
