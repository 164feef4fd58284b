import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import type {Item, Receipt} from '../../../src/pod/protocol.ts';
import type {PromptHook} from '../../../src/pod/submission/submission.ts';
import {HistoryError, type Model} from '../../../src/worker/index.ts';
import {reopened, testPod, type TestPod, type TestPodOptions} from '../../helpers/pod.ts';
import {refusePairs} from '../../helpers/random-session.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';
import {answer, calls, says, sent, toldModel} from '../../helpers/told-model.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_123);

const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
const words = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.role === 'user' ? [item.text] : []));
const files = {'a.md': 'one\n', 'b.md': 'two\n'};
const undelivered = {accepted: false, code: 'aborted', sentence: 'The run ended before the message was delivered.'};

/** An answer that ends when the gate opens. */
async function* held(gate: Promise<void>, events: ReturnType<typeof answer>) {
	yield sent;
	await gate;
	yield* events.slice(1);
}

async function opened(options: TestPodOptions, project?: TempProject) {
	const told = await testPod(project ?? (await tempProject(files)), options);
	const steer = async (text: string) => told.pod.send({method: 'steer', segments: [{type: 'text', text}]});
	const queue = () => told.status().queue.map(([segment]) => (segment?.type === 'text' ? segment.text : undefined));
	return {...told, steer, queue};
}

