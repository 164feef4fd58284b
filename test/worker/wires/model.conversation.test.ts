import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from '../../../src/worker/history/model.ts';
import type {Answer} from '../../../src/worker/wires/script.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer, wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {bare, modelAt, throughJson} from './wire-model.ts';

const question: ModelMessage = {role: 'user', text: 'What is in a.ts and b.ts?'};
const file: ModelMessage = {role: 'user', text: '[File: a.ts]\nexport const a = 1;\n'};

const thinkTwice: Answer = [
	{type: 'reasoning', text: 'I should read both, 二つとも 👍.', chunk: 3},
	{type: 'text', text: 'Let me look.', chunk: 4},
	{type: 'tool_call', name: 'read_file', arguments: {path: 'a.ts'}, chunk: 5},
	{type: 'tool_call', name: 'read_file', arguments: {path: 'b.ts', lines: [1, 2]}, chunk: 7},
	{type: 'usage', input: 100, output: 20, cacheRead: 60, reasoning: 8},
];
const conclude: Answer = [
	{type: 'reasoning', text: 'Now I know.'},
	{type: 'text', text: 'They hold one constant each.', chunk: 2},
	{type: 'usage', input: 150, output: 12, cacheRead: 100},
];
const farewell: Answer = [{type: 'text', text: 'Goodbye.'}];

const tools: ModelRequest['tools'] = [
	{
		name: 'read_file',
		description: 'Reads a file.',
		parameters: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']},
	},
];
const settings: ModelRequest['settings'] = {reasoning: 'high', maxOutputTokens: 4096, unknown: {ignored: true}};

function answersTo(parts: readonly AssistantPart[]): ModelMessage {
	const results = parts.flatMap((part): ToolAnswer[] =>
		part.type === 'tool_call'
			? [{callId: part.callId, name: part.name, content: `content of ${part.arguments}`, isError: false}]
			: [],
	);
	return {
		role: 'tool',
		results: results.map((result, index) =>
			index === 1 ? {...result, content: 'No such file.', isError: true} : result,
		),
	};
}

async function converse(
	wire: WireName,
): Promise<{bodies: string[]; hashes: unknown[]; refusals: readonly string[]; messages: ModelMessage[]}> {
	await using server = await startServer(wire, [thinkTwice, conclude, farewell]);
	const model = await modelAt(wire, server);
	let messages: ModelMessage[] = [question, file];
	const hashes: unknown[] = [];

	const first = await collect(model, ask(messages, {tools, settings}));
	expect(first.error).toBeUndefined();
	expect(first.stop).toBe('tool_calls');
	expect(first.usage).toMatchObject({input: 100, output: 20, cacheRead: 60});
	expect(bare(first.parts)).toEqual([
		{type: 'reasoning', text: 'I should read both, 二つとも 👍.'},
		{type: 'text', text: 'Let me look.'},
		{type: 'tool_call', callId: 'call_1_3', name: 'read_file', arguments: '{"path":"a.ts"}'},
		{type: 'tool_call', callId: 'call_1_4', name: 'read_file', arguments: '{"path":"b.ts","lines":[1,2]}'},
	]);
	hashes.push(first.hash);

	messages = throughJson([...messages, {role: 'assistant', parts: first.parts}, answersTo(first.parts)]);
	const second = await collect(model, ask(messages, {tools, settings}));
	expect(second.error).toBeUndefined();
	expect(second.stop).toBe('end');
	hashes.push(second.hash);

	messages = throughJson([
		...messages,
		{role: 'assistant', parts: second.parts},
		{role: 'user', text: 'Thank you.'},
		{role: 'user', text: '[File: c.ts]\n'},
	]);
	const third = await collect(model, ask(messages, {tools, settings}));
	expect(third.error).toBeUndefined();
	expect(bare(third.parts)).toEqual([{type: 'text', text: 'Goodbye.'}]);
	hashes.push(third.hash);
	return {bodies: server.requests.map(({body}) => body), hashes, refusals: server.refusals, messages};
}

describe.each(wires)('a conversation over the %s wire', wire => {
	it('is accepted with thoughts, parallel calls and a history that was stored as JSON', async () => {
		const {refusals, bodies} = await converse(wire);
		expect(refusals).toEqual([]);
		expect(bodies).toHaveLength(3);
	});

	it('reports the sha256 of the bytes that the server received', async () => {
		const {bodies, hashes} = await converse(wire);
		expect(hashes).toEqual(bodies.map(body => createHash('sha256').update(body).digest('hex')));
	});

	it('sends the same bytes when it is repeated', async () => {
		expect((await converse(wire)).bodies).toEqual((await converse(wire)).bodies);
	});

	it('sends the same request after a restart of the program', async () => {
		await using server = await startServer(wire, [thinkTwice, conclude, conclude]);
		const first = await collect(await modelAt(wire, server), ask([question], {tools, settings}));
		const messages: ModelMessage[] = [question, {role: 'assistant', parts: first.parts}, answersTo(first.parts)];
		await collect(await modelAt(wire, server), ask(messages, {tools, settings}));
		await collect(await modelAt(wire, server), ask(throughJson(messages), {tools, settings}));
		expect(server.refusals).toEqual([]);
		expect(server.requests[2]!.body).toBe(server.requests[1]!.body);
	});

	it('reports that the server refuses a thought without its signature', async () => {
		await using server = await startServer(wire, [thinkTwice, conclude]);
		const model = await modelAt(wire, server);
		const first = await collect(model, ask([question], {tools, settings}));
		const stripped = bare(first.parts.filter(part => part.type !== 'reasoning'));
		const second = await collect(
			model,
			ask([question, {role: 'assistant', parts: stripped}, answersTo(first.parts)], {tools, settings}),
		);
		expect(server.refusals).toHaveLength(1);
		expect(second.error).toMatchObject({reason: 'bad_request', retryable: false});
		expect(second.error?.message).toContain(server.refusals[0]);
	});

	it('sends settings under the provider’s own names', async () => {
		await using server = await startServer(wire, [farewell]);
		await collect(await modelAt(wire, server), ask([question], {settings}));
		expect(server.requests[0]!.json).toMatchObject(settingsOnWire[wire]);
		expect(server.requests[0]!.body).not.toContain('ignored');
	});
});

const settingsOnWire: Readonly<Record<WireName, object>> = {
	anthropic: {max_tokens: 4096, output_config: {effort: 'high'}},
	openai: {
		max_output_tokens: 4096,
		reasoning: {effort: 'high'},
		store: false,
		include: ['reasoning.encrypted_content'],
	},
	google: {generationConfig: {maxOutputTokens: 4096, thinkingConfig: {thinkingLevel: 'high'}}},
	'openai-compatible': {max_tokens: 4096, reasoning_effort: 'high', stream_options: {include_usage: true}},
};

describe('a thought without text', () => {
	it.each(['anthropic', 'openai'] as const)(
		'is stored and sent back when %s has redacted or encrypted it',
		async wire => {
			await using server = await startServer(wire, [
				[
					{type: 'reasoning', text: ''},
					{type: 'tool_call', name: 'read_file', arguments: '{}'},
				],
				farewell,
			]);
			const model = await modelAt(wire, server);
			const first = await collect(model, ask([question], {tools}));
			expect(first.parts[0]).toMatchObject({type: 'reasoning', text: '', provider: {[wire]: {}}});
			const second = await collect(
				model,
				ask(throughJson([question, {role: 'assistant' as const, parts: first.parts}, answersTo(first.parts)]), {
					tools,
				}),
			);
			expect(server.refusals).toEqual([]);
			expect(second.stop).toBe('end');
		},
	);
});
