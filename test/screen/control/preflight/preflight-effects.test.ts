import {describe, expect, it} from 'vitest';
import type {Segment} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {update} from '../../../../src/screen/control/app.ts';
import {takeBack} from '../../../../src/screen/control/submit/submit.ts';
import {submit} from '../../../../src/screen/model/composer/composer-state.ts';
import {pressedOnce} from '../../../../src/screen/model/keys/keys-state.ts';
import {bench, denied, enter, file, size, turns} from './bench.ts';
import {rowsAbove} from '../../../../src/screen/view/layout.ts';

describe('a message', () => {
	it('sets no timer and sends no query when it contains no possible ref and no paste', async () => {
		const {app, type, timers, questions, rows} = await bench();
		type('just words, 日本語 and\nlines');
		update(app, {type: 'move', to: 'start'});
		expect([timers.size, questions.length, rows()]).toEqual([0, 0, []]);
	});

	it('sends no query when it is a command of the screen', async () => {
		const {app, type, timers} = await bench();
		type('/help');
		expect(timers.size).toBe(0);
		update(app, {type: 'clear'});
		type('!cat @a.md');
		expect(timers.size).toBe(0);
	});

	it('leads to one query after the last edit when it has a ref, and shows the answer', async () => {
		const {app, type, wait, timers, questions, rows, changes} = await bench();
		for (const key of 'see @a.md') type(key);
		expect([timers.size, questions.length, rows()]).toEqual([1, 0, []]);
		await wait();
		expect(questions.map(({segments}) => segments)).toEqual([[{type: 'text', text: 'see @a.md'}]]);
		const before = changes();
		await questions[0]!.answer({refs: [file('a.md')], tokens: 8});
		expect(changes()).toBe(before + 1);
		expect(rows()).toEqual(['  @a.md  10 B · 1 line · ≈ 5 tokens', '  ≈ 8 tokens total']);
		update(app, {type: 'move', to: 'start'});
		expect([timers.size, rows().length]).toEqual([0, 2]);
		expect(rowsAbove(draw(app, size)).length).toBe(2);
	});

	it('shows the tokens of a paste, and of the pastes that are left until the next answer', async () => {
		const {app, wait, questions, rows} = await bench();
		update(app, {type: 'paste', text: 'two\nlines'});
		update(app, {type: 'paste', text: 'a line\n'.repeat(40)});
		await wait();
		expect(questions[0]!.segments.map(({type}) => type)).toEqual(['paste', 'paste']);
		const pastes = [
			{id: '1', lines: 2, chars: 9, tokens: 3},
			{id: '2', lines: 40, chars: 280, tokens: 120},
		];
		await questions[0]!.answer({refs: [], pastes, tokens: 123});
		expect(rows()).toEqual(['  2 pastes  ≈ 123 tokens · #1 3 · #2 120']);
		update(app, {type: 'kill', to: 'left'});
		expect(rows()[0]).toBe('  paste #1  2 lines · ≈ 3 tokens');
	});

	it('aborts its query when you edit it, and ignores the late answer', async () => {
		const {type, wait, questions, rows} = await bench();
		type('@a.md');
		await wait();
		type('x');
		expect(questions[0]!.signal.aborted).toBe(true);
		await wait();
		await questions[1]!.answer({refs: [file('a.mdx')], tokens: 8});
		await questions[0]!.answer({refs: [file('a.md')], tokens: 1});
		expect(rows()[0]).toContain('@a.mdx');
	});

	it('keeps the rows of its remaining refs until the next answer', async () => {
		const {app, type, wait, questions, rows} = await bench();
		type('@a.md @b.md');
		await wait();
		await questions[0]!.answer({refs: [file('a.md'), file('b.md')], tokens: 8});
		type(' more');
		expect(rows().map(row => row.trim().split(' ')[0])).toEqual(['@a.md', '@b.md', '≈']);
		expect(rows().at(-1)).toBe('  ≈ 8 tokens total …');
		update(app, {type: 'kill', to: 'word left'});
		update(app, {type: 'erase', to: 'left'});
		update(app, {type: 'erase', to: 'left'});
		expect(rows().map(row => row.trim().split(' ')[0])).toEqual(['@a.md', '≈']);
		update(app, {type: 'chip', chip: {type: 'file_ref', path: 'c.md'}});
		expect(rows()).toContain('  @c.md  reading…');
		update(app, {type: 'clear'});
		expect(rows()).toEqual([]);
	});

	it('reports no unknown command while it is typed, and it does in a longer message', async () => {
		const {app, type, wait, questions, rows} = await bench();
		type('/reveiw this');
		await wait();
		await questions[0]!.answer({
			segments: [{type: 'workflow', slug: 'reveiw'}],
			rejection: 'Unknown command /reveiw; did you mean /review?',
		});
		expect(rows()).toEqual([]);
		update(app, {type: 'insert', text: '\n'});
		type('and that');
		expect(rows()).toEqual(['  × Unknown command /reveiw; did you mean /review?']);
		update(app, {type: 'move', to: 'start'});
		type('I ');
		expect(rows()).toEqual([]);
	});

	it('shows the reason when the pod cannot answer', async () => {
		const {type, wait, questions, rows} = await bench();
		type('@a.md');
		await wait();
		await questions[0]!.fail(new Error('the socket is gone'));
		expect(rows()).toEqual(['  × The attachments could not be checked: the socket is gone']);
	});

	it('leads to a query as soon as a pod is connected', async () => {
		const {type, wait, questions, connect: open} = await bench({connected: false});
		type('@a.md');
		await wait();
		expect(questions).toHaveLength(0);
		await open();
		await turns();
		expect(questions).toHaveLength(1);
	});

	it('that is the initial draft is checked when a pod is connected', async () => {
		const {wait, questions} = await bench({draft: [{type: 'text', text: 'see @a.md'}]});
		await wait();
		expect(questions.map(({segments}) => segments)).toEqual([[{type: 'text', text: 'see @a.md'}]]);
	});

	it('leads to another query when a run ends, because files may have changed', async () => {
		const {type, wait, questions, emit, rows} = await bench();
		type('@a.md');
		await wait();
		await questions[0]!.answer({refs: [file('a.md')], tokens: 8});
		emit({type: 'item', item: {id: 'r', at: '2026-01-01T00:00:00.000Z', type: 'run_end', outcome: 'finished'}});
		await wait();
		expect([questions.length, rows().length]).toEqual([2, 2]);
	});

	it('leads to no query after you leave the screen', async () => {
		const {app, type, wait, timers, questions} = await bench();
		type('@a.md');
		await wait();
		type(' b');
		app.dispatch({type: 'leave screen'});
		expect([timers.size, questions[0]!.signal.aborted]).toEqual([0, true]);
	});
});

