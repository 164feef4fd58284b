import {describe, expect, it} from 'vitest';
import {queueDraft} from '../../../../src/screen/control/submit/submit.ts';
import type {Preflight, Receipt, Segment, Status} from '../../../../src/pod/protocol.ts';
import {repeatGap} from '../../../../src/screen/model/card/answering.ts';

import type {Timers} from '../../../../src/screen/control/timers.ts';
import {fakeApp, fakePod, idle, paused, running, settled, type FakePod} from '../../../helpers/fake-app.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const refused: Receipt = {accepted: false, code: 'io', sentence: 'It was not to be.'};
const enter = 'enter';

describe('a shell command', () => {
	it('is sent as a command when nothing runs, and can be recalled with its mark', async () => {
		const {pod, type, press, commit, draft, app} = await fakeApp();
		type('!ls -l');
		press(enter);
		await settled();
		expect(pod.said).toEqual([{method: 'shell', command: 'ls -l'}]);
		commit({
			type: 'message',
			role: 'system',
			text: 'out',
			origin: {kind: 'shell', command: 'ls -l', exitCode: 0, bytes: 3, totalBytes: 3, truncated: false},
		});
		expect(app.state.composer.held).toBeUndefined();
		press('up');
		expect(draft()).toEqual([text('!ls -l')]);
	});

	it('makes your messages wait in the queue until it ends, and blocks nothing else', async () => {
		const {app, pod, type, press, turn, draft} = await fakeApp();
		const done = Promise.withResolvers<Receipt>();
		pod.answer = async () => done.promise;
		type('!sleep 9');
		press(enter);
		expect(app.state.composer.held).toBeDefined();
		await settled();
		turn(running);
		expect(app.state.composer.held).toBeUndefined();
		type('next');
		press(enter);
		await settled();
		expect(pod.said.at(-1)).toEqual({method: 'queue', segments: [text('next')]});
		expect(draft()).toEqual([]);
		done.resolve({accepted: true});
	});

	it('returns to the composer when it is refused after it began', async () => {
		const {pod, type, press, turn, draft, told} = await fakeApp();
		const done = Promise.withResolvers<Receipt>();
		pod.answer = async () => done.promise;
		type('!make');
		press(enter);
		await settled();
		turn(running);
		turn(idle);
		done.resolve(refused);
		await settled();
		expect(draft()).toEqual([text('!make')]);
		expect(told()).toEqual(['It was not to be.']);
	});

	it.each([String.raw`\!ls`, ' !ls'])('becomes a message when written as %j', async words => {
		const {pod, type, press} = await fakeApp();
		type(words);
		press(enter);
		await settled();
		expect(pod.said).toEqual([{method: 'run', segments: [text(words)]}]);
	});

	it('returns with a sentence when no text follows the mark', async () => {
		const {pod, type, press, draft, told} = await fakeApp();
		type('! ');
		press(enter);
		await settled();
		expect(pod.said).toEqual([]);
		expect(draft()).toEqual([text('! ')]);
		expect(told()).toEqual(['No command after the "!".']);
	});
});

