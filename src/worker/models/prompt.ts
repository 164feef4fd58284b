import {createHash} from 'node:crypto';
import type {LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions} from '@ai-sdk/provider';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../model.ts';
import type {ProviderData} from '../item.ts';
import {markCache} from './cache-marks.ts';
import {toChatMessages, type AssistantContent} from './chat-prompt.ts';
import type {ChatDialect} from './dialects.ts';
import {isRecord, parseJson} from './values.ts';

/** What a provider requires of a conversation. */
export type Dialect = {
	/** The key of this provider's own data in a part's `provider`. */
	readonly dataKey: string;
	/** Consecutive user messages are merged into one message with several parts. */
	readonly mergeUser: boolean;
	/** The call ids that the provider accepts. Other ids, from other providers, are replaced by their hash. */
	readonly callIds?: CallIdRule;
	/** The dialect of a server of chat completions. Absent: another wire, or the rules of 0.1.0. */
	readonly chat?: ChatDialect;
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
	const messages = toMessages(request.messages, dialect);
	const merge = dialect.chat === undefined ? withParts : asOneText;
	const prompt = [...system, ...(dialect.mergeUser ? mergeUsers(messages, merge) : messages)];
	return dialect.cacheMarks === true ? markCache(prompt) : prompt;
}

/** Ids that a provider accepts, and the form of an id that replaces another one. */
type CallIdRule = {readonly accepted: RegExp; readonly prefix: string; readonly length: number};

/** Letters, digits, `_` and `-`. */
export const wordIds: CallIdRule = {accepted: /^[\w-]{1,64}$/, prefix: 'call_', length: 32};

/**
The arguments of a tool call as they are sent back. Every provider requires an object. Any other text (incomplete, not
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

function toMessages(messages: readonly ModelMessage[], dialect: Dialect): LanguageModelV4Message[] {
	const {chat, dataKey} = dialect;
	if (chat === undefined) return messages.flatMap(message => toMessage(message, dialect));
	return toChatMessages(
		messages,
		{chat, dataKey},
		{message: message => toMessage(message, dialect), part: part => toPart(part, dialect)},
	);
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
	if (callIds === undefined || callIds.accepted.test(callId)) return callId;
	return callIds.prefix + createHash('sha256').update(callId).digest('hex').slice(0, callIds.length);
}

type UserContent = Extract<LanguageModelV4Message, {role: 'user'}>['content'];
type Merge = (first: UserContent, second: UserContent) => UserContent;

function mergeUsers(messages: readonly LanguageModelV4Message[], merge: Merge): LanguageModelV4Message[] {
	const merged: LanguageModelV4Message[] = [];
	for (const message of messages) {
		const last = merged.at(-1);
		if (message.role === 'user' && last?.role === 'user')
			merged[merged.length - 1] = {role: 'user', content: merge(last.content, message.content)};
		else merged.push(message);
	}
	return merged;
}

const withParts: Merge = (first, second) => [...first, ...second];

/** Some servers of chat completions accept only a text as content ("invalid type: sequence, expected a string"). */
const asOneText: Merge = (first, second) => {
	const texts = [...first, ...second].map(part => (part.type === 'text' ? part.text : ''));
	return [{type: 'text', text: texts.join('\n\n')}];
};
