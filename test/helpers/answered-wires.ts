import type {ModelSpec} from '../../src/worker/wires/load.ts';
import {frame} from '../worker/wires/converse-frames.ts';

/** The forms in which servers name the model that answered. */
export type WireForm = {
	readonly name: keyof typeof answersOf;
	/** The model that is asked for, without the address of the server. */
	readonly spec: ModelSpec;
	/** What the server reports if it answers with this model. */
	readonly reported: string;
	readonly region?: 'header';
};

const apiKey = 'sk-test-0123456789abcdef';
const sse = (values: readonly unknown[]): string => values.map(value => `data: ${JSON.stringify(value)}\n\n`).join('');

function chat(model: string): string {
	const head = {id: 'chatcmpl-1', object: 'chat.completion.chunk', model, system_fingerprint: 'fp_1'};
	return `${sse([
		{...head, choices: [{index: 0, delta: {role: 'assistant', content: 'Yes.'}, finish_reason: null}]},
		{...head, choices: [{index: 0, delta: {}, finish_reason: 'stop'}]},
	])}data: [DONE]\n\n`;
}

function responses(model: string): string {
	const response = {id: 'resp_1', object: 'response', model, status: 'in_progress'};
	const item = {type: 'message', id: 'msg_1', role: 'assistant', content: [{type: 'output_text', text: 'Yes.'}]};
	return sse([
		{type: 'response.created', response},
		{type: 'response.output_item.done', output_index: 0, item},
		{type: 'response.completed', response: {...response, status: 'completed', output: [item]}},
	]);
}

function messages(model: string): string {
	const usage = {input_tokens: 5, output_tokens: 1, inference_geo: 'us'};
	return sse([
		{type: 'message_start', message: {id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage}},
		{type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
		{type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text: 'Yes.'}},
		{type: 'content_block_stop', index: 0},
		{type: 'message_delta', delta: {stop_reason: 'end_turn'}, usage: {output_tokens: 2}},
		{type: 'message_stop'},
	]);
}

function gemini(model: string): string {
	const content = {role: 'model', parts: [{text: 'Yes.'}]};
	return sse([{candidates: [{content, finishReason: 'STOP'}], modelVersion: model, responseId: 'r_1'}]);
}

function converse(model: string): Uint8Array {
	return Buffer.concat([
		frame('messageStart', {role: 'assistant'}),
		frame('contentBlockDelta', {contentBlockIndex: 0, delta: {text: 'Yes.'}}),
		frame('contentBlockStop', {contentBlockIndex: 0}),
		frame('messageStop', {stopReason: 'end_turn'}),
		frame('metadata', {
			usage: {inputTokens: 5, outputTokens: 2},
			...(model !== '' && {trace: {promptRouter: {invokedModelId: model}}}),
		}),
	]);
}

/** The answers of servers that report this name. */
export const answersOf = {
	'chat completions': chat,
	OpenRouter: chat,
	responses: responses,
	Azure: responses,
	messages: messages,
	Gemini: gemini,
	Vertex: gemini,
	Bedrock: converse,
} as const satisfies Readonly<Record<string, (model: string) => string | Uint8Array>>;

const bedrock = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const aws = {kind: 'aws', region: 'us-east-1'} as const;

export const wireForms: readonly WireForm[] = [
	{
		name: 'chat completions',
		spec: {provider: 'groq', model: 'openai/gpt-oss-120b', apiKey},
		reported: 'gpt-oss-120b',
	},
	{
		name: 'OpenRouter',
		spec: {provider: 'openrouter', model: 'anthropic/claude-sonnet-4.5', apiKey},
		reported: 'anthropic/claude-4.5-sonnet-20250929',
	},
	{name: 'responses', spec: {provider: 'openai', model: 'gpt-5.4', apiKey}, reported: 'gpt-5.4-2026-03-05'},
	{
		name: 'Azure',
		spec: {provider: 'azure', model: 'gpt-5-2', apiKey},
		reported: 'gpt-5.2-2025-12-11',
		region: 'header',
	},
	{
		name: 'messages',
		spec: {provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey},
		reported: 'claude-sonnet-4-5-20250929',
	},
	{
		name: 'Gemini',
		spec: {provider: 'google', model: 'gemini-2.5-flash', apiKey},
		reported: 'models/gemini-2.5-flash',
	},
	{name: 'Vertex', spec: {provider: 'vertex', model: 'gemini-1.5-pro', apiKey}, reported: 'gemini-1.5-pro-002'},
	{
		name: 'Bedrock',
		spec: {provider: 'bedrock', model: `us.${bedrock}`, apiKey, options: {cloud: aws}},
		reported: `arn:aws:bedrock:us-east-1::foundation-model/${bedrock}`,
	},
];
