import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {
	createHistory,
	createWorker,
	defineTool,
	HistoryError,
	memoryLog,
	stamp,
	type Delta,
	type Interceptor,
	type Item,
	type Model,
	type ModelEvent,
	type Tool,
	type WorkerStep,
} from '../../src/worker/index.ts';
import {context, interruption, originRules, unansweredCalls} from '../../src/pod/history/reader.ts';
import {countedClock} from '../helpers/clock.ts';
import {answer, calls, says, sent, thinks, toldModel} from '../helpers/told-model.ts';

const echo = defineTool({
	name: 'echo',
	description: 'Says it again.',
	effect: 'read',
	input: z.object({text: z.string()}),
	execute: async ({text}) => ({summary: `said ${text}`, content: text}),
});

function setUp({
	tools = [echo],
	stored = [],
	maxTurns = 10,
	log = memoryLog,
}: {tools?: Tool[]; stored?: Item[]; maxTurns?: number; log?: typeof memoryLog} = {}) {
	const clock = countedClock();
	const history = createHistory(log, stored);
	const deltas: Delta[] = [];
	const steps: WorkerStep[] = [];
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => tools,
		limits: {maxTurns, maxOutputBytes: 100, retry: {maxAttempts: 3, baseMs: 1, maxMs: 2}},
		onDelta: delta => deltas.push(delta),
		onStep: step => steps.push(step),
		random: () => 0,
	});
	const setup = {
		type: 'setup',
		model: 'told/model',
		prompt: 'Be good.',
		tools: tools.map(tool => tool.definition),
		settings: {},
	} as const;
	const options = (model: Model, interceptor: Interceptor = {}, signal = new AbortController().signal) => ({
		model,
		setup: {...setup, tools: [...setup.tools]},
		interceptor,
		signal,
	});
	const user = (text: string) => [stamp(clock, {type: 'message', role: 'user', text})];
	return {clock, history, worker, deltas, steps, options, user, setup};
}

const types = (items: readonly Item[]) => items.map(item => item.type);
const texts = (items: readonly Item[]) => items.filter(item => item.type === 'message').map(item => item.text);

