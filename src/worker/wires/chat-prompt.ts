import type {AssistantPart, ModelMessage} from '../history/model.ts';
import type {NoteRewrite} from '../history/rewrites.ts';
import type {ChatDialect} from './dialects.ts';
import type {AnswerPart, PromptMessage} from './encode/prompt-types.ts';
import {byRule, Joined, Sourced, type Origin, type Tree} from './encode/sourced.ts';
import {elementsOf, fieldOf} from './values.ts';

/** A server with a chat completions API: its dialect, and the key under which its own data is stored in an item. */
type ChatServer = {readonly chat: ChatDialect; readonly dataKey: string};

/**
The functions that write one message or part. The caller supplies them, because they follow the rules that all wires
share.
*/
type PartWriters = {
	readonly message: (message: ModelMessage) => readonly PromptMessage[];
	/** `source`: the part of the request from which `part` was made. */
	readonly part: (part: AssistantPart, source: AssistantPart) => AnswerPart;
	/** Returns the message of the request from which a message was made. */
	readonly sourceOf: (message: PromptMessage) => ModelMessage | undefined;
	readonly note: NoteRewrite;
};

/**
Returns the messages of a request in the dialect of a server. Thoughts and a server's own fields are sent back only to
the server that they came from, and only in the form that its dialect specifies. Other servers refuse them.
*/
export function toChatMessages(
	messages: readonly ModelMessage[],
	server: ChatServer,
	write: PartWriters,
): PromptMessage[] {
	const joined = withJoinedAnswers(messages, write.note);
	const loopStart = joined.findLastIndex(({role}) => role === 'user');
	const written = joined.flatMap((message, index) =>
		message.role === 'assistant'
			? assistantMessage(message.parts, {server, write, isInLoop: index > loopStart})
			: write.message(message),
	);
	return server.chat.answersTools === true ? withAnswers(written, write) : written;
}

/** Notes each text and thought that is appended to an earlier text or thought of the same answer. */
export function noteJoined(parts: readonly AssistantPart[], note: NoteRewrite): void {
	for (const [type, rule] of [
		['text', 'joined_texts'],
		['reasoning', 'joined_thoughts'],
	] as const)
		for (const part of parts.filter(each => each.type === type && each.text !== '').slice(1)) note(rule, part);
}

/**
Joins consecutive answers into one, because chat templates require alternating roles. Only sessions that are damaged or
were changed have such answers.
*/
function withJoinedAnswers(messages: readonly ModelMessage[], note: NoteRewrite): readonly ModelMessage[] {
	const joined: ModelMessage[] = [];
	for (const message of messages) {
		const last = joined.at(-1);
		if (message.role === 'assistant' && last?.role === 'assistant') {
			note('joined_answers', message);
			joined[joined.length - 1] = {role: 'assistant', parts: [...last.parts, ...message.parts]};
		} else joined.push(message);
	}
	return joined;
}

/** The answer that is put between a tool result and a user message. The model reads this text. */
export const unanswered = '[No answer was given here.]';

/** The separator between texts that are joined. */
export const textJoint = '\n\n';

function withAnswers(messages: readonly PromptMessage[], {sourceOf, note}: PartWriters): PromptMessage[] {
	const part = {type: 'text', text: unanswered} as const;
	const text = byRule('answer_line', unanswered);
	const answer: PromptMessage = {role: 'assistant', content: [{type: 'text', text, of: part}]};
	return messages.flatMap((message, index) => {
		if (message.role !== 'user' || messages[index - 1]?.role !== 'tool') return [message];
		const source = sourceOf(message);
		if (source !== undefined) note('answer_line', source);
		return [answer, message];
	});
}

type AnswerContext = {readonly server: ChatServer; readonly write: PartWriters; readonly isInLoop: boolean};

function assistantMessage(parts: readonly AssistantPart[], {server, write, isInLoop}: AnswerContext): PromptMessage[] {
	const calls = parts.filter(({type}) => type === 'tool_call');
	const isForeign = calls.every(call => extraContent(call, server.dataKey) === undefined);
	const isMarked = (part: AssistantPart) => isForeign && part === calls[0] && server.chat.foreignCall !== undefined;
	const sent = parts.filter(part => part.type === 'tool_call' || (part.type === 'text' && part.text.trim() !== ''));
	noteParts(parts, sent, {server, write, isInLoop});
	const content = sent.map(part => {
		const written = write.part({...part, provider: undefined}, part);
		if (part.type !== 'tool_call' || written.type !== 'call') return written;
		const own = extraContent(part, server.dataKey);
		if (server.chat.isBare === true) {
			if (own !== undefined) write.note('bare_call', part);
			return written;
		}
		if (isMarked(part)) write.note('foreign_call_mark', part);
		if (isMarked(part)) return {...written, extra: byRule('foreign_call_mark', server.chat.foreignCall)};
		return own === undefined ? written : {...written, extra: new Sourced(own, dataOf(part))};
	});
	if (content.length === 0) return [];
	const fields = thoughtFields(parts, server, isInLoop);
	return [{role: 'assistant', content, ...(fields !== undefined && {fields})}];
}

