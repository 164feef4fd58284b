import {describe, expect, it} from 'vitest';
import {knownModel, knownModels, knownModelsSource} from '../../../src/pod/models/known-models.ts';
import {usualModels} from '../../../src/pod/config/model-choice.ts';
import {listedProviders} from '../../../src/worker/index.ts';

describe('the known models', () => {
	it('name their source, its licence and its date', () => {
		expect(knownModelsSource).toMatch(/^@earendil-works\/pi-ai [\d.]+, MIT licence, data of \d{4}-\d\d-\d\d$/);
	});

	it('are unique, belong to known providers, and have a window', () => {
		const all = knownModels();
		expect(all.length).toBeGreaterThan(400);
		expect(new Set(all.map(({name}) => name)).size).toBe(all.length);
		const providers = new Set(listedProviders.map(({provider}) => provider));
		expect(all.filter(({provider}) => !providers.has(provider))).toEqual([]);
		expect(all.filter(({window}) => window === undefined)).toEqual([]);
	});

	it('include the model that inkpod chooses when only a key is found', () => {
		const usual = Object.entries(usualModels).map(([provider, id]) => `${provider}/${id}`);
		expect(usual.filter(name => knownModel(name) === undefined)).toEqual([]);
	});

	it('are found by name, also as a dated snapshot', () => {
		expect(knownModel('anthropic/claude-opus-5-5')).toMatchObject({
			label: 'Claude Opus 5.5',
			window: 1_000_000,
			readsImages: true,
			efforts: ['low', 'medium', 'high', 'max'],
		});
		expect(knownModel('anthropic/claude-haiku-4-5-20251001')?.name).toBe('anthropic/claude-haiku-4-5');
		expect(knownModel('anthropic/nothing')).toBeUndefined();
	});
});
