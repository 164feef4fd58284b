import {describe, expect, it} from 'vitest';
import {cacheSettings} from '../../../../src/pod/context/ledger/ledger-query.ts';
import {createItems} from '../../../helpers/items.ts';

describe('the cache key', () => {
	it('is the session id for OpenAI and absent for other providers', () => {
		expect(cacheSettings({model: 'openai/gpt-6-astra', settings: {}}, [], '01ABC')).toEqual({cacheKey: '01ABC'});
		for (const model of [
			'anthropic/claude-opus-5-5',
			'google/gemini-4',
			'openrouter/openai/gpt-6',
			'openai-compatible/x',
			'offline',
			'scripted:openai/x',
		])
			expect(cacheSettings({model, settings: {}}, [], '01ABC')).toEqual({});
	});

	it('stays the same in a session that continues another one, even if the model changed', () => {
		const items = createItems();
		const history = [
			{...items.setup(), settings: {cacheKey: '01OLD'}},
			items.user('Hello'),
			{...items.setup(), settings: {}},
			{...items.setup(), settings: {cacheKey: 7}},
		];
		expect(cacheSettings({model: 'openai/gpt-6-astra', settings: {}}, history, '01NEW')).toEqual({
			cacheKey: '01OLD',
		});
	});
});
