import type {DialectName} from '../../../../../../src/worker/wires/dialects.ts';
import type {Stop, Usage} from '../../../../../../src/worker/history/item.ts';

/** An answer in the form that its server documents, and the parts that a model must make of it. */
export type CorpusStream = {
	readonly name: string;
	readonly dialect: DialectName;
	/** The events of the stream, without `[DONE]`. A text is sent unchanged. */
	readonly events: readonly unknown[];
	/** Absent: the stream ends with `[DONE]`. */
	readonly isDone?: false;
	/** The first event is the whole body. */
	readonly isWhole?: true;
	readonly expected: Expected;
};

export type Expected = {
	readonly text?: string;
	readonly thoughts?: string;
	readonly calls?: ReadonlyArray<readonly [name: string, args: string]>;
	readonly usage?: Usage;
	/** Absent: the answer is an error. */
	readonly stop?: Stop;
	/** Words in the sentence of the error. */
	readonly error?: string;
	/** The types of the parts that cannot be read. */
	readonly unread?: readonly string[];
	/** The provider's data of each part that has some. */
	readonly data?: readonly unknown[];
};

type Json = Readonly<Record<string, unknown>>;

const head = {id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm'};

/** An event with this delta. `choice` and `event` are more fields of both. */
export function chunk(delta: unknown, choice: Json = {}, event: Json = {}): Json {
	return {...head, choices: [{index: 0, delta, finish_reason: null, logprobs: null, ...choice}], ...event};
}

export const words = (...texts: readonly string[]): readonly Json[] => texts.map(content => chunk({content}));

export const thoughts = (field: string, ...texts: readonly string[]): readonly Json[] =>
	texts.map(text => chunk({[field]: text, content: null}));

export const finish = (reason: unknown = 'stop', event: Json = {}): Json => chunk({}, {finish_reason: reason}, event);

export const usageEvent = (usage: unknown): Json => ({...head, choices: [], usage});

/** A piece of a call, or a whole call, in the form of OpenAI. */
export const call = (piece: Json): Json => chunk({tool_calls: [piece]});

/** A call in pieces, as OpenAI streams it. */
export function calledInPieces(index: number, id: string, name: string, args: string): readonly Json[] {
	const middle = Math.ceil(args.length / 2);
	return [
		call({index, id, type: 'function', function: {name, arguments: ''}}),
		...[args.slice(0, middle), args.slice(middle)].map(text => call({index, function: {arguments: text}})),
	];
}

export const counts = {prompt_tokens: 11, completion_tokens: 7, total_tokens: 18};
/** The usage that inkpod stores for `counts`. */
export const usage: Usage = {input: 11, output: 7};

export const whole = (message: unknown, choice: Json = {}, event: Json = {}): Json => ({
	...head,
	object: 'chat.completion',
	choices: [{index: 0, message, finish_reason: 'stop', ...choice}],
	usage: counts,
	...event,
});
