import {createHash, createHmac} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {loadModel, type ModelSpec} from '../../../src/worker/wires/load.ts';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startCloud, type CloudRequest} from './cloud-server.ts';
import {frame} from './converse-frames.ts';
import {testKey, throughJson} from './wire-model.ts';

const type = 'application/vnd.amazon.eventstream';

const delta = (contentBlockIndex: number, content: unknown) =>
	frame('contentBlockDelta', {contentBlockIndex, delta: content});
const stop = (contentBlockIndex: number) => frame('contentBlockStop', {contentBlockIndex});
const start = frame('messageStart', {role: 'assistant'});
const end = (stopReason: string) => [
	frame('messageStop', {stopReason}),
	frame('metadata', {usage: {inputTokens: 5, outputTokens: 3, totalTokens: 8}, metrics: {latencyMs: 1}}),
];

const thinkingCall = [
	start,
	delta(0, {reasoningContent: {text: 'hm'}}),
	delta(0, {reasoningContent: {signature: 'signed'}}),
	stop(0),
	delta(1, {text: 'Let me '}),
	delta(1, {text: 'look.'}),
	stop(1),
	frame('contentBlockStart', {contentBlockIndex: 2, start: {toolUse: {toolUseId: 'tooluse_1', name: 'f'}}}),
	delta(2, {toolUse: {input: '{"a":'}}),
	delta(2, {toolUse: {input: '1}'}}),
	stop(2),
	...end('tool_use'),
];

const credentials = {
	accessKeyId: 'AKIATEST',
	secretAccessKey: 'secret-0123456789abcdef',
	sessionToken: 'session-token-1',
};
const name = 'eu.anthropic.claude-sonnet-4-5-v1:0';
const hello = ask([{role: 'user', text: 'Hello.'}]);

async function bedrockAt(baseURL: string, spec: Partial<ModelSpec> = {}) {
	const cloud = {kind: 'aws' as const, region: 'eu-west-1', credentials};
	return loadModel({provider: 'bedrock', model: name, baseURL, options: {cloud}, ...spec});
}

async function answerOf(frames: readonly Uint8Array[]) {
	const server = await startCloud([{type, body: Buffer.concat(frames)}]);
	return collect(await bedrockAt(server.url), hello);
}

