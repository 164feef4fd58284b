import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {sentence} from './sentence.ts';

/** The changes of a session: what its tools wrote, and what git has not committed. All texts are untrusted. */
export type SessionChanges = Immutable<z.infer<typeof sessionChangesSchema>>;
export const sessionChangesSchema = z.object({
	files: z.array(
		z.object({
			/** The path from `pwd`. */
			path: z.string(),
			/** The diff from the contents before the first change to the current ones. It is empty if not shown. */
			diff: z.string(),
			/** A remark as the end of a sentence about the file. */
			remark: z.string().optional(),
		}),
	),
	/** The number of changed files beyond the limit. */
	moreFiles: z.number(),
	/** `none`: no repository that inkpod may use. */
	git: z.discriminatedUnion('kind', [
		z.object({kind: z.literal('none')}),
		z.object({kind: z.literal('failed'), sentence}),
		z.object({kind: z.literal('diff'), text: z.string(), truncated: z.boolean()}),
	]),
});
