import {z} from 'zod';
import {approvalModes} from '../approval/mode.ts';
import {segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';
import {costSchema} from './prices.ts';

/**
One answer to an ask. `refuses`: the choice changes nothing. `reason`: the choice takes a sentence for the model.
`rule` is the permanent rule that the choice would write. A screen shows it and asks for a second confirmation. It is
untrusted text.
*/
export type AskChoice = Ask['choices'][number];
const askChoiceSchema = z.object({
	choice: z.string(),
	label: z.string(),
	refuses: z.boolean().optional(),
	reason: z.boolean().optional(),
	rule: z.string().optional(),
});

/** A question to the user. It is state, so any client can show and answer it. */
export type Ask = Status['asks'][number];
const askSchema = z.object({
	id: z.string(),
	/** The tool call that waits for the answer, if there is one. */
	callId: z.string().optional(),
	title: z.string(),
	/** The complete subject of the question: a command, a diff or a path. It is untrusted text. */
	detail: z.string(),
	/** The way to draw the detail, `text` by default. */
	shows: z.enum(['command', 'diff', 'text']).optional(),
	/** The possible answers. There is at least one, and one of them refuses. */
	choices: z.array(askChoiceSchema),
});

const count = z.number().nonnegative();

/** The size of the next request, and the cost so far. */
export type ContextUse = NonNullable<Status['context']>;
const contextSchema = z.object({
	tokens: count,
	/** Whether the provider counted all tokens. Otherwise some are estimated. */
	exact: z.boolean(),
	/** The context window in tokens, if it is known. */
	window: count.optional(),
	/** The share of the last request from the provider's cache, from 0 to 1, if reported. */
	cached: z.number().min(0).max(1).optional(),
	/** The session's cost, if the cost of any request is known. */
	cost: costSchema.optional(),
});

/** A command that runs beside the conversation. */
export type BackgroundCommand = NonNullable<Status['background']>[number];
const backgroundCommandSchema = z.object({
	id: z.string(),
	/** The id of the call that started it. */
	call: z.string(),
	/** The first line of the command, cut to a limit. It is untrusted text. */
	command: z.string(),
	/** The time of its start, in milliseconds since the epoch. */
	since: z.number(),
});

export type Step = NonNullable<Status['step']>;
export type Status = Immutable<z.infer<typeof statusSchema>>;
export const statusSchema = z.object({
	kind: z.enum(['idle', 'running', 'paused']),
	step: z.enum(['resolving', 'requesting', 'streaming', 'tools', 'compacting']).optional(),
	asks: z.array(askSchema),
	/** The approval mode, `ask` by default. */
	approval: z.enum(approvalModes).optional(),
	/**
	The steered submissions that wait for the next request, oldest first. Clients queue those that wait for the run's
	end.
	*/
	queue: z.array(z.array(segmentSchema)),
	/** The size of the context. It is absent before the first count. */
	context: contextSchema.optional(),
	/** The background commands, oldest first. It is absent if there are none. */
	background: z.array(backgroundCommandSchema).optional(),
	/** The time of the next retry, in milliseconds since the epoch. */
	retryAt: z.number().optional(),
});
