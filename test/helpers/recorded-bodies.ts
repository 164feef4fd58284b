import {createHash} from 'node:crypto';
import type {AssistantPart, ModelMessage, ModelRequest} from '../../src/worker/history/model.ts';
import type {Settings} from '../../src/worker/index.ts';

/** The models whose requests are held, by their providers. Each row of a model table has one of them at least. */
export const heldModels: Readonly<Record<string, readonly string[]>> = {
	anthropic: [
		'claude-sonnet-5-5',
		'claude-opus-5',
		'claude-fable-5-2',
		'claude-fable-5',
		'claude-opus-4-8',
		'claude-opus-4-7',
		'claude-sonnet-5',
		'claude-sonnet-4-6',
		'claude-sonnet-4-5-20250929',
		'claude-opus-4-5',
		'claude-haiku-4-5',
		'claude-opus-4-1',
		'claude-sonnet-4-20250514',
		'claude-3-haiku-20240307',
		'claude-3-5-sonnet',
		'claude-2.1',
		'claude-new-9',
		'glm-5',
	],
	openai: [
		'gpt-5',
		'gpt-5-pro',
		'gpt-5-codex',
		'gpt-5-chat-latest',
		'gpt-5.1',
		'gpt-5.2-chat-latest',
		'gpt-5.4-mini',
		'gpt-6',
		'o1',
		'o3',
		'o3-mini',
		'o4-mini',
		'gpt-4o',
		'gpt-4.1',
		'gpt-3.5-turbo',
		'codex-mini-latest',
		'ft:gpt-5:org',
		'gpt-oss-120b',
		'my-model',
	],
	azure: ['gpt-5.2', 'gpt-4o'],
	google: [
		'gemini-2.5-pro',
		'gemini-2.5-flash',
		'gemini-2.5-flash-lite',
		'gemini-2.0-flash',
		'gemini-3-pro-preview',
		'gemini-3-flash-preview',
		'gemini-3-pro-image-preview',
		'gemini-3.1-pro',
		'gemini-3.7-flash',
		'gemini-flash-latest',
		'gemma-3-27b-it',
		'learnlm-2.0',
	],
	vertex: ['gemini-2.5-pro', 'gemini-3-pro-preview'],
	bedrock: [
		'anthropic.claude-opus-5-v1:0',
		'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
		'anthropic.claude-3-haiku-20240307-v1:0',
		'amazon.nova-pro-v1:0',
		'us.amazon.nova-2-lite-v1:0',
		'mistral.mistral-large-2407-v1:0',
		'openai.gpt-oss-120b-1:0',
		'us.openai.gpt-5.2',
		'meta.llama3-3-70b-instruct-v1:0',
	],
	'openai-compatible': ['local'],
};

/** The part of the requests that is the same for all models. */
type Made = {readonly body: string; readonly rewrites?: Iterable<unknown>};

/** Makes the body of a request, as `requestBody` does. */
export type MakeBody = (model: string, request: ModelRequest) => Promise<Made>;

/**
Returns a hash over the requests to a model: each effort with each of several other settings, each dialect, and two
histories, under the rules 1 and 2. It covers the bodies and the notes of rewrites.
*/
export async function formsOf(provider: string, model: string, make: MakeBody): Promise<string> {
	const hash = createHash('sha256');
	const add = async (settings: Settings, request: Pick<ModelRequest, 'messages' | 'prompt' | 'tools'>) => {
		const {body, rewrites = []} = await make(`${provider}/${model}`, {...request, settings, readMedia});
		hash.update(`${body}\n${JSON.stringify([...rewrites])}\n`);
	};
	for (const rules of [{}, {rules: 2}, ...dialectsOf(provider)]) {
		await add({...rules}, {prompt: 'You are inkpod. \ud83d', tools, messages: history(provider)});
		for (const reasoning of efforts)
			for (const other of others)
				await add(
					{...rules, ...(reasoning !== undefined && {reasoning}), ...other},
					{prompt: 'P', tools: tools.slice(0, 1), messages: shortHistory},
				);
	}
	return hash.digest('hex').slice(0, 16);
}

function dialectsOf(provider: string): readonly Settings[] {
	if (provider !== 'openai-compatible') return [];
	const names = ['strict', 'deepseek', 'kimi', 'qwen', 'groq', 'openrouter', 'mistral', 'gemini', 'ollama'];
	return [{mergeUser: true}, ...names.map(dialect => ({rules: 2, dialect}))];
}

