import {z} from 'zod';
import {approvalModes} from '../approval/mode.ts';
import {segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';
import {sentence} from './sentence.ts';

/** What a client may ask of a pod. Each method is answered with one Receipt. */
export type Method = z.infer<typeof methodSchema>;
export type MethodName = Method['method'];
export const methodSchema = z.discriminatedUnion('method', [
	z.object({method: z.literal('run'), segments: z.array(segmentSchema)}),
	z.object({method: z.literal('resume')}),
	z.object({method: z.literal('pause')}),
	z.object({method: z.literal('cancel')}),
	/** Adds a submission to the current run, at its next request. The receipt comes at the commit, as for `run`. */
	z.object({method: z.literal('steer'), segments: z.array(segmentSchema)}),
	/** Runs a command for the user and commits its output, then answers. Pause and cancel stop it like a run. */
	z.object({method: z.literal('shell'), command: z.string()}),
	/** Lets the pod read another folder besides `pwd`, from the next request on. */
	z.object({method: z.literal('add_dir'), path: z.string()}),
	/**
	Tells the model something from outside the conversation. In an idle session: at once, and with `run` as a run of
	its own. During a run: at its next request. In a paused session: at once, for the next run or resume. The receipt
	comes when it is in history.
	*/
	z.object({method: z.literal('notify'), text: z.string(), run: z.boolean().optional()}),
	/** Sets what tools may do without asking, from the next call on. Settles open asks that the new mode would skip. */
	z.object({method: z.literal('approval'), mode: z.enum(approvalModes)}),
	/**
	Drops items from the context, restores them, or pins them so that compactions keep them. A restore also undoes a
	compaction, a rewind, a drop or a pin.
	*/
	z.object({method: z.literal('context'), op: z.enum(['drop', 'restore', 'pin']), ids: z.array(z.string())}),
	/** Summarises older items of the context, then answers. Stopped like a run. `hint`: what the summary is for. */
	z.object({method: z.literal('compact'), hint: z.string().max(4000).optional()}),
	/** Returns to the context right after the item `to`. Files do not change. A restore of the rewind undoes it. */
	z.object({method: z.literal('rewind'), to: z.string()}),
	/**
	Restores files to their contents right after the item `to`. Each file is restored only if its contents are still
	`present` (sha256; absent: no file). An alert names the files that could not be restored.
	*/
	z.object({
		method: z.literal('restore_files'),
		to: z.string(),
		files: z.array(z.object({real: z.string(), present: z.string().optional()})),
	}),
	z.object({method: z.literal('answer'), askId: z.string(), choice: z.string(), reason: z.string().optional()}),
	/** Stops a background command and tells the model. The receipt comes when all its processes have ended. */
	z.object({method: z.literal('stop_background'), background: z.string()}),
	/** Asks the user about whatever would end with the session. Accepted: `shutdown` may follow. */
	z.object({method: z.literal('leave')}),
	z.object({method: z.literal('shutdown')}),
]);

export const refusals = [
	'busy',
	'workflow',
	'untrusted',
	'hook',
	'aborted',
	'io',
	'not_paused',
	'not_running',
	'no_such_ask',
	'no_such_command',
	'no_such_dir',
	'no_such_item',
	'not_idle',
	'closed',
	'empty',
	'compaction',
] as const;
export type Refusal = (typeof refusals)[number];

/** The receipt of `run` comes at the commit or at the refusal. A refused run leaves no trace. */
export type Receipt = Immutable<z.infer<typeof receiptSchema>>;
export const receiptSchema = z.union([
	z.object({accepted: z.literal(true)}),
	z.object({accepted: z.literal(false), code: z.enum(refusals), sentence}),
]);