/** Notes the parts that are not sent, and the parts that are appended to other parts. */
function noteParts(
	parts: readonly AssistantPart[],
	sent: readonly AssistantPart[],
	{server: {chat, dataKey}, write, isInLoop}: AnswerContext,
): void {
	noteJoined(sent, write.note);
	const kept = new Set(sent);
	for (const part of parts) if (part.type === 'text' && !kept.has(part)) write.note('blank_text', part);
	const thoughts = parts.filter(part => part.type === 'reasoning');
	const field = takesThoughts(chat, isInLoop) ? chat.thoughts?.field : undefined;
	const isSent = (part: AssistantPart) =>
		field === 'reasoning_details' ? detailsOf(part, dataKey).length > 0 : field !== undefined;
	for (const part of thoughts) {
		if (!isOwn(part, dataKey)) write.note('foreign_thought', part);
		else if (sent.length === 0) write.note('trailing_thought', part);
		else if (!isSent(part)) write.note('unsent_thought', part);
	}
	if (sent.length === 0 || field === undefined || field === 'reasoning_details') return;
	const own = thoughts.filter(part => isOwn(part, dataKey));
	noteJoined(own, write.note);
	for (const part of own) if (!part.text.isWellFormed()) write.note('well_formed', part);
	const [first] = parts;
	if (own.every(({text}) => text.trim() === '') && chat.thoughts?.ifNone !== undefined && first !== undefined)
		write.note('thought_filler', first);
}

function takesThoughts({thoughts}: ChatDialect, isInLoop: boolean): boolean {
	return thoughts !== undefined && (thoughts.when === 'always' || isInLoop);
}

function detailsOf({provider}: AssistantPart, dataKey: string): readonly unknown[] {
	return elementsOf(fieldOf(provider?.[dataKey], 'reasoning_details'));
}

function thoughtFields(
	parts: readonly AssistantPart[],
	{chat, dataKey}: ChatServer,
	isInLoop: boolean,
): Readonly<Record<string, Tree>> | undefined {
	const {thoughts} = chat;
	if (thoughts === undefined || !takesThoughts(chat, isInLoop)) return undefined;
	const {field, ifNone} = thoughts;
	if (field === 'reasoning_details') {
		const details = parts.flatMap(part => detailsOf(part, dataKey).map(each => new Sourced(each, dataOf(part))));
		return details.length === 0 ? undefined : {[field]: details};
	}
	const own = parts.filter(part => part.type === 'reasoning' && isOwn(part, dataKey));
	if (own.every(part => textOfThought(part).trim() === ''))
		return ifNone === undefined ? undefined : {[field]: byRule('thought_filler', ifNone)};
	return {[field]: sentThoughts(own)};
}

/**
Returns the texts of thoughts as they are sent, joined. U+FFFD replaces each lone surrogate without changing the length.
If a surrogate pair is split between two thoughts, the pair belongs to the first thought.
*/
function sentThoughts(parts: readonly AssistantPart[]): Joined {
	const whole = parts.map(textOfThought).join('').toWellFormed();
	let end = 0;
	let from = 0;
	return new Joined(
		parts.map(part => {
			const text = textOfThought(part);
			end += text.length;
			const isInPair = (whole.codePointAt(end - 1) ?? 0) > 0xffff;
			const sent = whole.slice(from, isInPair ? end + 1 : end);
			from += sent.length;
			const rule = text.isWellFormed() ? {} : ({rule: 'well_formed'} as const);
			return new Sourced(sent, {kind: 'part', of: part, part: 'thoughts', ...rule});
		}),
	);
}

function textOfThought(part: AssistantPart): string {
	return part.type === 'reasoning' ? part.text : '';
}

/** Returns the origin of the data that a provider stored with a part. */
function dataOf(of: AssistantPart): Origin {
	return {kind: 'part', of, part: 'provider data'};
}

function isOwn({provider}: AssistantPart, dataKey: string): boolean {
	return provider?.[dataKey] !== undefined;
}

/** Returns the additional data that a server sent with a call, such as Gemini's signature. */
function extraContent({provider}: AssistantPart, dataKey: string): unknown {
	const own = provider?.[dataKey];
	const signature = fieldOf(own, 'thoughtSignature');
	return (
		fieldOf(own, 'extra_content') ??
		(typeof signature === 'string' ? {google: {thought_signature: signature}} : undefined)
	);
}
