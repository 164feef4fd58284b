import {z} from 'zod';
import {approvalModes} from '../approval/mode.ts';
import {segmentSchema} from './segment.ts';
import type {Immutable} from './immutable.ts';
import {sentence} from './sentence.ts';

/** The methods of a pod. Each call gets one Receipt. */
export type Method = z.infer<typeof methodSchema>;
export type MethodName = Method['method'];
export const methodSchema = z.discriminatedUnion('method', [
	z.object({method: z.literal('run'), segments: z.array(segmentSchema)}),
	z.object({method: z.literal('resume')}),
	z.object({method: z.literal('pause')}),
	z.object({method: z.literal('cancel')}),
	/** Adds a submission to the current run at its next request. As for `run`, the receipt comes at the commit. */
	z.object({method: z.literal('steer'), segments: z.array(segmentSchema)}),
	/** Runs a command for the user, commits its output, and then answers. Pause and cancel stop it like a run. */
	z.object({method: z.literal('shell'), command: z.string()}),
	/** Makes another folder readable, from the next request on. */
	z.object({method: z.literal('add_dir'), path: z.string()}),
	/**
	Notifies the model of something outside the conversation. The receipt comes when the notification is in history.
	During a run it joins the next request. In an idle session it is committed at once, and `run` starts a run for it.
	In a paused session it is committed at once for the next run or resume.
	*/
	z.object({method: z.literal('notify'), text: z.string(), run: z.boolean().optional()}),
	/** Sets the approval mode from the next call on. It settles open asks that the new mode would skip. */
	z.object({method: z.literal('approval'), mode: z.enum(approvalModes)}),
	/**
	Drops items from the context, restores them, or pins them so that compactions keep them.
	A restore can also undo a compaction, a rewind, a drop or a pin.
	*/
	z.object({method: z.literal('context'), op: z.enum(['drop', 'restore', 'pin']), ids: z.array(z.string())}),
	/**
	Summarises older items of the context, then answers. It stops like a run. `hint` is the purpose of the summary.
	*/
	z.object({method: z.literal('compact'), hint: z.string().max(4000).optional()}),
	/** Returns to the context right after the item `to`. Files do not change. A restore undoes the rewind. */
	z.object({method: z.literal('rewind'), to: z.string()}),
	/**
	Restores files to their contents right after the item `to`. It restores a file only if its contents are still
	`present`.
	`present` is a sha256 hash, or absent if there is no file. An alert names the files that could not be restored.
	*/
	z.object({
		method: z.literal('restore_files'),
		to: z.string(),
		files: z.array(z.object({real: z.string(), present: z.string().optional()})),
	}),
	z.object({method: z.literal('answer'), askId: z.string(), choice: z.string(), reason: z.string().optional()}),
	/** Stops a background command and notifies the model. The receipt comes when all its processes have ended. */
	z.object({method: z.literal('stop_background'), background: z.string()}),
	/** Asks the user about everything that would end with the session. `shutdown` may follow an accepted receipt. */
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

/** The answer to a method. That of `run` comes at the commit or at the refusal. A refused run leaves no trace. */
export type Receipt = Immutable<z.infer<typeof receiptSchema>>;
export const receiptSchema = z.union([
	z.object({accepted: z.literal(true)}),
	z.object({accepted: z.literal(false), code: z.enum(refusals), sentence}),
]);
