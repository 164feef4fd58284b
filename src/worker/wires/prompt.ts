import {createHash} from 'node:crypto';
import type {LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions} from '@ai-sdk/provider';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../history/model.ts';
import type {ProviderData} from '../history/item.ts';
import {ignoreRewrite, type NoteRewrite, type RewritePlace, type RewriteRule} from '../history/rewrites.ts';
import {markCache} from './cache-marks.ts';
import {noteJoined, textJoint, toChatMessages, type AssistantContent} from './chat-prompt.ts';
import type {ChatDialect} from './dialects.ts';
import type {MediaByMessage} from './media-parts.ts';
import {isRecord, parseJson} from './values.ts';

/** The requirements of a provider for a conversation. */
export type Dialect = {
	/** The key of this provider's own data in the `provider` field of a part. */
	readonly dataKey: string;
	/** Consecutive user messages are merged into one message with several parts. */
	readonly mergeUser: boolean;
	/** The call ids that the provider accepts. Other ids, from other providers, are replaced by their hash. */
	readonly callIds?: CallIdRule;
	/** The provider's package sends the texts of an answer as one text, and its thoughts as another. */
	readonly joinsTexts?: boolean;
	/** The dialect of a server of chat completions. Absent for other wires, and under the rules of 0.1.0. */
	readonly chat?: ChatDialect;
	/** Whether the provider caches only up to the marks in a request. */
	readonly cacheMarks?: boolean;
};

/**
Returns a request in the form of the provider interface. The same request gives the same prompt.

Content that providers refuse is left out: blank texts, reasoning that another provider signed, reasoning without
anything after it (from a cut answer), and messages that become empty. Lone surrogates become U+FFFD, because UTF-8
cannot express them. `note` is called for everything that differs from the request. `media`: what is sent for the
images and documents.
*/
export function toPrompt(
	request: ModelRequest,
	dialect: Dialect,
	note: NoteRewrite = ignoreRewrite,
	media: MediaByMessage = new Map(),
): LanguageModelV4Prompt {
	const writing: Writing = {dialect, note, media, written: new Map()};
	const system: LanguageModelV4Prompt =
		request.prompt === '' ? [] : [{role: 'system', content: wellFormedText(request.prompt, setupPlace, note)}];
	const messages = toMessages(request.messages, writing);
	const merge = dialect.chat === undefined ? withParts : asOneText;
	const prompt = [...system, ...(dialect.mergeUser ? mergeUsers(messages, merge, writing) : messages)];
	if (dialect.cacheMarks !== true) return prompt;
	return markCache(prompt, marked => note('cache_marks', writing.written.get(marked) ?? setupPlace));
}

/** The place of a rewrite that concerns the system prompt. */
const setupPlace = 'setup';

type Writing = {
	readonly dialect: Dialect;
	readonly note: NoteRewrite;
	readonly media: MediaByMessage;
	/** The messages from which the messages of the prompt were made. */
	readonly written: Map<LanguageModelV4Message, ModelMessage>;
};

/** The rules for which ids a provider accepts, and the form of an id that replaces another one. */
type CallIdRule = {readonly accepted: RegExp; readonly prefix: string; readonly length: number};

/** Only letters, digits, `_` and `-`. */
export const wordIds: CallIdRule = {accepted: /^[\w-]{1,64}$/, prefix: 'call_', length: 32};

/**
Returns the arguments of a tool call as they are sent back. Every provider requires an object. Any other text
(incomplete, not JSON, an array) is sent as `{invalid_json: text}`, so that the model sees what it wrote. Blank text is
sent as `{}`.
*/
export function argumentsValue(text: string): Record<string, unknown> {
	return argumentsObject(text) ?? {invalid_json: text.toWellFormed()};
}

function argumentsObject(text: string): Record<string, unknown> | undefined {
	if (text.trim() === '') return {};
	const value = parseJson(text, wellFormed);
	return isRecord(value) && !Array.isArray(value) ? value : undefined;
}