describe('a run', () => {
	test('of one answer, commits setup, user, text, request and run_end, and the deltas carry the id of the text', async () => {
		const {worker, history, deltas, options, user} = setUp();
		const result = await worker.run(user('hi'), options(toldModel(answer(says('Hel', 'lo')))));
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
		expect(types(history.items)).toEqual(['setup', 'message', 'message', 'request', 'run_end']);
		const text = history.items[2]!;
		expect(text).toMatchObject({role: 'assistant', text: 'Hello'});
		expect(deltas.map(delta => delta.id)).toEqual([text.id, text.id, text.id]);
		expect(deltas.map(delta => delta.text).join('')).toBe('Hello');
	});

	test('a second run with the same setup, does not commit it again; with another, does', async () => {
		const {worker, history, options, user, setup} = setUp();
		await worker.run(user('a'), options(toldModel(answer(says('x')))));
		await worker.run(user('b'), options(toldModel(answer(says('y')))));
		expect(history.items.filter(item => item.type === 'setup')).toHaveLength(1);
		await worker.run(user('c'), {
			...options(toldModel(answer(says('z')))),
			setup: {...setup, tools: [], prompt: 'Other.'},
		});
		expect(history.items.filter(item => item.type === 'setup')).toHaveLength(2);
		expect(context(history.items).prompt).toBe('Other.');
	});

	test('that the interceptor cancels at the prompt, leaves no trace', async () => {
		const {worker, history, options, user} = setUp();
		const result = await worker.run(
			user('hi'),
			options(toldModel(), {onPromptSubmit: () => ({type: 'cancel', reason: 'no'})}),
		);
		expect(result).toEqual({type: 'refused', reason: 'no'});
		expect(history.items).toEqual([]);
	});

	test('whose interceptor adds items at the prompt, commits user and items in one append', async () => {
		const batches: string[][] = [];
		const {worker, clock, options, user} = setUp({
			log: {
				async write(items) {
					batches.push(types(items));
				},
			},
		});
		const attachment = stamp(clock, {
			type: 'message',
			role: 'system',
			text: '[File: a]\nbody',
			origin: {kind: 'file'},
		});
		await worker.run(
			user('see'),
			options(toldModel(answer(says('ok'))), {
				onPromptSubmit: () => ({type: 'continueWith', items: [attachment]}),
			}),
		);
		expect(batches[0]).toEqual(['setup', 'message', 'message']);
	});

	test('with parallel calls, commits results as they finish and asks again with them in call order', async () => {
		const first = Promise.withResolvers<void>();
		const gated = defineTool({
			name: 'gated',
			description: '',
			effect: 'read',
			input: z.object({gate: z.enum(['a', 'b'])}),
			async execute({gate}) {
				if (gate === 'a') await first.promise;
				return {summary: gate, content: `result ${gate}`};
			},
		});
		const {worker, history, options, user} = setUp({tools: [gated]});
		history.observe(item => {
			if (item.type === 'tool_result') first.resolve();
		});
		const model = toldModel(
			answer(thinks('hm'), calls('c1', 'gated', {gate: 'a'}), calls('c2', 'gated', {gate: 'b'})),
			answer(says('done')),
		);
		await worker.run(user('go'), options(model));
		expect(history.items.filter(item => item.type === 'tool_result').map(item => item.content)).toEqual([
			'result b',
			'result a',
		]);
		expect(model.requests[1]!.messages.at(-1)).toEqual({
			role: 'tool',
			results: [
				{callId: 'c1', name: 'gated', content: 'result a', isError: false},
				{callId: 'c2', name: 'gated', content: 'result b', isError: false},
			],
		});
	});

	test.each([
		['an unknown tool', calls('c', 'nope', {}), /no tool nope/],
		['arguments that do not parse', calls('c', 'echo', '{"text":'), /not valid JSON/],
		[
			'arguments of 2 MB',
			calls('c', 'echo', {text: 'x'.repeat(2_097_152)}),
			/larger than 1 MB\. Make several smaller calls\./,
		],
		[
			'arguments that nest 100,000 levels',
			calls('c', 'echo', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
			/nest deeper than 256 levels/,
		],
		['arguments that do not fit', calls('c', 'echo', {text: 1}), /do not fit/],
		['a tool that throws', calls('c', 'boom', {}), /boom failed: kaputt/],
	])('with %s, gives the model an error result and goes on', async (_name, call, sentence) => {
		const boom = defineTool({
			name: 'boom',
			description: '',
			effect: 'read',
			input: z.object({}),
			execute: () => Promise.reject(new Error('kaputt')),
		});
		const {worker, history, options, user} = setUp({tools: [echo, boom]});
		const result = await worker.run(user('go'), options(toldModel(answer(call), answer(says('I see')))));
		expect(result).toMatchObject({outcome: 'finished'});
		expect(history.items.find(item => item.type === 'tool_result')).toMatchObject({
			isError: true,
			content: expect.stringMatching(sentence) as unknown,
		});
	});

	test('with a result over the cap, cuts it on a character boundary and says how much was dropped', async () => {
		const {worker, history, options, user} = setUp();
		await worker.run(
			user('go'),
			options(toldModel(answer(calls('c', 'echo', {text: 'é'.repeat(80)})), answer(says('ok')))),
		);
		const result = history.items.find(item => item.type === 'tool_result')!;
		expect(result.content).toBe(
			`${'é'.repeat(50)}\n[...truncated, 60 more bytes dropped: ask for less, or for a part]`,
		);
	});

	test('over its turn limit, ends as limit', async () => {
		const {worker, options, user} = setUp({maxTurns: 2});
		const call = (n: number) => answer(calls(`c${n}`, 'echo', {text: 'x'}));
		const result = await worker.run(user('go'), options(toldModel(call(1), call(2))));
		expect(result).toMatchObject({outcome: 'limit'});
	});

	test('whose last turn is to go on with more, ends as limit and commits none of it', async () => {
		const {worker, history, clock, options, user} = setUp({maxTurns: 1});
		const more = stamp(clock, {type: 'message', role: 'user', text: 'more'});
		const result = await worker.run(
			user('go'),
			options(toldModel(answer(says('x'))), {onTurnEnd: () => ({type: 'continueWith', items: [more]})}),
		);
		expect(result).toEqual({type: 'ended', outcome: 'limit', cause: '1 model calls'});
		expect(texts(history.items)).toEqual(['go', 'x']);
	});

	test('whose history cannot be written, ends as unsaved and nothing more is asked', async () => {
		let writes = 0;
		const model = toldModel(answer(calls('c', 'echo', {text: 'x'})));
		const {worker, history, options, user} = setUp({
			log: {
				async write() {
					if (++writes > 1) throw new HistoryError('no_space', 'The disk is full.');
				},
			},
		});
		const result = await worker.run(user('go'), options(model));
		expect(result).toMatchObject({type: 'unsaved', error: {reason: 'no_space'}});
		expect(types(history.items)).toEqual(['setup', 'message']);
		expect(model.requests).toHaveLength(1);
	});
});

describe('a model that fails', () => {
	const failure = (over: object = {}): ModelEvent => ({
		type: 'error',
		error: {reason: 'overloaded', message: 'Too busy.', retryable: true, ...over},
	});

	test('before its answer begins, is asked again up to the limit, with the wait told', async () => {
		const {worker, steps, options, user} = setUp();
		const result = await worker.run(
			user('go'),
			options(toldModel([sent, failure()], [sent, failure({retryAfterMs: 3})], answer(says('ok')))),
		);
		expect(result).toMatchObject({outcome: 'finished'});
		expect(steps.filter(step => step.retryAt !== undefined)).toHaveLength(2);
	});

	test('too often, ends the run as an error with its sentence', async () => {
		const {worker, history, options, user} = setUp();
		const result = await worker.run(user('go'), options(toldModel([failure()], [failure()], [failure()])));
		expect(result).toEqual({type: 'ended', outcome: 'error', cause: 'Too busy.'});
		expect(history.items.at(-1)).toMatchObject({type: 'run_end', outcome: 'error', cause: 'Too busy.'});
	});

	test('for good, is not asked again', async () => {
		const {worker, options, user} = setUp();
		const model = toldModel([failure({retryable: false})]);
		await worker.run(user('go'), options(model));
		expect(model.requests).toHaveLength(1);
	});

	test('midway, keeps the text that came, drops half-made calls, and a resume tells the model that it was cut', async () => {
		const {worker, history, options, user} = setUp();
		const cut: ModelEvent = {
			type: 'error',
			error: {reason: 'cut', message: 'The connection broke.', retryable: true},
		};
		const half: ModelEvent[] = [
			{type: 'start', key: 't', part: {type: 'text'}},
			{type: 'delta', key: 't', text: 'Half an ans'},
			{type: 'start', key: 'c', part: {type: 'tool_call', callId: 'c', name: 'echo'}},
			{type: 'delta', key: 'c', text: '{"te'},
		];
		const first = toldModel([sent, ...half, cut]);
		expect(await worker.run(user('go'), options(first))).toMatchObject({
			outcome: 'error',
			cause: 'The connection broke.',
		});
		expect(types(history.items)).toEqual(['setup', 'message', 'message', 'request', 'run_end']);
		expect(history.items[2]).toMatchObject({text: 'Half an ans', stop: 'cut'});
		expect(interruption(history.items)).toBe('error');
		const second = toldModel(answer(says('wer')));
		expect(await worker.resume(options(second))).toMatchObject({outcome: 'finished'});
		expect(second.requests[0]!.messages.map(message => message.role)).toEqual(['user', 'assistant', 'user']);
		expect(texts(history.items).at(-2)).toMatch(/cut off/);
	});
});

describe('an abort', () => {
	async function abortAt(
		reason: 'pause' | 'cancel',
		when: (events: ModelEvent) => boolean,
		events: ModelEvent[],
		parts = setUp(),
	) {
		const abort = new AbortController();
		const model = toldModel(async function* () {
			for (const event of events) {
				yield event;
				if (when(event)) abort.abort(reason);
			}
		} as never);
		const result = await parts.worker.run(parts.user('go'), parts.options(model, {}, abort.signal));
		return {...parts, result};
	}

	test('in the middle of a text, commits the prefix in stream order under the id that was streaming', async () => {
		const {history, deltas, result} = await abortAt(
			'pause',
			event => event.type === 'delta' && event.text === 'two',
			[sent, ...thinks('why'), ...says('one ', 'two', ' three')],
		);
		expect(result).toMatchObject({outcome: 'paused'});
		expect(types(history.items)).toEqual(['setup', 'message', 'reasoning', 'message', 'request', 'run_end']);
		const text = history.items[3]!;
		expect(text).toMatchObject({text: 'one two', stop: 'aborted'});
		expect(deltas.at(-1)!.id).toBe(text.id);
	});

	test('before the first token, commits nothing but the end', async () => {
		const {history, result} = await abortAt('cancel', () => true, [sent, ...says('x')]);
		expect(result).toMatchObject({outcome: 'cancelled'});
		expect(types(history.items)).toEqual(['setup', 'message', 'request', 'run_end']);
		expect(interruption(history.items)).toBe('cancelled');
	});

	test('in the wait for another attempt, ends the wait', async () => {
		const abort = new AbortController();
		const {worker, options, user} = setUp();
		const busy: ModelEvent = {
			type: 'error',
			error: {reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 600_000},
		};
		const model = toldModel(() => {
			setTimeout(() => abort.abort('pause'), 5);
			return [busy];
		});
		expect(await worker.run(user('go'), options(model, {}, abort.signal))).toMatchObject({outcome: 'paused'});
	});

	test('in parallel tools, keeps the finished result and leaves the other call unanswered; a resume runs just that one', async () => {
		const abort = new AbortController();
		let slowRuns = 0;
		const slow = defineTool({
			name: 'slow',
			description: '',
			effect: 'read',
			input: z.object({}),
			async execute(_args, {signal}) {
				if (++slowRuns === 2) return {summary: 'slow', content: 'slow at last'};
				return new Promise((_resolve, reject) =>
					signal.addEventListener('abort', () => reject(new Error('aborted'))),
				);
			},
		});
		const {worker, history, options, user} = setUp({tools: [echo, slow]});
		history.observe(item => {
			if (item.type === 'tool_result') abort.abort('pause');
		});
		const first = toldModel(answer(calls('c1', 'slow', {}), calls('c2', 'echo', {text: 'quick'})));
		expect(await worker.run(user('go'), options(first, {}, abort.signal))).toMatchObject({outcome: 'paused'});
		expect(unansweredCalls(history.items).map(call => call.callId)).toEqual(['c1']);
		const second = toldModel(answer(says('both')));
		expect(await worker.resume(options(second))).toMatchObject({outcome: 'finished'});
		expect(second.requests[0]!.messages.at(-1)).toMatchObject({
			role: 'tool',
			results: [{content: 'slow at last'}, {content: 'quick'}],
		});
		expect(texts(history.items)).not.toContainEqual(expect.stringMatching(/cut off/));
	});
});

describe('a resume after the process died', () => {
	test('before any answer, writes the missing run_end and asks again with the same request', async () => {
		const first = setUp();
		await first.worker.run(first.user('go'), first.options(toldModel(answer(says('x')))));
		const stored = first.history.items.slice(0, 2);
		expect(interruption(stored)).toBe('died');
		const {worker, history, options} = setUp({stored});
		const model = toldModel(answer(says('again')));
		expect(await worker.resume(options(model))).toMatchObject({outcome: 'finished'});
		expect(types(history.items)).toEqual(['setup', 'message', 'run_end', 'message', 'request', 'run_end']);
		expect(model.requests[0]).toEqual(context(stored));
	});

	test('between the whole answer and its run_end, only ends the run', async () => {
		const first = setUp();
		await first.worker.run(first.user('go'), first.options(toldModel(answer(says('x')))));
		const {worker, history, options} = setUp({stored: first.history.items.slice(0, 4)});
		expect(await worker.resume(options(toldModel()))).toMatchObject({outcome: 'finished'});
		expect(interruption(history.items)).toBeUndefined();
	});
});

test('calls that were committed before the process died, keep their place: what a resume adds stands behind their results', async () => {
	const clock = countedClock('k');
	const stored: Item[] = [
		stamp(clock, {type: 'setup', model: 'told/model', prompt: 'Be good.', tools: [echo.definition], settings: {}}),
		stamp(clock, {type: 'message', role: 'user', text: 'go'}),
		stamp(clock, {type: 'message', role: 'assistant', text: 'first'}),
		stamp(clock, {type: 'tool_call', callId: 'a', name: 'echo', arguments: '{"text":"x"}'}),
	];
	const {worker, options} = setUp({stored});
	const model = toldModel(answer(says('second'), calls('c', 'echo', {text: 'y'})), answer(says('third')));
	await worker.resume(options(model));
	const [one, two] = model.requests;
	expect(two!.messages.slice(0, one!.messages.length)).toEqual(one!.messages);
	expect(two!.messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
});

test('a call without a result that the conversation has gone past, is not run by a resume but closed; a result without a call is told of once; an answer that stands last is told as cut', async () => {
	const clock = countedClock('k');
	const stored: Item[] = [
		stamp(clock, {type: 'setup', model: 'told/model', prompt: 'Be good.', tools: [echo.definition], settings: {}}),
		stamp(clock, {type: 'message', role: 'user', text: 'go'}),
		stamp(clock, {type: 'tool_call', callId: 'a', name: 'echo', arguments: '{"text":"x"}'}),
		stamp(clock, {type: 'tool_result', callId: 'gone', summary: 's', content: 'c', isError: false, ms: 0}),
		stamp(clock, {type: 'message', role: 'user', text: 'and then'}),
		stamp(clock, {type: 'message', role: 'assistant', text: 'I was'}),
	];
	const {worker, history, options, user} = setUp({stored});
	const model = toldModel(answer(says('fine')), answer(says('still fine')));
	await worker.resume(options(model));
	await worker.run(user('more'), options(model));
	const made = history.items.slice(stored.length);
	expect(made.flatMap(item => (item.type === 'tool_result' ? [[item.callId, item.content]] : []))).toEqual([
		['a', '[Interrupted: its result is lost]'],
	]);
	expect(made.flatMap(item => (item.type === 'message' && item.role === 'system' ? [item.origin] : []))).toEqual([
		{kind: 'notice', about: 'cut'},
		{kind: 'notice', about: 'stray', ids: [stored[3]!.id]},
	]);
	expect(model.requests[0]!.messages.map(({role}) => role)).toEqual([
		'user',
		'assistant',
		'tool',
		'user',
		'assistant',
		'user',
		'user',
	]);
});

test('a call that is half made when the answer reaches its limit, is dropped and not run', async () => {
	const {worker, history, options, user} = setUp();
	const half: ModelEvent[] = [
		...says('x'),
		{type: 'start', key: 'c', part: {type: 'tool_call', callId: 'c', name: 'echo'}},
		{type: 'finish', stop: 'length', usage: {}},
	];
	expect(await worker.run(user('go'), options(toldModel([sent, ...half])))).toMatchObject({
		outcome: 'finished',
		cause: expect.stringMatching(/limit/) as unknown,
	});
	expect(types(history.items)).toEqual(['setup', 'message', 'message', 'request', 'run_end']);
});

test('a tool name that the model made up, goes back as one that every provider takes', async () => {
	const {worker, options, user} = setUp();
	const model = toldModel(answer(calls('c', 'functions.read file', {})), answer(says('ok')));
	await worker.run(user('go'), options(model));
	expect(model.requests[1]!.messages.slice(1)).toMatchObject([
		{parts: [{name: 'functions_read_file'}]},
		{results: [{name: 'functions_read_file'}]},
	]);
});

test.each([
	['a notice of a torn file', {kind: 'notice', about: 'torn'}],
	['the output of a command of the person’s', {kind: 'shell', command: 'ls'}],
])('%s behind a whole answer, does not make a resume ask again', async (_name, origin) => {
	const first = setUp();
	await first.worker.run(first.user('go'), first.options(toldModel(answer(says('x')))));
	const aside = stamp(first.clock, {type: 'message', role: 'system', text: 'Something.', origin});
	const {worker, options} = setUp({stored: [...first.history.items.slice(0, 4), aside]});
	expect(await worker.resume(options(toldModel()))).toMatchObject({outcome: 'finished'});
});

test('a result that cannot be saved, stops its siblings, and nothing is committed after the run has ended', async () => {
	let results = 0;
	const appended: string[] = [];
	const slow = defineTool({
		name: 'slow',
		description: '',
		effect: 'read',
		input: z.object({}),
		execute: async (_args, {signal}) =>
			new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
	});
	const log = {
		async write(items: readonly Item[]) {
			if (items.some(item => item.type === 'tool_result') && ++results === 1)
				throw new HistoryError('no_space', 'Full.');
			appended.push(...types(items));
		},
	};
	const {worker, options, user} = setUp({tools: [echo, slow], log});
	expect(
		await worker.run(
			user('go'),
			options(toldModel(answer(calls('a', 'echo', {text: 'x'}), calls('b', 'slow', {})))),
		),
	).toMatchObject({type: 'unsaved'});
	expect(appended).not.toContain('tool_result');
});

test('a call of an older answer whose result is lost, is closed by a resume and not run; those of the last answer are run', async () => {
	const clock = countedClock('k');
	const call = (callId: string) => stamp(clock, {type: 'tool_call', callId, name: 'echo', arguments: '{"text":"x"}'});
	const asked = () =>
		stamp(clock, {
			type: 'request',
			model: 'm',
			usage: {},
			requestHash: '',
			startedAt: '',
			endedAt: '',
			stop: 'tool_calls',
		});
	const stored: Item[] = [
		stamp(clock, {type: 'setup', model: 'told/model', prompt: 'Be good.', tools: [echo.definition], settings: {}}),
		stamp(clock, {type: 'message', role: 'user', text: 'go'}),
		call('old'),
		asked(),
		stamp(clock, {
			type: 'message',
			role: 'system',
			text: 'A line is damaged.',
			origin: {kind: 'notice', about: 'damaged'},
		}),
		call('last'),
		asked(),
		stamp(clock, {type: 'run_end', outcome: 'paused'}),
	];
	const {worker, history, options} = setUp({stored});
	const model = toldModel(answer(says('ok')));
	await worker.resume(options(model));
	expect(history.items.flatMap(item => (item.type === 'tool_result' ? [[item.callId, item.content]] : []))).toEqual([
		['last', 'x'],
		['old', '[Interrupted: its result is lost]'],
	]);
	expect(model.requests[0]!.messages.map(({role}) => role)).toEqual([
		'user',
		'assistant',
		'tool',
		'user',
		'assistant',
		'tool',
	]);
});