/** Presses Enter and runs its effects up to the pod's answer. */
const asked = ['@.env looks like a secret. Press Enter again to attach it, or edit the message to leave it out.'];
const run = (...segments: Segment[]) => ({method: 'run', segments});

describe('a message that is being sent', () => {
	it('shows which files are read while the pod resolves it, and nothing afterwards', async () => {
		const {app, type, wait, questions, emit, rows} = await bench();
		type('@a.md @gone.md');
		await wait();
		await questions[0]!.answer({
			refs: [
				file('a.md'),
				{ref: {type: 'file_ref', path: 'gone.md'}, ok: false, reason: 'not_found', sentence: ''},
			],
			tokens: 8,
		});
		app.dispatch({type: 'set composer', composer: submit(app.state.composer).state});
		expect(rows()).toEqual([]);
		emit({type: 'status', status: {kind: 'running', step: 'resolving', asks: [], queue: []}});
		expect(rows()).toEqual(['  @a.md  reading…']);
		emit({type: 'status', status: {kind: 'running', step: 'requesting', asks: [], queue: []}});
		expect(rows()).toEqual([]);
		update(app, {type: 'accepted'});
		emit({type: 'status', status: {kind: 'running', step: 'resolving', asks: [], queue: []}});
		expect(rows()).toEqual([]);
	});

	it('shows the last known preflight at once when it is refused', async () => {
		const {app, type, wait, questions, rows, timers} = await bench();
		type('@a.md');
		await wait();
		await questions[0]!.answer({refs: [file('a.md')], tokens: 8});
		app.dispatch({type: 'set composer', composer: submit(app.state.composer).state});
		update(app, {type: 'refused'});
		expect([rows().length, timers.size]).toEqual([2, 0]);
	});

	it('is sent without a query when it has no refs', async () => {
		const {app, type, questions, said} = await bench();
		type('words /review');
		await enter(app);
		expect([said, questions.length]).toEqual([[run({type: 'text', text: 'words /review'})], 0]);
	});

	it('is sent without another query when its preflight is known', async () => {
		const {app, type, wait, questions, said} = await bench();
		type('@a.md');
		await wait();
		await questions[0]!.answer({refs: [file('a.md')], tokens: 8});
		await enter(app);
		expect([said, questions.length]).toEqual([[run({type: 'text', text: '@a.md'})], 1]);
	});
});

