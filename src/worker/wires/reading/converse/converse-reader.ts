import type {ProviderData, Stop, Usage} from '../../../history/item.ts';
import {storableUsage} from '../../events.ts';
import {fieldOf, isRecord} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {faultOf, isErrorWord} from '../error-words.ts';
import type {EventReader} from '../event-reader.ts';
import {isObject, textIn} from '../fields.ts';

/**
Reads the events of a Converse answer. An event is `{type, isException, value}`, with the payload of its frame as
`value` (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html).
*/
export function createConverseReader(notes: AnswerNotes): EventReader {
	const answer = new ConverseAnswer(notes);
	return {
		read: event => answer.read(event),
		readWhole: () => undefined,
		end: () => answer.end(),
		usage: () => answer.usage,
	};
}

type Block =
	| {readonly kind: 'text'}
	| {readonly kind: 'reasoning'; redacted?: string}
	| {readonly kind: 'call'; readonly id: string; readonly name: string; text: string};

class ConverseAnswer {
	readonly #notes: AnswerNotes;
	readonly #blocks = new Map<number, Block>();
	#stop: {readonly stop: Stop; readonly raw: string} | undefined;
	/** The token counts that the server has sent. */
	usage: Usage = {};

	constructor(notes: AnswerNotes) {
		this.#notes = notes;
	}

