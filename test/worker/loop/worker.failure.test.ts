import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {defineTool, type ModelEvent} from '../../../src/worker/index.ts';
import {interruption, unansweredCalls} from '../../../src/pod/ground/history/reader.ts';
import {answer, calls, says, sent, thinks, eventModel} from '../../helpers/event-model.ts';
import {echo, setUp, texts, types} from '../worker-setup.ts';

describe('a failed request', () => {
	const failure = (over: object = {}): ModelEvent => ({
		type: 'error',
		error: {reason: 'overloaded', message: 'Too busy.', retryable: true, ...over},
	});

	it('is retried up to the limit before its answer begins, and the wait is reported', async () => {
		const {worker, steps, options, user} = setUp();
		const result = await worker.run(
			user('go'),
			options(eventModel([sent, failure()], [sent, failure({retryAfterMs: 3})], answer(says('ok')))),
		);
		expect(result).toMatchObject({outcome: 'finished'});
		expect(steps.filter(step => step.retryAt !== undefined)).toHaveLength(2);
	});

	it('ends the run as an error with its sentence after the last retry', async () => {
		const {worker, history, options, user} = setUp();
		const result = await worker.run(user('go'), options(eventModel([failure()], [failure()], [failure()])));
		expect(result).toEqual({type: 'ended', outcome: 'error', cause: 'Too busy.'});
		expect(history.items.at(-1)).toMatchObject({type: 'run_end', outcome: 'error', cause: 'Too busy.'});
	});

	it('ends the run with a note that the key was refused, so that another key can be offered', async () => {
		const {worker, history, options, user} = setUp();
		const refused = failure({reason: 'unauthorized', message: 'Invalid API key.', retryable: false});
		await worker.run(user('go'), options(eventModel([refused])));
		expect(history.items.at(-1)).toMatchObject({type: 'run_end', outcome: 'error', keyRefused: true});
	});

	it('is not retried when it is not retryable', async () => {
		const {worker, options, user} = setUp();
		const model = eventModel([failure({retryable: false})]);
		await worker.run(user('go'), options(model));
		expect(model.requests).toHaveLength(1);
	});

	it('keeps its text and drops incomplete calls when it fails midway, and a resume continues it', async () => {
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
		const first = eventModel([sent, ...half, cut]);
		expect(await worker.run(user('go'), options(first))).toMatchObject({
			outcome: 'error',
			cause: 'The connection broke.',
		});
		expect(types(history.items)).toEqual(['setup', 'message', 'request', 'message', 'request_end', 'run_end']);
		expect(history.items[3]).toMatchObject({text: 'Half an ans', stop: 'cut'});
		expect(interruption(history.items)).toBe('error');
		const second = eventModel(answer(says('wer')));
		expect(await worker.resume(options(second))).toMatchObject({outcome: 'finished'});
		expect(second.requests[0]!.messages.map(message => message.role)).toEqual(['user', 'assistant', 'user']);
		expect(texts(history.items).at(-2)).toMatch(/cut off/);
	});
});

describe('the abort of a run', () => {
	async function abortAt(
		reason: 'pause' | 'cancel',
		when: (events: ModelEvent) => boolean,
		events: ModelEvent[],
		parts = setUp(),
	) {
		const abort = new AbortController();
		const model = eventModel(async function* () {
			for (const event of events) {
				yield event;
				if (when(event)) abort.abort(reason);
			}
		} as never);
		const result = await parts.worker.run(parts.user('go'), parts.options(model, {}, abort.signal));
		return {...parts, result};
	}

	it('commits the prefix of a text under its streaming id', async () => {
		const {history, deltas, result} = await abortAt(
			'pause',
			event => event.type === 'delta' && event.text === 'two',
			[sent, ...thinks('why'), ...says('one ', 'two', ' three')],
		);
		expect(result).toMatchObject({outcome: 'paused'});
		expect(types(history.items)).toEqual([
			'setup',
			'message',
			'request',
			'reasoning',
			'message',
			'request_end',
			'run_end',
		]);
		const text = history.items[4]!;
		expect(text).toMatchObject({text: 'one two', stop: 'aborted'});
		expect(deltas.at(-1)!.id).toBe(text.id);
	});

	it('commits only the run_end before the first token', async () => {
		const {history, result} = await abortAt('cancel', () => true, [sent, ...says('x')]);
		expect(result).toMatchObject({outcome: 'cancelled'});
		expect(types(history.items)).toEqual(['setup', 'message', 'request', 'request_end', 'run_end']);
		expect(interruption(history.items)).toBe('cancelled');
	});

	it('ends a wait for a retry', async () => {
		const abort = new AbortController();
		const {worker, options, user} = setUp();
		const busy: ModelEvent = {
			type: 'error',
			error: {reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 600_000},
		};
		const model = eventModel(() => {
			setTimeout(() => abort.abort('pause'), 5);
			return [busy];
		});
		expect(await worker.run(user('go'), options(model, {}, abort.signal))).toMatchObject({outcome: 'paused'});
	});

	it('keeps finished results of parallel calls, and a resume runs only the other calls', async () => {
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
		const first = eventModel(answer(calls('c1', 'slow', {}), calls('c2', 'echo', {text: 'quick'})));
		expect(await worker.run(user('go'), options(first, {}, abort.signal))).toMatchObject({outcome: 'paused'});
		expect(unansweredCalls(history.items).map(call => call.callId)).toEqual(['c1']);
		const second = eventModel(answer(says('both')));
		expect(await worker.resume(options(second))).toMatchObject({outcome: 'finished'});
		expect(second.requests[0]!.messages.at(-1)).toMatchObject({
			role: 'tool',
			results: [{content: 'slow at last'}, {content: 'quick'}],
		});
		expect(texts(history.items)).not.toContainEqual(expect.stringMatching(/cut off/));
	});
});
