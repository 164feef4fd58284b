import {describe, expect, it} from 'vitest';
import {scriptedModel, type Answer} from '../../src/worker/index.ts';
import type {Models} from '../../src/pod/models/models.ts';
import type {Event, Item} from '../../src/pod/protocol.ts';
import {testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const words = (text: string): Answer => [{type: 'text', text}];
const named = (name: string, ...answers: readonly Answer[]) => scriptedModel(answers, {name});

/** Models that open by name. Others are refused. */
function modelsOf(...models: ReadonlyArray<ReturnType<typeof named>>): Models {
	return {
		async open(name, effort) {
			const model = models.find(one => one.name === name);
			if (model === undefined) return {ok: false, sentence: `No model ${name}.`};
			const settings = effort === undefined ? {} : {reasoning: effort};
			return {ok: true, model: {name, access: `key of ${name}`, load: async () => model, settings}};
		},
		save: async () => 'Not saved.',
		login: async (provider, key) => ({ok: key === 'good', sentence: `${provider}: ${key.length}`}),
		list: async () => [],
	};
}

const setups = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'setup' ? [[item.model, item.settings['reasoning']]] : []));
const shownModel = (events: readonly Event[]) => events.findLast(event => event.type === 'snapshot')?.session.model;

describe('a login', () => {
	it('is answered with a note or a refusal, and leaves no trace in history or events', async () => {
		const told = await testPod(await tempProject(), {model: named('x/a'), models: modelsOf()});
		expect(await told.pod.send({method: 'login', provider: 'x', key: 'good'})).toEqual({
			accepted: true,
			note: 'x: 4',
		});
		expect(await told.pod.send({method: 'login', provider: 'x', key: 'another-secret'})).toEqual({
			accepted: false,
			code: 'key',
			sentence: 'x: 14',
		});
		expect(JSON.stringify(told.events)).not.toContain('another-secret');
	});
});

describe('choosing a model', () => {
	it('uses the model and its effort from the next request on', async () => {
		const [a, b] = [named('x/a', words('one')), named('x/b', words('two'))];
		const told = await testPod(await tempProject(), {model: a, models: modelsOf(a, b)});
		await told.run('first');
		await told.rest();
		expect(await told.pod.send({method: 'model', name: 'x/b', effort: 'high'})).toEqual({
			accepted: true,
			chosen: {name: 'x/b', effort: 'high'},
		});
		expect(shownModel(told.events)).toBe('x/b');
		expect(told.events.findLast(event => event.type === 'snapshot')?.session.access).toBe('key of x/b');
		await told.run('second');
		await told.rest();
		expect(setups(told.items())).toEqual([
			['x/a', undefined],
			['x/b', 'high'],
		]);
	});

	it('waits for the end of a run, and the status names the model that waits', async () => {
		const [a, b] = [
			named('x/a', [{type: 'text', text: 'a long answer', chunk: 1, delayMs: 20}]),
			named('x/b', words('two')),
		];
		const told = await testPod(await tempProject(), {model: a, models: modelsOf(a, b)});
		const run = told.run('first');
		await told.until(() => told.status().step === 'streaming');
		await told.pod.send({method: 'model', name: 'x/b'});
		expect(told.status().nextModel).toBe('x/b');
		await run;
		await told.rest();
		expect([told.status().nextModel, shownModel(told.events)]).toEqual([undefined, 'x/b']);
		await told.run('second');
		expect(setups(told.items()).map(([name]) => name)).toEqual(['x/a', 'x/b']);
	});

	it('is refused with a sentence if the model cannot be used or there are no other models', async () => {
		const a = named('x/a', words('one'));
		const told = await testPod(await tempProject(), {model: a, models: modelsOf(a)});
		expect(await told.pod.send({method: 'model', name: 'x/c'})).toEqual({
			accepted: false,
			code: 'no_such_model',
			sentence: 'No model x/c.',
		});
		const alone = await testPod(await tempProject(), {model: a});
		expect(await alone.pod.send({method: 'model', name: 'x/a'})).toMatchObject({code: 'no_such_model'});
	});
});
