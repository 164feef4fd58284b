import {z} from 'zod';
import type {Immutable} from './immutable.ts';

export const taskStates = ['pending', 'in_progress', 'done'] as const;

/** The limits of the list of tasks that a model keeps. */
export const taskLimits = {items: 100, text: 300} as const;

/** A task of the list that the model keeps. Its text is untrusted. */
export type Task = Immutable<z.infer<typeof taskSchema>>;
export const taskSchema = z.object({
	text: z.string().min(1).max(taskLimits.text),
	state: z.enum(taskStates),
});
