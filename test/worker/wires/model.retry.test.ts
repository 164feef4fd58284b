import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import type {Model} from '../../../src/worker/index.ts';
import {collect} from '../../helpers/collect.ts';
import {testPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {startServer, wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {head, startRawServer} from '../../helpers/wire-servers/raw.ts';
import {startCloud} from './cloud-server.ts';
import {frame} from './converse-frames.ts';
import {hello} from './hostile-answer.ts';
import {modelAt, testKey} from './wire-model.ts';

type Name = WireName | 'bedrock';
type Event = object | Uint8Array;

const failedWith = (error: object | undefined) => ({type: 'response.failed', response: {status: 'failed', error}});
const anthropicError = (type: string) => ({type: 'error', error: {type, message: 'Sorry.'}});
const stopped = (stop_reason: string) => ({type: 'message_delta', delta: {stop_reason}, usage: {output_tokens: 0}});
const geminiError = (code: number, status: string) => ({error: {code, status, message: 'Sorry.'}});
const candidate = (finishReason: string) => ({candidates: [{content: {role: 'model', parts: []}, finishReason}]});
const exception = (type: string) => frame(type, {message: 'Sorry.'}, 'exception');

/** The faults of servers, by their wires: what a server sends before any text. */
const faults: ReadonlyArray<readonly [Name, string, Event]> = [
	['openai', 'response.failed with server_error', failedWith({code: 'server_error', message: 'Sorry.'})],
	['openai', 'response.failed without an error', failedWith(undefined)],
	['openai', 'an error with server_error', {type: 'error', code: 'server_error', message: 'Sorry.'}],
	[
		'openai',
		'response.incomplete with an error word',
		{type: 'response.incomplete', response: {status: 'incomplete', incomplete_details: {reason: 'server_error'}}},
	],
	['anthropic', 'overloaded_error', anthropicError('overloaded_error')],
	['anthropic', 'api_error', anthropicError('api_error')],
	['anthropic', 'timeout_error', anthropicError('timeout_error')],
	['anthropic', 'an error word as stop_reason', stopped('network_error')],
	['google', 'INTERNAL', geminiError(500, 'INTERNAL')],
	['google', 'UNAVAILABLE', geminiError(503, 'UNAVAILABLE')],
	['google', 'DEADLINE_EXCEEDED', geminiError(504, 'DEADLINE_EXCEEDED')],
	['google', 'CANCELLED', geminiError(499, 'CANCELLED')],
	['google', 'an error word as finishReason', candidate('SERVER_ERROR')],
	['openai-compatible', 'network_error', {choices: [{index: 0, delta: {}, finish_reason: 'network_error'}]}],
	['bedrock', 'internalServerException', exception('internalServerException')],
	['bedrock', 'serviceUnavailableException', exception('serviceUnavailableException')],
	['bedrock', 'throttlingException', exception('throttlingException')],
	['bedrock', 'modelStreamErrorException', exception('modelStreamErrorException')],
	['bedrock', 'modelTimeoutException', exception('modelTimeoutException')],
	['bedrock', 'an error word as stopReason', frame('messageStop', {stopReason: 'server_error'})],
];

/** Ends that are the model's or the request's, and not a server's fault. */
const others: ReadonlyArray<readonly [Name, string, Event]> = [
	['openai', 'invalid_prompt', failedWith({code: 'invalid_prompt', message: 'No.'})],
	[
		'openai',
		'content_filter',
		{type: 'response.incomplete', response: {incomplete_details: {reason: 'content_filter'}}},
	],
	['anthropic', 'invalid_request_error', anthropicError('invalid_request_error')],
	['anthropic', 'refusal', stopped('refusal')],
	['google', 'INVALID_ARGUMENT', geminiError(400, 'INVALID_ARGUMENT')],
	['google', 'OTHER', candidate('OTHER')],
	['bedrock', 'validationException', exception('validationException')],
	['bedrock', 'a new stop reason', frame('messageStop', {stopReason: 'something_new'})],
];

const thoughts: Readonly<Record<Name, Event>> = {
	openai: {
		type: 'response.reasoning_summary_text.delta',
		item_id: 'r',
		output_index: 0,
		summary_index: 0,
		delta: 'Hm',
	},
	anthropic: {type: 'content_block_delta', index: 0, delta: {type: 'thinking_delta', thinking: 'Hm'}},
	google: {candidates: [{content: {role: 'model', parts: [{text: 'Hm', thought: true}]}}]},
	'openai-compatible': {choices: [{index: 0, delta: {reasoning_content: 'Hm'}}]},
	bedrock: frame('contentBlockDelta', {contentBlockIndex: 0, delta: {reasoningContent: {text: 'Hm'}}}),
};

function bytesOf(events: readonly Event[]): Buffer {
	return Buffer.concat(
		events.map(event => (event instanceof Uint8Array ? event : Buffer.from(`data: ${JSON.stringify(event)}\n\n`))),
	);
}

const typeOf = (name: Name) => (name === 'bedrock' ? 'application/vnd.amazon.eventstream' : 'text/event-stream');

async function at(name: Name, server: {readonly url: string}): Promise<Model> {
	return name === 'bedrock'
		? loadModel({provider: name, model: 'm', apiKey: testKey, baseURL: server.url})
		: modelAt(name, server);
}

async function answered(name: Name, events: readonly Event[]) {
	await using server = await startRawServer(socket => {
		socket.write(head({'content-type': typeOf(name)}));
		socket.end(bytesOf(events));
	});
	const got = await collect(await at(name, server), hello);
	await server.allClosed();
	return got;
}

describe('a fault of the server before any text', () => {
	it.each(faults)('is worth another try (%s: %s)', async (name, _, event) => {
		const {error} = await answered(name, [event]);
		expect(error?.retryable === true ? '' : error?.message).toBe('');
		expect((await answered(name, [thoughts[name], event])).error).toMatchObject({retryable: true});
	});

	it.each(others)('is not the end of another answer (%s: %s)', async (name, _, event) => {
		const {error, stop} = await answered(name, [event]);
		expect(error?.retryable ?? false).toBe(false);
		expect(error === undefined).toBe(stop !== undefined);
	});
});

/** Runs one turn with a model whose first answer has this fault after a thought. Returns the parts and the outcome. */
async function held(model: Model) {
	const limits = {...defaultLimits, retry: {...defaultLimits.retry, maxAttempts: 2}};
	const told = await testPod(await tempProject(), {model, limits});
	await told.run('Hello.');
	await told.rest();
	return told.items().flatMap(item => {
		if (item.type === 'reasoning') return [`thought ${item.text} ${item.stop}`];
		if (item.type === 'run_end') return [item.outcome];
		return item.type === 'message' && item.role === 'assistant' ? [item.text] : [];
	});
}

const first: Readonly<Partial<Record<Name, Event>>> = Object.fromEntries(
	faults.toReversed().map(([name, , event]) => [name, event]),
);

describe('a turn whose first answer has a fault of the server', () => {
	it.each(wires)('is answered by the second request (%s)', async wire => {
		const body = bytesOf([thoughts[wire], first[wire]!]).toString();
		await using server = await startServer(wire, [
			{status: 200, headers: {'content-type': typeOf(wire)}, body},
			[{type: 'text', text: 'Here.'}],
		]);
		expect(await held(await modelAt(wire, server))).toEqual(['thought Hm error', 'Here.', 'finished']);
		expect(server.refusals).toEqual([]);
	});

	it('is answered by the second request (bedrock)', async () => {
		const text = [
			frame('contentBlockDelta', {contentBlockIndex: 0, delta: {text: 'Here.'}}),
			frame('contentBlockStop', {contentBlockIndex: 0}),
			frame('messageStop', {stopReason: 'end_turn'}),
		];
		const answer = (events: readonly Event[]) => ({type: typeOf('bedrock'), body: bytesOf(events)});
		const server = await startCloud([answer([thoughts.bedrock, first.bedrock!]), answer(text)]);
		expect(await held(await at('bedrock', server))).toEqual(['thought Hm error', 'Here.', 'finished']);
		expect(server.requests).toHaveLength(2);
	});
});
