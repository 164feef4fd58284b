import {describe, expect, it} from 'vitest';
import type {ModelInfo} from '../../../../src/pod/protocol.ts';
import {entriesOn, modelsPage, reduceModels, stepLevel} from '../../../../src/screen/model/pages/models-state.ts';

const model = (name: string): ModelInfo => ({name, provider: name.slice(0, 1), efforts: []});

describe('the list of models', () => {
	const names = (page: ReturnType<typeof modelsPage>) =>
		entriesOn(page).map(entry => (entry.kind === 'model' ? entry.model.name : entry.count));

	it('begins with the current model, even if it lacks its key or is unknown to the pod', () => {
		const missing = {...model('b/1'), missing: 'set B'};
		expect(names(modelsPage([model('a/1'), missing, {...model('c/1'), missing: 'set C'}], 'b/1'))).toEqual([
			'b/1',
			'a/1',
			1,
		]);
		expect(names(modelsPage([model('a/1')], 'offline'))).toEqual(['offline', 'a/1']);
	});

	it('continues below the last usable model when the others are shown', () => {
		const others = Array.from({length: 9}, (_, n) => ({...model(`m/${n}`), missing: 'set M'}));
		const page = {...modelsPage([model('a/1'), model('b/1'), ...others], 'a/1'), list: {at: 2, top: 0}};
		const after = reduceModels(page, {type: 'show all models'});
		expect([after.list, names(after).slice(1, 3)]).toEqual([{at: 2, top: 1}, ['b/1', 'm/0']]);
	});

	it('keeps the chosen entry in its row while models are added above it', () => {
		const known = Array.from({length: 9}, (_, n) => model(`k/${n}`));
		const page = {...modelsPage(known, 'k/0'), list: {at: 8, top: 5}};
		const models = [model('o/1'), model('o/2'), ...known];
		const after = reduceModels(page, {type: 'models listed', models, isLooking: true});
		expect([after.list, names(after)[10], after.isLooking]).toEqual([{at: 10, top: 7}, 'k/8', true]);
	});
});

describe('a step of the effort', () => {
	it.each([
		[undefined, 1, 'low'],
		['low', 1, 'high'],
		['high', 1, 'high'],
		['low', -1, undefined],
		[undefined, -1, undefined],
	] as const)('stays within the levels of the model: %s, %i', (from, direction, to) => {
		expect(stepLevel(['low', 'high'], from, direction)).toBe(to);
	});
});
