import {z} from 'zod';
import {approvalModes} from '../approval/mode.ts';
import {segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';
import {costSchema} from './prices.ts';

/**
One answer to an ask. `refuses`: choosing it changes nothing. `reason`: it takes a sentence for the model. `rule`: the
permanent rule that choosing it would write; a screen shows that and asks for a second confirmation. Untrusted text.
*/
export type AskChoice = Ask['choices'][number];
const askChoiceSchema = z.object({
	choice: z.string(),
	label: z.string(),
	refuses: z.boolean().optional(),
	reason: z.boolean().optional(),
	rule: z.string().optional(),
});

/** A question to the user: state that any client can show and answer. */
export type Ask = Status['asks'][number];
const askSchema = z.object({
	id: z.string(),
	/** The tool call that waits for the answer, if one does. */
	callId: z.string().optional(),
	title: z.string(),
	/** Everything that is asked about: a command, a diff, a path. Untrusted text. */
	detail: z.string(),
	/** How the detail is drawn. Default: `text`. */
	shows: z.enum(['command', 'diff', 'text']).optional(),
	/** At least one, and one of them refuses. */
	choices: z.array(askChoiceSchema),
});

const count = z.number().nonnegative();

/** The contents of the next request in numbers, and their cost so far. */
export type ContextUse = NonNullable<Status['context']>;
const contextSchema = z.object({
	tokens: count,
	/** The provider counted all of them. Otherwise some are estimated. */
	exact: z.boolean(),
	/** The context window in tokens, if known. */
	window: count.optional(),
	/** The share of the last request that the provider read from its cache, from 0 to 1, if reported. */
	cached: z.number().min(0).max(1).optional(),
	/** The session's cost, if the cost of any request is known. */
	cost: costSchema.optional(),
});

/** A command that runs beside the conversation. */
export type BackgroundCommand = NonNullable<Status['background']>[number];
const backgroundCommandSchema = z.object({
	id: z.string(),
	/** The item of the call that started it. */
	call: z.string(),
	/** Its first line, cut. Untrusted text. */
	command: z.string(),
	/** Milliseconds since the epoch. */
	since: z.number(),
});

export type Step = NonNullable<Status['step']>;
export type Status = Immutable<z.infer<typeof statusSchema>>;
export const statusSchema = z.object({
	kind: z.enum(['idle', 'running', 'paused']),
	step: z.enum(['resolving', 'requesting', 'streaming', 'tools', 'compacting']).optional(),
	asks: z.array(askSchema),
	/** Default: `ask`. */
	approval: z.enum(approvalModes).optional(),
	/** Steered submissions that wait for the next request, oldest first. Clients queue what waits for the run's end. */
	queue: z.array(z.array(segmentSchema)),
	/** Absent: nothing was ever sent, or it is not counted yet. */
	context: contextSchema.optional(),
	/** Background commands, oldest first. Absent: none. */
	background: z.array(backgroundCommandSchema).optional(),
	/** When a failed request is retried: milliseconds since the epoch. */
	retryAt: z.number().optional(),
});