describe('what is said to a run', () => {
	test('that calls tools, is in the next request, behind the results', async () => {
		const gate = Promise.withResolvers<void>();
		const model = toldModel(
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
			'tool_call',
			'request',
			'tool_result',
			'submit',
			'file',
			'assistant',
			'request',
			'run_end',
		]);
		expect(model.requests[1]!.messages.slice(-2)).toEqual([
			{role: 'user', text: 'see @b.md too'},
			{role: 'user', text: '[File: b.md]\ntwo\n'},
		]);
	});

	test('that would end, makes it go on', async () => {
		const gate = Promise.withResolvers<void>();
		const model = toldModel(() => held(gate.promise, answer(says('done'))), answer(says('that too')));
		const {run, rest, steer, items} = await opened({model});
		await run('go');
		const receipts = [steer('one'), steer('two'), steer('three')];
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([{accepted: true}, {accepted: true}, {accepted: true}]);
		await rest();
		expect(kinds(items())).toEqual([
			'setup',
			'submit',
			'assistant',
			'request',
			'submit',
			'submit',
			'submit',
			'assistant',
			'request',
			'run_end',
		]);
		expect(words(items())).toEqual(['go', 'one', 'two', 'three']);
	});

	test('that was resumed, is delivered as to any other', async () => {
		const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const model = toldModel(
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

	test('with a ref that fails, alerts once, at the commit', async () => {
		const gate = Promise.withResolvers<void>();
		const {run, rest, steer, events, items} = await opened({
			model: toldModel(() => held(gate.promise, answer(says('done'))), answer(says('ok'))),
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

	test('that is refused by itself, is told at once, and the run goes on', async () => {
		const gate = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text}) =>
			text.includes('secret') ? {type: 'cancel', reason: 'No secrets.'} : {type: 'continue'};
		const {run, rest, steer, items, queue, status} = await opened({
			model: toldModel(() => held(gate.promise, answer(says('done')))),
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

	test('while the run itself is being resolved, comes behind its message', async () => {
		const gate = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text}) => {
			if (text === 'go') await gate.promise;
			return {type: 'continue'};
		};
		const model = toldModel(answer(says('ok')));
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

	test('that is refused, is given back', async () => {
		const gate = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text}) => {
			if (text !== 'go') return {type: 'continue'};
			await gate.promise;
			return {type: 'cancel', reason: 'No.'};
		};
		const {run, steer, items, queue} = await opened({model: toldModel(), hook});
		const receipts = [run('go'), steer('and this')];
		gate.resolve();
		expect(await Promise.all(receipts)).toEqual([expect.objectContaining({code: 'hook'}), undelivered]);
		expect([items(), queue()]).toEqual([[], []]);
	});

	test('that ends while it is being resolved, waits for it, and keeps the order', async () => {
		const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const hook: PromptHook = async ({text}) => {
			if (text === 'slow') await gate.promise;
			return {type: 'continue'};
		};
		const held = Promise.withResolvers<void>();
		const model: Model = toldModel(() => untilOpen(held.promise, () => asked.resolve()), answer(says('ok')));
		const {run, rest, steer, items, until, queue} = await opened({model, hook});
		await run('go');
		const receipts = [steer('slow'), steer('quick')];
		held.resolve();
		await until(events => events.some(event => event.type === 'item' && event.item.type === 'request'));
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

describe('what is not delivered', () => {
	test.each(['pause', 'cancel', 'shutdown'] as const)(
		'before a %s, is given back, and history knows nothing of it',
		async method => {
			const gate = Promise.withResolvers<void>();
			const told = await opened({model: toldModel(() => held(gate.promise, answer(says('x'))))});
			await told.run('go');
			const receipts = [told.steer('one'), told.steer('two')];
			const stopped = told.pod.send({method});
			gate.resolve();
			await stopped;
			expect(await Promise.all(receipts)).toEqual([undelivered, undelivered]);
			expect([words(told.items()), told.queue()]).toEqual([['go'], []]);
		},
	);

	test('while the turn’s end waits for it, and a pause comes, is given back; the answer was whole', async () => {
		const hook: PromptHook = async ({text}, signal) => {
			if (text !== 'go') await new Promise(resolve => signal.addEventListener('abort', resolve));
			return {type: 'continue'};
		};
		const {run, steer, items, until, status, pod, queue} = await opened({
			model: toldModel(answer(says('done'))),
			hook,
		});
		const running = run('go');
		const receipt = steer('slow');
		await running;
		await until(events => events.some(event => event.type === 'item' && event.item.type === 'request'));
		await pod.send({method: 'pause'});
		expect(await receipt).toEqual(undelivered);
		expect([status().kind, queue()]).toEqual(['idle', []]);
		expect(items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	test('when the provider fails, is given back', async () => {
		const gate = Promise.withResolvers<void>();
		const fails = async function* () {
			yield sent;
			await gate.promise;
			yield {type: 'error', error: {reason: 'bad_request', message: 'No.', retryable: false}} as const;
		};
		const {run, steer, items, status} = await opened({model: toldModel(fails)});
		await run('go');
		const receipt = steer('one');
		gate.resolve();
		expect(await receipt).toEqual(undelivered);
		expect([words(items()), status().kind]).toEqual([['go'], 'paused']);
	});

	test('at the last model call of a run, is given back', async () => {
		const gate = Promise.withResolvers<void>();
		const {run, rest, steer, items} = await opened({
			model: toldModel(() => held(gate.promise, answer(says('done')))),
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

	test('because it cannot be saved, is given back', async () => {
		const gate = Promise.withResolvers<void>();
		const first = await opened({model: toldModel()});
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
				model: toldModel(() => held(gate.promise, answer(says('done')))),
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

describe('messages at any moment of a run that ends in any way', () => {
	type Said = {readonly on: 'delta' | 'item' | 'status'; readonly n: number; readonly text: string};
	const moment = {on: fc.constantFrom('delta', 'delta', 'item', 'status'), n: fc.integer({min: 1, max: 14})} as const;
	const said: fc.Arbitrary<Said> = fc.record({
		...moment,
		text: fc.constantFrom('plain', 'see @a.md', 'see @./missing.md', '/nope', 'hooked', 'slow', ' '),
	});
	const plan = fc.record({
		says: fc.array(said, {minLength: 1, maxLength: 6}),
		stop: fc.option(fc.record({...moment, method: fc.constantFrom('pause', 'cancel', 'shutdown')}), {
			nil: undefined,
		}),
		answers: fc.array(fc.constantFrom('text', 'text', 'call', 'call', 'error'), {minLength: 1, maxLength: 4}),
		maxTurns: fc.constantFrom(2, 3, 50),
		resumed: fc.boolean(),
	});
	const hook: PromptHook = async ({text}, signal) => {
		if (text.startsWith('slow'))
			for (let turns = 0; turns < 5 && !signal.aborted; turns++)
				await new Promise(resolve => setImmediate(resolve));
		return text.startsWith('hooked') ? {type: 'cancel', reason: 'No.'} : {type: 'continue'};
	};

	/** Answers by plan, then with words. Says what a strict server would refuse. */
	function modelOf(answers: readonly string[]): Model & {readonly refusals: string[]} {
		const refusals: string[] = [];
		let count = 0;
		return {
			name: 'told/model',
			refusals,
			async *stream({messages}, signal) {
				const kind = answers[count++] ?? 'text';
				const refusal =
					refusePairs(messages) ??
					(messages.at(-1)?.role === 'assistant' ? 'ends in words of the assistant' : undefined);
				if (refusal !== undefined) refusals.push(refusal);
				const events =
					kind === 'call'
						? answer(says('I look.'), calls(`c${count}`, 'read_file', {path: 'a.md'}))
						: answer(says('Some ', 'words.'));
				for (const event of kind === 'error'
					? [
							...events.slice(0, 3),
							{type: 'error', error: {reason: 'bad_request', message: 'No.', retryable: false}} as const,
						]
					: events) {
					await new Promise(resolve => setImmediate(resolve));
					if (signal.aborted) return;
					yield event;
				}
			},
		};
	}

	test(`are each committed once or refused once, in order, and none waits afterwards (seed ${seed})`, async () => {
		const project = await tempProject(files);
		await fc.assert(
			fc.asyncProperty(plan, async ({says: list, stop, answers, maxTurns, resumed}) => {
				const model = modelOf(resumed ? ['error', ...answers] : answers);
				const told = await testPod(project, {model, hook, limits: {...defaultLimits, maxTurns}});
				await told.run('go');
				if (resumed) await told.rest();
				const accepted: string[] = [];
				const sentTexts: string[] = [];
				const receipts: Array<Promise<Receipt>> = [];
				for (const [index, {on, n, text}] of list.entries()) {
					at(told, on, n, () => {
						const own = text.trim() === '' ? text : `${text} #${index}`;
						sentTexts.push(own);
						receipts.push(
							told.pod.send({method: 'steer', segments: [{type: 'text', text: own}]}).then(receipt => {
								if (receipt.accepted) accepted.push(own);
								return receipt;
							}),
						);
					});
				}
				if (stop !== undefined) at(told, stop.on, stop.n, () => void told.pod.send({method: stop.method}));
				if (resumed) await told.pod.send({method: 'resume'});
				await told.until(events => events.at(-1)?.type === 'closed' || told.status().kind !== 'running');
				const all = await Promise.all(receipts);
				const delivered = words(told.items())
					.slice(1)
					.map(text => text.replace('[unresolved file ref: ./missing.md]', '@./missing.md'));
				expect(delivered).toEqual(accepted);
				expect(delivered).toEqual(sentTexts.filter(text => accepted.includes(text)));
				expect(new Set(delivered).size).toBe(delivered.length);
				for (const receipt of all)
					if (!receipt.accepted)
						expect(['aborted', 'not_running', 'hook', 'workflow', 'empty', 'closed']).toContain(
							receipt.code,
						);
				expect(told.status().queue).toEqual([]);
				expect(model.refusals).toEqual([]);
				await told.pod.send({method: 'shutdown'});
				const again = await testPod(project, {model, session: await reopened(told)});
				expect(again.items()).toEqual(told.items());
				expect(again.status().kind).toBe(told.status().kind);
				await again.pod.send({method: 'shutdown'});
			}),
			{seed, numRuns: long ? 600 : 60},
		);
	});

	/** Calls at the nth event of a kind, counted from now. */
	function at({pod}: TestPod, on: Said['on'], n: number, then: () => void): void {
		let count = 0;
		pod.subscribe(event => {
			if (event.type === on && ++count === n) then();
		});
	}
});
