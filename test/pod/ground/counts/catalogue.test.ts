import {calcPrice, findProvider} from '@pydantic/genai-prices';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {catalogueSource, lookUpModel} from '../../../../src/pod/ground/counts/catalogue.ts';
import {costAt} from '../../../../src/pod/protocol/cost.ts';

const providers = ['anthropic', 'openai', 'google', 'openrouter'] as const;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 1000;

describe('lookUpModel', () => {
	it('returns the window and the prices of the data package for any time, or no facts', () => {
		const models = providers.flatMap(provider =>
			findProvider({providerId: provider})!.models.map(model => ({provider, model})),
		);
		const tokens = fc.nat({max: 400_000});
		const at = fc.date({min: new Date('2025-01-01'), max: new Date('2027-06-01'), noInvalidDate: true});
		let known = 0;
		fc.assert(
			fc.property(
				fc.constantFrom(...models),
				tokens,
				tokens,
				tokens,
				tokens,
				at,
				({provider, model}, fresh, cacheRead, cacheWrite, output, date) => {
					const facts = lookUpModel(`${provider}/${model.id}`);
					const input = fresh + cacheRead + cacheWrite;
					const ours =
						facts?.prices === undefined
							? undefined
							: costAt({input, output, cacheRead, cacheWrite}, facts.prices, date.toISOString());
					if (facts === undefined || ours === undefined) return;
					known++;
					const theirs = calcPrice(
						{
							input_tokens: input,
							output_tokens: output,
							cache_read_tokens: cacheRead,
							cache_write_tokens: cacheWrite,
						},
						model.id,
						{providerId: provider, timestamp: date},
					)!;
					expect(ours).toBeCloseTo(theirs.total_price, 9);
					if (theirs.model.id === model.id) expect(facts.window).toBe(model.context_window);
				},
			),
			{numRuns, seed: 20_261_121},
		);
		expect(known).toBeGreaterThan(numRuns / 5);
	});

	it('finds the default models by their names and by their dated names', () => {
		for (const name of [
			'anthropic/claude-sonnet-5',
			'anthropic/claude-opus-5-5',
			'openai/gpt-6-astra',
			'openai/gpt-5.2',
			'google/gemini-3-pro-preview',
			'openrouter/anthropic/claude-sonnet-4.6',
		])
			expect([name, lookUpModel(name)?.prices]).toEqual([name, expect.any(Array)]);
		expect(lookUpModel('anthropic/claude-opus-5-5')).toEqual({
			window: 1_000_000,
			prices: [{input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5}],
		});
		for (const date of ['-20270102', '-2027-01-02', '@20270102']) {
			expect(lookUpModel(`anthropic/claude-opus-5-5${date}`)).toEqual(lookUpModel('anthropic/claude-opus-5-5'));
			expect(lookUpModel(`openai/gpt-6-sol${date}`)).toEqual(lookUpModel('openai/gpt-6-sol'));
		}
		expect(lookUpModel('openai/GPT-5.2')).toEqual(lookUpModel('openai/gpt-5.2'));
		expect(catalogueSource).toContain('genai-prices');
	});

	it('finds no facts for unlisted models, and lists local models as free', () => {
		for (const name of [
			'anthropic/claude-neo-9',
			'openai/gpt-6-astra-mini',
			'openai-compatible/gpt-5.2',
			'openrouter/nobody/nothing',
			'constructor/x',
			'claude-opus-5',
			'',
			'/',
		])
			expect([name, lookUpModel(name)]).toEqual([name, undefined]);
		for (const name of ['offline', 'scripted:x.json', 'ollama/llama4:70b', 'lmstudio/a/b', 'llama.cpp/x'])
			expect([name, lookUpModel(name)]).toEqual([name, {prices: [{input: 0, output: 0}]}]);
	});
});