describe('a secret in a message', () => {
	const parsed: Segment[] = [
		{type: 'text', text: 'see '},
		{type: 'file_ref', path: '.env'},
	];
	const answer = {segments: parsed, refs: [denied('.env')], tokens: 5};
	const confirmed = run({type: 'text', text: 'see '}, {type: 'file_ref', path: '.env', confirmed: '/p/.env'});
	const unconfirmed = run({type: 'text', text: 'see @.env'});

	/** Returns a bench whose draft has a known secret. */
	async function withSecret() {
		const there = await bench();
		there.type('see @.env');
		await there.wait();
		await there.questions[0]!.answer(answer);
		return there;
	}

	it('is sent on the second Enter, confirmed, and its row shows this', async () => {
		const {app, rows, pass, said, told, wait} = await withSecret();
		expect(rows()[0]).toBe('  @.env  ▲ looks like a secret: Enter twice to attach');
		await enter(app);
		expect([told(), said]).toEqual([asked, []]);
		expect(rows()[0]).toBe('  @.env  ▲ looks like a secret: Enter to attach');
		update(app, {type: 'move', to: 'start'});
		pass(500);
		await enter(app);
		await wait();
		expect(said).toEqual([confirmed]);
	});

	it('needs confirmation when Enter comes before any answer', async () => {
		const {app, type, questions, said, told} = await bench();
		type('see @.env');
		await enter(app);
		expect(app.state.composer.held).toBeDefined();
		await questions[0]!.answer(answer);
		expect([told(), said, app.state.composer.held]).toEqual([asked, [], undefined]);
	});

	it('needs confirmation each time you press Enter too fast or hold it down', async () => {
		const {app, pass, said, told, wait} = await withSecret();
		for (let press = 0; press < 20; press++) {
			await enter(app);
			pass(100);
		}
		expect([told(), said]).toEqual([asked, []]);
		pass(400);
		await enter(app);
		await wait();
		expect(said).toEqual([confirmed]);
	});

	it('needs confirmation again after an edit, even an undone one', async () => {
		const {app, type, questions, pass, said, told, wait} = await withSecret();
		await enter(app);
		pass(1000);
		type('x');
		update(app, {type: 'erase', to: 'left'});
		await enter(app);
		expect([told(), said]).toEqual([asked, []]);
		pass(1000);
		await enter(app);
		await wait();
		expect(said).toEqual([confirmed]);
		type('see @.env');
		await enter(app);
		await questions.at(-1)!.answer(answer);
		expect([told(), said]).toEqual([asked, [confirmed]]);
	});

	it.each([
		['comes again right away', pressedOnce],
		['comes with more in one read', {...pressedOnce, alone: false}],
		['is held down', {...pressedOnce, isHeld: true}],
	])('is not confirmed by an Enter that %s', async (_, press) => {
		const {app, pass, said, wait} = await withSecret();
		await enter(app);
		pass(500);
		await enter(app, press);
		if (press === pressedOnce)
			app.dispatch({type: 'press', press: {...press, chord: 'enter', at: app.options.now() + 30}});
		await wait();
		expect(said).toEqual([]);
		pass(500);
		await enter(app);
		await wait();
		expect(said).toEqual([confirmed]);
	});

	it('needs confirmation together with a new one', async () => {
		const {app, type, wait, questions, pass, emit, told, said} = await bench();
		type('see @.env and @id_rsa');
		await wait();
		await questions[0]!.answer(answer);
		await enter(app);
		expect(told()).toEqual(asked);
		pass(1000);
		emit({type: 'item', item: {id: 'r', at: '2026-01-01T00:00:00.000Z', type: 'run_end', outcome: 'finished'}});
		await wait();
		await questions[1]!.answer({...answer, refs: [denied('.env'), denied('id_rsa')]});
		await enter(app);
		expect([told(), said]).toEqual([
			[
				'@.env and @id_rsa look like secrets. Press Enter again to attach them, or edit the message to leave them out.',
			],
			[],
		]);
	});

	it('is sent unconfirmed when the pod does not answer in time, and the pod refuses it by name', async () => {
		const {app, type, said, wait} = await bench();
		type('see @.env');
		await enter(app);
		await wait();
		expect(said).toEqual([unconfirmed]);
	});

	it('is sent unconfirmed when the preflight fails', async () => {
		const {app, type, questions, said} = await bench();
		type('see @.env');
		await enter(app);
		await questions[0]!.fail(new Error('gone'));
		expect(said).toEqual([unconfirmed]);
	});

	it('is not sent, and stays unconfirmed, when you take the message back', async () => {
		const {app, type, questions, pass, said, told} = await bench();
		type('see @.env');
		await enter(app);
		expect(takeBack(app)).toBe(true);
		await turns();
		expect(questions[0]!.signal.aborted).toBe(true);
		await questions[0]!.answer(answer);
		expect([told(), said]).toEqual([[], []]);
		pass(1000);
		await enter(app);
		await questions.at(-1)!.answer(answer);
		expect([told(), said]).toEqual([asked, []]);
	});

	it('is named inertly in its question when its name is hostile', async () => {
		const {app, type, questions, told} = await bench();
		type('see @x');
		await enter(app);
		await questions[0]!.answer({...answer, refs: [denied(`\x1b[2J${'x'.repeat(4000)}/.env`)]});
		const [ask] = told();
		expect(ask).toMatch(/^@…x{39,}\/\.env looks like a secret\. Press Enter again to attach it/);
		expect(ask).not.toContain('\x1b');
	});
});
