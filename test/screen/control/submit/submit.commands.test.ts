import {describe, expect, it} from 'vitest';
import {queueDraft} from '../../../../src/screen/control/submit/submit.ts';
import type {Segment} from '../../../../src/pod/protocol.ts';
import {fakeApp, fakePod, paused, running, settled, until} from '../../../helpers/fake-app.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const enter = 'enter';

describe('a slash command', () => {
	it('is not sent as a message, can be recalled, and works during a run', async () => {
		const {app, pod, type, press, draft} = await fakeApp(fakePod(running));
		type('/help');
		press(enter);
		await until(() => app.state.page !== undefined);
		await settled();
		expect(pod.said).toEqual([]);
		expect(app.state.composer.held).toBeUndefined();
		press('escape');
		press('up');
		expect(draft()).toEqual([text('/help')]);
	});

	it('returns the message with a sentence when it cannot run', async () => {
		const {type, press, told, draft} = await fakeApp();
		type('/quit now');
		press(enter);
		await until(() => told().length > 0);
		expect(told()).toEqual(['/quit takes no argument.']);
		expect(draft()).toEqual([text('/quit now')]);
	});

	it('sends the folder of /add-dir and shows the result', async () => {
		const {pod, type, press, told, draft} = await fakeApp();
		type('/add-dir ../a b');
		press(enter);
		await until(() => told().length > 0);
		expect(pod.said).toEqual([{method: 'add_dir', path: '../a b'}]);
		expect(told()).toEqual(['../a b can be read from the next request on.']);
		pod.answer = async () => ({accepted: false, code: 'no_such_dir', sentence: 'There is no folder x.'});
		type('/add-dir x');
		press(enter);
		await until(() => told().includes('There is no folder x.'));
		expect(told()).toHaveLength(1);
		expect(draft()).toEqual([text('/add-dir x')]);
	});

	it.each(['/new', '/resume'])('is refused during a run or with a queued message: %s', async command => {
		const switches: unknown[] = [];
		const onSwitch = async (to: unknown) => {
			switches.push(to);
			return {ok: false as const, sentence: 'No.'};
		};
		const {app, type, press, told, turn} = await fakeApp(fakePod(running), {onSwitch});
		type(command);
		press(enter);
		await until(() => told().some(sentence => sentence.includes('Still running')));
		turn(paused);
		void queueDraft(app, [text('waits')], false);
		await settled();
		press(enter);
		await until(() => told().some(sentence => sentence.includes('queued')));
		expect(switches).toEqual([]);
	});

	it('takes your typing along on /resume with an id', async () => {
		const left: unknown[] = [];
		const ready = Promise.withResolvers<void>();
		const onSwitch = async (to: unknown) => {
			await ready.promise;
			return {ok: true as const, leave: (draft: readonly Segment[]) => void left.push(to, draft)};
		};
		const {type, press} = await fakeApp(fakePod(), {onSwitch});
		type('/resume 01ABC');
		press(enter);
		type('meanwhile');
		ready.resolve();
		await until(() => left.length > 0);
		expect(left).toEqual([{kind: 'id', id: '01ABC'}, [text('meanwhile')]]);
	});

	it('is sent to the pod when it has a typing error, and the refusal suggests the right one', async () => {
		const {pod, type, press, told, draft} = await fakeApp();
		pod.answer = async () => ({accepted: false, code: 'workflow', sentence: 'Unknown command /hlep.'});
		type('/hlep');
		press(enter);
		await until(() => told().length > 0);
		expect(pod.said).toEqual([{method: 'run', segments: [text('/hlep')]}]);
		expect(told()).toEqual(['Unknown command /hlep. Did you mean /help?']);
		expect(draft()).toEqual([text('/hlep')]);
	});

	it('explains how to send the text when it is a workflow that cannot be invoked', async () => {
		const {pod, type, press, told} = await fakeApp();
		pod.answer = async () => ({
			accepted: false,
			code: 'workflow',
			sentence: 'The workflow /broken cannot be invoked.',
		});
		type('/broken');
		press(enter);
		await until(() => told().length > 0);
		expect(told()).toEqual([
			'The workflow /broken cannot be invoked. Type a backslash before it to send it as text.',
		]);
	});

	it('shuts the pod down on /quit and leaves queued messages in the session', async () => {
		let left = false;
		const {app, pod, type, press, draft} = await fakeApp(fakePod(running), {
			onQuit: () => void (left = true),
		});
		void queueDraft(app, [text('waits')], false);
		type('/quit');
		press(enter);
		await until(() => left);
		expect(pod.said.slice(1)).toEqual([{method: 'shutdown'}]);
		expect([pod.queue.length, draft()]).toEqual([1, []]);
	});
});
