import {describe, expect, it} from 'vitest';
import {stamp, type Item} from '../../../src/worker/index.ts';
import {context, interruption} from '../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../helpers/clock.ts';
import {answer, calls, says, eventModel} from '../../helpers/event-model.ts';
import {echo, setUp, types} from '../worker-setup.ts';

describe('a resume after a crash', () => {
	it('writes the missing run_end and repeats the request when there is no answer', async () => {
		const first = setUp();
		await first.worker.run(first.user('go'), first.options(eventModel(answer(says('x')))));
		const stored = first.history.items.slice(0, 2);
		expect(interruption(stored)).toBe('died');
		const {worker, history, options} = setUp({stored});
		const model = eventModel(answer(says('again')));
		expect(await worker.resume(options(model))).toMatchObject({outcome: 'finished'});
		expect(types(history.items)).toEqual([
			'setup',
			'message',
			'run_end',
			'request',
			'message',
			'request_end',
			'run_end',
		]);
		expect(model.requests[0]).toEqual(context(stored));
	});

	it('only ends the run when the answer is complete', async () => {
		const first = setUp();
		await first.worker.run(first.user('go'), first.options(eventModel(answer(says('x')))));
		const {worker, history, options} = setUp({stored: first.history.items.slice(0, 5)});
		expect(await worker.resume(options(eventModel()))).toMatchObject({outcome: 'finished'});
		expect(interruption(history.items)).toBeUndefined();
	});

	it('adds new items after the results of calls that were committed before', async () => {
		const clock = countedClock('k');
		const stored: Item[] = [
			stamp(clock, {
				type: 'setup',
				model: 'told/model',
				prompt: 'Be good.',
				tools: [echo.definition],
				settings: {},
			}),
			stamp(clock, {type: 'message', role: 'user', text: 'go'}),
			stamp(clock, {type: 'message', role: 'assistant', text: 'first'}),
			stamp(clock, {type: 'tool_call', callId: 'a', name: 'echo', arguments: '{"text":"x"}'}),
		];
		const {worker, options} = setUp({stored});
		const model = eventModel(answer(says('second'), calls('c', 'echo', {text: 'y'})), answer(says('third')));
		await worker.resume(options(model));
		const [one, two] = model.requests;
		expect(two!.messages.slice(0, one!.messages.length)).toEqual(one!.messages);
		expect(two!.messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
	});

	it('closes old calls, reports orphaned results once, and continues a cut answer', async () => {
		const clock = countedClock('k');
		const stored: Item[] = [
			stamp(clock, {
				type: 'setup',
				model: 'told/model',
				prompt: 'Be good.',
				tools: [echo.definition],
				settings: {},
			}),
			stamp(clock, {type: 'message', role: 'user', text: 'go'}),
			stamp(clock, {type: 'tool_call', callId: 'a', name: 'echo', arguments: '{"text":"x"}'}),
			stamp(clock, {type: 'tool_result', callId: 'gone', summary: 's', content: 'c', isError: false, ms: 0}),
			stamp(clock, {type: 'message', role: 'user', text: 'and then'}),
			stamp(clock, {type: 'message', role: 'assistant', text: 'I was'}),
		];
		const {worker, history, options, user} = setUp({stored});
		const model = eventModel(answer(says('fine')), answer(says('still fine')));
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

	it.each([
		['a notice of a torn file', {kind: 'notice', about: 'torn'}],
		['the output of a user’s command', {kind: 'shell', command: 'ls'}],
	])('makes no request when %s follows a complete answer', async (_name, origin) => {
		const first = setUp();
		await first.worker.run(first.user('go'), first.options(eventModel(answer(says('x')))));
		const aside = stamp(first.clock, {type: 'message', role: 'system', text: 'Something.', origin});
		const {worker, options} = setUp({stored: [...first.history.items.slice(0, 5), aside]});
		expect(await worker.resume(options(eventModel()))).toMatchObject({outcome: 'finished'});
	});

	it('closes a lost call of an older answer and runs those of the last answer', async () => {
		const clock = countedClock('k');
		const call = (callId: string) =>
			stamp(clock, {type: 'tool_call', callId, name: 'echo', arguments: '{"text":"x"}'});
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
			stamp(clock, {
				type: 'setup',
				model: 'told/model',
				prompt: 'Be good.',
				tools: [echo.definition],
				settings: {},
			}),
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
		const model = eventModel(answer(says('ok')));
		await worker.resume(options(model));
		expect(
			history.items.flatMap(item => (item.type === 'tool_result' ? [[item.callId, item.content]] : [])),
		).toEqual([
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
});
