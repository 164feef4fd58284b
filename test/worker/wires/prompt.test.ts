import {describe, expect, it} from 'vitest';
import type {ModelMessage} from '../../../src/worker/history/model.ts';
import {argumentsValue, toPrompt, wordIds, type Dialect} from '../../../src/worker/wires/prompt.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer, wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {modelAt} from './wire-model.ts';

const plain: Dialect = {dataKey: 'mine', mergeUser: false};

/** Returns a prompt as JSON, without the parts of the request that its values come from. */
function promptOf(...request: Parameters<typeof toPrompt>): unknown {
	return JSON.parse(
		JSON.stringify(toPrompt(...request), (key, value: unknown) => (key === 'of' ? undefined : value)),
	);
}

describe('the arguments of a call', () => {
	it.each([
		['{"a":1}', {a: 1}],
		['', {}],
		[' \n', {}],
		['{"a":', {invalid_json: '{"a":'}],
		['[1]', {invalid_json: '[1]'}],
		['null', {invalid_json: 'null'}],
		['"{}"', {invalid_json: '"{}"'}],
		[String.raw`{"a":"\ud83d"}`, {a: '\uFFFD'}],
		['{"a":"\uD83D', {invalid_json: '{"a":"\uFFFD'}],
	])('are sent back as an object: %j', (text, value) => {
		expect(argumentsValue(text)).toEqual(value);
	});

	it('keep __proto__ as an own key', () => {
		expect(JSON.stringify(argumentsValue('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
	});
});

describe('a prompt for a model', () => {
	it('contains the system prompt, user messages, calls and results in order', () => {
		const messages: ModelMessage[] = [
			{role: 'user', text: 'One'},
			{role: 'user', text: 'Two'},
			{
				role: 'assistant',
				parts: [
					{type: 'text', text: 'Hm', provider: {mine: {id: 'x'}, other: {y: 1}}},
					{type: 'tool_call', callId: 'c1', name: 'f', arguments: '{}'},
					{type: 'tool_call', callId: 'c2', name: 'g', arguments: '{}'},
				],
			},
			{
				role: 'tool',
				results: [
					{callId: 'c1', name: 'f', content: 'yes', isError: false},
					{callId: 'c2', name: 'g', content: '', isError: true},
				],
			},
		];
		expect(promptOf(ask(messages), plain)).toEqual([
			{role: 'system', content: 'Be brief.'},
			{role: 'user', content: [{type: 'text', text: 'One'}]},
			{role: 'user', content: [{type: 'text', text: 'Two'}]},
			{
				role: 'assistant',
				content: [
					{type: 'text', text: 'Hm', provider: {mine: {id: 'x'}, other: {y: 1}}},
					{type: 'call', callId: 'c1', name: 'f', input: {}},
					{type: 'call', callId: 'c2', name: 'g', input: {}},
				],
			},
			{
				role: 'tool',
				content: [
					{callId: 'c1', name: 'f', output: 'yes', isError: false},
					{callId: 'c2', name: 'g', output: '(no message)', isError: true},
				],
			},
		]);
	});

	it('merges consecutive user messages with mergeUser', () => {
		const prompt = promptOf(
			ask(
				[
					{role: 'user', text: 'One'},
					{role: 'user', text: 'Two'},
					{role: 'assistant', parts: [{type: 'reasoning', text: 'only a thought'}]},
					{role: 'user', text: 'Three'},
				],
				{prompt: ''},
			),
			{...plain, mergeUser: true},
		);
		expect(prompt).toEqual([{role: 'user', content: ['One', 'Two', 'Three'].map(text => ({type: 'text', text}))}]);
	});

	it('merges consecutive user messages with mergeUser', () => {
		const prompt = promptOf(
			ask(
				[
					{role: 'user', text: ' \n'},
					{
						role: 'assistant',
						parts: [
							{type: 'reasoning', text: 'theirs', provider: {other: {signature: 's'}}},
							{type: 'reasoning', text: 'mine', provider: {mine: {signature: 's'}}},
							{type: 'text', text: ' '},
							{type: 'text', text: '', provider: {mine: {signature: 't'}}},
							{type: 'text', text: 'said'},
							{type: 'reasoning', text: 'cut', provider: {mine: {}}},
						],
					},
					{role: 'assistant', parts: []},
					{role: 'tool', results: []},
				],
				{prompt: ''},
			),
			plain,
		);
		expect(prompt).toEqual([
			{
				role: 'assistant',
				content: [
					{type: 'reasoning', text: 'mine', provider: {mine: {signature: 's'}}},
					{type: 'text', text: '', provider: {mine: {signature: 't'}}},
					{type: 'text', text: 'said'},
				],
			},
		]);
	});

	it('contains no blank texts, no thoughts of other providers and no thoughts without a successor', () => {
		expect(promptOf(ask([{role: 'user', text: 'a\uD83D'}], {prompt: ''}), plain)).toEqual([
			{role: 'user', content: [{type: 'text', text: 'a\uFFFD'}]},
		]);
	});

	it('replaces a call id that the provider refuses, in call and result', () => {
		const call = (callId: string): ModelMessage[] => [
			{role: 'assistant', parts: [{type: 'tool_call', callId, name: 'f', arguments: ''}]},
			{role: 'tool', results: [{callId, name: 'f', content: 'ok', isError: false}]},
		];
		const ids = [...call('functions.f:0'), ...call('good_1')];
		const text = JSON.stringify(promptOf(ask(ids), {...plain, callIds: wordIds}));
		expect(text).not.toContain('functions.f:0');
		expect(new Set(text.match(/call_[0-9a-f]{32}/g))).toHaveProperty('size', 1);
		expect(text.match(/good_1/g)).toHaveLength(2);
	});
});

/** A history after switches of model, crashes and cuts. */
const rough: ModelMessage[] = [
	{role: 'user', text: 'Go on.\uD83D'},
	{role: 'user', text: '  '},
	{
		role: 'assistant',
		parts: [
			{type: 'reasoning', text: 'signed elsewhere', provider: {elsewhere: {signature: 'zzz'}}},
			{type: 'text', text: '\n\n'},
			{type: 'tool_call', callId: 'functions.read:0', name: 'read_file', arguments: '{"path":'},
			{type: 'tool_call', callId: 'x'.repeat(90), name: 'read_file', arguments: '', provider: {elsewhere: {}}},
		],
	},
	{
		role: 'tool',
		results: [
			{callId: 'functions.read:0', name: 'read_file', content: '', isError: true},
			{callId: 'x'.repeat(90), name: 'read_file', content: '', isError: false},
		],
	},
	{role: 'user', text: 'And now?'},
	{role: 'assistant', parts: [{type: 'reasoning', text: 'cut'}]},
	{role: 'user', text: 'Well?'},
];

describe.each(wires)('a damaged history over the %s wire', (wire: WireName) => {
	it('is accepted after a switch from another provider', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Here.'}]], {alternate: true});
		const settings = {mergeUser: true, mergeResults: true};
		const {stop} = await collect(await modelAt(wire, server), ask(rough, {settings}));
		expect(server.refusals).toEqual([]);
		expect(stop).toBe('end');
	});
});

describe('consecutive user messages', () => {
	const two = ask([
		{role: 'user', text: 'One'},
		{role: 'user', text: 'Two'},
	]);

	it('are merged with mergeUser when a template requires alternating roles', async () => {
		await using server = await startServer('openai-compatible', [[{type: 'text', text: 'Yes.'}]], {
			alternate: true,
		});
		expect((await collect(await modelAt('openai-compatible', server), two)).error).toMatchObject({
			reason: 'bad_request',
		});
		const merged = {...two, settings: {mergeUser: true}};
		expect((await collect(await modelAt('openai-compatible', server), merged)).stop).toBe('end');
	});

	it.each(['openai', 'openai-compatible'] as const)('stay separate for %s', async wire => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Yes.'}]]);
		await collect(await modelAt(wire, server), two);
		const {input, messages} = server.requests[0]!.json;
		expect((input ?? messages).filter(({role}: {role: string}) => role === 'user')).toHaveLength(2);
	});

	it.each(['anthropic', 'google'] as const)('become parts of one message for %s', async wire => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Yes.'}]]);
		await collect(await modelAt(wire, server), two);
		const {messages, contents} = server.requests[0]!.json;
		expect(messages ?? contents).toHaveLength(1);
	});
});
