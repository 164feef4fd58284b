import {describe, expect, it} from 'vitest';
import type {Preflight, Receipt, Segment, Status} from '../../../../src/pod/protocol.ts';
import {repeatGap} from '../../../../src/tui/card/answering/answering.ts';

import type {Timers} from '../../../../src/tui/state/timers.ts';
import {
	handMadeApp,
	handMadePod,
	idle,
	paused,
	running,
	settled,
	type HandMadePod,
} from '../../../helpers/hand-made-app.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const refused: Receipt = {accepted: false, code: 'io', sentence: 'It was not to be.'};
const enter = 'enter';

describe('a shell command', () => {
	it('is sent as a command when nothing runs, and you can recall it with the mark', async () => {
		const {pod, type, press, commit, draft, app} = await handMadeApp();
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

	it('queues your messages until it ends, and blocks nothing else', async () => {
		const {app, pod, type, press, turn, draft} = await handMadeApp();
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
		expect(app.state.queue).toEqual([[text('next')]]);
		expect(draft()).toEqual([]);
		done.resolve({accepted: true});
	});

	it('returns to the composer when it is refused after it began', async () => {
		const {pod, type, press, turn, draft, told} = await handMadeApp();
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
		const {pod, type, press} = await handMadeApp();
		type(words);
		press(enter);
		await settled();
		expect(pod.said).toEqual([{method: 'run', segments: [text(words)]}]);
	});

	it('returns with a sentence when no text follows the mark', async () => {
		const {pod, type, press, draft, told} = await handMadeApp();
		type('! ');
		press(enter);
		await settled();
		expect(pod.said).toEqual([]);
		expect(draft()).toEqual([text('! ')]);
		expect(told()).toEqual(['No command after the "!".']);
	});
});

describe('a queued message', () => {
	it('goes out in order, each one after the end of the previous run', async () => {
		const {pod, app, type, press, turn, commit} = await handMadeApp(handMadePod(running));
		for (const words of ['one', '!two', 'three']) {
			type(words);
			press(enter);
		}
		expect(app.state.queue).toEqual([[text('one')], [text('!two')], [text('three')]]);
		for (const count of [1, 2, 3]) {
			commit({type: 'run_end', outcome: 'finished'});
			turn(idle);
			await settled();
			expect(pod.said).toHaveLength(count);
			turn(running);
		}
		expect(pod.said).toEqual([
			{method: 'run', segments: [text('one')]},
			{method: 'shell', command: 'two'},
			{method: 'run', segments: [text('three')]},
		]);
	});

	it('returns to an empty composer on Up, the last one first, with its chips', async () => {
		const {app, type, press, draft} = await handMadeApp(handMadePod(running));
		type('one');
		press(enter);
		const chips: readonly Segment[] = [
			text('see '),
			{type: 'file_ref', path: 'a b.md', range: {first: 3, last: 9}},
			text(' and '),
			{type: 'paste', id: '1', chars: 8, lines: 2, content: 'x\ny\nzzzz'},
		];
		app.dispatch({type: 'queue draft', segments: chips});
		press('up');
		expect(draft()).toEqual(chips);
		expect(app.state.queue).toEqual([[text('one')]]);
	});

	it('stays queued when you press Up with text in the composer', async () => {
		const {app, type, press} = await handMadeApp(handMadePod(running));
		type('one');
		press(enter);
		type('more');
		press('up');
		expect(app.state.queue).toEqual([[text('one')]]);
	});

	it('keeps waiting when the run is paused, and goes out only after a complete run', async () => {
		const {pod, rows, type, press, turn, commit} = await handMadeApp(handMadePod(running));
		type('later');
		press(enter);
		commit({type: 'run_end', outcome: 'paused', cause: 'pause'});
		turn(paused);
		await settled();
		expect(pod.said).toEqual([]);
		expect(rows()).toEqual(['⧗ queued: later (↑ to edit)']);
		press(enter);
		await settled();
		expect(pod.said).toEqual([{method: 'resume'}]);
		turn(running);
		commit({type: 'run_end', outcome: 'finished'});
		turn(idle);
		await settled();
		expect(pod.said.at(-1)).toEqual({method: 'run', segments: [text('later')]});
	});

	it('stays after a refused one, until Enter on an empty draft sends it', async () => {
		const {pod, app, type, press, turn, commit, draft} = await handMadeApp(handMadePod(running));
		const receipts = [Promise.withResolvers<Receipt>(), Promise.withResolvers<Receipt>()];
		pod.answer = async () => receipts[pod.said.length - 1]!.promise;
		for (const words of ['first', 'second']) {
			type(words);
			press(enter);
		}
		commit({type: 'run_end', outcome: 'finished'});
		turn(idle);
		await settled();
		turn(running);
		turn(idle);
		receipts[0]!.resolve(refused);
		await settled();
		expect(draft()).toEqual([text('first')]);
		expect(app.state.queue).toEqual([[text('second')]]);
		expect(pod.said).toHaveLength(1);
		press('u', {ctrl: true});
		press(enter);
		await settled();
		expect(pod.said.at(-1)).toEqual({method: 'run', segments: [text('second')]});
	});

	it('stays visible until its receipt, and is sent once however often you press Enter', async () => {
		const {pod, app, rows, type, press, turn, commit} = await handMadeApp(handMadePod(running));
		const receipt = Promise.withResolvers<Receipt>();
		pod.answer = async () => receipt.promise;
		for (const words of ['first', 'second']) {
			type(words);
			press(enter);
		}
		commit({type: 'run_end', outcome: 'finished'});
		turn(idle);
		await settled();
		press(enter);
		press('s', {ctrl: true});
		await settled();
		expect(pod.said).toEqual([{method: 'run', segments: [text('first')]}]);
		expect(rows()).toEqual(['↑ sending: first', '⧗ queued: second (↑ to edit)']);
		receipt.resolve({accepted: true});
		await settled();
		expect(rows()).toEqual(['⧗ queued: second (↑ to edit)']);
		expect(app.state.sending).toEqual([]);
	});

	it('returns to the composer in order when a run is cancelled', async () => {
		const {app, type, press, commit, draft} = await handMadeApp(handMadePod(running));
		for (const words of ['one', 'two']) {
			type(words);
			press(enter);
		}
		type('writing');
		commit({type: 'run_end', outcome: 'cancelled', cause: 'cancel'});
		expect(app.state.queue).toEqual([]);
		expect(draft()).toEqual([text('one\ntwo\nwriting')]);
	});
});

describe('the steer key', () => {
	const steer = (press: (name: string, modifiers: {ctrl: true}) => void) => press('s', {ctrl: true});

	it('sends the message into the run, and leaves the composer free', async () => {
		const {pod, app, rows, turn, type, press} = await handMadeApp(handMadePod(running));
		type('be brief');
		steer(press);
		await settled();
		expect(pod.said).toEqual([{method: 'steer', segments: [text('be brief')]}]);
		expect(app.state.composer.held).toBeUndefined();
		turn({...running, queue: [[text('be brief')]]});
		expect(rows()).toEqual(['↳ steering: be brief']);
	});

	it('delivers the first queued message when the composer is empty', async () => {
		const {pod, app, type, press} = await handMadeApp(handMadePod(running));
		for (const words of ['one', 'two']) {
			type(words);
			press(enter);
		}
		steer(press);
		await settled();
		expect(pod.said).toEqual([{method: 'steer', segments: [text('one')]}]);
		expect(app.state.queue).toEqual([[text('two')]]);
	});

	it('returns all messages in order and shows the reason when the run ends first', async () => {
		const {pod, type, press, draft, told} = await handMadeApp(handMadePod(running));
		pod.answer = async () => ({accepted: false, code: 'aborted', sentence: 'The run ended before.'});
		for (const words of ['one', 'two']) {
			type(words);
			steer(press);
		}
		await settled();
		expect(draft()).toEqual([text('one\ntwo')]);
		expect(told()).toEqual(['The run ended before.']);
	});

	it('acts as Enter when nothing runs', async () => {
		const {pod, type, press} = await handMadeApp();
		type('hello');
		steer(press);
		await settled();
		expect(pod.said).toEqual([{method: 'run', segments: [text('hello')]}]);
	});

	it('queues a shell command', async () => {
		const {pod, app, type, press, told} = await handMadeApp(handMadePod(running));
		type('!ls');
		steer(press);
		steer(press);
		await settled();
		expect(pod.said).toEqual([]);
		expect(app.state.queue).toEqual([[text('!ls')]]);
		expect(told()).toHaveLength(1);
	});
});

describe('a confirmation', () => {
	const confirmed: Segment = {type: 'file_ref', path: '.env', confirmed: '/p/.env'};

	/** Returns an app whose pod finds a secret in every draft. */
	async function withSecret(status: Status) {
		const asked: Array<readonly Segment[]> = [];
		const ref = {type: 'file_ref' as const, path: '.env'};
		const pod: HandMadePod = {
			...handMadePod(status),
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
		const made = await handMadeApp(pod, {now: () => now, timers});
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
		const {pod, app, type, press, turn, commit, asked, twice} = await withSecret(running);
		type('@.env');
		await twice(() => press(enter));
		type('@.env');
		await twice(() => press('s', {ctrl: true}));
		expect(app.state.queue).toEqual([[confirmed]]);
		commit({type: 'run_end', outcome: 'finished'});
		turn(idle);
		await settled();
		expect(pod.said).toEqual([
			{method: 'steer', segments: [confirmed]},
			{method: 'run', segments: [confirmed]},
		]);
		expect(asked).toHaveLength(2);
	});

	it.each([
		['Esc', 'escape', {}],
		['Ctrl+C', 'c', {ctrl: true}],
	] as const)('ends and returns the message when you press %s', async (_, name, modifiers) => {
		const answer = Promise.withResolvers<Preflight>();
		const {pod, type, press, draft} = await handMadeApp({...handMadePod(), preflight: async () => answer.promise});
		type('@one');
		press(enter);
		press(name, modifiers);
		expect(draft()).toEqual([text('@one')]);
		answer.resolve({segments: [], refs: [], tokens: 0});
		await settled();
		expect(pod.said).toEqual([]);
	});
});