describe('a queued message', () => {
	/** Returns an app during a run, with queued messages. */
	async function queueing(...messages: readonly string[]) {
		const made = await fakeApp(fakePod(running));
		for (const words of messages) {
			made.type(words);
			made.press(enter);
		}
		await settled();
		return made;
	}

	it('goes to the pod with an id of its own, even if the words are the same', async () => {
		const {pod, app} = await queueing('same', '!two', 'same');
		expect(pod.said).toEqual([
			{method: 'queue', segments: [text('same')]},
			{method: 'queue', segments: [text('!two')], command: 'two'},
			{method: 'queue', segments: [text('same')]},
		]);
		expect(new Set(pod.queue.map(({id}) => id)).size).toBe(3);
		expect([app.state.submission.sending, app.state.composer.held]).toEqual([[], undefined]);
	});

	it('is drawn only when the pod has saved it', async () => {
		const {pod, rows, type, press, draft} = await fakeApp(fakePod(running));
		pod.answer = async () => new Promise(() => {});
		type('later');
		press(enter);
		await settled();
		expect([rows(), draft()]).toEqual([[], []]);
		pod.emit({
			type: 'status',
			status: {...running, queue: [{id: 'x', state: 'queued', preview: [text('later')]}]},
		});
		expect(rows()).toEqual(['◦ queued: later (↑ to edit)']);
	});

	it('is a draft again, with an alert, when it cannot be saved', async () => {
		const {pod, type, press, draft, told} = await fakeApp(fakePod(running));
		pod.answer = async () => ({accepted: false, code: 'io', sentence: 'The disk is full.'});
		type('later');
		press(enter);
		await settled();
		expect([draft(), told()]).toEqual([[text('later')], ['The disk is full.']]);
	});

	it('returns to an empty composer on Up, the last one first, with its chips', async () => {
		const {app, pod, press, draft} = await queueing('one');
		const chips: readonly Segment[] = [
			text('see '),
			{type: 'file_ref', path: 'a b.md', range: {first: 3, last: 9}},
			text(' and '),
			{type: 'paste', id: '1', chars: 8, lines: 3, content: 'x\ny\nzzzz'},
		];
		void queueDraft(app, chips, false);
		await settled();
		press('up');
		await settled();
		expect(draft()).toEqual(chips);
		expect(pod.queue.map(({segments}) => segments)).toEqual([[text('one')]]);
	});

	it('gets the keys that you press while it returns', async () => {
		const {pod, press, type, draft} = await queueing('one');
		const gate = Promise.withResolvers<Receipt>();
		const {answer} = pod;
		pod.answer = async method => (method.method === 'release_queued' ? gate.promise : answer(method));
		press('up');
		await settled();
		type(' more');
		expect(draft()).toEqual([]);
		gate.resolve({accepted: true});
		await settled();
		expect(draft()).toEqual([text('one more')]);
	});

	it('does not return when the pod has sent it meanwhile', async () => {
		const {pod, press, draft, app} = await queueing('one');
		const {answer} = pod;
		pod.answer = async method =>
			method.method === 'release_queued'
				? {accepted: false, code: 'no_such_message', sentence: 'Gone.'}
				: answer(method);
		press('up');
		await settled();
		expect([draft(), app.state.submission.returning, app.state.alerts]).toEqual([[], [], []]);
	});

	it('stays queued when you press Up with text in the composer', async () => {
		const {pod, type, press} = await queueing('one');
		type('more');
		press('up');
		await settled();
		expect(pod.queue).toHaveLength(1);
	});

	it('is moved before the others by Alt+Q when it is the last one', async () => {
		const {pod, press} = await queueing('one', 'two', 'three');
		press('q', {alt: true});
		await settled();
		const [one, , three] = pod.queue;
		expect(pod.sent.at(-1)).toEqual({method: 'move_queued', message: three!.id, before: one!.id});
	});

	it('is sent by Enter on an empty draft when nothing runs, and a paused turn continues first', async () => {
		const {pod, press, turn} = await queueing('one');
		turn(paused);
		press(enter);
		await settled();
		expect(pod.said.at(-1)).toEqual({method: 'resume'});
		turn(idle);
		press(enter);
		await settled();
		expect(pod.said.at(-1)).toEqual({method: 'send_queued'});
	});

	it('returns to the composer with its alert when its run was refused, if this screen had queued it', async () => {
		const {pod, draft, told} = await queueing('/hlep');
		const [{id} = {id: ''}] = pod.queue;
		const refusal = {code: 'workflow', sentence: 'Unknown command /hlep.'} as const;
		const row = (of: string) => ({id: of, state: 'refused', preview: [text('/hlep')], refusal}) as const;
		pod.emit({type: 'status', status: {...idle, queue: [row('of another terminal'), row(id)]}});
		await settled();
		expect(pod.sent.find(({method}) => method === 'take_queued')).toEqual({method: 'take_queued', messages: [id]});
		expect(draft()).toEqual([text('/hlep')]);
		expect(told()).toEqual(['Unknown command /hlep. Did you mean /help?']);
	});

	it('returns to the composer in order when you cancel the run', async () => {
		const {pod, type, press, draft} = await queueing('one', 'two');
		type('writing');
		press('c', {ctrl: true});
		await settled();
		expect(pod.sent.filter(({method}) => method === 'cancel')).toEqual([{method: 'cancel', take: true}]);
		expect(pod.queue).toEqual([]);
		expect(draft()).toEqual([text('one\ntwo\nwriting')]);
	});

	it('returns to the composer on Ctrl+C when nothing runs', async () => {
		const {pod, turn, press, draft} = await queueing('one', 'two');
		turn(idle);
		press('c', {ctrl: true});
		await settled();
		expect([pod.queue, draft()]).toEqual([[], [text('one\ntwo')]]);
	});
});

describe('a message whose connection was lost before its receipt', () => {
	it.each([
		['is a draft again when the next pod does not know it', {accepted: true}, [text('go')]],
		[
			'is not offered again when the next pod has it',
			{accepted: false, code: 'no_such_message', sentence: 'Gone.'},
			[],
		],
	] as ReadonlyArray<[string, Receipt, readonly Segment[]]>)('%s', async (_, released, expected) => {
		for (const status of [idle, running]) {
			const {app, pod, type, press, draft} = await fakeApp(fakePod(status));
			pod.answer = async ({method}) =>
				method === 'release_queued' ? released : {accepted: false, code: 'closed', sentence: 'Lost.'};
			type('go');
			press(enter);
			await settled();
			expect(pod.sent.map(({method}) => method)).toEqual([status === idle ? 'run' : 'queue', 'release_queued']);
			expect(draft()).toEqual(expected);
			expect([app.state.composer.held, app.state.submission.sending, app.state.submission.returning]).toEqual([
				undefined,
				[],
				[],
			]);
		}
	});
});

