import {createHash} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Settings} from '../../../src/worker/index.ts';
import type {AssistantPart, ModelMessage, ModelRequest} from '../../../src/worker/history/model.ts';
import {dialectNames} from '../../../src/worker/wires/dialects.ts';
import {createGrowingBodies} from '../../../src/worker/wires/growing-body.ts';
import {loadWire} from '../../../src/worker/wires/load.ts';
import {makeBody} from '../../../src/worker/wires/ready-request.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_129);
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 300 : 12;

const servers: ReadonlyArray<readonly [provider: string, model: string, settings: Settings]> = [
	['anthropic', 'claude-sonnet-5', {rules: 2}],
	['anthropic', 'claude-3-haiku-20240307', {}],
	['openai', 'gpt-5', {rules: 2}],
	['openai', 'gpt-4o', {}],
	['google', 'gemini-2.5-pro', {rules: 2}],
	['google', 'gemini-3-pro-preview', {rules: 2, mergeResults: true}],
	['google', 'gemma-3-27b-it', {rules: 2}],
	['vertex', 'gemini-3-pro-preview', {}],
	['bedrock', 'anthropic.claude-opus-5-v1:0', {rules: 2}],
	['bedrock', 'mistral.mistral-large-2407-v1:0', {rules: 2}],
	['openai-compatible', 'local', {}],
	['openai-compatible', 'local', {mergeUser: true}],
	['openai-compatible', 'local', {rules: 2, forms: ['prompt_in_message']}],
	...dialectNames.map(dialect => ['openai-compatible', 'local', {rules: 2, dialect}] as const),
];

describe.each(servers)(
	`the bodies of a growing conversation with %s/%s, %j (seed ${seed})`,
	(provider, model, settings) => {
		it('are the same as if each was made from its start', async () => {
			await fc.assert(
				fc.asyncProperty(conversation, fc.boolean(), async (messages, hasTools) => {
					const bodies = await startBodies(provider, model);
					const request = {prompt: 'You are inkpod.', tools: hasTools ? tools : noTools, settings, readMedia};
					const growing: ModelMessage[] = [];
					for (const step of messages) {
						growing.push(...step);
						await bodies.compare({...request, messages: [...growing]});
					}
				}),
				{seed, numRuns},
			);
		});

		it('need only the new messages of a long turn', async () => {
			const bodies = await startBodies(provider, model);
			const growing: ModelMessage[] = [{role: 'user', text: 'Begin.'}];
			const request = {prompt: 'You are inkpod.', tools, settings};
			for (let n = 0; n < 60; n++) {
				await bodies.compare({...request, messages: [...growing]});
				growing.push(...turn(`call${String(n).padStart(5, '0')}`));
			}
			// The words of the user settle everything before the last answers.
			growing.push({role: 'user', text: 'Go on.'});
			await bodies.compare({...request, messages: [...growing]});
			const most = settings['forms'] === undefined && model !== 'gemma-3-27b-it' ? 40 : Infinity;
			expect(bodies.messages()).toBeLessThan(most * 61);
		});
	},
);

it('the bodies of requests that diverge or get shorter are the same as if each was made from its start', async () => {
	const bodies = await startBodies('openai-compatible', 'local');
	const request = {prompt: 'P', tools, settings: {rules: 2, dialect: 'qwen'}};
	const messages = [...Array.from({length: 12}, (_, n) => turn(`call${n}`)).flat()];
	const one: readonly ModelMessage[] = [{role: 'user', text: 'Begin.'}, ...messages];
	const words: ModelMessage = {role: 'user', text: 'Go on.'};
	await bodies.compare({...request, messages: one.slice(0, 21)});
	await Promise.all([
		bodies.compare({...request, messages: [...one, words]}),
		bodies.compare({...request, messages: [...one.slice(0, 21), ...turn('other'), ...turn('more')]}),
	]);
	await bodies.compare({...request, messages: one});
	await bodies.compare({...request, messages: [...one, words, ...turn('last')]});
});

