import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import type {PromptHook} from '../../../../src/pod/references/submission/submission.ts';
import {HistoryError, type Model} from '../../../../src/worker/index.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, sent, eventModel} from '../../../helpers/event-model.ts';
import {files, held, kinds, opened, undelivered, words} from './steering-stage.ts';

describe('a message to a run', () => {
	it('is in the next request, after the results, when the run calls tools', async () => {
		const gate = Promise.withResolvers<void>();
		const model = eventModel(
			() => held(gate.promise, answer(calls('1', 'read_file', {path: 'a.md'}))),
			answer(says('ok')),
		);
		const {run, rest, steer, items, queue, until} = await opened({model});
		await run('go');
		const receipt = steer('see @b.md too');
		expect(queue()).toEqual(['see @b.md too']);
		gate.resolve();
		expect(await receipt).toEqual({accepted: true});
		await until(() => queue().length === 0);
		await rest();
		expect(kinds(items())).toEqual([
			'setup',
			'submit',
			'request',
			'tool_call',
			'request_end',
			'tool_result',
			'submit',
			'file',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect(model.requests[1]!.messages.slice(-2)).toEqual([
			{role: 'user', text: 'see @b.md too'},
			{role: 'user', text: '[File: b.md]\ntwo\n'},
		]);
	});

	it('continues a run that would end', async () => {
		const gate = Promise.withResolvers<void>();
		const model = eventModel(() => held(gate.promise, answer(says('done'))), answer(says('that too')));
		const {run, rest, steer, items} = await opened({model});
		await run('go');
		const receipts = [steer('one'), steer('two'), steer('three')];
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([{accepted: true}, {accepted: true}, {accepted: true}]);
		await rest();
		expect(kinds(items())).toEqual([
			'setup',
			'submit',
			'request',
			'assistant',
			'request_end',
			'submit',
			'submit',
			'submit',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect(words(items())).toEqual(['go', 'one', 'two', 'three']);
	});

	it('is delivered to a resumed run as to any other run', async () => {
		const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const model = eventModel(
			() => held(gates[0]!.promise, answer(says('x'))),
			() => held(gates[1]!.promise, answer(says('done'))),
			answer(says('that too')),
		);
		const {run, rest, steer, items, pod} = await opened({model});
		await run('go');
		const paused = pod.send({method: 'pause'});
		gates[0]!.resolve();
		await paused;
		await pod.send({method: 'resume'});
		const receipt = steer('more');
		gates[1]!.resolve();
		expect(await receipt).toEqual({accepted: true});
		await rest();
		expect(words(items())).toEqual(['go', 'more']);
	});

	it('leads to one alert, at the commit, about a reference that fails', async () => {
		const gate = Promise.withResolvers<void>();
		const {run, rest, steer, events, items} = await opened({
			model: eventModel(() => held(gate.promise, answer(says('done'))), answer(says('ok'))),
		});
		await run('go');
		const receipt = steer('see @./missing.md');
		gate.resolve();
		await receipt;
		await rest();
		expect(words(items())[1]).toBe('see [unresolved file ref: ./missing.md]');
		const alert = events.findIndex(event => event.type === 'alert');
		expect(events.filter(event => event.type === 'alert')).toHaveLength(1);
		expect(
			events
				.slice(0, alert)
				.some(
					event =>
						event.type === 'item' &&
						event.item.type === 'message' &&
						event.item.text.includes('missing.md'),
				),
		).toBe(true);
	});

	it('is reported at once when only this message is refused, and the run continues', async () => {
		const gate = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text}) =>
			text.includes('secret') ? {type: 'cancel', reason: 'No secrets.'} : {type: 'continue'};
		const {run, rest, steer, items, queue, status} = await opened({
			model: eventModel(() => held(gate.promise, answer(says('done')))),
			hook,
		});
		await run('go');
		expect(await steer('a secret')).toMatchObject({accepted: false, code: 'hook', sentence: 'No secrets.'});
		expect(await steer('/nope')).toMatchObject({accepted: false, code: 'workflow'});
		expect(await steer(' ')).toMatchObject({accepted: false, code: 'empty'});
		expect([queue(), status().kind]).toEqual([[], 'running']);
		gate.resolve();
		await rest();
		expect(words(items())).toEqual(['go']);
	});

	it('comes after the run’s own message, which is still being resolved', async () => {
		const gate = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text}) => {
			if (text === 'go') await gate.promise;
			return {type: 'continue'};
		};
		const model = eventModel(answer(says('ok')));
		const {run, rest, steer, queue, status} = await opened({model, hook});
		const running = run('go');
		const receipt = steer('and this');
		expect([status().step, queue()]).toEqual(['resolving', ['and this']]);
		gate.resolve();
		expect(await Promise.all([running, receipt])).toEqual([{accepted: true}, {accepted: true}]);
		await rest();
		expect(model.requests.map(({messages}) => messages)).toEqual([
			[
				{role: 'user', text: 'go'},
				{role: 'user', text: 'and this'},
			],
		]);
	});

	it('is returned when it is refused', async () => {
		const gate = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text}) => {
			if (text !== 'go') return {type: 'continue'};
			await gate.promise;
			return {type: 'cancel', reason: 'No.'};
		};
		const {run, steer, items, queue} = await opened({model: eventModel(), hook});
		const receipts = [run('go'), steer('and this')];
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([expect.objectContaining({code: 'hook'}), undelivered]);
		expect([items(), queue()]).toEqual([[], []]);
	});

	it('delays the end of a run while it is being resolved, and the order stays the same', async () => {
		const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const hook: PromptHook = async ({text}) => {
			if (text === 'slow') await gate.promise;
			return {type: 'continue'};
		};
		const held = Promise.withResolvers<void>();
		const model: Model = eventModel(() => untilOpen(held.promise, () => asked.resolve()), answer(says('ok')));
		const {run, rest, steer, items, until, queue} = await opened({model, hook});
		await run('go');
		const receipts = [steer('slow'), steer('quick')];
		held.resolve();
		await until(events => events.some(event => event.type === 'item' && event.item.type === 'request_end'));
		expect(queue()).toEqual(['slow', 'quick']);
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([{accepted: true}, {accepted: true}]);
		await rest();
		expect(words(items())).toEqual(['go', 'slow', 'quick']);
	});

	async function* untilOpen(gate: Promise<void>, begun: () => void) {
		begun();
		yield* held(gate, answer(says('done')));
	}
});

