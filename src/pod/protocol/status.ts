import {z} from 'zod';
import {approvalModes} from './approval-mode.ts';
import {effortSchema} from './effort.ts';
import type {Immutable} from './immutable.ts';
import {queuedMessageSchema} from './queue.ts';
import {costSchema} from './prices.ts';
import {questionSchema} from './questions.ts';

/**
One possible answer to a question. `refuses`: the choice changes nothing. `reason`: the user can add a sentence for the
model. `rule` is the permanent rule that the choice would write. The screen shows this rule and asks for a second
confirmation. The rule is untrusted text. `more`: a screen shows the choice only after the key for more choices. Such
choices come last. `unread`: the user may take the choice before the screen has shown the end of the detail.
*/
export type AskChoice = Ask['choices'][number];
const askChoiceSchema = z.object({
	choice: z.string(),
	label: z.string(),
	refuses: z.boolean().optional(),
	reason: z.boolean().optional(),
	rule: z.string().optional(),
	more: z.boolean().optional(),
	unread: z.boolean().optional(),
});

/** A question to the user. It is part of the state, so any client can show and answer it. */
export type Ask = Status['asks'][number];
const askSchema = z.object({
	id: z.string(),
	/** The tool call that waits for the answer, if there is one. */
	callId: z.string().optional(),
	/**
	The child session that asks, if the question does not come from the user's own session. Its title is untrusted text.
	*/
	child: z.object({id: z.string(), title: z.string()}).optional(),
	title: z.string(),
	/** The complete subject of the question: a command, a diff or a path. It is untrusted text. */
	detail: z.string(),
	/** A sentence about the subject, such as what a command can reach. */
	note: z.string().optional(),
	/** The way to draw the detail, `text` by default. */
	shows: z.enum(['command', 'diff', 'text', 'markdown']).optional(),
	/**
	The questions of a card that asks several things, one after another. The choices of the card are those of
	`questionChoices`. The choice `answer` needs one answer for each question.
	*/
	questions: z.array(questionSchema).optional(),
	/** The possible answers. There is at least one choice, and one choice refuses. */
	choices: z.array(askChoiceSchema).refine(choices => choices.some(({refuses}) => refuses === true)),
});

const count = z.number().nonnegative();

/** The size of the next request, and the session's cost until now. */
export type ContextUse = NonNullable<Status['context']>;
const contextSchema = z.object({
	tokens: count,
	/** Whether the provider counted all tokens. Otherwise some of them are estimated. */
	exact: z.boolean(),
	/** The context window in tokens, if it is known. */
	window: count.optional(),
	/** The share of the last request that came from the provider's cache, from 0 to 1, if it was reported. */
	cached: z.number().min(0).max(1).optional(),
	/** The session's cost, if the cost of any request is known. */
	cost: costSchema.optional(),
});

/** A command that runs in the background. */
export type BackgroundCommand = NonNullable<Status['background']>[number];
const backgroundCommandSchema = z.object({
	id: z.string(),
	/** The id of the call that started it. */
	call: z.string(),
	/** The first line of the command, cut to a limit. It is untrusted text. */
	command: z.string(),
	/** The moment of its start, in milliseconds of `steadyNow`. */
	since: z.number(),
	/** Whether a turn begins when the command ends while no turn is running. */
	wakes: z.boolean().optional(),
});

/**
A child session that has not ended. `waiting`: the child begins when one of the running children has ended. `paused`:
the child was interrupted, and continues when its parent continues. All texts are untrusted.
*/
export type ChildStatus = NonNullable<Status['children']>[number];
const childStatusSchema = z.object({
	id: z.string(),
	title: z.string(),
	/** The id of the item of the call that started it. Absent if the user started it. */
	call: z.string().optional(),
	state: z.enum(['waiting', 'running', 'paused']),
	step: z.enum(['resolving', 'requesting', 'streaming', 'tools', 'compacting']).optional(),
	/** The calls that are being executed: the tool and its main argument, cut to a limit. */
	calls: z.array(z.object({tool: z.string(), subject: z.string()})),
	/** The moment of its start, in milliseconds of `steadyNow`. */
	since: z.number(),
	/** The tokens of its requests until now. */
	tokens: count,
	/** The number of its open questions. */
	asks: count,
	background: z.boolean().optional(),
	/** Whether a turn of the parent begins when the child ends while no turn is running. */
	wakes: z.boolean().optional(),
});

export type Step = NonNullable<Status['step']>;
export type Status = Immutable<z.infer<typeof statusSchema>>;
export const statusSchema = z.object({
	kind: z.enum(['idle', 'running', 'paused']),
	step: z.enum(['resolving', 'requesting', 'streaming', 'tools', 'compacting']).optional(),
	/** The moment when this run began, in milliseconds of `steadyNow`. */
	since: z.number().optional(),
	/** The moment when inkpod sent a request whose answer has not begun, in milliseconds of `steadyNow`. */
	requestedAt: z.number().optional(),
	/** The calls of the step `tools` that have begun to execute. `since` is the moment of their start. */
	calls: z.array(z.object({callId: z.string(), since: z.number()})).optional(),
	asks: z.array(askSchema),
	/** The approval mode, `ask` by default. */
	approval: z.enum(approvalModes).optional(),
	/** The queued messages, the next one first. */
	queue: z.array(queuedMessageSchema),
	/** The size of the context. It is absent before the first count. */
	context: contextSchema.optional(),
	/** The background commands, oldest first. It is absent if there are none. */
	background: z.array(backgroundCommandSchema).optional(),
	/**
	`true` if commands are confined, otherwise the reason why not. Absent while this is unknown, or if the user turned
	confinement off.
	*/
	confined: z.union([z.literal(true), z.string()]).optional(),
	/**
	The reason why confined commands change the project directly instead of a layer over it. Absent if they work on a
	layer.
	*/
	noCells: z.string().optional(),
	/** The child sessions that have not ended, in the order of their starts. It is absent if there are none. */
	children: z.array(childStatusSchema).optional(),
	/** The model that the user chose during a run. inkpod uses it after the end of the run. */
	nextModel: z.string().optional(),
	/** The effort that the user chose with `nextModel`. */
	nextEffort: effortSchema.optional(),
	/** The moment of the next retry, in milliseconds of `steadyNow`. */
	retryAt: z.number().optional(),
});
