import type {Encoded, EncodeContext} from '../wire.ts';
import {hasForm} from '../forms.ts';
import {knownSettings} from '../settings.ts';
import {fieldOf} from '../values.ts';
import {messagesModel} from './messages-models.ts';
import {settingFields} from './messages-settings.ts';
import type {AnswerPart, CallPart, Prompt, PromptMessage, ResultPart, UserPart} from './prompt-types.ts';
import {byRule, bySetting, Sourced, textOf, type Text, type Tree} from './sourced.ts';

/**
Returns the body of a request to the Messages API, and the header with its beta features
(platform.claude.com/docs/en/api/messages). `ownBetas`: the beta features that the user configured.
*/
export function encodeMessages(prompt: Prompt, context: EncodeContext, ownBetas = ''): Encoded {
	const {model, settings, tools, note} = context;
	const betas = new Set<string>();
	const hasNoBetas = hasForm(settings, 'no_betas');
	const time = hasForm(settings, 'short_cache') ? undefined : knownSettings(settings).cacheTime;
	const system = prompt.flatMap(message =>
		message.role === 'system' ? withMark([textBlock(message.content)], message, time) : [],
	);
	const body: Tree = {
		model: new Sourced(model, {kind: 'setup', key: 'model'}),
		...settingFields(model, settings),
		system: system.length === 0 ? undefined : system,
		messages: messagesOf(prompt, betas),
		tools: tools.length === 0 ? undefined : tools.map(tool => toolOf(tool, hasNoBetas)),
		stream: true,
	};
	if (hasNoBetas) betas.clear();
	else if (tools.length > 0 && messagesModel(model).hasStructuredOutputs) betas.add('structured-outputs-2025-11-13');
	for (const beta of ownBetas.toLowerCase().split(',')) if (beta.trim() !== '') betas.add(beta.trim());
	for (const beta of betas) note('beta_header', beta);
	return {body, path: '/messages', ...(betas.size > 0 && {headers: {'anthropic-beta': [...betas].join(',')}})};
}

type Block = Readonly<Record<string, Tree | undefined>>;

function textBlock(text: Text): Block {
	return {type: 'text', text};
}

/**
Marks the last block if the provider may cache everything up to this block. `time`: how long the provider caches it, if
not for five minutes (platform.claude.com/docs/en/build-with-claude/prompt-caching).
*/
function withMark(blocks: readonly Block[], {isMarked}: PromptMessage, time?: string): readonly Block[] {
	const last = blocks.at(-1);
	if (isMarked !== true || last === undefined) return blocks;
	const mark =
		time === undefined
			? byRule('cache_marks', {type: 'ephemeral'})
			: {type: byRule('cache_marks', 'ephemeral'), ttl: bySetting('cacheTime', time)};
	return [...blocks.slice(0, -1), {...last, cache_control: mark}];
}

function toolOf({name, description, parameters}: EncodeContext['tools'][number], hasNoFlags: boolean): Tree {
	const from = <Value>(key: string, value: Value) => new Sourced(value, {kind: 'setup', key: `tools.${name}.${key}`});
	return {
		name: from('name', name),
		description: from('description', description),
		input_schema: from('parameters', parameters),
		eager_input_streaming: hasNoFlags ? undefined : byRule('tool_flags', true),
	};
}

type Answer = Extract<PromptMessage, {role: 'assistant'}>;

/** Consecutive messages with the same role, which are one message of the API. Tool results have the role `user`. */
type Turn =
	| {readonly role: 'user'; readonly messages: Array<Extract<PromptMessage, {role: 'user' | 'tool'}>>}
	| {readonly role: 'assistant'; readonly messages: Answer[]};

function messagesOf(prompt: Prompt, betas: Set<string>): Tree {
	const turns = turnsOf(prompt);
	const lastWords = turns.findLastIndex(({messages}) => messages.some(({role}) => role === 'user'));
	return turns.flatMap((turn, index): Tree[] => {
		const {role} = turn;
		if (turn.role === 'user')
			return [{role, content: turn.messages.flatMap(message => userBlocks(message, betas))}];
		const context = {betas, isLast: index === turns.length - 1, isBeforeWords: index < lastWords};
		const content = answerBlocks(turn.messages, context);
		return content.length === 0 ? [] : [{role, content}];
	});
}

function turnsOf(prompt: Prompt): readonly Turn[] {
	const turns: Turn[] = [];
	for (const message of prompt) {
		const last = turns.at(-1);
		if (message.role === 'assistant') {
			if (last?.role === 'assistant') last.messages.push(message);
			else turns.push({role: 'assistant', messages: [message]});
		} else if (message.role !== 'system') {
			if (last?.role === 'user') last.messages.push(message);
			else turns.push({role: 'user', messages: [message]});
		}
	}
	return turns;
}

