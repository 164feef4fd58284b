import {z} from 'zod';
import {usageSchema} from '../history/item.ts';
import {scriptInvalid, scriptNotJSON} from './texts.ts';

/**
A recorded conversation: one answer for each request, in order. An answer is a list of steps.

- `text`, `reasoning` and `tool_call` stream in pieces of `chunk` characters (or in one piece if `chunk` is absent),
  with `delayMs` before each piece. `arguments` is a JSON text, or a value whose JSON is sent. `provider` is stored with
  the part, as a provider's signature would be.
- `unread` is a part that inkpod cannot read: its type (`kind`) and, with `data`, its content.
- `answered` is what a server says about the answer: its own name of the model, and optionally `fingerprint`, `region`
  and `id`.
- `usage` sets the tokens. `stop` sets how the answer ends, with the provider's `explanation`; the default is
  `tool_calls` after a call, otherwise `end`. For a call that the output limit cuts off, `arguments` is the beginning of
  a JSON text, and the `stop` is `length`.
- `error` ends the stream with an error, `cut` breaks the connection, and `stall` sends nothing more. Later steps are
  not played.

A script file contains JSON, `{"answers": [[{"type": "text", "text": "Hello."}]]}` or only the array of answers.
*/
type Script = z.infer<typeof scriptSchema>;
export type Answer = readonly Step[];
export type Step = z.infer<typeof stepSchema>;
export type StepOf<Type extends Step['type']> = Extract<Step, {type: Type}>;

const pace = {chunk: z.number().int().positive().optional(), delayMs: z.number().nonnegative().optional()};
const provider = z.record(z.string(), z.unknown()).optional();

/** The stop reasons that a provider can report. inkpod itself detects that an answer is empty, cut off or aborted. */
const stopSchema = z.enum(['end', 'tool_calls', 'length', 'refused', 'blocked', 'unread_call', 'paused', 'other']);

const stepSchema = z.discriminatedUnion('type', [
	z.strictObject({type: z.literal('text'), text: z.string(), provider, ...pace}),
	z.strictObject({type: z.literal('reasoning'), text: z.string(), provider, ...pace}),
	z.strictObject({
		type: z.literal('tool_call'),
		name: z.string(),
		arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
		/** By default, the id consists of `call` and the numbers of the answer and of the step. */
		callId: z.string().optional(),
		provider,
		...pace,
	}),
	z.strictObject({type: z.literal('usage'), ...usageSchema.shape}),
	z.strictObject({
		type: z.literal('answered'),
		model: z.string(),
		fingerprint: z.string().optional(),
		region: z.string().optional(),
		id: z.string().optional(),
	}),
	z.strictObject({type: z.literal('unread'), kind: z.string(), data: z.string().optional()}),
	z.strictObject({type: z.literal('stop'), stop: stopSchema, explanation: z.string().optional()}),
	z.strictObject({
		type: z.literal('error'),
		reason: z.enum([
			'unreachable',
			'unauthorized',
			'not_found',
			'rate_limited',
			'overloaded',
			'too_long',
			'bad_request',
			'stalled',
			'bad_response',
			'other',
		]),
		message: z.string(),
		retryable: z.boolean().optional(),
		retryAfterMs: z.number().nonnegative().optional(),
	}),
	z.strictObject({type: z.literal('cut')}),
	z.strictObject({type: z.literal('stall')}),
]);

const scriptSchema = z.array(z.array(stepSchema));
const fileSchema = z.strictObject({answers: scriptSchema});

/** Parses the text of a script file. `sentence` says why a text is invalid. */
export function parseScript(
	text: string,
): {readonly ok: true; readonly script: Script} | {readonly ok: false; readonly sentence: string} {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return {ok: false, sentence: scriptNotJSON(error instanceof Error ? error.message : String(error))};
	}
	const parsed = fileSchema.safeParse(Array.isArray(value) ? {answers: value} : value);
	if (parsed.success) return {ok: true, script: parsed.data.answers};
	const [{path, message} = {path: [], message: parsed.error.message}] = parsed.error.issues;
	return {ok: false, sentence: scriptInvalid(path.join('.'), message)};
}

/** Returns the JSON text of a call's arguments. */
export function argumentsText(step: StepOf<'tool_call'>): string {
	return typeof step.arguments === 'string' ? step.arguments : JSON.stringify(step.arguments);
}

/** Splits a text into pieces of at most `size` code points. An empty text has no pieces. */
export function splitText(text: string, size: number | undefined): string[] {
	if (size === undefined) return text === '' ? [] : [text];
	const characters = Array.from(text);
	return Array.from({length: Math.ceil(characters.length / size)}, (_, index) =>
		characters.slice(index * size, (index + 1) * size).join(''),
	);
}
