import {createVerify, generateKeyPairSync} from 'node:crypto';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {events, startCloud, type CloudAnswer} from './cloud-server.ts';
import {testKey, throughJson} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);
const call = {functionCall: {name: 'f', args: {a: 1}}, thoughtSignature: 'c2lnbmVk'};
const answer = events([
	{candidates: [{content: {role: 'model', parts: [{text: 'hm', thought: true}]}}]},
	{candidates: [{content: {role: 'model', parts: [call]}, finishReason: 'STOP'}]},
	{usageMetadata: {promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8}},
]);
const token: CloudAnswer = {type: 'application/json', body: JSON.stringify({access_token: 'ya29', expires_in: 3600})};
const {privateKey, publicKey} = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	publicKeyEncoding: {type: 'spki', format: 'pem'},
	privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
});

async function fileOf(content: unknown): Promise<string> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'inkpod-vertex-'));
	onTestFinished(async () => rm(folder, {recursive: true, force: true}));
	const file = path.join(folder, 'credentials.json');
	await writeFile(file, JSON.stringify(content));
	return file;
}

const account = (url: string) => ({
	type: 'service_account',
	client_email: 'me@p.iam.gserviceaccount.com',
	private_key: privateKey,
	private_key_id: 'k1',
	token_uri: url,
});

async function vertexAt(url: string, file: string) {
	const baseURL = `${url}/v1beta1/projects/p/locations/global/publishers/google`;
	const options = {cloud: {kind: 'google' as const, file}};
	return loadModel({provider: 'vertex', model: 'gemini-4', baseURL, options});
}

describe('Gemini on Vertex AI', () => {
	it('gets the token of a service account, which is requested once, and gets its signatures back', async () => {
		const tokens = await startCloud([token]);
		const server = await startCloud([{body: answer}, {body: answer}]);
		const model = await vertexAt(server.url, await fileOf(account(tokens.url)));
		const first = await collect(model, hello);
		expect([first.error, first.stop, first.usage]).toMatchObject([undefined, 'tool_calls', {input: 5, output: 3}]);
		const callId = first.parts.find(part => part.type === 'tool_call')?.callId ?? '';
		const again = ask(
			throughJson([
				{role: 'user' as const, text: 'Hello.'},
				{role: 'assistant' as const, parts: first.parts},
				{role: 'tool' as const, results: [{callId, name: 'f', content: 'ok', isError: false}]},
			]),
		);
		await collect(model, again);
		expect(tokens.requests).toHaveLength(1);
		const form = new URLSearchParams(tokens.requests[0]?.body);
		const [head = '', claims = '', signature = ''] = form.get('assertion')?.split('.') ?? [];
		expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
		expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(
			true,
		);
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
			iss: 'me@p.iam.gserviceaccount.com',
			aud: tokens.url,
			scope: 'https://www.googleapis.com/auth/cloud-platform',
		});
		const [, second] = server.requests;
		expect(second?.url).toBe(
			'/v1beta1/projects/p/locations/global/publishers/google/models/gemini-4:streamGenerateContent?alt=sse',
		);
		expect([second?.headers.authorization, second?.headers['x-goog-api-key']]).toEqual(['Bearer ya29', undefined]);
		expect(second?.body).toContain('c2lnbmVk');
		expect(await requestBody('vertex/gemini-4', again)).toMatchObject({ok: true, body: second?.body});
	});

	it('gets the token of a user who logged in with gcloud', async () => {
		const tokens = await startCloud([token]);
		const server = await startCloud([{body: answer}]);
		const user = {
			type: 'authorized_user',
			client_id: 'c',
			client_secret: 's',
			refresh_token: 'r',
			token_uri: tokens.url,
		};
		expect((await collect(await vertexAt(server.url, await fileOf(user)), hello)).stop).toBe('tool_calls');
		expect(Object.fromEntries(new URLSearchParams(tokens.requests[0]?.body))).toEqual({
			grant_type: 'refresh_token',
			client_id: 'c',
			client_secret: 's',
			refresh_token: 'r',
		});
	});

	it('gets a key in express mode', async () => {
		const server = await startCloud([{body: answer}]);
		const model = await loadModel({provider: 'vertex', model: 'm', apiKey: testKey, baseURL: `${server.url}/v1`});
		expect((await collect(model, hello)).stop).toBe('tool_calls');
		expect(server.requests[0]?.headers['x-goog-api-key']).toBe(testKey);
	});

	it('fails with one sentence and no secret when the token server refuses', async () => {
		const body = JSON.stringify({error: 'invalid_grant', error_description: privateKey});
		const tokens = await startCloud([{status: 400, type: 'application/json', body}]);
		const file = await fileOf(account(tokens.url));
		const {error} = await collect(await vertexAt('http://127.0.0.1:9', file), hello);
		expect(error).toMatchObject({reason: 'unauthorized', retryable: false});
		expect(error?.message.replace(/127\.0\.0\.1:\d+/, 'HOST')).toBe(
			`HOST refused the Google credentials in ${file} (400, invalid_grant).`,
		);
	});

	it.each([
		[
			{type: 'service_account', client_email: 'a'},
			/is not the file of a service account or of a gcloud login\. Check GOOGLE/,
		],
		[{...account('https://x.example'), private_key: 'no key'}, /^The private key in \S+ cannot be used\.$/],
		[account('http://evil.example/token'), /is not the file of a service account or of a gcloud login\./],
		['text', /is not the file of a service account or of a gcloud login\./],
	])('fails with the mistake in a credentials file, case %#', async (content, sentence) => {
		const {error} = await collect(await vertexAt('http://127.0.0.1:9', await fileOf(content)), hello);
		expect(error?.message).toMatch(sentence);
	});

	it('fails with a sentence when the credentials file is missing', async () => {
		const {error} = await collect(await vertexAt('http://127.0.0.1:9', '/nowhere/a.json'), hello);
		expect(error?.message).toBe('The Google credentials in /nowhere/a.json cannot be read (ENOENT).');
	});
});