function userBlocks(message: Turn['messages'][number], betas: Set<string>): readonly Block[] {
	if (message.role === 'user')
		return withMark(
			message.content.map(part => userBlock(part, betas)),
			message,
		);
	return message.role === 'tool' ? withMark(message.content.map(resultBlock), message) : [];
}

function userBlock(part: UserPart, betas: Set<string>): Block {
	if (part.type === 'text') return textBlock(part.text);
	const {mime, data, of} = part;
	const type = mime.startsWith('image/') ? 'image' : 'document';
	if (type === 'document') betas.add('pdfs-2024-09-25');
	return {type, source: {type: 'base64', media_type: new Sourced(mime, {kind: 'part', of, part: 'bytes'}), data}};
}

function resultBlock({callId, output, isError}: ResultPart): Block {
	return {type: 'tool_result', tool_use_id: callId, content: output, is_error: isError ? true : undefined};
}

type AnswerContext = {
	readonly betas: Set<string>;
	/** Whether the request ends with this turn. */
	readonly isLast: boolean;
	/** Whether a user message follows this turn. */
	readonly isBeforeWords: boolean;
};

function answerBlocks(messages: readonly Answer[], {betas, isLast, isBeforeWords}: AnswerContext): readonly Block[] {
	const isSent = (part: AnswerPart) => part.type !== 'text' || textOf(part.text) !== '';
	const end = isLast ? messages.at(-1)?.content.findLast(isSent) : undefined;
	const parts = messages.flatMap(({content}) => content.filter(isSent));
	const blocks = parts.flatMap((part): readonly Block[] => {
		if (part.type === 'call') return [callBlock(part, isBeforeWords)];
		if (part.type === 'reasoning') return thoughtBlocks(part);
		return [answerText(part, {betas, isEnd: part === end})];
	});
	return callsLast(blocks);
}

type TextPart = Exclude<AnswerPart, CallPart>;

/** Returns the blocks of a thought. The API refuses a thought without its signature, so such a thought is left out. */
function thoughtBlocks(part: TextPart): readonly Block[] {
	const signature = ownData(part, 'signature');
	if (typeof signature?.value === 'string') return [{type: 'thinking', thinking: part.text, signature}];
	const data = ownData(part, 'redactedData');
	return typeof data?.value === 'string' ? [{type: 'redacted_thinking', data}] : [];
}

/**
Returns the block of a text. The API refuses a request that ends with an answer with trailing spaces, so such a text is
trimmed.
*/
function answerText(part: TextPart, {betas, isEnd}: {readonly betas: Set<string>; readonly isEnd: boolean}): Block {
	if (ownData(part, 'type')?.value === 'compaction') {
		const signature = ownData(part, 'signature');
		const isSigned = typeof signature?.value === 'string';
		if (isSigned) betas.add('compact-2026-09-04');
		return {type: 'compaction', content: part.text, signature: isSigned ? signature : undefined};
	}
	return {...textBlock(isEnd ? trimmed(part) : part.text), citations: ownData(part, 'citations')};
}

function trimmed({text, of}: TextPart): Text {
	const value = textOf(text).trim();
	return value === textOf(text) ? text : new Sourced(value, {kind: 'part', of, part: 'text', rule: 'trimmed_text'});
}

/**
Returns the block of a call. If code called the tool, the code is named only until the next user message. After that the
API would require the call of the code itself, which inkpod never sends back.
*/
function callBlock(part: CallPart, isBeforeWords: boolean): Block {
	const caller = ownData(part, 'caller');
	const sent = callerOf(caller?.value, isBeforeWords);
	return {
		type: 'tool_use',
		id: part.callId,
		name: part.name,
		input: part.input,
		caller: caller && sent && new Sourced(sent, caller.origin),
	};
}

function callerOf(caller: unknown, isBeforeWords: boolean): Readonly<Record<string, string>> | undefined {
	const [type, toolId] = [fieldOf(caller, 'type'), fieldOf(caller, 'toolId')];
	if (type === 'direct') return {type};
	const isCode = type === 'code_execution_20250825' || type === 'code_execution_20260120';
	return isCode && typeof toolId === 'string' && toolId !== '' && !isBeforeWords
		? {type, tool_id: toolId}
		: undefined;
}

/** Returns the provider's own data of a part under a name. */
function ownData({provider, of}: AnswerPart, name: string): Sourced | undefined {
	const value = fieldOf(provider?.['anthropic'], name);
	return value === undefined || value === null
		? undefined
		: new Sourced(value, {kind: 'part', of, part: 'provider data'});
}

/** Moves calls to the end, as the API requires, but not past the next thought. */
function callsLast(blocks: readonly Block[]): readonly Block[] {
	const sorted: Block[] = [];
	let calls: Block[] = [];
	for (const block of blocks) {
		if (block['type'] === 'tool_use') calls.push(block);
		else {
			if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking') {
				sorted.push(...calls);
				calls = [];
			}
			sorted.push(block);
		}
	}
	return [...sorted, ...calls];
}
