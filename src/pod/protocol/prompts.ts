import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {segmentSchema} from './segment.ts';

/**
The prompts to search: those of the session's project, those of the project's other sessions, or those of all projects.
*/
const promptScopes = ['project', 'others', 'everywhere'] as const;
export type PromptScope = (typeof promptScopes)[number];

/**
A search in earlier prompts. Each word of `text` must occur in a prompt. If `text` contains no words, all prompts match.
*/
export type PromptQuery = Immutable<z.infer<typeof promptQuerySchema>>;
export const promptQuerySchema = z.object({
	text: z.string().max(4000),
	scope: z.enum(promptScopes),
	limit: z.number().int().nonnegative(),
});

/** The name of a slash command of a client. */
export const commandNameSchema = z.string().regex(/^[a-z-]{1,40}$/);

/** A prompt as the user sent it. `project` is the name of its project's folder. All texts are untrusted. */
export type FoundPrompt = Immutable<z.infer<typeof foundPromptSchema>>;
const foundPromptSchema = z.object({
	at: z.string(),
	segments: z.array(segmentSchema),
	project: z.string().optional(),
});

/**
The latest matches, newest first. `total` counts all matches. The answer contains its query, so that a client can drop
an outdated answer.
*/
export type FoundPrompts = Immutable<z.infer<typeof foundPromptsSchema>>;
export const foundPromptsSchema = z.object({
	query: promptQuerySchema,
	prompts: z.array(foundPromptSchema),
	total: z.number(),
});