describe('the steer key', () => {
	const steer = (press: (name: string, modifiers: {ctrl: true}) => void) => press('s', {ctrl: true});

	it('sends the message to the run, and leaves the composer free', async () => {
		const {pod, app, rows, turn, type, press} = await fakeApp(fakePod(running));
		type('be brief');
		steer(press);
		await settled();
		expect(pod.said).toEqual([{method: 'queue', segments: [text('be brief')], steer: true}]);
		expect(app.state.composer.held).toBeUndefined();
		pod.queue.length = 0;
		turn({...running, queue: [{id: 'x', state: 'steering', preview: [text('be brief')]}]});
		expect(rows()).toEqual(['→ steering: be brief']);
	});

	it('delivers the first queued message when the composer is empty', async () => {
		const {pod, type, press} = await fakeApp(fakePod(running));
		for (const words of ['one', 'two']) {
			type(words);
			press(enter);
		}
		await settled();
		steer(press);
		await settled();
		expect(pod.sent.at(-1)).toEqual({method: 'steer_queued', message: pod.queue[0]!.id});
	});

	it('acts as Enter when nothing runs', async () => {
		const {pod, type, press} = await fakeApp();
		type('hello');
		steer(press);
		await settled();
		expect(pod.said).toEqual([{method: 'run', segments: [text('hello')]}]);
	});

	it('queues a shell command', async () => {
		const {pod, type, press, told} = await fakeApp(fakePod(running));
		type('!ls');
		steer(press);
		await settled();
		steer(press);
		await settled();
		expect(pod.said).toEqual([{method: 'queue', segments: [text('!ls')], command: 'ls'}]);
		expect(told()).toHaveLength(1);
	});
});

describe('a confirmation', () => {
	const confirmed: Segment = {type: 'file_ref', path: '.env', confirmed: '/p/.env'};

	/** Returns an app whose pod finds a secret in every draft. */
	async function withSecret(status: Status) {
		const asked: Array<readonly Segment[]> = [];
		const ref = {type: 'file_ref' as const, path: '.env'};
		const pod: FakePod = {
			...fakePod(status),
			async preflight(segments) {
				asked.push(segments);
				return {
					segments: [ref],
					refs: [{ref, ok: false, reason: 'denied', sentence: '', real: '/p/.env'}],
					tokens: 0,
				};
			},
		};
		let now = 0;
		const timers: Timers = {
			soon: setImmediate,
			after(ms, callback) {
				if (ms === repeatGap) queueMicrotask(callback);
				return () => {};
			},
		};
		const made = await fakeApp(pod, {now: () => now, timers});
		/** Presses a key twice, with time to read in between. */
		const twice = async (press: () => void) => {
			for (let time = 0; time < 2; time++) {
				now += 1000;
				press();
				await settled();
			}
		};
		return {...made, asked, twice};
	}

	it('returns the message and sends nothing when it is declined', async () => {
		const {pod, type, press, draft} = await withSecret(idle);
		type('@.env');
		press(enter);
		await settled();
		expect(pod.said).toEqual([]);
		expect(draft()).toEqual([text('@.env')]);
	});

	it('is asked once when the message is sent, queued or steered, and its result goes out', async () => {
		const {pod, type, press, turn, asked, twice} = await withSecret(running);
		type('@.env');
		await twice(() => press(enter));
		type('@.env');
		await twice(() => press('s', {ctrl: true}));
		turn(idle);
		type('@.env');
		await twice(() => press(enter));
		expect(pod.said).toEqual([
			{method: 'queue', segments: [confirmed]},
			{method: 'queue', segments: [confirmed], steer: true},
			{method: 'run', segments: [confirmed]},
		]);
		expect(asked).toHaveLength(3);
	});

	it.each([
		['Esc', 'escape', {}],
		['Ctrl+C', 'c', {ctrl: true}],
	] as const)('ends and returns the message when you press %s', async (_, name, modifiers) => {
		const answer = Promise.withResolvers<Preflight>();
		const {pod, type, press, draft} = await fakeApp({...fakePod(), preflight: async () => answer.promise});
		type('@one');
		press(enter);
		press(name, modifiers);
		expect(draft()).toEqual([text('@one')]);
		answer.resolve({segments: [], refs: [], tokens: 0});
		await settled();
		expect(pod.said).toEqual([]);
	});
});
