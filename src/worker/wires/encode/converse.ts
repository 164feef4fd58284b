import type {RewriteRule} from '../../history/rewrites.ts';
import type {EncodeContext, Encoded} from '../wire.ts';
import type {AnswerPart, CallPart, MediaPart, Prompt, PromptMessage, ResultPart, UserPart} from './prompt-types.ts';
import {byRule, changed, Sourced, textOf, type Text, type Tree} from './sourced.ts';
import {shortCallId} from './converse-call-ids.ts';
import {settingFields} from './converse-settings.ts';

/**
Returns the body of a request to the Converse API. Its fields and their order are those of `@ai-sdk/amazon-bedrock`
5.0.101, which earlier versions used (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html).
*/
export function encodeConverse(prompt: Prompt, {model, settings, tools}: EncodeContext): Encoded {
	const writer = new MessageWriter(model);
	const {fields, inference} = settingFields(model, settings);
	const sent = tools.length === 0 ? withoutCalls(prompt) : prompt;
	return {
		path: `/model/${encodeURIComponent(model)}/converse-stream`,
		body: {
			system: sent.flatMap(message => (message.role === 'system' ? [{text: message.content}] : [])),
			messages: writer.messages(sent.filter(({role}) => role !== 'system')),
			additionalModelRequestFields: fields,
			additionalModelResponseFieldPaths: isAnthropic(model)
				? [byRule('stream_options', '/delta/stop_sequence')]
				: undefined,
			inferenceConfig: inference,
			toolConfig: tools.length === 0 ? undefined : {tools: tools.map(toolSpec)},
		},
	};
}

export function isAnthropic(model: string): boolean {
	return model.includes('anthropic');
}

/** Mistral accepts only call ids of nine letters and digits. */
export function isMistral(model: string): boolean {
	return model.includes('mistral.');
}

function toolSpec({name, description, parameters}: EncodeContext['tools'][number]): Tree {
	const from = <Value>(key: string, value: Value) => new Sourced(value, {kind: 'setup', key: `tools.${name}.${key}`});
	return {
		toolSpec: {
			name: from('name', name),
			description: description.trim() === '' ? undefined : from('description', description),
			inputSchema: {json: from('parameters', parameters)},
		},
	};
}

/** Returns the prompt without calls and results, because the API refuses them in a request without tools. */
function withoutCalls(prompt: Prompt): Prompt {
	return prompt.flatMap((message): Prompt => {
		if (message.role === 'tool') return [];
		if (message.role !== 'assistant') return [message];
		const content = message.content.filter(({type}) => type !== 'call');
		return content.length === 0 ? [] : [{...message, content}];
	});
}

type Block = Readonly<Record<string, Tree>>;
type SentMessage = {readonly role: 'user' | 'assistant'; readonly content: Block[]};

/** Writes the messages in order, because documents are numbered. */
class MessageWriter {
	readonly #isMistral: boolean;
	#documents = 0;

	constructor(model: string) {
		this.#isMistral = isMistral(model);
	}

	/**
	Returns the messages of the API. Their roles alternate, so consecutive messages with the same role become one
	message.
	*/
	messages(prompt: readonly PromptMessage[]): readonly Tree[] {
		const sent: SentMessage[] = [];
		for (const [index, message] of prompt.entries()) {
			const role = roleOf(message);
			const blocks = this.#blocks(message, index === prompt.length - 1);
			const last = sent.at(-1);
			const isSameSide = index > 0 && role === roleOf(prompt[index - 1]);
			if (last?.role === role && (isSameSide || hasResult(last))) last.content.push(...blocks);
			else if (role === 'user' || blocks.length > 0) sent.push({role, content: [...blocks]});
		}
		return sent;
	}

	#blocks(message: PromptMessage, isLast: boolean): readonly Block[] {
		if (message.role === 'user') return message.content.map(part => this.#userBlock(part));
		if (message.role === 'tool') return message.content.map(result => this.#result(result));
		return message.role === 'assistant' ? this.#answerBlocks(message.content, isLast) : [];
	}

	#userBlock(part: UserPart): Block {
		return part.type === 'text' ? {text: part.text} : this.#media(part);
	}

	#media({mime, data, of}: MediaPart): Block {
		const format = new Sourced(mime.slice(mime.indexOf('/') + 1), {kind: 'part', of, part: 'bytes'});
		if (mime.startsWith('image/')) return {image: {format, source: {bytes: data}}};
		this.#documents += 1;
		return {document: {format, name: `document-${this.#documents}`, source: {bytes: data}}};
	}

	#result({callId, output}: ResultPart): Block {
		return {toolResult: {toolUseId: this.#callId(callId), content: [{text: output}]}};
	}

	#answerBlocks(parts: readonly AnswerPart[], isLast: boolean): readonly Block[] {
		const hasThoughts = parts.some(({type}) => type === 'reasoning');
		return parts.flatMap((part, index): readonly Block[] => {
			if (part.type === 'call') return [this.#call(part)];
			if (part.type === 'reasoning') return thoughtBlocks(part);
			if (textOf(part.text).trim() === '' && !hasThoughts) return [];
			// The API refuses a request whose last message is an answer that ends with spaces.
			return [{text: isLast && index === parts.length - 1 ? trimmed(part.text) : part.text}];
		});
	}

	#call({callId, name, input}: CallPart): Block {
		return {toolUse: {toolUseId: this.#callId(callId), name, input}};
	}

	#callId(callId: Sourced<string>): Sourced<string> {
		const sent = this.#isMistral ? shortCallId(callId.value) : callId.value;
		return sent === callId.value ? callId : changed(callId, sent, 'call_id');
	}
}

function roleOf(message: PromptMessage | undefined): SentMessage['role'] {
	return message?.role === 'assistant' ? 'assistant' : 'user';
}

/**
Tells whether a user message contains a result. If an answer without blocks is between results and a user message, the
results and the user message become one message.
*/
function hasResult({role, content}: SentMessage): boolean {
	return role === 'user' && content.some(block => 'toolResult' in block);
}

/** Returns the blocks of a thought. A thought is sent only with its signature, or as its redacted data. */
function thoughtBlocks({text, provider, of}: Exclude<AnswerPart, CallPart>): readonly Block[] {
	const data = provider?.['amazonBedrock'] ?? provider?.['bedrock'];
	const own = (name: string) => {
		const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
		return typeof value === 'string' ? new Sourced(value, {kind: 'part', of, part: 'provider data'}) : undefined;
	};
	const [signature, redactedContent, redactedData] = ['signature', 'redactedContent', 'redactedData'].map(own);
	if (signature !== undefined) return [{reasoningContent: {reasoningText: {text, signature}}}];
	if (redactedContent !== undefined) return [{reasoningContent: {redactedContent}}];
	return redactedData === undefined ? [] : [{reasoningContent: {redactedReasoning: {data: redactedData}}}];
}

function trimmed(text: Text): Text {
	const whole = textOf(text);
	const sent = whole.trim();
	if (sent === whole) return text;
	const [first] = text instanceof Sourced ? [text] : text.texts;
	const rule: RewriteRule = 'trimmed_text';
	return first === undefined ? text : changed(first, sent, rule);
}
