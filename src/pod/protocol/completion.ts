import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** What a completion popup asks for: paths below `pwd` (the text after `@`), or workflows (the text after `/`). */
export type CompletionQuery = Immutable<z.infer<typeof completionQuerySchema>>;
export const completionQuerySchema = z.object({
	kind: z.enum(['path', 'workflow']),
	text: z.string(),
	limit: z.number(),
});

const marks = z.array(z.number());

/** `marks`: the code units of `path` or `slug` that the query matched, ascending. */
export type Match = Immutable<z.infer<typeof matchSchema>>;
const matchSchema = z.discriminatedUnion('type', [
	/** As it is written after `@`, unquoted; a directory ends in `/`. `ignored`: .gitignore excludes it. */
	z.object({type: z.literal('path'), path: z.string(), directory: z.boolean(), ignored: z.boolean(), marks}),
	z.object({type: z.literal('workflow'), slug: z.string(), description: z.string(), marks}),
]);

/** The matches for one query. It carries its query: an answer to an older query is stale. */
export type Completions = Immutable<z.infer<typeof completionsSchema>>;
export const completionsSchema = z.object({
	query: completionQuerySchema,
	/** Best first. */
	matches: z.array(matchSchema),
	/** There may be more in a moment: ask again. */
	indexing: z.boolean(),
	/** Why nothing can be picked, in one sentence. */
	note: z.string().optional(),
});
