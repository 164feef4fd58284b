import {createHash} from 'node:crypto';
import type {LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions} from '@ai-sdk/provider';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../model.ts';
import type {ProviderData} from '../item.ts';
import {markCache} from './cache-marks.ts';
import {isRecord, parseJson} from './values.ts';

/** What a provider requires of a conversation. */
export type Dialect = {
	/** The key of this provider's own data in a part's `provider`. */
	readonly dataKey: string;
	/** Consecutive user messages are merged into one message with several parts. */
	readonly mergeUser: boolean;
	/** The call ids that the provider accepts. Other ids, from other providers, are replaced by their hash. */
	readonly callIds?: RegExp;
	/**
	The provider's package ends tool calls only when the stream ends, even a cut one. Their ends are held back until the
	finish.
	*/
	readonly callsSettleLate?: boolean;
	/** The provider caches only up to the marks in a request. */
	readonly cacheMarks?: boolean;
};

/**
A request in the form of the provider interface. The same request gives the same prompt.

Content that providers refuse is left out: blank texts, reasoning that another provider signed, reasoning without
anything after it (from a cut answer), and messages that become empty. Lone surrogates become U+FFFD, because UTF-8
cannot express them.
*/
export function toPrompt(request: ModelRequest, dialect: Dialect): LanguageModelV4Prompt {
	const system: LanguageModelV4Prompt =
		request.prompt === '' ? [] : [{role: 'system', content: request.prompt.toWellFormed()}];
	const messages = request.messages.flatMap(message => toMessage(message, dialect));
	const prompt = [...system, ...(dialect.mergeUser ? mergeUsers(messages) : messages)];
	return dialect.cacheMarks === true ? markCache(prompt) : prompt;
}

/**
The arguments of a tool call as they are sent back. Every provider requires an object. Any other text (cut short, not
JSON, an array) is sent as `{invalid_json: text}`, so that the model sees what it wrote; blank text as `{}`.
*/
export function argumentsValue(text: string): Record<string, unknown> {
	if (text.trim() === '') return {};
	const value = parseJson(text, wellFormed);
	return isRecord(value) && !Array.isArray(value) ? value : {invalid_json: text.toWellFormed()};
}

function wellFormed(_key: string, value: unknown): unknown {
	return typeof value === 'string' ? value.toWellFormed() : value;
}

function toMessage(message: ModelMessage, dialect: Dialect): LanguageModelV4Message[] {
	if (message.role === 'user')
		return message.text.trim() === ''
			? []
			: [{role: 'user', content: [{type: 'text', text: message.text.toWellFormed()}]}];
	if (message.role === 'tool')
		return message.results.length === 0
			? []
			: [{role: 'tool', content: message.results.map(result => toResult(result, dialect))}];
	const parts = sendable(message.parts, dialect);
	return parts.length === 0 ? [] : [{role: 'assistant', content: parts.map(part => toPart(part, dialect))}];
}

function sendable(parts: readonly AssistantPart[], {dataKey}: Dialect): readonly AssistantPart[] {
	const kept = parts.filter(part => {
		if (part.type === 'tool_call') return true;
		const own = part.provider?.[dataKey] !== undefined;
		if (part.type === 'reasoning') return own || part.provider === undefined;
		return own || part.text.trim() !== '';
	});
	return kept.slice(0, kept.findLastIndex(part => part.type !== 'reasoning') + 1);
}

type AssistantContent = Extract<LanguageModelV4Message, {role: 'assistant'}>['content'][number];

function toPart(part: AssistantPart, dialect: Dialect): AssistantContent {
	const data = providerOptions(part.provider);
	if (part.type !== 'tool_call') return {type: part.type, text: part.text.toWellFormed(), ...data};
	return {
		type: 'tool-call',
		toolCallId: wireCallId(part.callId, dialect),
		toolName: part.name,
		input: argumentsValue(part.arguments),
		...data,
	};
}

function toResult(
	result: ToolAnswer,
	dialect: Dialect,
): Extract<LanguageModelV4Message, {role: 'tool'}>['content'][number] {
	const value = result.content.toWellFormed();
	return {
		type: 'tool-result',
		toolCallId: wireCallId(result.callId, dialect),
		toolName: result.name,
		// Some providers refuse an error without text.
		output: result.isError
			? {type: 'error-text', value: value === '' ? '(no message)' : value}
			: {type: 'text', value},
	};
}

function providerOptions(provider: ProviderData | undefined): {providerOptions?: SharedV4ProviderOptions} {
	// The data is what the provider's package produced: it goes back to it unchanged.
	return provider === undefined ? {} : {providerOptions: provider as SharedV4ProviderOptions};
}

function wireCallId(callId: string, {callIds}: Dialect): string {
	return callIds === undefined || callIds.test(callId)
		? callId
		: `call_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`;
}

function mergeUsers(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
	const merged: LanguageModelV4Message[] = [];
	for (const message of messages) {
		const last = merged.at(-1);
		if (message.role === 'user' && last?.role === 'user')
			merged[merged.length - 1] = {role: 'user', content: [...last.content, ...message.content]};
		else merged.push(message);
	}
	return merged;
}
