import {describe, expect, it} from 'vitest';
import type {Models} from '../../../src/pod/models/models.ts';
import type {Item} from '../../../src/pod/protocol.ts';
import {scriptedModel, type Answer, type Model} from '../../../src/worker/index.ts';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import {testPod, type TestPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {systemClock} from '../../../src/worker/index.ts';

const words = (text: string): Answer => [{type: 'text', text}];
const fails = (reason: 'overloaded' | 'unreachable' | 'unauthorized' | 'bad_request' | 'rate_limited'): Answer => [
	{type: 'error', reason, message: `It is ${reason}.`, retryable: false},
];
const named = (name: string, ...answers: readonly Answer[]) => scriptedModel(answers, {name});

/** Models that open by name. The first one is the model of the session. */
async function withFallbacks(first: Model, fallbacks: readonly string[], ...models: readonly Model[]) {
	const opened: Models = {
		fallbacks,
		async open(name) {
			const model = [first, ...models].find(one => one.name === name);
			if (model === undefined) return {ok: false, sentence: `No model ${name}.`};
			return {ok: true, model: {name, load: async () => model}};
		},
		save: async () => undefined,
		login: async () => ({ok: false, sentence: 'No.'}),
		list: async () => [],
	};
	let now = 0;
	const clock = {...systemClock(), ticks: () => now};
	const limits = {...defaultLimits, retry: {maxAttempts: 1, maxWaitMs: 0}};
	const told = await testPod(await tempProject(), {model: first, models: opened, limits, clock});
	return {told, wait: (ms: number) => (now += ms)};
}

const setups = (items: readonly Item[]) => items.flatMap(item => (item.type === 'setup' ? [item.model] : []));
const outcome = (told: TestPod) => told.items().findLast(item => item.type === 'run_end');
const alerts = (told: TestPod) => told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));

async function run(told: TestPod, text: string): Promise<void> {
	expect(await told.run(text)).toEqual({accepted: true});
	await told.rest();
}

describe('a fallback', () => {
	it.each(['overloaded', 'unreachable'] as const)('answers when the first model is %s, visibly', async reason => {
		const {told} = await withFallbacks(named('x/a', fails(reason)), ['x/b'], named('x/b', words('Here.')));
		await run(told, 'Hello');
		expect(outcome(told)).toMatchObject({outcome: 'finished'});
		expect(setups(told.items())).toEqual(['x/a', 'x/b']);
		expect(alerts(told)).toEqual([`It is ${reason}. Continuing with x/b.`]);
		expect(told.events.findLast(event => event.type === 'snapshot')?.session.model).toBe('x/b');
	});

	it('is used at another provider only with the user’s consent, which is asked for once', async () => {
		const first = named('x/a', fails('overloaded'), fails('overloaded'), fails('overloaded'));
		const {told, wait} = await withFallbacks(
			first,
			['y/b', 'x/c'],
			named('y/b', words('Never.')),
			named('x/c', words('1'), words('2')),
		);
		const running = told.run('Hello');
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		expect(ask).toMatchObject({title: 'Continue with y/b from another provider?'});
		await told.pod.send({method: 'answer', askId: ask!.id, choice: 'deny'});
		expect(await running).toEqual({accepted: true});
		await told.rest();
		expect(setups(told.items())).toEqual(['x/a', 'x/c']);
		wait(6 * 60_000);
		await run(told, 'Again');
		expect(setups(told.items())).toEqual(['x/a', 'x/c', 'x/a', 'x/c']);
	});

	it.each(['unauthorized', 'bad_request', 'rate_limited'] as const)('is not used for a failure: %s', async reason => {
		const {told} = await withFallbacks(named('x/a', fails(reason)), ['x/b'], named('x/b', words('Never.')));
		await run(told, 'Hello');
		expect(outcome(told)).toMatchObject({outcome: 'error', cause: `It is ${reason}.`});
		expect(setups(told.items())).toEqual(['x/a']);
	});

	it('is the next one of the list if one cannot be used or is down, too, and each is tried once', async () => {
		const {told} = await withFallbacks(
			named('x/a', fails('overloaded')),
			['x/none', 'x/b', 'x/a', 'x/c'],
			named('x/b', fails('unreachable')),
			named('x/c', fails('overloaded')),
		);
		await run(told, 'Hello');
		expect(setups(told.items())).toEqual(['x/a', 'x/b', 'x/c']);
		expect(outcome(told)).toMatchObject({outcome: 'error', cause: 'It is overloaded.'});
		expect(alerts(told)).toEqual([
			'No model x/none.',
			'It is overloaded. Continuing with x/b.',
			'It is unreachable. Continuing with x/c.',
		]);
	});

	it('answers the rest of the turn and the next turns, until the first model had time', async () => {
		const calls: Answer = [{type: 'tool_call', name: 'glob', arguments: {pattern: '*'}}];
		const {told, wait} = await withFallbacks(
			named('x/a', fails('overloaded'), words('I am back.')),
			['x/b'],
			named('x/b', calls, words('Done.'), words('Still here.')),
		);
		await run(told, 'One');
		await run(told, 'Two');
		expect(setups(told.items())).toEqual(['x/a', 'x/b']);
		wait(6 * 60_000);
		await run(told, 'Three');
		expect(setups(told.items())).toEqual(['x/a', 'x/b', 'x/a']);
		expect(alerts(told).at(-1)).toBe('Using x/a again.');
	});

	it('ends when the user chooses a model', async () => {
		const {told, wait} = await withFallbacks(
			named('x/a', fails('overloaded')),
			['x/b'],
			named('x/b', words('Here.')),
			named('x/c', words('Chosen.')),
		);
		await run(told, 'One');
		await told.pod.send({method: 'model', name: 'x/c'});
		wait(6 * 60_000);
		await run(told, 'Two');
		expect(setups(told.items())).toEqual(['x/a', 'x/b', 'x/c']);
	});
});
