import {z} from 'zod';
import type {Immutable} from './immutable.ts';
import {refusals} from './refusals.ts';
import {segmentSchema} from './segment.ts';
import {sentence} from './refusals.ts';

/** The id that a client gives a message. It identifies the message in the queue, in drafts and in history. */
export const messageIdSchema = z.string().min(1).max(64);

/** A whole message with its id. `command`: a command for the user's shell, which is sent instead of the segments. */
export type QueueMessage = Immutable<z.infer<typeof queueMessageSchema>>;
export const queueMessageSchema = z.object({
	id: messageIdSchema,
	segments: z.array(segmentSchema),
	command: z.string().optional(),
});

/**
A row of the queue.
`sending`: its run begins. `steering`: the current run takes the message with its next request. `queued`: the message
waits for the end of the run. `refused`: the run was refused, and the message waits until a client takes it. `returned`:
a client has taken the message, and will soon release it.
*/
export type QueuedMessage = Immutable<z.infer<typeof queuedMessageSchema>>;
export type QueueState = QueuedMessage['state'];
export const queuedMessageSchema = z.object({
	id: z.string(),
	state: z.enum(['sending', 'steering', 'queued', 'refused', 'returned']),
	/** The beginning of the message. Its pastes have no content. */
	preview: z.array(segmentSchema),
	isCommand: z.boolean().optional(),
	refusal: z.object({code: z.enum(refusals), sentence}).optional(),
});
