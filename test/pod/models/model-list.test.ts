import {describe, expect, it} from 'vitest';
import {isOnlyKnown} from '../../../src/pod/protocol.ts';
import {listModels, type ModelListOptions} from '../../../src/pod/models/model-list.ts';

function list(options: Partial<ModelListOptions> = {}) {
	return listModels({env: {}, servers: {}, facts: {}, recent: [], listed: [], isLooking: false, ...options});
}

const find = (name: string, options?: Partial<ModelListOptions>) => list(options).find(model => model.name === name);

describe('the list of models', () => {
	it('says what a model without a key lacks, and puts it after those that can be used', () => {
		expect(find('openai/gpt-6-astra')).toMatchObject({missing: 'set OPENAI_API_KEY'});
		const names = list({env: {OPENAI_API_KEY: 'k'}});
		const firstMissing = names.findIndex(({missing}) => missing !== undefined);
		expect(names.slice(0, firstMissing).every(({provider}) => provider === 'openai')).toBe(true);
		expect(names.slice(firstMissing).some(({missing}) => missing === undefined)).toBe(false);
	});

	it('names the place of a stored key', () => {
		const stored = new Map([['openai', 'keychain' as const]]);
		expect(find('openai/gpt-6-astra', {stored})).toMatchObject({keyPlace: 'keychain'});
		expect(find('openai/gpt-6-astra', {stored})).not.toHaveProperty('missing');
		expect(find('openai/gpt-6-astra', {stored, env: {OPENAI_API_KEY: 'k'}})).not.toHaveProperty('keyPlace');
	});

	it('names the variable of the key, the window, the price and the efforts', () => {
		expect(find('anthropic/claude-opus-5-5', {env: {ANTHROPIC_API_KEY: 'k'}})).toEqual({
			name: 'anthropic/claude-opus-5-5',
			provider: 'anthropic',
			label: 'Claude Opus 5.5',
			window: 1_000_000,
			price: {input: 4, output: 20},
			keyVariable: 'ANTHROPIC_API_KEY',
			efforts: ['low', 'medium', 'high', 'max'],
			readsImages: true,
		});
	});

	it('begins with the models that were used last, then those of local servers', () => {
		const [first, second, third] = list({
			env: {OPENAI_API_KEY: 'k'},
			recent: ['openai/gpt-5', 'kimi/kimi-k2.5'],
			listed: [{name: 'ollama/qwen3:8b', window: 8192, readsImages: false}],
		});
		expect([first?.name, second?.name]).toEqual(['openai/gpt-5', 'ollama/qwen3:8b']);
		expect(second).toMatchObject({isLocal: true, window: 8192, price: {input: 0, output: 0}});
		expect(third?.provider).toBe('openai');
	});

	it('has the groups in order: recent, own servers, local servers, providers with a key, the rest', () => {
		const servers = {work: {wire: 'openai-compatible', baseURL: 'https://llm.work.example/v1'}} as const;
		const found = list({
			env: {OPENAI_API_KEY: 'k'},
			servers,
			facts: {'vllm/off': {window: 5}},
			recent: ['anthropic/claude-opus-5-5', 'openai/gpt-5', 'vllm/gone'],
			listed: [{name: 'ollama/a'}, {name: 'work/b', window: 9, price: {input: 1, output: 2}}],
		});
		expect(found.slice(0, 4).map(({name}) => name)).toEqual(['openai/gpt-5', 'vllm/gone', 'work/b', 'ollama/a']);
		expect(found[4]).toMatchObject({name: 'vllm/off', missing: 'its server is not running'});
		expect(found[2]).toMatchObject({isOwn: true, window: 9, price: {input: 1, output: 2}});
		expect(found.map(isOnlyKnown).indexOf(true)).toBe(found.findLastIndex(model => !isOnlyKnown(model)) + 1);
	});

	it('says what a server of your own lacks if you named the variable of its key', () => {
		const servers = {work: {wire: 'openai-compatible', baseURL: 'https://w.example', keyVariable: 'W'}} as const;
		const listed = [{name: 'work/b'}];
		expect(find('work/b', {servers, listed})).toMatchObject({missing: 'set W'});
		expect(find('work/b', {servers, listed, env: {W: 'k'}})).toMatchObject({keyVariable: 'W'});
	});

	it('says that the server of a recent local model is not running', () => {
		expect(find('ollama/qwen3:8b', {recent: ['ollama/qwen3:8b']})).toMatchObject({
			missing: 'its server is not running',
			recent: 0,
		});
	});

	it('does not say that a server is not running before it was asked', () => {
		expect(find('ollama/qwen3:8b', {recent: ['ollama/qwen3:8b'], isLooking: true})).toMatchObject({
			missing: 'looking for its server…',
		});
	});

	it('prefers what the user configured', () => {
		const facts = {'openai/gpt-5': {window: 5, prices: [{input: 1, output: 2}]}};
		expect(find('openai/gpt-5', {facts})).toMatchObject({window: 5, price: {input: 1, output: 2}});
	});

	it('leaves out recent names that nobody knows', () => {
		expect(find('nobody/x', {recent: ['nobody/x', '']})).toBeUndefined();
	});
});
