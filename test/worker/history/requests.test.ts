import {describe, expect, it} from 'vitest';
import {
	answerEnd,
	answerStart,
	finishedRequests,
	HistoryError,
	requestsOf,
	type Log,
} from '../../../src/worker/index.ts';
import {answerEnd as answerEndOfClient} from '../../../src/pod/protocol.ts';
import {createItems} from '../../helpers/items.ts';
import {answer, says, sent, thinks, eventModel} from '../../helpers/event-model.ts';
import {setUp, types} from '../worker-setup.ts';

describe('requests and their ends', () => {
	it('are one item in 0.1.0, and two items since then', () => {
		const make = createItems();
		const old = [make.user('a'), make.assistant('b'), make.request()];
		const request = make.sent();
		const end = make.answered(request, 'length');
		const lost = make.sent();
		const items = [...old, make.user('c'), request, make.reasoning('d'), make.assistant('e'), end, lost];
		expect(items.map(item => answerEnd(item)?.stop).filter(stop => stop !== undefined)).toEqual(['end', 'length']);
		expect(items.map(item => answerEndOfClient(item)?.stop)).toEqual(items.map(item => answerEnd(item)?.stop));
		expect(requestsOf(items).map(({request: {id}, end: ended}) => [id, ended?.stop])).toEqual([
			[old[2]!.id, 'end'],
			[request.id, 'length'],
			[lost.id, undefined],
		]);
		expect(finishedRequests(items).map(({model, stop}) => [model, stop])).toEqual([
			['scripted/demo', 'end'],
			['scripted/demo', 'length'],
		]);
		expect([answerStart(items, 2), answerStart(items, items.indexOf(end))]).toEqual([
			1,
			items.indexOf(request) + 1,
		]);
	});

	it('include an end whose request is not in the history', () => {
		const make = createItems();
		const end = make.answered(make.sent());
		expect(finishedRequests([end])).toMatchObject([{model: '', usage: end.usage, stop: 'end'}]);
	});
});

describe('a model call', () => {
	it('is recorded before anything is sent', async () => {
		const {worker, history, options, user} = setUp();
		const before: string[][] = [];
		const model = eventModel(async function* () {
			yield sent;
			before.push(types(history.items));
			yield* answer(says('Hello')).slice(1);
		});
		await worker.run(user('go'), options(model));
		expect(before).toEqual([['setup', 'message', 'request']]);
		const [request, end] = [history.items[2]!, history.items[4]!];
		expect(request).toEqual({...request, type: 'request', model: 'told/model', requestHash: 'f'.repeat(64)});
		expect(end).toMatchObject({
			type: 'request_end',
			request: request.id,
			stop: 'end',
			usage: {input: 10, output: 5},
		});
	});

	it('is not sent when the record cannot be written', async () => {
		const log: Log = {
			async write(items) {
				if (types(items).includes('request')) throw new HistoryError('no_space', 'The disk is full.');
			},
		};
		const {worker, options, user} = setUp({log});
		let isSent = false;
		const model = eventModel(async function* () {
			yield sent;
			isSent = true;
			yield* answer(says('Hello')).slice(1);
		});
		const result = await worker.run(user('go'), options(model));
		expect([result.type, isSent]).toEqual(['unsaved', false]);
	});

	it('has one pair of items for each attempt', async () => {
		const {worker, history, options, user} = setUp();
		const busy = {reason: 'overloaded', message: 'Busy.', retryable: true, retryAfterMs: 1} as const;
		const failed = [sent, ...thinks('hm'), {type: 'error', error: busy} as const];
		await worker.run(user('go'), options(eventModel(failed, answer(says('Hello')))));
		expect(requestsOf(history.items).map(({end}) => end?.stop)).toEqual(['error', 'end']);
		expect(types(history.items)).toEqual([
			'setup',
			'message',
			'request',
			'reasoning',
			'request_end',
			'request',
			'message',
			'request_end',
			'run_end',
		]);
	});
});