const efforts = [undefined, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

const others: readonly Settings[] = [
	{},
	{maxOutputTokens: 2000},
	{maxOutputTokens: 500_000},
	{temperature: 1.7, topP: 0.9},
	{topP: 0.5, reasoningSummary: 'detailed', cacheKey: 'k'},
	{temperature: 0.5, stop: ['END'], reasoningSummary: 'auto', maxOutputTokens: 900},
];

const tools: ModelRequest['tools'] = [
	{
		name: 'read_file',
		description: 'Reads a file.',
		parameters: {
			type: 'object',
			properties: {path: {type: 'string'}, limit: {type: 'integer', exclusiveMinimum: 0}},
			required: ['path'],
			additionalProperties: false,
		},
	},
	{
		name: 'mcp__x__y',
		description: '',
		parameters: {
			$schema: 'http://json-schema.org/draft-07/schema#',
			type: 'object',
			properties: {a: {anyOf: [{type: 'string'}, {type: 'null'}], default: null}, b: {$ref: '#/$defs/t'}},
			$defs: {t: {enum: ['p', 1]}},
		},
	},
];

const shortHistory: readonly ModelMessage[] = [
	{role: 'user', text: 'x'},
	{
		role: 'assistant',
		parts: [
			{type: 'text', text: 't '},
			{type: 'tool_call', callId: 'c1', name: 'read_file', arguments: '{}'},
		],
	},
	{role: 'tool', results: [{callId: 'c1', name: 'read_file', content: 'r', isError: false}]},
];

type Kept = Readonly<Record<'thought' | 'hidden' | 'text' | 'call', Readonly<Record<string, unknown>>>>;

/** What a provider wants to get back with its own parts. */
const kept: Readonly<Record<string, {readonly key: string} & Kept>> = {
	anthropic: {
		key: 'anthropic',
		thought: {signature: 'SIG'},
		hidden: {redactedData: 'RED'},
		text: {citations: [{url: 'https://x'}]},
		call: {},
	},
	openai: {
		key: 'openai',
		thought: {itemId: 'rs_1', reasoningEncryptedContent: 'ENC'},
		hidden: {itemId: 'rs_2', reasoningEncryptedContent: null},
		text: {itemId: 'msg_1', phase: 'commentary'},
		call: {itemId: 'fc_1'},
	},
	google: {
		key: 'google',
		thought: {thoughtSignature: 'TS0'},
		hidden: {},
		text: {thoughtSignature: 'TS1'},
		call: {thoughtSignature: 'TS2'},
	},
	bedrock: {
		key: 'amazonBedrock',
		thought: {signature: 'SIG'},
		hidden: {redactedData: 'RED'},
		text: {},
		call: {},
	},
	'openai-compatible': {
		key: 'chat',
		thought: {
			field: 'reasoning_content',
			reasoning_details: [{type: 'reasoning.text', text: 'I think.', signature: 'S'}],
		},
		hidden: {reasoning_details: [{type: 'reasoning.encrypted', data: 'E'}]},
		text: {},
		call: {extra_content: {google: {thought_signature: 'TS'}}},
	},
};

/** Returns a history with all kinds of messages and parts, with data of this provider and of another one. */
function history(provider: string): readonly ModelMessage[] {
	const own = kept[provider] ?? kept[provider === 'azure' ? 'openai' : 'google']!;
	const from = (data: Readonly<Record<string, unknown>>) => ({provider: {[own.key]: data}});
	const call = (callId: string, name: string, args: string): AssistantPart => ({
		type: 'tool_call',
		callId,
		name,
		arguments: args,
	});
	return [
		{role: 'user', text: 'Explain @a.ts \u{1F44D} 二つ lone \ud83d "q" </b> \u2028'},
		{role: 'user', text: '[Image: a.png]', media: image},
		{role: 'user', text: '[Document: a.pdf]', media: pdf},
		{
			role: 'assistant',
			parts: [
				{type: 'reasoning', text: 'Elsewhere.', provider: {elsewhere: {signature: 'X'}}},
				{type: 'reasoning', text: 'I think.', ...from(own.thought)},
				{type: 'reasoning', text: '', ...from(own.hidden)},
				{type: 'reasoning', text: 'Unsigned.'},
				{type: 'text', text: 'Let me look. ', ...from(own.text)},
				{...call('call:1', 'read_file', '{ "path": "a.ts", "limit": 2 }'), ...from(own.call)},
				call('call_2', 'mcp__x__y', ''),
				call('call_3', 'fly', '{"a": tr'),
			],
		},
		{
			role: 'tool',
			results: [
				{callId: 'call:1', name: 'read_file', content: '1\tconst a = 1;', isError: false},
				{callId: 'call_2', name: 'mcp__x__y', content: '', isError: false},
				{callId: 'call_3', name: 'fly', content: '', isError: true},
			],
		},
		{
			role: 'assistant',
			parts: [
				{type: 'text', text: '   '},
				{type: 'reasoning', text: 'Second.', ...from(own.thought)},
				{type: 'text', text: 'It is a constant.', ...from(own.text)},
				{type: 'text', text: ' Yes.'},
			],
		},
		{role: 'user', text: 'Thanks.'},
		{role: 'user', text: 'More.'},
		{role: 'assistant', parts: [{type: 'text', text: 'Done. '}]},
	];
}

const image = {kind: 'image', mime: 'image/png', bytes: 70, sha256: 'a', width: 1, height: 1} as const;

const pdf = {kind: 'document', mime: 'application/pdf', bytes: 70, sha256: 'b'} as const;

async function readMedia(): Promise<string> {
	return 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
}