function sentArguments(text: string, source: AssistantPart, note: NoteRewrite): Record<string, unknown> {
	const known = knownArguments.get(source);
	const {value, rule} = known?.text === text ? known : writtenArguments(text);
	if (known === undefined && text.length <= maxKnownLength) knownArguments.set(source, {text, value, rule});
	if (rule !== undefined) note(rule, source);
	return value;
}

type WrittenArguments = {readonly value: Record<string, unknown>; readonly rule: RewriteRule | undefined};

function writtenArguments(text: string): WrittenArguments {
	const value = argumentsObject(text);
	if (value === undefined) return {value: {invalid_json: text.toWellFormed()}, rule: 'invalid_json'};
	return {value, rule: JSON.stringify(value) === text ? undefined : 'arguments_value'};
}

/** The parts of a turn are in each of its requests. */
const knownArguments = new WeakMap<AssistantPart, WrittenArguments & {readonly text: string}>();

function wellFormedText(text: string, place: RewritePlace, note: NoteRewrite): string {
	const sent = text.toWellFormed();
	if (sent !== text) note('well_formed', place);
	return sent;
}

function wellFormed(_key: string, value: unknown): unknown {
	return typeof value === 'string' ? value.toWellFormed() : value;
}

function toMessages(messages: readonly ModelMessage[], writing: Writing): LanguageModelV4Message[] {
	const {chat, dataKey} = writing.dialect;
	if (chat === undefined) return messages.flatMap(message => toMessage(message, writing));
	return toChatMessages(
		messages,
		{chat, dataKey},
		{
			message: message => toMessage(message, writing),
			part: (part, source) => toPart(part, source, writing),
			sourceOf: message => writing.written.get(message),
			note: writing.note,
		},
	);
}

function toMessage(message: ModelMessage, writing: Writing): LanguageModelV4Message[] {
	const sent = sentMessage(message, writing);
	if (sent === undefined) return [];
	writing.written.set(sent, message);
	return [sent];
}

function sentMessage(message: ModelMessage, writing: Writing): LanguageModelV4Message | undefined {
	const {note} = writing;
	if (message.role === 'user') {
		if (message.text.trim() === '') return undefined;
		return {role: 'user', content: userContent(message, writing)};
	}
	if (message.role === 'tool')
		return message.results.length === 0
			? undefined
			: {role: 'tool', content: message.results.map(result => toResult(result, writing))};
	const parts = sendable(message.parts, writing);
	if (parts.length === 0) return undefined;
	if (writing.dialect.joinsTexts === true) noteJoined(parts, note);
	return {role: 'assistant', content: parts.map(part => toPart(part, part, writing))};
}

/** The text of an image or document precedes its bytes, or the line that stands for them. */
function userContent(message: Extract<ModelMessage, {role: 'user'}>, {note, media}: Writing): UserContent {
	const text = wellFormedText(message.text, message, note);
	const sent = media.get(message);
	if (sent === undefined) return [{type: 'text', text}];
	if ('part' in sent) return [{type: 'text', text}, sent.part];
	note(sent.rule, message);
	return [{type: 'text', text: `${text}\n${sent.line}`}];
}

function sendable(parts: readonly AssistantPart[], {dialect, note}: Writing): readonly AssistantPart[] {
	const kept = parts.filter(part => {
		const rule = omission(part, dialect.dataKey);
		if (rule !== undefined) note(rule, part);
		return rule === undefined;
	});
	const end = kept.findLastIndex(part => part.type !== 'reasoning') + 1;
	for (const part of kept.slice(end)) note('trailing_thought', part);
	return kept.slice(0, end);
}

/** Returns the rule by which a part is left out. */
function omission(part: AssistantPart, dataKey: string): RewriteRule | undefined {
	if (part.type === 'tool_call') return undefined;
	const isOwn = part.provider?.[dataKey] !== undefined;
	if (part.type === 'reasoning') return isOwn || part.provider === undefined ? undefined : 'foreign_thought';
	return isOwn || part.text.trim() !== '' ? undefined : 'blank_text';
}