async function startBodies(provider: string, model: string) {
	const wire = await loadWire({provider, model, apiKey: 'none', baseURL: 'http://127.0.0.1'});
	let made = 0;
	const next = createGrowingBodies(async request => {
		made += request.messages.length;
		return makeBody(wire, request);
	});
	return {
		/** The number of messages from which bodies were made so far. */
		messages: () => made,
		async compare(request: ModelRequest): Promise<void> {
			const {bytes, sha256, notes, path, headers} = await next(request);
			const whole = await makeBody(wire, request);
			const text = JSON.stringify(whole.body);
			expect(Buffer.concat(bytes).toString()).toBe(text);
			expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
			expect({path, headers}).toEqual({path: whole.path, headers: whole.headers});
			expect(new Set(notes)).toEqual(new Set(whole.notes));
		},
	};
}

const tools: ModelRequest['tools'] = [
	{name: 'read_file', description: 'Reads a file.', parameters: {type: 'object', properties: {}}},
];
const noTools: ModelRequest['tools'] = [];

async function readMedia(): Promise<string> {
	return 'aGVsbG8=';
}

function turn(callId: string): readonly ModelMessage[] {
	const call = {type: 'tool_call', callId, name: 'read_file', arguments: '{"path": "a"}', provider} as const;
	const thought = {type: 'reasoning', text: 'Hm.', provider} as const;
	return [
		{role: 'assistant', parts: [thought, call]},
		{role: 'tool', results: [{callId, name: 'read_file', content: `of ${callId}`, isError: false}]},
	];
}

/** What each server stores with a part. */
const provider = {
	anthropic: {signature: 'c2ln'},
	openai: {itemId: 'rs_1', reasoningEncryptedContent: 'ZW5j'},
	google: {thoughtSignature: 'c2ln'},
	googleVertex: {thoughtSignature: 'c2ln'},
	amazonBedrock: {signature: 'c2ln'},
	compatible: {reasoning_details: [{type: 'reasoning.text', text: 'Hm.'}]},
};

const words = fc.constantFrom('One.', ' two ', '', '  ', '\u{1f600}', '\ud83d');
const data = fc.constantFrom(provider, undefined, {other: {signature: 'x'}});
const callId = fc.constantFrom('call_1', 'aB3dE6gH9', 'x y', '1'.repeat(80));

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
	fc.record({type: fc.constant('text' as const), text: words, provider: data}),
	fc.record({type: fc.constant('reasoning' as const), text: words, provider: data}),
	fc.record({
		type: fc.constant('tool_call' as const),
		callId,
		name: fc.constant('read_file'),
		arguments: fc.constantFrom('{}', '{"a":1}', '[1]', '{ "a" : 1 }'),
		provider: data,
	}),
);

const media = {kind: 'image', sha256: 'a'.repeat(64), mime: 'image/png', bytes: 5} as const;

const message: fc.Arbitrary<ModelMessage> = fc.oneof(
	{
		weight: 50,
		arbitrary: fc.record({role: fc.constant('assistant' as const), parts: fc.array(part, {maxLength: 4})}),
	},
	{
		weight: 40,
		arbitrary: fc.record({
			role: fc.constant('tool' as const),
			results: fc.array(
				fc.record({
					callId,
					name: fc.constant('read_file'),
					content: words,
					isError: fc.boolean(),
				}),
				{maxLength: 2},
			),
		}),
	},
	{weight: 20, arbitrary: fc.record({role: fc.constant('user' as const), text: words})},
	{weight: 1, arbitrary: fc.record({role: fc.constant('user' as const), text: words, media: fc.constant(media)})},
);

/** Whole turns with any messages between them: some bodies can continue, and some cannot. */
const step: fc.Arbitrary<readonly ModelMessage[]> = fc.oneof(
	{weight: 5, arbitrary: callId.map(turn)},
	{weight: 2, arbitrary: fc.array(message, {minLength: 1, maxLength: 3})},
	{weight: 1, arbitrary: fc.constant([{role: 'user', text: 'Go on.'}] as const)},
);

const conversation = fc.array(step, {minLength: 20, maxLength: 50});