describe('a message that is not delivered', () => {
	it.each(['pause', 'cancel', 'shutdown'] as const)(
		'is returned when a %s comes first, and is not in history',
		async method => {
			const gate = Promise.withResolvers<void>();
			const told = await opened({model: eventModel(() => held(gate.promise, answer(says('x'))))});
			await told.run('go');
			const receipts = [told.steer('one'), told.steer('two')];
			const stopped = told.pod.send({method});
			gate.resolve();
			await stopped;
			expect(await Promise.all(receipts)).toEqual([undelivered, undelivered]);
			expect([words(told.items()), told.queue()]).toEqual([['go'], []]);
		},
	);

	it('is returned when a pause comes while the end of the turn waits for the message', async () => {
		const hook: PromptHook = async ({text}, signal) => {
			if (text !== 'go') await new Promise(resolve => signal.addEventListener('abort', resolve));
			return {type: 'continue'};
		};
		const {run, steer, items, until, status, pod, queue} = await opened({
			model: eventModel(answer(says('done'))),
			hook,
		});
		const running = run('go');
		const receipt = steer('slow');
		await running;
		await until(events => events.some(event => event.type === 'item' && event.item.type === 'request_end'));
		await pod.send({method: 'pause'});
		expect(await receipt).toEqual(undelivered);
		expect([status().kind, queue()]).toEqual(['idle', []]);
		expect(items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it('is returned when the provider fails', async () => {
		const gate = Promise.withResolvers<void>();
		const fails = async function* () {
			yield sent;
			await gate.promise;
			yield {type: 'error', error: {reason: 'bad_request', message: 'No.', retryable: false}} as const;
		};
		const {run, steer, items, status} = await opened({model: eventModel(fails)});
		await run('go');
		const receipt = steer('one');
		gate.resolve();
		expect(await receipt).toEqual(undelivered);
		expect([words(items()), status().kind]).toEqual([['go'], 'paused']);
	});

	it('is returned at the last model call of a run', async () => {
		const gate = Promise.withResolvers<void>();
		const {run, rest, steer, items} = await opened({
			model: eventModel(() => held(gate.promise, answer(says('done')))),
			limits: {...defaultLimits, maxTurns: 1},
		});
		await run('go');
		const receipt = steer('one');
		gate.resolve();
		expect(await receipt).toEqual(undelivered);
		await rest();
		expect(words(items())).toEqual(['go']);
		expect(items().at(-1)).toMatchObject({type: 'run_end', outcome: 'limit'});
	});

	it('is returned when it cannot be saved', async () => {
		const gate = Promise.withResolvers<void>();
		const first = await opened({model: eventModel()});
		const {log} = first.session;
		const full = {
			write: async (items: readonly Item[]) =>
				words(items).includes('one')
					? Promise.reject(new HistoryError('no_space', 'The disk is full.'))
					: log.write(items),
		};
		const project = await tempProject(files);
		const {run, rest, steer, items, status, queue} = await opened(
			{
				model: eventModel(() => held(gate.promise, answer(says('done')))),
				session: {...first.session, cwd: project.dir, log: full},
			},
			project,
		);
		await run('go');
		const receipt = steer('one');
		gate.resolve();
		expect(await receipt).toEqual(undelivered);
		await rest();
		expect([words(items()), status().kind, queue()]).toEqual([['go'], 'paused', []]);
	});
});
