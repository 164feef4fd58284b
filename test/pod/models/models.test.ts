import {describe, expect, it} from 'vitest';
import {chooseModel} from '../../../src/pod/config/model-choice.ts';
import type {StoredKeys} from '../../../src/pod/ground/env/found-key.ts';
import {modelAccess} from '../../../src/pod/models/models.ts';

const env = {GOOGLE_API_KEY: 'secret', OPENAI_API_KEY: ' ', MINE: 'secret', AWS_ACCESS_KEY_ID: 'secret'};
const cloud = {AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1'};
const stored: StoredKeys = new Map([
	['openai', 'keychain'],
	['groq', 'file'],
	['google', 'file'],
]);
const servers = {
	mine: {wire: 'openai-compatible', baseURL: 'https://mine.example/v1', keyVariable: 'MINE'},
	free: {wire: 'openai-compatible', baseURL: 'https://free.example/v1'},
	vllm: {baseURL: 'http://gpu.example:8000/v1'},
	lmstudio: {baseURL: 'http://localhost:4321/v1'},
} as const;

describe('the access to a model', () => {
	it.each([
		['google/m', 'key from GOOGLE_API_KEY'],
		['openai/m', 'key from keychain'],
		['groq/m', 'key from file'],
		['mine/m', 'key from MINE'],
		['free/m', 'no key needed'],
		['ollama/m', 'on this machine'],
		['lmstudio/m', 'on this machine'],
		['vllm/m', 'no key needed'],
		['bedrock/m', undefined],
		['offline', undefined],
		['scripted:a.json', undefined],
	])('of %s is: %s', (flag, text) => {
		const choice = chooseModel({flag, env: {...env, ...cloud}, config: {servers}, stored});
		if (!choice.ok) throw new Error(choice.sentence);
		const access = modelAccess(choice);
		expect(access).toBe(text);
		expect(access ?? '').not.toContain('secret');
	});
});
