import {z} from 'zod';
import {itemSchema} from './event.ts';
import type {Immutable} from './immutable.ts';
import {sentence} from './sentence.ts';

/**
A step of a side question. `ask` starts one and `read` returns its state so far. `keep` makes it a session, `attach`
adds its answer to this session, and `discard` stops and forgets it.
*/
export type SideQuestionStep = Immutable<z.infer<typeof sideQuestionStepSchema>>;
export const sideQuestionStepSchema = z.discriminatedUnion('op', [
	z.object({op: z.literal('ask'), question: z.string()}),
	z.object({op: z.enum(['read', 'keep', 'attach', 'discard']), id: z.string()}),
]);

/** The state of a side question, or a sentence that tells why a step was not possible. */
export type SideQuestionAnswer = Immutable<z.infer<typeof sideQuestionAnswerSchema>>;
export const sideQuestionAnswerSchema = z.union([
	z.object({
		id: z.string(),
		/** The number of items of this session that the model sees before the question. */
		before: z.number().int().nonnegative(),
		/** Whether a run is in progress, so that its current step is not among these items. */
		isPartial: z.boolean(),
		/** The items after the fork, and the open items of the answer. */
		items: z.array(itemSchema),
		isRunning: z.boolean(),
		/** The id of the session as which it is kept. */
		kept: z.string().optional(),
		isAttached: z.boolean(),
	}),
	z.object({sentence}),
]);
