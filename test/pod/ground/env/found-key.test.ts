import {describe, expect, it} from 'vitest';
import {bareKey, enteredKeys, findKey, type StoredKeys} from '../../../../src/pod/ground/env/found-key.ts';
import {childEnv} from '../../../../src/pod/ground/env/child-env.ts';
import {keySourceText} from '../../../../src/pod/models/keys/source-text.ts';
import {providerFacts} from '../../../../src/worker/index.ts';

function find(provider: string, env: Readonly<Record<string, string>>, stored?: StoredKeys) {
	return findKey(provider, providerFacts(provider)!, {env, stored});
}

describe('the key of a provider', () => {
	it.each([
		['anthropic', 'ANTHROPIC_API_KEY'],
		['google', 'GEMINI_API_KEY'],
		['google', 'GOOGLE_API_KEY'],
		['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
		['azure', 'AZURE_OPENAI_API_KEY'],
	])('of %s is found in %s, which no child gets', (provider, variable) => {
		const env = {[variable]: ' k ', OTHER: 'o'};
		expect(find(provider, env)).toEqual({source: {kind: 'environment', variable}, value: 'k'});
		expect(childEnv(env)).toEqual({OTHER: 'o'});
	});

	it.each([
		['"sk-a"', 'sk-a'],
		["'sk-a'", 'sk-a'],
		['Bearer sk-a', 'sk-a'],
		['OPENAI_API_KEY=sk-a', 'sk-a'],
		['export OPENAI_API_KEY="sk-a"\n', 'sk-a'],
		['"Bearer sk-a"', 'sk-a'],
		['sk-a==', 'sk-a=='],
		['bearer', 'bearer'],
		['a"b', 'a"b'],
		['""', ''],
	])('is found in what people paste: %j', (written, key) => {
		expect(bareKey(written)).toBe(key);
		const expected = key === '' ? undefined : key;
		expect(find('openai', {OPENAI_API_KEY: written})?.value).toBe(expected);
	});

	it('is withheld from children under any other name, also if the variable has quotes', () => {
		const env = {OPENAI_API_KEY: '"abcdefgh12345678"', OTHER: 'abcdefgh12345678', SAME: 'x=abcdefgh12345678'};
		expect(childEnv(env)).toEqual({});
	});

	it('of anthropic can be a token, which is sent as a bearer token and comes after the key', () => {
		const token = {ANTHROPIC_AUTH_TOKEN: 't'};
		expect(find('anthropic', token)).toMatchObject({value: 't', isBearer: true});
		expect(find('anthropic', {...token, ANTHROPIC_API_KEY: 'k'})).toEqual({
			source: {kind: 'environment', variable: 'ANTHROPIC_API_KEY'},
			value: 'k',
		});
		expect(childEnv(token)).toEqual({});
	});

	it('is the entered one first, then that of the environment, then a stored one', () => {
		const env = {OPENAI_API_KEY: 'env'};
		const stored = new Map([['openai', 'keychain' as const]]);
		expect(find('openai', {}, stored)).toEqual({source: {kind: 'keychain'}});
		expect(find('openai', env, stored)?.source.kind).toBe('environment');
		enteredKeys(env).set('openai', {key: 'new', place: 'file'});
		expect(find('openai', env, stored)).toEqual({source: {kind: 'file'}, value: 'new'});
		expect(find('openai', {...env}, stored)?.value).toBe('env');
	});

	it('has a source with a name', () => {
		expect(keySourceText({kind: 'environment', variable: 'A'})).toBe('key from A');
		expect(keySourceText({kind: 'keychain'})).toBe('key from keychain');
		expect(keySourceText({kind: 'file'})).toBe('key from file');
	});

	it('leaves other variables of Google to child processes', () => {
		const env = {GOOGLE_APPLICATION_CREDENTIALS: '/x.json', GOOGLE_CLOUD_PROJECT: 'p'};
		expect(childEnv(env)).toEqual(env);
	});
});
