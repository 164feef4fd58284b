import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** The limits of the questions that a model may ask on one card. Each option has a number key from 1 to 7. */
export const questionLimits = {questions: 8, options: 7, title: 500, option: 200, text: 4000} as const;

/**
A question of the model. `multiple`: the user may choose several options. `free`: the user may write an answer instead.
By default `free` is true.
*/
export type Question = Immutable<z.infer<typeof questionSchema>>;
export const questionSchema = z.object({
	title: z.string().min(1).max(questionLimits.title),
	options: z.array(z.string().min(1).max(questionLimits.option)).max(questionLimits.options).optional(),
	multiple: z.boolean().optional(),
	free: z.boolean().optional(),
});

/** The answer to one question: the indexes of the chosen options, a text, or neither if the user gave no answer. */
export type QuestionAnswer = Immutable<z.infer<typeof questionAnswerSchema>>;
export const questionAnswerSchema = z.object({
	options: z
		.array(
			z
				.number()
				.int()
				.min(0)
				.max(questionLimits.options - 1),
		)
		.max(questionLimits.options)
		.readonly()
		.optional(),
	text: z.string().max(questionLimits.text).optional(),
});
