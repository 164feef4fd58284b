import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {defineTool, HistoryError, stamp, type Item} from '../../../src/worker/index.ts';
import {context} from '../../../src/pod/ground/history/reader.ts';
import {answer, calls, says, thinks, eventModel} from '../../helpers/event-model.ts';
import {echo, setUp, texts, types} from '../worker-setup.ts';

describe('a run of the worker', () => {
	it('commits setup, user, text, request and run_end for one answer, with the id of the deltas', async () => {
		const {worker, history, deltas, options, user} = setUp();
		const result = await worker.run(user('hi'), options(eventModel(answer(says('Hel', 'lo')))));
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
		expect(types(history.items)).toEqual(['setup', 'message', 'request', 'message', 'request_end', 'run_end']);
		const text = history.items[3]!;
		expect(text).toMatchObject({role: 'assistant', text: 'Hello'});
		expect(deltas.map(delta => delta.id)).toEqual([text.id, text.id, text.id]);
		expect(deltas.map(delta => delta.text).join('')).toBe('Hello');
	});

	it('commits the setup only when it changed', async () => {
		const {worker, history, options, user, setup} = setUp();
		await worker.run(user('a'), options(eventModel(answer(says('x')))));
		await worker.run(user('b'), options(eventModel(answer(says('y')))));
		expect(history.items.filter(item => item.type === 'setup')).toHaveLength(1);
		await worker.run(user('c'), {
			...options(eventModel(answer(says('z')))),
			setup: {...setup, tools: [], prompt: 'Other.'},
		});
		expect(history.items.filter(item => item.type === 'setup')).toHaveLength(2);
		expect(context(history.items).prompt).toBe('Other.');
	});

	it('leaves no trace when the interceptor cancels the prompt', async () => {
		const {worker, history, options, user} = setUp();
		const result = await worker.run(
			user('hi'),
			options(eventModel(), {onPromptSubmit: () => ({type: 'cancel', reason: 'no'})}),
		);
		expect(result).toEqual({type: 'refused', reason: 'no'});
		expect(history.items).toEqual([]);
	});

	it('commits the interceptor’s items with the prompt, in one append', async () => {
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
			options(eventModel(answer(says('ok'))), {
				onPromptSubmit: () => ({type: 'continueWith', items: [attachment]}),
			}),
		);
		expect(batches[0]).toEqual(['setup', 'message', 'message']);
	});

	it('commits results of parallel calls as they finish, and sends them in the order of the calls', async () => {
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
		const model = eventModel(
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

	it.each([
		['an unknown tool', calls('c', 'nope', {}), /no tool nope/],
		['arguments that do not parse', calls('c', 'echo', '{"text":}'), /not valid JSON/],
		['arguments that were cut', calls('c', 'echo', '{"text":"hal'), /were cut before they were complete/],
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
	])('returns an error result to the model after %s, and continues', async (_name, call, sentence) => {
		const boom = defineTool({
			name: 'boom',
			description: '',
			effect: 'read',
			input: z.object({}),
			execute: () => Promise.reject(new Error('kaputt')),
		});
		const {worker, history, options, user} = setUp({tools: [echo, boom]});
		const result = await worker.run(user('go'), options(eventModel(answer(call), answer(says('I see')))));
		expect(result).toMatchObject({outcome: 'finished'});
		expect(history.items.find(item => item.type === 'tool_result')).toMatchObject({
			isError: true,
			content: expect.stringMatching(sentence) as unknown,
		});
	});

	it('cuts a result over the limit between characters and reports how much was dropped', async () => {
		const {worker, history, options, user} = setUp();
		await worker.run(
			user('go'),
			options(eventModel(answer(calls('c', 'echo', {text: 'é'.repeat(80)})), answer(says('ok')))),
		);
		const result = history.items.find(item => item.type === 'tool_result')!;
		expect(result.content).toBe(
			`${'é'.repeat(50)}\n[...truncated, 60 more bytes dropped: ask for less, or for a part]`,
		);
	});

	it('ends with the outcome limit after its last allowed model call', async () => {
		const {worker, options, user} = setUp({maxTurns: 2});
		const call = (n: number) => answer(calls(`c${n}`, 'echo', {text: 'x'}));
		const result = await worker.run(user('go'), options(eventModel(call(1), call(2))));
		expect(result).toMatchObject({outcome: 'limit'});
	});

	it('ends with the outcome limit, and does not commit items that are added after its last model call', async () => {
		const {worker, history, clock, options, user} = setUp({maxTurns: 1});
		const more = stamp(clock, {type: 'message', role: 'user', text: 'more'});
		const result = await worker.run(
			user('go'),
			options(eventModel(answer(says('x'))), {onTurnEnd: () => ({type: 'continueWith', items: [more]})}),
		);
		expect(result).toEqual({type: 'ended', outcome: 'limit', cause: '1 model call'});
		expect(texts(history.items)).toEqual(['go', 'x']);
	});

	it('ends with the outcome unsaved, without another request, when history cannot be written', async () => {
		let writes = 0;
		const model = eventModel(answer(calls('c', 'echo', {text: 'x'})));
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

	it('replaces an invented tool name by one that every provider accepts', async () => {
		const {worker, options, user} = setUp();
		const model = eventModel(answer(calls('c', 'functions.read file', {})), answer(says('ok')));
		await worker.run(user('go'), options(model));
		expect(model.requests[1]!.messages.slice(1)).toMatchObject([
			{parts: [{name: 'functions_read_file'}]},
			{results: [{name: 'functions_read_file'}]},
		]);
	});

	it('stops the other calls when a result cannot be saved, and commits nothing afterwards', async () => {
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
				options(eventModel(answer(calls('a', 'echo', {text: 'x'}), calls('b', 'slow', {})))),
			),
		).toMatchObject({type: 'unsaved'});
		expect(appended).not.toContain('tool_result');
	});
});
