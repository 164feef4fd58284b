import {describe, expect, it} from 'vitest';
import type {Status} from '../../../../src/pod/protocol.ts';
import {
	nextSecond,
	statusFacts,
	statusHints,
	statusNotes,
	statusTimes,
} from '../../../../src/screen/view/status/status-facts.ts';
import {fakeApp, fakePod, idle, paused, running} from '../../../helpers/fake-app.ts';

const nothingBelow = {below: 0, hasPill: false};
const queued: Status['queue'] = [{id: 'q', state: 'queued', preview: [{type: 'text', text: 'next'}]}];
const ask = {id: 'q', title: 'Run it?', detail: '', choices: [{choice: 'deny', label: 'No', refuses: true}]};

describe('the key hints of the status line', () => {
	it.each([
		['idle', idle, [], ['Ctrl+O view', 'Ctrl+D to quit']],
		['idle with a queue', idle, queued, ['Enter to send', 'Ctrl+O view', 'Ctrl+D to quit']],
		['running', running, [], ['Esc to stop', 'Ctrl+C to cancel']],
		['running with a queue', running, queued, ['Esc to stop', 'Ctrl+C to cancel', 'Ctrl+S to send now']],
		['paused', paused, [], ['Enter to continue', 'Ctrl+C to discard']],
		['asking, because the row above the message names them', {...running, asks: [ask]}, [], []],
	])('name the useful keys while %s', async (_name, status, queue, hints) => {
		const {app, pod} = await fakeApp(fakePod());
		pod.emit({type: 'status', status: {...status, queue}});
		expect(statusHints(app.state)).toEqual(hints);
	});

	it('begin with the key for another key of a provider that has refused it', async () => {
		const {app, commit, turn} = await fakeApp(fakePod());
		commit({type: 'run_end', outcome: 'error', cause: 'Invalid API key.', keyRefused: true});
		turn(paused);
		expect(statusHints(app.state)).toEqual(['Alt+L for another key', 'Enter to continue', 'Ctrl+C to discard']);
		turn(idle);
		expect(statusHints(app.state)[0]).toBe('Ctrl+O view');
	});

	it('name the key that quits until its time is over', async () => {
		let now = 0;
		const {app} = await fakeApp(fakePod(), {now: () => now});
		app.dispatch({type: 'arm quit', until: 100});
		expect([statusHints(app.state), statusTimes(app.state)]).toEqual([['Ctrl+C again to quit'], [100]]);
		now = 100;
		app.dispatch({type: 'tick'});
		expect(statusHints(app.state)).not.toContain('Ctrl+C again to quit');
	});
});

describe('the notes of the status line', () => {
	it('mention loading only when it takes a while', async () => {
		let now = 0;
		const {app} = await fakeApp(fakePod(), {now: () => now});
		app.dispatch({type: 'begin hold', id: 'h', isSecret: false});
		expect([statusNotes(app.state, nothingBelow), statusTimes(app.state)]).toEqual([[], [0, 300]]);
		now = 300;
		app.dispatch({type: 'tick'});
		expect(statusNotes(app.state, nothingBelow)).toEqual(['opening…']);
		app.dispatch({type: 'open own ask', ask});
		expect(statusNotes(app.state, nothingBelow)).toEqual([]);
	});

	it.each([
		[{below: 0, hasPill: false}, '↓ scrolled'],
		[{below: 3, hasPill: false}, '↓ 3 new'],
		[{below: 3, hasPill: true}, '↓ scrolled'],
	])('describe a scrolled view with %j', async (shown, note) => {
		const {app} = await fakeApp();
		const scroll = {follow: false as const, id: 'b', index: 0, row: 0, cut: [], layout: 0, seen: 0, seenText: 0};
		app.dispatch({type: 'scroll', scroll});
		expect(statusNotes(app.state, shown)).toEqual([note]);
	});

	it('name the view and the mouse when they differ from the start', async () => {
		const {app} = await fakeApp(fakePod(), {mouse: true});
		expect(statusNotes(app.state, nothingBelow)).toEqual([]);
		app.dispatch({type: 'toggle mouse'});
		app.state.transcript.store!.setLayout({view: 'detail'});
		expect(statusNotes(app.state, nothingBelow)).toEqual(['detail', 'mouse off']);
	});
});

describe('the status', () => {
	it('counts questions of the screen itself', async () => {
		const {app} = await fakeApp();
		app.dispatch({type: 'open own ask', ask});
		expect(statusFacts(app.state, nothingBelow).status.asks).toEqual([ask]);
	});
});

describe('the countdown to a retry', () => {
	it.each([
		[0, 300],
		[300, 1300],
		[2299, 2300],
		[2300, undefined],
	])('changes next, at %i ms, at %s', async (now, next) => {
		const {app, pod} = await fakeApp();
		pod.emit({type: 'status', status: {...running, retryAt: 2300}});
		expect(nextSecond(app.state, now)).toBe(next);
	});
});
