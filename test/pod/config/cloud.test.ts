import {describe, expect, it} from 'vitest';
import {chooseModel} from '../../../src/pod/config/model-choice.ts';

const home = {HOME: '/home/me'};

function specOf(flag: string, env: Readonly<Record<string, string>>, config = {}) {
	const choice = chooseModel({flag, env: {...home, ...env}, config});
	if (!choice.ok) throw new Error(choice.sentence);
	return choice.spec;
}

describe('a model of Azure OpenAI', () => {
	const key = {AZURE_OPENAI_API_KEY: 'k'};

	it.each([
		[{AZURE_RESOURCE_NAME: 'mine'}, 'https://mine.openai.azure.com/openai/v1'],
		[{AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com/'}, 'https://mine.openai.azure.com/openai/v1'],
		[{AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com/openai/'}, 'https://mine.openai.azure.com/openai/v1'],
		[{AZURE_OPENAI_ENDPOINT: 'https://gateway.example/azure/v1'}, 'https://gateway.example/azure/v1'],
		[
			{AZURE_RESOURCE_NAME: 'mine', AZURE_OPENAI_API_VERSION: 'preview'},
			'https://mine.openai.azure.com/openai/v1?api-version=preview',
		],
		[
			{AZURE_RESOURCE_NAME: 'mine', OPENAI_API_VERSION: '2025-04-01-preview'},
			'https://mine.openai.azure.com/openai?api-version=2025-04-01-preview',
		],
	])('is reached with %j', (env, baseURL) => {
		expect(specOf('azure/gpt-5-prod', {...key, ...env})).toMatchObject({model: 'gpt-5-prod', apiKey: 'k', baseURL});
	});

	it.each([
		[{}, /set AZURE_OPENAI_ENDPOINT or AZURE_RESOURCE_NAME/],
		[{AZURE_RESOURCE_NAME: 'evil.example/#'}, /AZURE_RESOURCE_NAME is not a name/],
		[{AZURE_OPENAI_ENDPOINT: 'mine.openai.azure.com'}, /its base URL is not an http or https address/],
	])('cannot be used with %j', (env, sentence) => {
		expect(() => specOf('azure/m', {...key, ...env})).toThrow(sentence);
	});
});

describe('a model of Amazon Bedrock', () => {
	const region = {AWS_REGION: 'eu-west-1'};
	const keys = {AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session'};
	const url = 'https://bedrock-runtime.eu-west-1.amazonaws.com';

	it('uses the bearer token before the keys of the account', () => {
		const {apiKey, baseURL, options} = specOf('bedrock/m', {...region, ...keys, AWS_BEARER_TOKEN_BEDROCK: 'token'});
		expect([apiKey, baseURL, options]).toEqual(['token', url, {cloud: {kind: 'aws', region: 'eu-west-1'}}]);
	});

	it('uses the keys of the account', () => {
		const {apiKey, baseURL, options} = specOf('bedrock/eu.anthropic.claude-sonnet-5-v1:0', {...region, ...keys});
		const credentials = {accessKeyId: 'AKIA', secretAccessKey: 'secret', sessionToken: 'session'};
		expect([apiKey, baseURL, options]).toEqual([
			undefined,
			url,
			{cloud: {kind: 'aws', region: 'eu-west-1', credentials}},
		]);
	});

	it('is at another address in China, or at the address that the user sets', () => {
		expect(specOf('bedrock/m', {...keys, AWS_DEFAULT_REGION: 'cn-north-1'}).baseURL).toBe(
			'https://bedrock-runtime.cn-north-1.amazonaws.com.cn',
		);
		const own = {...region, ...keys, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'https://vpce.example'};
		expect(specOf('bedrock/m', own).baseURL).toBe('https://vpce.example');
	});

	it.each([
		[keys, /it needs a region: set AWS_REGION/],
		[{...keys, AWS_REGION: 'evil.example/'}, /AWS_REGION is not a name/],
		[{...region, AWS_ACCESS_KEY_ID: 'AKIA'}, /set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET/],
	])('cannot be used with %j', (env, sentence) => {
		expect(() => specOf('bedrock/m', env)).toThrow(sentence);
	});
});

describe('a model of Google Vertex AI', () => {
	it('needs only a key in express mode', () => {
		const {apiKey, baseURL, options} = specOf('vertex/gemini-4', {GOOGLE_VERTEX_API_KEY: 'k'});
		expect([apiKey, baseURL, options]).toEqual([
			'k',
			'https://aiplatform.googleapis.com/v1/publishers/google',
			undefined,
		]);
	});

	it.each([
		['global', 'aiplatform.googleapis.com'],
		['eu', 'aiplatform.eu.rep.googleapis.com'],
		['europe-west4', 'europe-west4-aiplatform.googleapis.com'],
	])('is reached in the location %s', (location, host) => {
		const env = {GOOGLE_VERTEX_PROJECT: 'p-1', GOOGLE_VERTEX_LOCATION: location};
		expect(specOf('vertex/gemini-4', env)).toMatchObject({
			baseURL: `https://${host}/v1beta1/projects/p-1/locations/${location}/publishers/google`,
			options: {cloud: {kind: 'google', file: '/home/me/.config/gcloud/application_default_credentials.json'}},
		});
	});

	it('uses the credentials that GOOGLE_APPLICATION_CREDENTIALS names', () => {
		const env = {GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_APPLICATION_CREDENTIALS: '/keys/a.json'};
		expect(specOf('vertex/m', env).options).toEqual({cloud: {kind: 'google', file: '/keys/a.json'}});
	});

	it.each([
		[{}, /set GOOGLE_VERTEX_PROJECT, or GOOGLE_VERTEX_API_KEY/],
		[{GOOGLE_VERTEX_PROJECT: 'a/b'}, /GOOGLE_VERTEX_PROJECT is not a name/],
		[{GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'x.evil/'}, /GOOGLE_VERTEX_LOCATION is not a name/],
	])('cannot be used with %j', (env, sentence) => {
		expect(() => specOf('vertex/m', env)).toThrow(sentence);
	});
});
