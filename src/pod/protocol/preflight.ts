import {z} from 'zod';
import {fileRefSchema, refFailures, segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';
import {itemSchema} from './event.ts';
import {sentence} from './refusals.ts';

/**
The effect that a file ref in a draft would have if the draft were sent now. Bytes and lines describe the attached body.
`totalBytes` is the size of the file. For a directory `lines` counts the listed entries. A web page is fetched only when
the draft is sent, so its sizes are 0.
*/
export type RefForecast = Immutable<z.infer<typeof forecastSchema>>;

const forecastSchema = z.discriminatedUnion('ok', [
	z.object({
		ref: fileRefSchema,
		ok: z.literal(true),
		kind: z.enum(['file', 'dir', 'image', 'document', 'web', 'resource']),
		bytes: z.number(),
		totalBytes: z.number(),
		lines: z.number(),
		truncated: z.boolean(),
		/** The size of an image in pixels. */
		width: z.number().optional(),
		height: z.number().optional(),
		tokens: z.number(),
	}),
	z.object({
		ref: fileRefSchema,
		ok: z.literal(false),
		reason: z.enum(refFailures),
		sentence: z.string(),
		/** The path that a confirmation of a `denied` ref must contain. */
		real: z.string().optional(),
	}),
]);

/** A paste of a draft. `lines` and `chars` are its numbers of lines and characters. */
export type PasteForecast = Immutable<z.infer<typeof pasteSchema>>;

const pasteSchema = z.object({id: z.string(), lines: z.number(), chars: z.number(), tokens: z.number()});

/** The effect that a draft would have if it were sent now. A preflight commits nothing and runs no hook. */
export type Preflight = Immutable<z.infer<typeof preflightSchema>>;

export const preflightSchema = z.object({
	/** The draft as the pod parses it. A client sends it back to confirm a ref that the user typed. */
	segments: z.array(segmentSchema),
	/** One forecast for each distinct path and range, in the order of their first occurrence. */
	refs: z.array(forecastSchema),
	/** One forecast for each paste, in order. Earlier versions do not send them. */
	pastes: z.array(pasteSchema).optional(),
	/** The estimated number of tokens of the whole submission with its attachments. */
	tokens: z.number(),
	/** A sentence that explains why the pod would refuse the draft. */
	rejection: z.string().optional(),
});

/**
A step of a side question. `ask` starts a side question, and `read` returns its current state. `keep` saves the side
question as a session, `attach` adds its answer to this session, and `discard` stops and forgets it.
*/
export type SideQuestionStep = Immutable<z.infer<typeof sideQuestionStepSchema>>;

export const sideQuestionStepSchema = z.discriminatedUnion('op', [
	z.object({op: z.literal('ask'), question: z.string()}),
	z.object({op: z.enum(['read', 'keep', 'attach', 'discard']), id: z.string()}),
]);

/** The state of a side question, or a sentence that explains why a step was not possible. */
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
		/** The id of the session that `keep` created. */
		kept: z.string().optional(),
		isAttached: z.boolean(),
	}),
	z.object({sentence}),
]);
