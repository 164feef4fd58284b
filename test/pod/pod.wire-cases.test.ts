import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {requestSettings, type Answer, type Item, type ModelSpec} from '../../src/worker/index.ts';
import {loadModel} from '../../src/worker/wires/load.ts';
import {allowed, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {
	startServer,
	type HttpAnswer,
	type RecordedRequest,
	type ServerAnswer,
	type WireServer,
} from '../helpers/wire-servers/index.ts';
import {modelNames, specAt, testKey} from '../worker/wires/wire-model.ts';

/** Whole turns at strict servers that behave as real ones did. Each case stands for its kind. */

function stream(...events: ReadonlyArray<object | string>): HttpAnswer {
	const body = events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
	return {status: 200, headers: {'content-type': 'text/event-stream'}, body};
}

const choice = (delta: object, finish: string | null = null, index = 0) => ({index, delta, finish_reason: finish});
const chunk = (...choices: readonly object[]) => ({object: 'chat.completion.chunk', choices});
const said = (content: string) => chunk(choice({role: 'assistant', content}));
const called = (id: string, args: string) => ({
	tool_calls: [{index: 0, id, type: 'function', function: {name: 'glob', arguments: args}}],
});
const done: Answer = [{type: 'text', text: 'Done.'}];

type Ran = {readonly items: readonly Item[]; readonly requests: readonly RecordedRequest[]};

async function ran(server: WireServer, spec: ModelSpec): Promise<Ran> {
	const pod = await testPod(await tempProject({'a.ts': ''}), {
		model: await loadModel(spec),
		settings: requestSettings(spec),
		...allowed,
	});
	expect(await pod.run('What is here?')).toEqual({accepted: true});
	await pod.rest();
	const {requests} = server;
	expect(await verifyRequests(pod.items())).toMatchObject({same: requests.length, different: 0, unmade: 0});
	return {items: pod.items(), requests};
}

async function ranSafe(...answers: readonly ServerAnswer[]): Promise<Ran> {
	await using server = await startServer('openai-compatible', answers, {dialect: 'safe'});
	const held = await ran(server, specAt('safe', server));
	return held;
}

async function ranGemini(...answers: readonly ServerAnswer[]): Promise<Ran> {
	await using server = await startServer('google', answers);
	const spec = {provider: 'google', model: modelNames.google, apiKey: testKey, baseURL: server.url};
	const held = await ran(server, spec);
	return held;
}

function partsOf(items: readonly Item[]): readonly string[] {
	return items.flatMap(item => {
		if (item.type === 'reasoning') return [`thought: ${item.text}`];
		if (item.type === 'tool_call') return [`call: ${item.arguments}`];
		return item.type === 'message' && item.role === 'assistant' ? [item.text] : [];
	});
}

describe('an answer of chat completions', () => {
	it('has the calls of each of its choices', async () => {
		const {items} = await ranSafe(
			stream(
				chunk(choice({content: 'I look.'}), choice(called('b', '{"pattern":"*.ts"}'), null, 1)),
				chunk(choice({}, 'stop'), choice({}, 'tool_calls', 1)),
				'[DONE]',
			),
			done,
		);
		expect(partsOf(items)).toEqual(['I look.', 'call: {"pattern":"*.ts"}', 'Done.']);
		expect(items.find(item => item.type === 'tool_result')).toMatchObject({isError: false});
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it('fails and keeps its text when an error comes in a chunk without a finish', async () => {
		const error = {message: 'The backend is gone.', code: 'backend_gone'};
		const {items, requests} = await ranSafe(stream(said('Half'), {...chunk(choice({})), error}, '[DONE]'), done);
		expect(partsOf(items)).toEqual(['Half']);
		expect(requests).toHaveLength(1);
		expect(items.at(-1)).toMatchObject({
			type: 'run_end',
			outcome: 'error',
			cause: expect.stringContaining('The backend is gone.'),
		});
	});

	it.each(['{"pattern":"*.', '{"pattern":', '{"pattern":"*.ts","path"'])(
		'with a call that was cut is reported to the model as that, although its finish says tool_calls: %s',
		async args => {
			const {items, requests} = await ranSafe(
				stream(chunk(choice(called('abcdefgh1', args))), chunk(choice({}, 'tool_calls')), '[DONE]'),
				done,
			);
			const result = items.find(item => item.type === 'tool_result');
			expect(result).toMatchObject({isError: true, content: expect.stringMatching(/\bcut\b/)});
			expect(JSON.stringify(result)).not.toMatch(/Unterminated|Unexpected|not valid JSON/);
			expect(requests[1]?.body).toContain('cut');
		},
	);

	it.each([
		['<think>', '<think>I should look.</think>\n\nHello.'],
		['only </think>', 'I should look.\n</think>\n\nHello.'],
		[
			'channels of gpt-oss',
			'<|channel|>analysis<|message|>I should look.<|end|><|start|>assistant<|channel|>final<|message|>Hello.',
		],
	])('has a thought and a text under the safe dialect: %s', async (_, text) => {
		const pieces = text.match(/[^]{1,3}/g) ?? [];
		const {items} = await ranSafe(stream(...pieces.map(said), chunk(choice({}, 'stop')), '[DONE]'));
		expect(partsOf(items).map(part => part.trim())).toEqual(['thought: I should look.', 'Hello.']);
	});

	it('counts the cached tokens that its prompt count leaves out', async () => {
		const usage = {prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: {cached_tokens: 9000}};
		await using server = await startServer('openai-compatible', [
			stream(said('Hello.'), {...chunk(choice({}, 'stop')), usage}, '[DONE]'),
		]);
		const spec = specAt('safe', server);
		const pod = await testPod(await tempProject(), {
			model: await loadModel(spec),
			settings: requestSettings(spec),
		});
		await pod.run('Hello.');
		await pod.rest();
		expect(pod.context()).toMatchObject({tokens: 9025, exact: true});
	});
});

describe('a quota of Google that is used up', () => {
	const quota = (quotaId: string, retryDelay: string): HttpAnswer => ({
		status: 429,
		body: JSON.stringify({
			error: {
				code: 429,
				message: 'You exceeded your current quota, please check your plan and billing details.',
				status: 'RESOURCE_EXHAUSTED',
				details: [
					{'@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{quotaId}]},
					{'@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay},
				],
			},
		}),
	});

	it('is waited for if it is that of a minute', async () => {
		const {items, requests} = await ranGemini(quota('GenerateRequestsPerMinutePerProject', '0.05s'), done);
		expect(requests).toHaveLength(2);
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it('ends the turn with the time of the next try if it is that of a day', async () => {
		// Near midnight in California, inkpod waits for the new day.
		vi.useFakeTimers({toFake: ['Date'], now: Date.parse('2026-11-30T20:00:00Z')});
		onTestFinished(() => void vi.useRealTimers());
		const {items, requests} = await ranGemini(quota('GenerateRequestsPerDayPerProject-FreeTier', '2s'), done);
		expect(requests).toHaveLength(1);
		const cause = expect.stringMatching(/^Rate limited by .+ Try again (?:at \d\d:\d\d \()?in /);
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'error', cause});
		expect(JSON.stringify(items.at(-1))).not.toMatch(/No credit/);
	});
});
