import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** The query of a completion popup: paths below `pwd` (the text after `@`), or workflows (the text after `/`). */
export type CompletionQuery = Immutable<z.infer<typeof completionQuerySchema>>;
export const completionQuerySchema = z.object({
	kind: z.enum(['path', 'workflow']),
	text: z.string(),
	limit: z.number(),
});

const marks = z.array(z.number());

/** `marks`: the indexes of the UTF-16 code units in `path` or `slug` that the query matched, ascending. */
export type Match = Immutable<z.infer<typeof matchSchema>>;
const matchSchema = z.discriminatedUnion('type', [
	/**
	The path as it is written after `@`, without quotes. The path of a directory ends in `/`. `ignored`: .gitignore
	excludes the path.
	*/
	z.object({type: z.literal('path'), path: z.string(), directory: z.boolean(), ignored: z.boolean(), marks}),
	z.object({type: z.literal('workflow'), slug: z.string(), description: z.string(), marks}),
]);

/** The answer to one query. It contains the query, so that a client can drop an outdated answer. */
export type Completions = Immutable<z.infer<typeof completionsSchema>>;
export const completionsSchema = z.object({
	query: completionQuerySchema,
	/** The matches, best first. */
	matches: z.array(matchSchema),
	/** Whether there may be more matches soon. The client then asks again. */
	indexing: z.boolean(),
	/** A sentence that explains why nothing can be picked. */
	note: z.string().optional(),
});