describe('an answer from Amazon Bedrock', () => {
	it('has thoughts, text and calls, and its signature is sent back', async () => {
		const body = Buffer.concat(thinkingCall);
		const server = await startCloud([
			{type, body},
			{type, body},
		]);
		const model = await bedrockAt(server.url);
		const first = await collect(model, hello);
		expect([first.stop, first.usage]).toMatchObject(['tool_calls', {input: 5, output: 3}]);
		expect(first.parts.map(part => part.type)).toEqual(['reasoning', 'text', 'tool_call']);
		const again = ask(
			throughJson([
				{role: 'user' as const, text: 'Hello.'},
				{role: 'assistant' as const, parts: first.parts},
				{role: 'tool' as const, results: [{callId: 'tooluse_1', name: 'f', content: 'ok', isError: false}]},
			]),
			{tools: [{name: 'f', description: 'f', parameters: {type: 'object'}}]},
		);
		await collect(model, again);
		const sent = JSON.parse(server.requests[1]?.body ?? '');
		expect(sent.messages).toEqual([
			{role: 'user', content: [{text: 'Hello.'}]},
			{
				role: 'assistant',
				content: [
					{reasoningContent: {reasoningText: {text: 'hm', signature: 'signed'}}},
					{text: 'Let me look.'},
					{toolUse: {toolUseId: 'tooluse_1', name: 'f', input: {a: 1}}},
				],
			},
			{role: 'user', content: [{toolResult: {toolUseId: 'tooluse_1', content: [{text: 'ok'}]}}]},
		]);
		expect(await requestBody(`bedrock/${name}`, again)).toMatchObject({ok: true, body: server.requests[1]?.body});
	});

	it('comes to a request that is signed with the keys of the account', async () => {
		const server = await startCloud([{type, body: Buffer.concat(thinkingCall)}]);
		await collect(await bedrockAt(server.url), hello);
		const [request] = server.requests;
		expect(request?.url).toBe(`/model/${encodeURIComponent(name)}/converse-stream`);
		expect(request?.headers['x-amz-security-token']).toBe('session-token-1');
		expect(request?.headers.authorization).toMatch(
			/^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-west-1\/bedrock\//,
		);
		expect(signatureOf(request!)).toBe(/Signature=([\da-f]+)/.exec(request?.headers.authorization ?? '')?.[1]);
		expect(JSON.stringify(request)).not.toContain(credentials.secretAccessKey);
	});

	it('comes to a request with a bearer token, which never has the keys too', async () => {
		const server = await startCloud([{type, body: Buffer.concat(thinkingCall)}]);
		const cloud = {kind: 'aws' as const, region: 'eu-west-1'};
		await collect(await bedrockAt(server.url, {apiKey: testKey, options: {cloud}}), hello);
		expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`);
	});

	it.each([1, 7, 64])('is the same in pieces of %i bytes', async size => {
		const {createFrameSplitter} = await import('../../../src/worker/wires/reading/converse/frames.ts');
		const bytes = Buffer.concat(thinkingCall);
		const split = createFrameSplitter();
		const frames = [];
		for (let at = 0; at < bytes.length; at += size) frames.push(...split(bytes.subarray(at, at + size)));
		expect(Buffer.concat(frames.map(found => found.bytes)).equals(bytes)).toBe(true);
		expect(frames.map(found => found.type)).toHaveLength(thinkingCall.length);
	});

	it('is kept despite unknown events, blocks and fields', async () => {
		const {
			events,
			parts,
			stop: ended,
		} = await answerOf([
			start,
			frame('newEvent', {a: 1}),
			frame('contentBlockStart', {contentBlockIndex: 0, start: {image: {format: 'png'}}}),
			delta(0, {image: {bytes: 'AAAA'}}),
			stop(0),
			delta(1, {text: 'Here.', extra: true}),
			delta(1, {reasoningContent: {newField: 'x'}}),
			stop(1),
			frame('metadata', {usage: {inputTokens: null}}),
			frame('messageStop', {stopReason: 'end_turn', more: []}),
		]);
		expect(ended).toBe('end');
		expect(parts).toContainEqual(expect.objectContaining({type: 'text', text: 'Here.'}));
		const unread = events.flatMap(event =>
			event.type === 'start' && event.part.type === 'unread' ? event.part.kind : [],
		);
		expect(unread).toEqual(['image', 'image', 'reasoningContent']);
	});

	it.each([
		['end_turn', 'end'],
		['malformed_tool_use', 'unread_call'],
		['stop_sequence', 'end'],
		['tool_use', 'tool_calls'],
		['max_tokens', 'length'],
		['content_filtered', 'blocked'],
		['guardrail_intervened', 'blocked'],
		['something_new', 'other'],
	])('ends with %s as %s', async (reason, ended) => {
		expect((await answerOf([start, delta(0, {text: 'x'}), stop(0), ...end(reason)])).stop).toBe(ended);
	});

	it.each([
		['after some text', [start, delta(0, {text: 'x'})]],
		['inside a frame', [start, delta(0, {text: 'x'}).subarray(0, 20)]],
	])('is cut off when the stream ends %s', async (_when, frames) => {
		expect((await answerOf(frames)).error).toMatchObject({reason: 'cut', retryable: true});
	});

	it('is refused when it is not a stream of frames', async () => {
		const server = await startCloud([{type: 'text/html', body: '<html><title>Login</title></html>'}]);
		expect((await collect(await bedrockAt(server.url), hello)).error).toMatchObject({reason: 'bad_response'});
	});

	it.each([
		['throttlingException', 'rate_limited', true],
		['serviceUnavailableException', 'overloaded', true],
		['internalServerException', 'overloaded', true],
		['validationException', 'bad_request', false],
	])('fails with %s inside the stream as %s', async (exception, reason, retryable) => {
		const {error} = await answerOf([start, frame(exception, {message: 'Sorry.'}, 'exception')]);
		expect(error).toMatchObject({reason, retryable});
		expect(error?.message).toMatch(/Sorry\./);
	});

	it.each([
		[403, {message: 'The security token included in the request is invalid.'}, 'unauthorized'],
		[400, {message: 'Input is too long for requested model.'}, 'too_long'],
		[429, {message: 'Too many requests'}, 'rate_limited'],
		[404, {message: 'Could not resolve the foundation model'}, 'not_found'],
	])('fails with the status %i and the server’s words', async (status, words, reason) => {
		const server = await startCloud([{status, type: 'application/json', body: JSON.stringify(words)}]);
		expect((await collect(await bedrockAt(server.url), hello)).error).toMatchObject({reason});
	});
});

/** The signature of a request, computed anew (docs.aws.amazon.com: Signature Version 4). */
function signatureOf({url, headers, body}: CloudRequest): string {
	const authorization = headers.authorization ?? '';
	const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '';
	const credentialScope = /Credential=[^/]+\/([^,]+)/.exec(authorization)?.[1] ?? '';
	const [date = '', region = '', service = ''] = credentialScope.split('/');
	const sha = (text: string) => createHash('sha256').update(text).digest('hex');
	const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
	const canonical = [
		'POST',
		url.split('/').map(encodeURIComponent).join('/'),
		'',
		...names.split(';').map(header => `${header}:${String(headers[header]).trim()}`),
		'',
		names,
		sha(body),
	].join('\n');
	const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], credentialScope, sha(canonical)].join('\n');
	const key = ['aws4_request'].reduce(
		hmac,
		[region, service].reduce(hmac, hmac(`AWS4${credentials.secretAccessKey}`, date)),
	);
	return createHmac('sha256', key).update(text).digest('hex');
}
