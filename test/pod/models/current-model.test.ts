import {describe, expect, it} from 'vitest';
import {createCurrentModel} from '../../../src/pod/models/current-model.ts';
import type {PodModel} from '../../../src/pod/models/current-model.ts';

const model = (name: string): PodModel => ({name, load: async () => Promise.reject(new Error('not loaded'))});

function current() {
	const events: string[] = [];
	const made = createCurrentModel(model('a'), {
		onChange: ({name}) => events.push(`now ${name}`),
		onWaiting: next => events.push(`waiting ${next?.name}`),
	});
	return {made, events};
}

describe('the current model', () => {
	it('changes at once when nothing runs', () => {
		const {made, events} = current();
		made.choose(model('b'), false);
		expect([made.get().name, events]).toEqual(['b', ['now b']]);
	});

	it('changes at the end of a job, to the latest choice', () => {
		const {made, events} = current();
		made.choose(model('b'), true);
		made.choose(model('c'), true);
		expect(made.get().name).toBe('a');
		made.settle();
		made.settle();
		expect([made.get().name, events]).toEqual(['c', ['waiting b', 'waiting c', 'waiting undefined', 'now c']]);
	});
});
