import {describe, expect, it} from 'vitest';
import type {Settings} from '../../../src/worker/history/item.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {isUnlistedReasoningModel} from '../../../src/worker/wires/encode/responses-models.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {playing} from './reading/played-native.ts';

/** The body of a request to a model of this name. */
async function bodyOf(provider: 'openai' | 'anthropic', model: string, settings: Settings): Promise<object> {
	const {fetch, bodies} = playing([]);
	const loaded = await loadModel({provider, model, apiKey: 'k', options: {fetch}});
	await collect(loaded, ask([{role: 'user', text: 'Hello.'}], {settings}));
	const body: object = JSON.parse(bodies[0] ?? '');
	return body;
}

const included = {include: ['reasoning.encrypted_content'], store: false};
const rules2 = {rules: 2};

describe('an OpenAI model', () => {
	it.each([
		'openai/gpt-5.2',
		'ft:gpt-5-mini:org::id',
		'ft:o4-mini',
		'gpt5-nano',
		'gpt-oss-120b',
		'codex-mini-latest',
		'o5pro',
	])('returns its encrypted reasoning when the table does not know the model: %s', async model => {
		expect(isUnlistedReasoningModel(model)).toBe(true);
		expect(await bodyOf('openai', model, rules2)).toMatchObject(included);
		expect(await bodyOf('openai', model, {})).not.toHaveProperty('include');
	});

	it.each(['gpt-5.2', 'gpt-5', 'o3', 'o4-mini', 'gpt-7.1-astra'])(
		'is asked for reasoning because the table has it: %s',
		async model => {
			expect(isUnlistedReasoningModel(model)).toBe(false);
			expect(await bodyOf('openai', model, rules2)).toMatchObject(included);
		},
	);

	it.each([
		'gpt-4o',
		'gpt-4.1-mini',
		'gpt-5-chat-latest',
		'openai/gpt-5-chat',
		'openai/gpt-4.1',
		'chatgpt-4o-latest',
		'gpt-realtime',
		'my-deployment',
		'llama-4',
	])('is not asked for reasoning when it has none, or when this is unknown: %s', async model => {
		expect(await bodyOf('openai', model, rules2)).not.toHaveProperty('include');
	});
});

describe('the output limit of a model with the Messages API', () => {
	it.each<readonly [string, Settings, number]>([
		['claude-sonnet-5', rules2, 128_000],
		['claude-haiku-4-5', rules2, 64_000],
		['claude-opus-9', rules2, 128_000],
		['claude-3-haiku-20240307', rules2, 4096],
		['glm-5', rules2, 32_000],
		['glm-5', {...rules2, maxOutputTokens: 500}, 500],
		['glm-5', {}, 4096],
		['glm-5', {rules: 1}, 4096],
	])('for %s with %o is %d', async (model, settings, limit) => {
		expect(await bodyOf('anthropic', model, settings)).toMatchObject({max_tokens: limit});
	});
});
