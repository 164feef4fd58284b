import {createHash} from 'node:crypto';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../history/model.ts';
import {ignoreRewrite, type NoteRewrite, type RewriteRule} from '../history/rewrites.ts';
import {markCache} from './cache-marks.ts';
import {noteJoined, textJoint, toChatMessages} from './chat-prompt.ts';
import type {ChatDialect} from './dialects.ts';
import type {AnswerPart, Prompt, PromptMessage, ResultPart, UserPart} from './encode/prompt-types.ts';
import {byRule, joined, Sourced, type ItemPart, type Text} from './encode/sourced.ts';
import type {MediaByMessage} from './media-parts.ts';
import {isRecord, parseJson} from './values.ts';

/** The requirements of a provider for a conversation. */
export type Dialect = {
	/** The key of this provider's own data in the `provider` field of a part. */
	readonly dataKey: string;
	/** Whether consecutive user messages are merged into one message. */
	readonly mergeUser: boolean;
	/** The call ids that the provider accepts. A hash replaces any other id, such as an id from another provider. */
	readonly callIds?: CallIdRule;
	/** Whether the texts of an answer are sent as one text, and its thoughts as another. */
	readonly joinsTexts?: boolean;
	/** The dialect of a server with a chat completions API. Absent for other wires, and under the rules of 0.1.0. */
	readonly chat?: ChatDialect;
	/** Whether the provider caches only up to the marks in a request. */
	readonly cacheMarks?: boolean;
};

/**
Applies the rules that all wires share to a request. The same request always gives the same prompt.

Content that providers refuse is left out: blank texts, reasoning that another provider signed, reasoning without
anything after it (from an interrupted answer), and messages that become empty. Lone surrogates become U+FFFD, because
UTF-8 cannot encode them. `note` is called for everything that differs from the request. `media`: what is sent for the
images and documents.
*/
export function toPrompt(
	request: ModelRequest,
	dialect: Dialect,
	note: NoteRewrite = ignoreRewrite,
	media: MediaByMessage = new Map(),
): Prompt {
	const writing: Writing = {dialect, note, media, written: new Map()};
	const system: Prompt = request.prompt === '' ? [] : [{role: 'system', content: systemText(request.prompt, note)}];
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
	readonly written: Map<PromptMessage, ModelMessage>;
};

/** The ids that a provider accepts, and the form of an id that replaces another id. */
type CallIdRule = {readonly accepted: RegExp; readonly prefix: string; readonly length: number};

/** Accepts ids of up to 64 letters, digits, `_` and `-`. */
export const wordIds: CallIdRule = {accepted: /^[\w-]{1,64}$/, prefix: 'call_', length: 32};

/**
Returns the arguments of a tool call as they are sent back. Every provider requires an object. Any other text
(incomplete, not JSON, an array) is sent as `{invalid_json: text}`, so that the model sees the text that it wrote. Blank
text is sent as `{}`.
*/
export function argumentsValue(text: string): Record<string, unknown> {
	return argumentsObject(text) ?? {invalid_json: text.toWellFormed()};
}

function argumentsObject(text: string): Record<string, unknown> | undefined {
	if (text.trim() === '') return {};
	const value = parseJson(text, wellFormed);
	return isRecord(value) && !Array.isArray(value) ? value : undefined;
}

function sentArguments(
	text: string,
	source: AssistantPart,
	note: NoteRewrite,
): Sourced<Readonly<Record<string, unknown>>> {
	const known = knownArguments.get(source);
	const {value, rule} = known?.text === text ? known : writtenArguments(text);
	if (known === undefined && text.length <= maxKnownLength) knownArguments.set(source, {text, value, rule});
	if (rule !== undefined) note(rule, source);
	return new Sourced(value, {kind: 'part', of: source, part: 'arguments', ...(rule !== undefined && {rule})});
}

type WrittenArguments = {readonly value: Record<string, unknown>; readonly rule: RewriteRule | undefined};

function writtenArguments(text: string): WrittenArguments {
	const value = argumentsObject(text);
	if (value === undefined) return {value: {invalid_json: text.toWellFormed()}, rule: 'invalid_json'};
	return {value, rule: JSON.stringify(value) === text ? undefined : 'arguments_value'};
}

/**
The arguments of calls that were already parsed. Each request of a session contains the calls of the earlier requests.
*/
const knownArguments = new WeakMap<AssistantPart, WrittenArguments & {readonly text: string}>();

function systemText(text: string, note: NoteRewrite): Text {
	const sent = text.toWellFormed();
	if (sent === text) return new Sourced(text, {kind: 'setup', key: 'prompt'});
	note('well_formed', setupPlace);
	return new Sourced(sent, {kind: 'setup', key: 'prompt', rule: 'well_formed'});
}

/** Returns the text of a part or message as it is sent. */
function wellFormedText(text: string, {of, part}: PartOf, note: NoteRewrite): Sourced<string> {
	const sent = text.toWellFormed();
	if (sent === text) return new Sourced(text, {kind: 'part', of, part});
	note('well_formed', of);
	return new Sourced(sent, {kind: 'part', of, part, rule: 'well_formed'});
}

