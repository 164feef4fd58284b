import {createHash} from 'node:crypto';
import type {LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions} from '@ai-sdk/provider';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../model.ts';
import type {ProviderData} from '../item.ts';
import {markCache} from './cache-marks.ts';

/** What a provider demands of a conversation. */
export type Dialect = {
	/** The key of this provider's own data in a part's `provider`. */
	readonly dataKey: string;
	/** Neighbouring user messages become one message of several parts. */
	readonly mergeUser: boolean;
	/** The call ids that the provider takes. Others, from another provider, are replaced by a hash of themselves. */
	readonly callIds?: RegExp;
	/**
	The provider settles tool calls only when the stream ends, also when it was cut: their ends are held back until the
	finish.
	*/
	readonly callsSettleLate?: boolean;
	/** The provider caches up to the marks that a request has, and not by itself. */
	readonly cacheMarks?: boolean;
};

/**
A request in the shape of the provider interface: the same request gives the same prompt.

What no provider takes is left out: blank texts, reasoning that another provider signed, reasoning with nothing after it
(the rest of a cut answer), and messages that are empty then. Lone surrogates become U+FFFD, which is all that UTF-8 can
say.
*/
export function toPrompt(request: ModelRequest, dialect: Dialect): LanguageModelV4Prompt {
	const system: LanguageModelV4Prompt =
		request.prompt === '' ? [] : [{role: 'system', content: request.prompt.toWellFormed()}];
	const messages = request.messages.flatMap(message => toMessage(message, dialect));
	const prompt = [...system, ...(dialect.mergeUser ? mergeUsers(messages) : messages)];
	return dialect.cacheMarks === true ? markCache(prompt) : prompt;
}

/**
The value that a tool call's arguments are sent back as. Every provider demands an object: text that is none
(cut short, not JSON, an array) is sent as `{invalid_json: text}`, so that the model sees what it wrote; blank text as
`{}`.
*/
export function argumentsValue(text: string): Record<string, unknown> {
	if (text.trim() === '') return {};
	const value = parseJson(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: {invalid_json: text.toWellFormed()};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
	} catch {
		return undefined;
	}
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
		// An error without a word is refused by some providers.
		output: result.isError
			? {type: 'error-text', value: value === '' ? '(no message)' : value}
			: {type: 'text', value},
	};
}

function providerOptions(provider: ProviderData | undefined): {providerOptions?: SharedV4ProviderOptions} {
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
