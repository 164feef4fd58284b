import {describe, expect, it} from 'vitest';
import type {Ask, Event, RunEnd, SessionInfo, Status} from '../../../src/pod/protocol.ts';
import type {NotificationOptions} from '../../../src/screen/model/notifications/notification-state.ts';
import {pressKey} from '../../../src/screen/control/keys/keys-in.ts';
import type {ProgramStatus} from '../../../src/screen/terminal/window/program-status.ts';
import {makeKey} from '../../../src/screen/terminal/input/keys/key-names.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {testApp} from '../../helpers/test-app.ts';

const ask: Ask = {id: 'a', title: 'May it?', detail: '', choices: []};
const status = (kind: Status['kind'], ...asks: Ask[]): Event => ({type: 'status', status: {kind, asks, queue: []}});

/** Returns a screen after a snapshot, on a terminal that records its output. */
function watched(options: Partial<NotificationOptions> = {}, pwd = '/home/me/work') {
	let now = 1_000_000;
	const titles: string[] = [];
	const notices: string[] = [];
	const statuses: ProgramStatus[] = [];
	let bells = 0;
	const notifications: NotificationOptions = {bell: 'unfocused', title: true, term: 'xterm', ...options};
	const session: SessionInfo = {id: 'S', model: 'test/model', scope: {pwd, writable: true, readRoots: []}};
	const terminal = {
		onTitle: (title: string) => void titles.push(title),
		onBell: () => void bells++,
		onNotice: (bytes: string) => void notices.push(bytes),
		onStatus: (status: ProgramStatus) => void statuses.push(status),
	};
	const app = testApp({session, notifications, now: () => now, ...terminal});
	app.dispatch({type: 'open transcript', transcript: createTranscriptStore({columns: 80, view: 'normal'})});
	const hear = (event: Event) => {
		app.state.transcript.store!.dispatch(event);
		const {type} = event;
		app.dispatch({type: 'transcript changed', isStreaming: type === 'delta', isSnapshot: type === 'snapshot'});
	};
	hear({type: 'snapshot', session, items: [], tail: [], status: {kind: 'idle', asks: [], queue: []}});
	const pass = (ms: number) => void (now += ms);
	return {app, titles, notices, statuses, hear, bells: () => bells, pass, press: () => pressKey(app, makeKey('a'))};
}

describe('the window title', () => {
	it('shows the activity, and is written only when it changes', () => {
		const {titles, hear} = watched();
		hear(status('running'));
		hear(status('running'));
		hear({type: 'alert', alert: {level: 'info', text: 'x'}});
		hear(status('running', ask));
		hear(status('running'));
		hear(status('idle'));
		expect(titles).toEqual([
			'inkpod · work',
			'● inkpod · work',
			'? inkpod · work',
			'● inkpod · work',
			'inkpod · work',
		]);
	});

	it.each([
		['/p/\x1b]0;evil\x07\x9c\n\u202e', /^inkpod · [^\p{C}]+$/u],
		['/', /^inkpod · \/$/],
		[`/p/${'日'.repeat(200)}`, /^inkpod · 日{29}…$/],
	])('is inert and short for the folder %j', (pwd, expected) => {
		expect(watched({}, pwd).titles[0]).toMatch(expected);
	});

	it.each([{title: false}, {term: 'dumb'}, {term: 'linux'}, {term: undefined}])('is not written with %j', options => {
		const {titles, hear} = watched(options);
		hear(status('running'));
		expect(titles).toEqual([]);
	});
});

describe('the state of the program', () => {
	const ended = (outcome: RunEnd['outcome'], keyRefused?: true): Event => ({
		type: 'item',
		item: {
			id: `end ${outcome}`,
			at: '2026-01-01T00:00:00Z',
			type: 'run_end',
			outcome,
			...(keyRefused && {keyRefused}),
		},
	});

	it('is reported when it changes, also when a question opens', () => {
		const {statuses, hear} = watched();
		const questions: NonNullable<Ask['questions']> = [];
		hear(status('running'));
		hear(status('running'));
		hear(status('running', ask));
		hear(status('running', ask));
		hear(status('running', {...ask, title: 'Which one?', questions}));
		hear(status('running'));
		hear(ended('finished'));
		hear(status('idle'));
		hear({type: 'alert', alert: {level: 'info', text: 'x'}});
		expect(statuses).toEqual([
			{state: 'idle'},
			{state: 'working'},
			{state: 'blocked', kind: 'permission', about: 'May it?'},
			{state: 'blocked', kind: 'question', about: 'Which one?'},
			{state: 'working'},
			{state: 'done'},
		]);
	});

	it.each([
		['finished', undefined, {state: 'done'}],
		['limit', undefined, {state: 'done'}],
		['error', undefined, {state: 'error'}],
		['error', true, {state: 'blocked', kind: 'auth'}],
		['paused', undefined, {state: 'idle'}],
		['cancelled', undefined, {state: 'idle'}],
	] as const)('after a run with the end %s (key refused: %j) is %j', (outcome, keyRefused, expected) => {
		const {statuses, hear} = watched();
		hear(status('running'));
		hear(ended(outcome, keyRefused));
		hear(status(outcome === 'finished' ? 'idle' : 'paused'));
		hear(status('idle'));
		expect(statuses.slice(2)).toEqual([expected]);
	});

	it('is not reported without the title', () => {
		const {statuses, hear} = watched({title: false});
		hear(status('running'));
		expect(statuses).toEqual([]);
	});
});

