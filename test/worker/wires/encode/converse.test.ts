import {describe, expect, it} from 'vitest';
import type {Settings} from '../../../../src/worker/history/item.ts';
import type {ModelMessage} from '../../../../src/worker/history/model.ts';
import {encodeConverse} from '../../../../src/worker/wires/encode/converse.ts';
import {shortCallId} from '../../../../src/worker/wires/encode/converse-call-ids.ts';
import {piecesOf} from '../../../../src/worker/wires/encode/sourced.ts';
import {toPrompt, wordIds} from '../../../../src/worker/wires/prompt.ts';
import {ask} from '../../../helpers/collect.ts';

const dialect = {dataKey: 'amazonBedrock', mergeUser: true, callIds: wordIds};
const tools = [{name: 'f', description: ' ', parameters: {type: 'object'}}];

function encoded(messages: readonly ModelMessage[], model = 'amazon.nova-pro-v1:0', settings: Settings = {}) {
	const request = ask([...messages], {settings});
	return encodeConverse(toPrompt(request, dialect), {model, settings, tools, note() {}});
}

function bodyOf(messages: readonly ModelMessage[], model?: string, settings?: Settings): Record<string, unknown> {
	return JSON.parse(JSON.stringify(encoded(messages, model, settings).body)) as Record<string, unknown>;
}

const conversation: readonly ModelMessage[] = [
	{role: 'user', text: 'One'},
	{
		role: 'assistant',
		parts: [
			{type: 'reasoning', text: 'Hm.', provider: {amazonBedrock: {signature: 'signed'}}},
			{type: 'reasoning', text: '', provider: {amazonBedrock: {redactedContent: 'hidden'}}},
			{type: 'reasoning', text: 'Unsigned.'},
			{type: 'text', text: 'Let me look.'},
			{type: 'tool_call', callId: 'c1', name: 'f', arguments: '{"a":1}'},
		],
	},
	{role: 'tool', results: [{callId: 'c1', name: 'f', content: 'yes', isError: true}]},
	{role: 'user', text: 'Two'},
];

describe('the body of a request to Converse', () => {
	it('has the system prompt, alternating messages and the tools', () => {
		expect(bodyOf(conversation)).toEqual({
			system: [{text: 'Be brief.'}],
			messages: [
				{role: 'user', content: [{text: 'One'}]},
				{
					role: 'assistant',
					content: [
						{reasoningContent: {reasoningText: {text: 'Hm.', signature: 'signed'}}},
						{reasoningContent: {redactedContent: 'hidden'}},
						{text: 'Let me look.'},
						{toolUse: {toolUseId: 'c1', name: 'f', input: {a: 1}}},
					],
				},
				{role: 'user', content: [{toolResult: {toolUseId: 'c1', content: [{text: 'yes'}]}}, {text: 'Two'}]},
			],
			toolConfig: {tools: [{toolSpec: {name: 'f', inputSchema: {json: {type: 'object'}}}}]},
		});
		expect(encoded(conversation, 'a:b').path).toBe('/model/a%3Ab/converse-stream');
	});

	it('names the source of each value, and its pieces are the body', () => {
		const {body} = encoded(conversation, 'us.mistral.large');
		const pieces = piecesOf(body);
		expect(pieces.map(({text}) => text).join('')).toBe(JSON.stringify(body));
		const sourceOf = (text: string) => pieces.find(piece => piece.text === text)?.origin;
		expect(sourceOf('Be brief.')).toEqual({kind: 'setup', key: 'prompt'});
		expect(sourceOf('Two')).toMatchObject({kind: 'part', part: 'text'});
		expect(sourceOf('signed')).toMatchObject({kind: 'part', part: 'provider data'});
		expect(sourceOf(shortCallId('c1'))).toMatchObject({part: 'call id', rule: 'call_id'});
		expect(sourceOf('{"a":1}')).toMatchObject({part: 'arguments'});
	});

	it('has no calls and results without tools', () => {
		const request = ask([...conversation]);
		const context = {model: 'm', settings: {}, tools: [], note() {}};
		const {body} = encodeConverse(toPrompt(request, dialect), context);
		expect(JSON.stringify(body)).not.toMatch(/tool/i);
	});

	it('ends without spaces, if it ends with an answer', () => {
		const messages: readonly ModelMessage[] = [
			{role: 'user', text: 'One'},
			{role: 'assistant', parts: [{type: 'text', text: ' and '}]},
		];
		expect(bodyOf(messages)['messages']).toEqual([
			{role: 'user', content: [{text: 'One'}]},
			{role: 'assistant', content: [{text: 'and'}]},
		]);
	});

	it.each([
		[
			'anthropic.claude-opus-4-6-v1:0',
			{reasoning: 'xhigh', temperature: 0.5},
			{effort: 'max', inference: undefined},
		],
		[
			'anthropic.claude-sonnet-4-5-v1:0',
			{reasoning: 'low', stop: ['END']},
			{inference: ['stopSequences', 'maxTokens']},
		],
		[
			'anthropic.claude-sonnet-4-5-v1:0',
			{maxOutputTokens: 9, stop: ['E']},
			{inference: ['maxTokens', 'stopSequences']},
		],
		['openai.gpt-oss-120b-1:0', {temperature: 3, stop: ['END']}, {inference: ['temperature']}],
		['openai.gpt-5.2', {temperature: 3, topP: 1, stop: ['END']}, {inference: undefined}],
		['amazon.nova-2-lite-v1:0', {reasoning: 'high', maxOutputTokens: 9}, {inference: undefined}],
	] as const)('has what the settings give for %s: %j', (model, settings, {inference, ...more}) => {
		const body = bodyOf([{role: 'user', text: 'One'}], model, settings);
		const sent = body['inferenceConfig'];
		expect(sent === undefined ? undefined : Object.keys(sent as object)).toEqual(inference);
		if ('effort' in more)
			expect(body['additionalModelRequestFields']).toEqual({
				thinking: {type: 'adaptive'},
				output_config: {effort: more.effort},
			});
	});
});

describe('a short call id', () => {
	it.each([
		['abcdefghi', 'abcdefghi'],
		['tooluse_1', shortCallId('tooluse_1')],
	])('of %s is %s', (id, short) => {
		expect(shortCallId(id)).toBe(short);
		expect(short).toMatch(/^[a-zA-Z0-9]{9}$/);
	});

	it('differs for different ids', () => {
		expect(new Set(Array.from({length: 500}, (_, n) => shortCallId(`call_${n}`))).size).toBe(500);
	});
});
