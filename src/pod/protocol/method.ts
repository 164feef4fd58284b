import {z} from 'zod';
import {approvalModes} from './approval-mode.ts';
import {effortSchema} from './effort.ts';
import {segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';
import {messageIdSchema, queueMessageSchema} from './queue.ts';
import {mcpActions} from './lists.ts';
import {questionAnswerSchema, questionLimits} from './questions.ts';
import {refusals} from './refusals.ts';
import {sentence} from './refusals.ts';

export type {Refusal} from './refusals.ts';

/** The methods of a pod. Each call gets one Receipt. */
export type Method = z.infer<typeof methodSchema>;
export type MethodName = Method['method'];
export const methodSchema = z.discriminatedUnion('method', [
	/**
	`message` is the client's id of the message. inkpod records the id, so that no client offers the message again.
	*/
	z.object({method: z.literal('run'), segments: z.array(segmentSchema), message: messageIdSchema.optional()}),
	z.object({method: z.literal('resume')}),
	z.object({method: z.literal('pause')}),
	/** `take`: this client also takes all waiting messages, as with `take_queued`. */
	z.object({method: z.literal('cancel'), take: z.boolean().optional()}),
	/**
	Adds a submission to the current run at its next request. The receipt comes when the submission is committed, as for
	`run`.
	*/
	z.object({method: z.literal('steer'), segments: z.array(segmentSchema)}),
	/**
	Runs a command for the user and commits its output. Then the receipt comes. `pause` and `cancel` stop the command
	like a run.
	*/
	z.object({method: z.literal('shell'), command: z.string(), message: messageIdSchema.optional()}),
	/**
	Adds a message to the queue of the session. The receipt comes when the message is saved. `steer`: the current run
	takes the message with its next request. An idle session sends the message at once. A message with a known id is not
	added again.
	*/
	z.object({
		method: z.literal('queue'),
		message: messageIdSchema,
		segments: z.array(segmentSchema),
		command: z.string().optional(),
		steer: z.boolean().optional(),
	}),
	/** Gives a queued message to the current run. */
	z.object({method: z.literal('steer_queued'), message: messageIdSchema}),
	/** Sends the next queued message. */
	z.object({method: z.literal('send_queued')}),
	/** Moves a queued message before another one, or to the end. */
	z.object({method: z.literal('move_queued'), message: messageIdSchema, before: messageIdSchema.optional()}),
	/**
	Takes messages out of the queue, by default all waiting messages. Only this client gets them, in its receipt. The
	client saves each message and then sends `release_queued`. Until then the message is still in queue.json.
	*/
	z.object({method: z.literal('take_queued'), messages: z.array(messageIdSchema).optional()}),
	/**
	Removes a message that this client has taken. The receipt is `accepted` if the message is then neither in the queue
	nor in history, so that it belongs to the client alone.
	*/
	z.object({method: z.literal('release_queued'), message: messageIdSchema}),
	/** Puts taken messages back into the queue. */
	z.object({method: z.literal('requeue'), messages: z.array(messageIdSchema)}),
	/** Names the session. An empty title removes the name. */
	z.object({method: z.literal('rename'), title: z.string().max(200)}),
	/** Makes another folder readable, from the next request on. */
	z.object({method: z.literal('add_dir'), path: z.string()}),
	/**
	Notifies the model of something outside the conversation. The receipt comes when the notification is in history.
	During a run the notification joins the next request. In an idle session it is committed at once, and with `run` a
	run starts for it. In a paused session it is committed at once for the next run or resume.
	*/
	z.object({method: z.literal('notify'), text: z.string(), run: z.boolean().optional()}),
	/**
	Sets the approval mode from the next call on. It also answers the open questions that the new mode would not ask.
	*/
	z.object({method: z.literal('approval'), mode: z.enum(approvalModes)}),
	/** Saves a model as the default in the user's config.toml. */
	z.object({method: z.literal('save_model'), name: z.string(), effort: effortSchema.optional()}),
	/**
	Checks an API key with its provider and stores it. No event and no history contains the key. Models that the user
	chooses later use it.
	*/
	z.object({method: z.literal('login'), provider: z.string().max(100), key: z.string().max(10_000)}),
	/**
	Chooses the model of the next request. During a run, the choice takes effect at the end of the run. Without
	`effort`, the model uses its default effort. The receipt contains the complete name and the effort. If the model
	lacks the chosen level, it gets its next lower level.
	*/
	z.object({method: z.literal('model'), name: z.string(), effort: effortSchema.optional()}),
	/**
	Drops items from the context, restores them, pins them so that compactions keep them, or prunes results of tools: the
	call stays, and a line replaces the output.
	A restore can also undo a compaction, a rewind, a drop, a pin or a prune.
	*/
	z.object({method: z.literal('context'), op: z.enum(['drop', 'restore', 'pin', 'prune']), ids: z.array(z.string())}),
	/**
	Summarises older items of the context. Then the receipt comes. A client can stop a compaction like a run. `hint`
	describes the purpose of the summary.
	*/
	z.object({method: z.literal('compact'), hint: z.string().max(4000).optional()}),
	/** Returns the context to its state right after the item `to`. Files do not change. A restore undoes the rewind. */
	z.object({method: z.literal('rewind'), to: z.string()}),
	/**
	Restores files to the contents that they had right after the item `to`. It restores a file only if the file's
	current contents have the sha256 hash `present`, or if `present` is absent and there is no such file. An alert names
	the files that could not be restored.
	*/
	z.object({
		method: z.literal('restore_files'),
		to: z.string(),
		files: z.array(z.object({real: z.string(), present: z.string().optional()})),
	}),
	/**
	`answers` are the answers to the questions of a card, in the order of the questions. `from` says where the user
	answers, if it is not the terminal of the session (`Approval` in approvals.ts).
	*/
	z.object({
		method: z.literal('answer'),
		askId: z.string(),
		choice: z.string(),
		reason: z.string().optional(),
		answers: z.array(questionAnswerSchema).max(questionLimits.questions).readonly().optional(),
		from: z.string().max(100).optional(),
	}),
	/** Stops a background command and notifies the model. The receipt comes when all its processes have ended. */
	z.object({method: z.literal('stop_background'), background: z.string()}),
	/**
	Removes a rule that the user created with an answer on a card. The removal takes effect at the next call. `rule` is
	the `id` of a `PermissionInfo`.
	*/
	z.object({
		method: z.literal('remove_permission'),
		rule: z.string().max(100_000),
		/** Whether a card asks the user first. All terminals of the session show the card. */
		asks: z.boolean().optional(),
	}),
	/**
	Enables, disables or reconnects an MCP server for this session. The receipt comes when the server has stopped or
	restarted.
	*/
	z.object({method: z.literal('change_mcp'), server: z.string().max(100), action: z.enum(mcpActions)}),
	/** Moves the running commands of the model to the background. Their calls get a result at once. */
	z.object({method: z.literal('move_to_background')}),
	/** Sets whether a turn begins when a background command ends while no turn is running. */
	z.object({method: z.literal('wake_background'), background: z.string(), wakes: z.boolean()}),
	/** Starts the work of a child session. Only the parent's pod sends this method, and only once. */
	z.object({method: z.literal('task'), text: z.string()}),
	/** Starts a child session with a task of the user. The receipt comes when history contains the start. */
	z.object({method: z.literal('start_child'), task: z.string().min(1).max(100_000)}),
	/** Stops a child session. The result of its call reports what the child has done. */
	z.object({method: z.literal('stop_child'), child: z.string()}),
	/** Sets whether a turn begins when a background child ends while no turn is running. */
	z.object({method: z.literal('wake_child'), child: z.string(), wakes: z.boolean()}),
	/**
	Stops the work of the session, so that another process can continue it. The run pauses after its current answer and
	the calls that have begun. The receipt comes when nothing runs. `cancel` undoes this.
	*/
	z.object({method: z.literal('rest'), cancel: z.boolean().optional()}),
	/** Asks the user about everything that would end with the session. `shutdown` may follow an accepted receipt. */
	z.object({method: z.literal('leave')}),
	z.object({method: z.literal('shutdown')}),
]);

/**
The answer to a method. The receipt of `run` comes when the message is committed or refused. A refused run leaves no
trace.
*/
export type Receipt = Immutable<z.infer<typeof receiptSchema>>;
export const receiptSchema = z.union([
	/**
	`returned`: the messages that the client has taken out of the queue. `chosen`: the model of the next request. `note`:
	the result of a login.
	*/
	z.object({
		accepted: z.literal(true),
		note: sentence.optional(),
		returned: z.array(queueMessageSchema).optional(),
		chosen: z.object({name: z.string(), effort: effortSchema.optional()}).optional(),
	}),
	z.object({accepted: z.literal(false), code: z.enum(refusals), sentence}),
]);