describe('the bell', () => {
	it.each([
		['unfocused', false, 1],
		['unfocused', true, 0],
		['unfocused', undefined, 0],
		['always', true, 1],
		['always', undefined, 1],
		['never', false, 0],
	] as const)('rings with the setting %s and the focus %j after a short run: %i times', (bell, focused, count) => {
		const {app, hear, bells, pass} = watched({bell});
		if (focused !== undefined) app.dispatch({type: 'focus', focused});
		hear(status('running'));
		pass(500);
		hear(status('idle'));
		hear(status('idle'));
		expect(bells()).toBe(count);
	});

	it('rings after a long run without a key when the terminal does not report its focus', () => {
		const {hear, bells, pass, press} = watched();
		hear(status('running'));
		pass(10_001);
		hear(status('paused'));
		expect(bells()).toBe(1);
		hear(status('running'));
		pass(10_001);
		press();
		hear(status('idle'));
		expect(bells()).toBe(1);
	});

	it('rings once for each question', () => {
		const {app, hear, bells} = watched();
		app.dispatch({type: 'focus', focused: false});
		hear(status('running'));
		hear(status('running', ask));
		hear(status('running', ask, {...ask, id: 'b'}));
		hear(status('running', {...ask, id: 'b'}));
		expect(bells()).toBe(2);
	});

	it('does not ring for a snapshot', () => {
		const {hear, bells, titles} = watched({bell: 'always'});
		const {session} = watched().app.state.setup;
		const asking: Status = {kind: 'running', asks: [ask], queue: []};
		hear({type: 'snapshot', session, items: [], tail: [], status: asking});
		expect([bells(), titles.at(-1)]).toEqual([0, '? inkpod · work']);
		hear(status('running', ask));
		expect(bells()).toBe(0);
		hear(status('idle'));
		expect(bells()).toBe(1);
	});

	it('does not ring between a run and a queued message', () => {
		const {hear, bells} = watched({bell: 'always'});
		const queue: Status['queue'] = [{id: 'q', state: 'queued', preview: [{type: 'text', text: 'next'}]}];
		hear(status('running'));
		hear({type: 'status', status: {kind: 'idle', asks: [], queue}});
		hear(status('running'));
		hear(status('idle'));
		expect(bells()).toBe(1);
	});
});

describe('the notification on the desktop', () => {
	const titled = (title: string): Ask => ({...ask, title});

	it('comes at a question and at the end of a turn while the terminal is not focused', () => {
		const {app, hear, notices} = watched({bell: 'never', desktop: 'osc 777'});
		app.dispatch({type: 'focus', focused: false});
		hear(status('running'));
		hear(status('running', titled('Run this command?')));
		hear(status('running'));
		hear(status('idle'));
		hear(status('running'));
		hear(status('paused'));
		expect(notices).toEqual([
			'\x1b]777;notify;inkpod · work;Approval needed: Run this command?\x1b\\',
			'\x1b]777;notify;inkpod · work;The turn has ended.\x1b\\',
			'\x1b]777;notify;inkpod · work;The turn was interrupted.\x1b\\',
		]);
	});

	it.each([
		[{bell: 'always', desktop: 'osc 9'}, true],
		[{bell: 'always'}, false],
	] as const)('does not come with %j and the focus %j', (options, focused) => {
		const {app, hear, notices, bells} = watched(options);
		app.dispatch({type: 'focus', focused});
		hear(status('running'));
		hear(status('idle'));
		expect([notices, bells()]).toEqual([[], 1]);
	});

	it('does not come for a snapshot', () => {
		const {app, hear, notices} = watched({desktop: 'osc 9'});
		app.dispatch({type: 'focus', focused: false});
		hear({
			type: 'snapshot',
			session: app.state.setup.session,
			items: [],
			tail: [],
			status: {kind: 'running', asks: [ask], queue: []},
		});
		expect(notices).toEqual([]);
	});
});