/** `source`: the part of the request that `part` was made from. */
function toPart(part: AssistantPart, source: AssistantPart, {dialect, note}: Writing): AssistantContent {
	const data = providerOptions(part.provider);
	if (part.type !== 'tool_call') return {type: part.type, text: wellFormedText(part.text, source, note), ...data};
	return {
		type: 'tool-call',
		toolCallId: wireCallId(part.callId, source, {dialect, note}),
		toolName: part.name,
		input: sentArguments(part.arguments, source, note),
		...data,
	};
}

function toResult(
	result: ToolAnswer,
	{dialect, note}: Writing,
): Extract<LanguageModelV4Message, {role: 'tool'}>['content'][number] {
	const value = wellFormedText(result.content, result, note);
	// Some providers refuse an error without text.
	const isMute = result.isError && value === '';
	if (isMute) note('no_message', result);
	return {
		type: 'tool-result',
		toolCallId: wireCallId(result.callId, result, {dialect, note}),
		toolName: result.name,
		output: result.isError ? {type: 'error-text', value: isMute ? noMessage : value} : {type: 'text', value},
	};
}

const noMessage = '(no message)';

function providerOptions(provider: ProviderData | undefined): {providerOptions?: SharedV4ProviderOptions} {
	// The provider's package produced this data, and the data goes back to the package unchanged.
	return provider === undefined ? {} : {providerOptions: provider as SharedV4ProviderOptions};
}

function wireCallId(
	callId: string,
	source: object,
	{dialect: {callIds}, note}: Pick<Writing, 'dialect' | 'note'>,
): string {
	if (callIds === undefined || callIds.accepted.test(callId)) return callId;
	note('call_id', source);
	const known = knownIds.get(source);
	if (known?.rule === callIds && known.callId === callId) return known.sent;
	const sent = hashedCallId(callId, callIds);
	knownIds.set(source, {rule: callIds, callId, sent});
	return sent;
}

/** Longer arguments would be in memory twice. */
const maxKnownLength = 1024;

/** The ids that replaced others, by the parts that have them. */
const knownIds = new WeakMap<object, {readonly rule: CallIdRule; readonly callId: string; readonly sent: string}>();

/** Returns the id that replaces an id that the provider does not accept. */
export function hashedCallId(callId: string, {prefix, length}: Omit<CallIdRule, 'accepted'>): string {
	return prefix + createHash('sha256').update(callId).digest('hex').slice(0, length);
}

type UserContent = Extract<LanguageModelV4Message, {role: 'user'}>['content'];
type Merge = (first: UserContent, second: UserContent) => UserContent;

function mergeUsers(
	messages: readonly LanguageModelV4Message[],
	merge: Merge,
	{written, note}: Writing,
): LanguageModelV4Message[] {
	const merged: LanguageModelV4Message[] = [];
	for (const message of messages) {
		const last = merged.at(-1);
		if (message.role === 'user' && last?.role === 'user') {
			const both: LanguageModelV4Message = {role: 'user', content: merge(last.content, message.content)};
			const source = written.get(message);
			if (source !== undefined) {
				written.set(both, source);
				note('merged_users', source);
			}
			merged[merged.length - 1] = both;
		} else merged.push(message);
	}
	return merged;
}

const withParts: Merge = (first, second) => [...first, ...second];

/**
Some servers of chat completions accept only a text as content ("invalid type: sequence, expected a string"). An image
needs a part of its own; the texts before and after it are one part each.
*/
const asOneText: Merge = (first, second) => {
	const parts: UserContent = [];
	for (const part of [...first, ...second]) {
		const last = parts.at(-1);
		if (part.type === 'text' && last?.type === 'text')
			parts[parts.length - 1] = {type: 'text', text: last.text + textJoint + part.text};
		else parts.push(part);
	}
	return parts;
};
