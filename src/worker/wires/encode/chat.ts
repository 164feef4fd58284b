import type {ToolDefinition} from '../../history/item.ts';
import type {ChatDialect} from '../dialects.ts';
import {knownSettings} from '../settings.ts';
import {fieldOf} from '../values.ts';
import type {EncodeContext, Encoded} from '../wire.ts';
import type {AnswerPart, CallPart, Prompt, PromptMessage, UserPart} from './prompt-types.ts';
import {byRule, bySetting, dataUrl, joined, Sourced, textOf, type Text, type Tree} from './sourced.ts';

type ChatContext = Pick<EncodeContext, 'model' | 'settings' | 'tools'> & {
	/** The key under which the server's own data is stored in an item. */
	readonly dataKey: string;
	/** The parts of the body that the server expects in another form. Absent under the rules of 0.1.0. */
	readonly form?: ChatForm | undefined;
};

type ChatForm = Pick<ChatDialect, 'asksNoUsage' | 'outputLimit' | 'hasEmptyContent' | 'promptInMessage'>;

/**
Returns the body of a request for chat completions (platform.openai.com/docs/api-reference/chat/create). The order of
the fields is that of @ai-sdk/openai-compatible 3.0.92 (src/chat/openai-compatible-chat-language-model.ts), because the
requests of stored sessions are verified byte by byte.
*/
export function encodeChat(prompt: Prompt, {model, settings, tools, dataKey, form = {}}: ChatContext): Encoded {
	const {maxOutputTokens, temperature, topP, stop, reasoning} = knownSettings(settings);
	const {asksNoUsage = false, outputLimit = 'max_tokens', promptInMessage = false} = form;
	const answers: AnswerForm = {dataKey, noText: form.hasEmptyContent === true ? '' : null};
	const body = {
		model: new Sourced(model, {kind: 'setup', key: 'model'}),
		[outputLimit]: setting('maxOutputTokens', maxOutputTokens),
		temperature: setting('temperature', temperature),
		top_p: setting('topP', topP),
		stop: setting('stop', stop),
		reasoning_effort: setting('reasoning', reasoning),
		messages: (promptInMessage ? withPrompt(prompt) : prompt).flatMap(message => messagesOf(message, answers)),
		tools: tools.length === 0 ? undefined : tools.map(toolOf),
		stream: true,
		stream_options: asksNoUsage ? undefined : byRule('stream_options', {include_usage: true}),
	};
	return {body, path: '/chat/completions'};
}

function setting(key: string, value: unknown): Sourced | undefined {
	return value === undefined ? undefined : bySetting(key, value);
}

/** Puts the system prompt at the start of the first user message, for models whose chat template has no system role. */
function withPrompt(prompt: Prompt): Prompt {
	const [system, first, ...rest] = prompt;
	if (system?.role !== 'system' || first?.role !== 'user') return prompt;
	const words = joined(system.content, byRule('prompt_in_message', '\n\n'));
	const [part, ...parts] = first.content;
	const content: readonly UserPart[] =
		part?.type === 'text'
			? [{...part, text: joined(words, part.text)}, ...parts]
			: [{type: 'text', text: words}, ...first.content];
	return [{...first, content}, ...rest];
}

/** The values that all messages with answers have in common. */
type AnswerForm = {readonly dataKey: string; readonly noText: '' | null};

/** Returns the messages of the API for a message. Each result becomes a separate message. */
function messagesOf(message: PromptMessage, answers: AnswerForm): readonly Tree[] {
	const {role, content} = message;
	if (role === 'system') return [{role, content}];
	if (role === 'user') return [{role, content: userContent(content)}];
	if (role === 'tool') return content.map(({callId, output}) => ({role, tool_call_id: callId, content: output}));
	return [answerOf(message, answers)];
}

/** Returns a single text as a string and not as a list of parts, because not every server accepts content in parts. */
function userContent(parts: readonly UserPart[]): Tree {
	const [first, ...more] = parts;
	return first?.type === 'text' && more.length === 0 ? first.text : parts.map(userPart);
}

function userPart(part: UserPart): Tree {
	if (part.type === 'text') return {type: 'text', text: part.text};
	if (part.mime.startsWith('image/')) return {type: 'image_url', image_url: {url: dataUrl(part.mime, part.data)}};
	return {type: 'file', file: {filename: 'document.pdf', file_data: dataUrl(part.mime, part.data)}};
}

/**
Joins the texts of an answer into one text, and its thoughts into another. `content` includes thoughts only under the
rules of 0.1.0, which send them in `reasoning_content` before the calls. A dialect sends thoughts in `fields`, after the
calls. A message with calls gets `noText` instead of an empty text.
*/
function answerOf({content, fields}: Extract<PromptMessage, {role: 'assistant'}>, {dataKey, noText}: AnswerForm): Tree {
	const text = textIn(content, 'text');
	const thoughts = textIn(content, 'reasoning');
	const calls = content.filter(part => part.type === 'call');
	return {
		role: 'assistant',
		content: calls.length > 0 && textOf(text) === '' ? noText : text,
		...(textOf(thoughts) !== '' && {reasoning_content: thoughts}),
		tool_calls: calls.length === 0 ? undefined : calls.map(call => callOf(call, dataKey)),
		...fields,
	};
}

function textIn(parts: readonly AnswerPart[], type: 'text' | 'reasoning'): Text {
	return joined(...parts.flatMap(part => (part.type === type ? [part.text] : [])));
}

function callOf(call: CallPart, dataKey: string): Tree {
	const {callId, name, input} = call;
	return {
		id: callId,
		type: 'function',
		function: {name, arguments: new Sourced(JSON.stringify(input.value), input.origin)},
		extra_content: call.extra ?? signatureOf(call, dataKey),
	};
}

/**
Under the rules of 0.1.0, the signature of a call is sent to any server, even if another server created the signature.
The package that 0.1.0 used stored the signature under the provider's name up to the first dot.
*/
function signatureOf({provider, of}: CallPart, dataKey: string): Tree | undefined {
	const [stem = dataKey] = dataKey.split('.');
	const signature = [dataKey, stem, 'google']
		.map(key => fieldOf(provider?.[key], 'thoughtSignature'))
		.find(value => value !== undefined && value !== null);
	if (typeof signature !== 'string' || signature === '') return undefined;
	return new Sourced({google: {thought_signature: signature}}, {kind: 'part', of, part: 'provider data'});
}

function toolOf({name, description, parameters}: ToolDefinition): Tree {
	const from = (key: keyof ToolDefinition, value: unknown) =>
		new Sourced(value, {kind: 'setup', key: `tools.${name}.${key}`});
	return {
		type: 'function',
		function: {
			name: from('name', name),
			description: from('description', description),
			parameters: from('parameters', parameters),
		},
	};
}