	read(event: unknown): readonly AnswerEvent[] {
		const type = textIn(event, 'type') ?? '';
		const value = fieldOf(event, 'value');
		if (fieldOf(event, 'isException') === true) return [{type: 'error', error: exception(type, value)}];
		const index = fieldOf(value, 'contentBlockIndex');
		switch (type) {
			case 'contentBlockStart':
				return this.#start(index, fieldOf(value, 'start'));
			case 'contentBlockDelta':
				return this.#delta(index, fieldOf(value, 'delta'));
			case 'contentBlockStop':
				return typeof index === 'number' ? this.#end(index) : [];
			case 'messageStop':
				this.#noteStop(fieldOf(value, 'stopReason'));
				return [];
			case 'metadata':
				this.#noteUsage(fieldOf(value, 'usage'));
				// Only a prompt router says which model answered.
				this.#notes.noteAnswered({
					model: fieldOf(fieldOf(fieldOf(value, 'trace'), 'promptRouter'), 'invokedModelId'),
				});
				return [];
			default:
				return [];
		}
	}

	/**
	Returns the last event. The token counts follow the stop reason, so the answer does not end before the stream ends.
	*/
	end(): readonly AnswerEvent[] {
		if (this.#stop === undefined) return [];
		if (isErrorWord(this.#stop.raw)) return [faultOf(this.#stop.raw, this.usage)];
		return [{type: 'finish', ...this.#stop, usage: this.usage}];
	}

	#start(index: unknown, start: unknown): readonly AnswerEvent[] {
		const use = fieldOf(start, 'toolUse');
		const [id, name] = [fieldOf(use, 'toolUseId'), fieldOf(use, 'name')];
		if (typeof index === 'number' && typeof id === 'string' && typeof name === 'string') {
			this.#blocks.set(index, {kind: 'call', id, name, text: ''});
			return [{type: 'call_start', id, name}];
		}
		const isText = !isRecord(start) || Object.keys(start).length === 0;
		if (!isText || typeof index !== 'number') {
			this.#noteUnread(start);
			return [];
		}
		this.#blocks.set(index, {kind: 'text'});
		return [{type: 'start', kind: 'text', id: String(index)}];
	}

	#delta(index: unknown, delta: unknown): readonly AnswerEvent[] {
		const thought = fieldOf(delta, 'reasoningContent');
		const text = fieldOf(delta, 'text');
		const input = fieldOf(fieldOf(delta, 'toolUse'), 'input');
		if (typeof index === 'number') {
			if (typeof text === 'string') return this.#addText(index, text);
			if (typeof input === 'string') return this.#addInput(index, input);
			if (textIn(thought, ...thoughtFields) !== undefined) return this.#addThought(index, thought);
			if (thoughtFields.some(name => fieldOf(thought, name) === '')) return [];
		}
		this.#noteUnread(delta);
		return [];
	}

	#addText(index: number, text: string): readonly AnswerEvent[] {
		if (text === '') return [];
		const id = String(index);
		if (!this.#blocks.has(index)) this.#blocks.set(index, {kind: 'text'});
		return [{type: 'delta', kind: 'text', id, text}];
	}

	#addInput(index: number, text: string): readonly AnswerEvent[] {
		const block = this.#blocks.get(index);
		if (block?.kind !== 'call') return [];
		block.text += text;
		return [{type: 'delta', kind: 'tool_call', id: block.id, text}];
	}

	/** Adds to a thought. The pieces of an encrypted thought are joined and passed on when the thought ends. */
	#addThought(index: number, thought: unknown): readonly AnswerEvent[] {
		const id = String(index);
		const known = this.#blocks.get(index);
		const block: Block = known ?? {kind: 'reasoning'};
		if (known === undefined) this.#blocks.set(index, block);
		const begun: readonly AnswerEvent[] = known === undefined ? [{type: 'start', kind: 'reasoning', id}] : [];
		const add = (text: string, data?: ProviderData): readonly AnswerEvent[] => [
			...begun,
			{type: 'delta', kind: 'reasoning', id, text, ...(data !== undefined && {data})},
		];
		const [text, signature, redactedData] = ['text', 'signature', 'data'].map(name => textIn(thought, name));
		if (text !== undefined) return add(text);
		if (signature !== undefined) return add('', dataOf({signature}));
		if (redactedData !== undefined) return add('', dataOf({redactedData}));
		if (block.kind === 'reasoning')
			block.redacted = (block.redacted ?? '') + (textIn(thought, 'redactedContent') ?? '');
		return begun;
	}

	#end(index: number): readonly AnswerEvent[] {
		const block = this.#blocks.get(index);
		this.#blocks.delete(index);
		const id = String(index);
		if (block === undefined) return [];
		if (block.kind === 'text') return [{type: 'end', kind: 'text', id}];
		if (block.kind === 'call')
			return [{type: 'call_end', id: block.id, name: block.name, text: block.text === '' ? '{}' : block.text}];
		const {redacted} = block;
		const data = redacted === undefined ? {} : {data: dataOf({redactedContent: redacted})};
		return [{type: 'end', kind: 'reasoning', id, ...data}];
	}

	#noteStop(reason: unknown): void {
		if (typeof reason === 'string') this.#stop = {stop: stops[reason] ?? 'other', raw: reason};
	}

	#noteUsage(usage: unknown): void {
		const count = (name: string) => fieldOf(usage, name);
		const [input, output] = [count('inputTokens'), count('outputTokens')];
		if (typeof input !== 'number' || typeof output !== 'number') return;
		const [read, write] = ['cacheReadInputTokens', 'cacheWriteInputTokens'].map(name => {
			const cached = count(name);
			return typeof cached === 'number' ? cached : 0;
		});
		const [cacheRead = 0, cacheWrite = 0] = [read, write];
		this.usage = storableUsage({input: input + cacheRead + cacheWrite, output, cacheRead, cacheWrite});
	}

	#noteUnread(content: unknown): void {
		if (!isRecord(content)) return;
		const [type] = Object.keys(content);
		if (type !== undefined) this.#notes.addUnread({type, data: JSON.stringify(content).slice(0, maxData)});
	}
}

const maxData = 64 * 1024;
const thoughtFields = ['text', 'signature', 'data', 'redactedContent'] as const;

/** Returns the data under both names, as in sessions of earlier versions. */
function dataOf(data: Readonly<Record<string, string>>): ProviderData {
	return {amazonBedrock: data, bedrock: data};
}

const stops: Readonly<Record<string, Stop>> = {
	end_turn: 'end',
	stop_sequence: 'end',
	tool_use: 'tool_calls',
	max_tokens: 'length',
	content_filtered: 'blocked',
	guardrail_intervened: 'blocked',
	malformed_tool_use: 'unread_call',
};

/**
The HTTP status that corresponds to each exception. According to the documentation, a request may be repeated after an
error inside its stream.
*/
const statusCodes: Readonly<Record<string, number>> = {
	internalServerException: 500,
	modelStreamErrorException: 500,
	modelTimeoutException: 408,
	serviceUnavailableException: 503,
	throttlingException: 429,
	validationException: 400,
};

function exception(type: string, value: unknown): unknown {
	const message = textIn(value, 'message') ?? `Amazon Bedrock stream failed with ${type}`;
	return {message, type, statusCode: statusCodes[type], ...(isObject(value) && {data: value})};
}