type PartOf = {readonly of: object; readonly part: ItemPart};

function wellFormed(_key: string, value: unknown): unknown {
	return typeof value === 'string' ? value.toWellFormed() : value;
}

function toMessages(messages: readonly ModelMessage[], writing: Writing): PromptMessage[] {
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

function toMessage(message: ModelMessage, writing: Writing): PromptMessage[] {
	const sent = sentMessage(message, writing);
	if (sent === undefined) return [];
	writing.written.set(sent, message);
	return [sent];
}

function sentMessage(message: ModelMessage, writing: Writing): PromptMessage | undefined {
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

/**
Returns the content of a user message. The text precedes the bytes of the image or document, or the line that replaces
them.
*/
function userContent(message: Extract<ModelMessage, {role: 'user'}>, {note, media}: Writing): readonly UserPart[] {
	const text = wellFormedText(message.text, {of: message, part: 'text'}, note);
	const sent = media.get(message);
	if (sent === undefined) return [{type: 'text', text}];
	if ('data' in sent) {
		const data = new Sourced(sent.data, {kind: 'part', of: message, part: 'bytes'});
		return [
			{type: 'text', text},
			{type: 'media', mime: sent.mime, data, of: message},
		];
	}
	note(sent.rule, message);
	return [{type: 'text', text: joined(text, byRule(sent.rule, `\n${sent.line}`))}];
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

/** `source`: the part of the request from which `part` was made. */
function toPart(part: AssistantPart, source: AssistantPart, {dialect, note}: Writing): AnswerPart {
	const {provider} = part;
	if (part.type !== 'tool_call') {
		const text = wellFormedText(part.text, {of: source, part: part.type === 'text' ? 'text' : 'thoughts'}, note);
		return {type: part.type, text, provider, of: source};
	}
	return {
		type: 'call',
		callId: wireCallId(part.callId, source, {dialect, note}),
		name: new Sourced(part.name, {kind: 'part', of: source, part: 'name'}),
		input: sentArguments(part.arguments, source, note),
		provider,
		of: source,
	};
}

function toResult(result: ToolAnswer, {dialect, note}: Writing): ResultPart {
	const {content, isError} = result;
	const output = wellFormedText(content, {of: result, part: 'content'}, note);
	// Some providers refuse an error without text.
	const isMute = isError && content === '';
	if (isMute) note('no_message', result);
	return {
		callId: wireCallId(result.callId, result, {dialect, note}),
		name: new Sourced(result.name, {kind: 'part', of: result, part: 'name'}),
		output: isMute ? byRule('no_message', '(no message)') : output,
		isError,
	};
}

function wireCallId(
	callId: string,
	source: object,
	{dialect: {callIds}, note}: Pick<Writing, 'dialect' | 'note'>,
): Sourced<string> {
	const origin = {kind: 'part', of: source, part: 'call id'} as const;
	if (callIds === undefined || callIds.accepted.test(callId)) return new Sourced(callId, origin);
	note('call_id', source);
	const known = knownIds.get(source);
	const isKnown = known?.rule === callIds && known.callId === callId;
	const sent = isKnown ? known.sent : hashedCallId(callId, callIds);
	if (!isKnown) knownIds.set(source, {rule: callIds, callId, sent});
	return new Sourced(sent, {...origin, rule: 'call_id'});
}

/** The maximum length of arguments that are cached. Caching longer arguments would need too much memory. */
const maxKnownLength = 1024;

/** The ids that replace other ids, by the parts that contain them. */
const knownIds = new WeakMap<object, {readonly rule: CallIdRule; readonly callId: string; readonly sent: string}>();

/** Returns the id that replaces an id that the provider does not accept. */
export function hashedCallId(callId: string, {prefix, length}: Omit<CallIdRule, 'accepted'>): string {
	return prefix + createHash('sha256').update(callId).digest('hex').slice(0, length);
}

type Merge = (first: readonly UserPart[], second: readonly UserPart[]) => readonly UserPart[];

function mergeUsers(messages: readonly PromptMessage[], merge: Merge, {written, note}: Writing): PromptMessage[] {
	const merged: PromptMessage[] = [];
	for (const message of messages) {
		const last = merged.at(-1);
		if (message.role === 'user' && last?.role === 'user') {
			const both: PromptMessage = {role: 'user', content: merge(last.content, message.content)};
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
Merges texts into one text. Some servers with a chat completions API accept only a text as content ("invalid type:
sequence, expected a string"). An image needs its own part, so the texts before and after an image become two parts.
*/
const asOneText: Merge = (first, second) => {
	const parts: UserPart[] = [];
	for (const part of [...first, ...second]) {
		const last = parts.at(-1);
		if (part.type === 'text' && last?.type === 'text')
			parts[parts.length - 1] = {
				type: 'text',
				text: joined(last.text, byRule('merged_users', textJoint), part.text),
			};
		else parts.push(part);
	}
	return parts;
};
