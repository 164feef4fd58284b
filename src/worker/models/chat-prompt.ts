import type {LanguageModelV4Message} from '@ai-sdk/provider';
import type {AssistantPart, ModelMessage} from '../model.ts';
import type {ChatDialect} from './dialects.ts';
import {elementsOf, fieldOf} from './values.ts';

/** A server of chat completions: its dialect, and the key of its own data in an item. */
export type ChatServer = {readonly chat: ChatDialect; readonly dataKey: string};

/** The functions that write one part of a message. The caller knows the rules that all wires share. */
export type PartWriters = {
	readonly message: (message: ModelMessage) => readonly LanguageModelV4Message[];
	readonly part: (part: AssistantPart) => AssistantContent;
};

export type AssistantContent = Extract<LanguageModelV4Message, {role: 'assistant'}>['content'][number];

/**
The messages of a request in the dialect of a server. Thoughts and a server's own fields go back to the server that they
came from, and only as its dialect says; other servers refuse them.
*/
export function toChatMessages(
	messages: readonly ModelMessage[],
	server: ChatServer,
	write: PartWriters,
): LanguageModelV4Message[] {
	const joined = withJoinedAnswers(messages);
	const loopStart = joined.findLastIndex(({role}) => role === 'user');
	const written = joined.flatMap((message, index) =>
		message.role === 'assistant'
			? assistantMessage(message.parts, {server, write, isInLoop: index > loopStart})
			: write.message(message),
	);
	return server.chat.answersTools === true ? withAnswers(written) : written;
}

/** Answers in a row become one: templates want the roles to alternate. Only damaged or changed sessions have them. */
function withJoinedAnswers(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const joined: ModelMessage[] = [];
	for (const message of messages) {
		const last = joined.at(-1);
		if (message.role === 'assistant' && last?.role === 'assistant')
			joined[joined.length - 1] = {role: 'assistant', parts: [...last.parts, ...message.parts]};
		else joined.push(message);
	}
	return joined;
}

/** The answer that is put between a tool result and a user message. The model reads it. */
const unanswered = '[No answer was given here.]';

function withAnswers(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
	const answer: LanguageModelV4Message = {role: 'assistant', content: [{type: 'text', text: unanswered}]};
	return messages.flatMap((message, index) =>
		message.role === 'user' && messages[index - 1]?.role === 'tool' ? [answer, message] : [message],
	);
}

type AnswerContext = {readonly server: ChatServer; readonly write: PartWriters; readonly isInLoop: boolean};

function assistantMessage(
	parts: readonly AssistantPart[],
	{server, write, isInLoop}: AnswerContext,
): LanguageModelV4Message[] {
	const calls = parts.filter(({type}) => type === 'tool_call');
	const isForeign = calls.every(call => extraContent(call, server.dataKey) === undefined);
	const content = parts
		.filter(part => part.type === 'tool_call' || (part.type === 'text' && part.text.trim() !== ''))
		.map(part => {
			const written = write.part({...part, provider: undefined});
			if (part.type !== 'tool_call' || server.chat.isBare === true) return written;
			const own = extraContent(part, server.dataKey);
			const extra = isForeign && part === calls[0] ? server.chat.foreignCall : own;
			return extra === undefined ? written : {...written, ...asIs({extra_content: extra as Json})};
		});
	if (content.length === 0) return [];
	const fields = thoughtFields(parts, server, isInLoop);
	return [{role: 'assistant', content, ...(fields !== undefined && asIs(fields))}];
}

/** Fields that the package writes into the message, or into a call, as they are. */
function asIs(fields: Readonly<Record<string, Json>>): {providerOptions: {openaiCompatible: Record<string, Json>}} {
	return {providerOptions: {openaiCompatible: fields}};
}

type Json = NonNullable<LanguageModelV4Message['providerOptions']>[string][string];

function thoughtFields(
	parts: readonly AssistantPart[],
	{chat: {thoughts}, dataKey}: ChatServer,
	isInLoop: boolean,
): Record<string, Json> | undefined {
	if (thoughts === undefined || (thoughts.when === 'loop' && !isInLoop)) return undefined;
	const {field, ifNone} = thoughts;
	if (field === 'reasoning_details') {
		const details = parts.flatMap(part => elementsOf(fieldOf(part.provider?.[dataKey], field)));
		return details.length === 0 ? undefined : {[field]: details as Json};
	}
	const text = parts.map(part => (part.type === 'reasoning' && isOwn(part, dataKey) ? part.text : '')).join('');
	const sent = text.trim() === '' ? ifNone : text.toWellFormed();
	return sent === undefined ? undefined : {[field]: sent};
}

function isOwn({provider}: AssistantPart, dataKey: string): boolean {
	return provider?.[dataKey] !== undefined;
}

/** What a server sent beside a call, such as Gemini's signature. */
function extraContent({provider}: AssistantPart, dataKey: string): unknown {
	const own = provider?.[dataKey];
	const signature = fieldOf(own, 'thoughtSignature');
	return (
		fieldOf(own, 'extra_content') ??
		(typeof signature === 'string' ? {google: {thought_signature: signature}} : undefined)
	);
}
