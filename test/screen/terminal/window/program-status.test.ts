import {describe, expect, it} from 'vitest';
import {
	createStatusReports,
	hasProgress,
	statusQuery,
	type ProgramStatus,
} from '../../../../src/screen/terminal/window/program-status.ts';
import type {Reply} from '../../../../src/screen/terminal/input/input.ts';
import {width} from '../../../../src/text/width.ts';

const yes: Reply = {kind: 'osc', body: '7501;?'};
const named = (name: string): Reply => ({kind: 'dcs', body: `>|${name}`});
const [working, idle, done, error] = (['working', 'idle', 'done', 'error'] as const).map(state => ({state})) as [
	ProgramStatus,
	ProgramStatus,
	ProgramStatus,
	ProgramStatus,
];
const status = (pairs: string) => `\x1b]7501;${pairs}\x1b\\`;
const [bar, red, none] = ['3;0', '2;100', '0;0'].map(state => `\x1b]9;4;${state}\x1b\\`) as [string, string, string];
const clear = status('state=clear');

/** Returns reports that record what they write. `tick` lets the repeated updates pass. */
function reported(isKnown = false) {
	let written = '';
	const timers = new Set<() => void>();
	const every = (callback: () => void) => {
		timers.add(callback);
		return () => void timers.delete(callback);
	};
	const reports = createStatusReports(bytes => void (written += bytes), {hasProgress: isKnown, every});
	const take = () => {
		const bytes = written;
		written = '';
		return bytes;
	};
	const tick = () => {
		for (const timer of timers) timer();
	};
	return {reports, take, tick, timers: () => timers.size};
}

describe('a report about the program', () => {
	it('is not written to a terminal that has not said that it takes it', () => {
		const {reports, take, timers} = reported();
		for (const each of [idle, working, {state: 'blocked', kind: 'auth'} as const, error, done]) reports.set(each);
		reports.hearReply(named('kitty(0.42.1)'));
		reports.hearReply({kind: 'osc', body: '11;rgb:00/00/00'});
		reports.hearReply({kind: 'csi', body: '?62;c'});
		reports.hide();
		reports.show();
		expect([take(), reports.last(), timers()]).toEqual(['', '', 0]);
	});

	it('is written at the answer, and then at every change', () => {
		const {reports, take} = reported();
		reports.hearReply(yes);
		expect(take()).toBe('');
		reports.set(idle);
		expect(take()).toBe(status('state=idle:app=inkpod'));
		reports.set(working);
		reports.set({state: 'working'});
		expect(take()).toBe(status('state=working:app=inkpod'));
		reports.set({state: 'blocked', kind: 'permission', about: 'Allow npm test?'});
		expect(take()).toBe(status('state=blocked:kind=permission:app=inkpod:msg=QWxsb3cgbnBtIHRlc3Q/'));
		reports.set({state: 'blocked', kind: 'auth'});
		expect(take()).toBe(status('state=blocked:kind=auth:app=inkpod'));
		reports.set(done);
		expect(take()).toBe(status('state=done:app=inkpod'));
	});

	it('is removed while another program uses the terminal, and at the end', () => {
		const {reports, take, timers} = reported(true);
		reports.hearReply(yes);
		reports.set(working);
		take();
		expect(reports.last()).toBe(clear + none);
		reports.hide();
		expect([take(), reports.last(), timers()]).toEqual([clear + none, '', 0]);
		reports.set(error);
		expect(take()).toBe('');
		reports.show();
		expect(take()).toBe(status('state=error:app=inkpod') + red);
	});

	it('contains a hostile question inert and short', () => {
		const {reports, take} = reported();
		reports.hearReply(yes);
		const about = `a:b\x1b\\\x1b]0;evil\x07\x9c\n\u202e\ud800${'日'.repeat(50_000)}`;
		reports.set({state: 'blocked', kind: 'question', about});
		const [, message = ''] = /^\x1b\]7501;[a-z=:]*:msg=([\w+/=]+)\x1b\\$/u.exec(take()) ?? [];
		const text = Buffer.from(message, 'base64').toString();
		expect(text).toMatch(/^a:b[^\p{C}]+…$/u);
		expect(width(text)).toBeLessThanOrEqual(160);
		expect(message.length).toBeLessThan(2732);
	});
});

describe('progress', () => {
	it('is a bar while the program works, red after an error, and absent otherwise', () => {
		const {reports, take} = reported(true);
		reports.set(idle);
		expect(take()).toBe('');
		for (const [next, bytes] of [
			[working, bar],
			[{state: 'blocked', kind: 'permission'}, none],
			[working, bar],
			[error, red],
			[working, bar],
			[done, none],
			[idle, ''],
		] as const) {
			reports.set(next);
			expect(take()).toBe(bytes);
		}
	});

	it('is repeated while the program works, because a terminal may remove an old bar', () => {
		const {reports, take, tick, timers} = reported(true);
		reports.set(working);
		take();
		tick();
		tick();
		expect([take(), timers()]).toEqual([bar + bar, 1]);
		reports.set(done);
		expect([take(), timers()]).toEqual([none, 0]);
	});

	it.each([
		['ghostty 1.2.0', true],
		['ghostty 1.1.3', false],
		['ghostty 2.0.0-main+abc', true],
		['iTerm2 3.6.6', true],
		['iTerm2 3.6.5', false],
		['iTerm2 3.10.0', true],
		['WezTerm 20250622-153000-abcdef12', true],
		['WezTerm 20240203-110809-5046fc22', false],
		['VTE(8203)', true],
		['VTE(7600)', false],
		['kitty(0.36.4)', false],
		['tmux 3.4', false],
		['XTerm(390)', false],
		['foot(1.16.2)', false],
		['', false],
	])('is written to the terminal %s: %j', (name, isShown) => {
		const {reports, take} = reported();
		reports.set(working);
		reports.hearReply(named(name));
		expect(take()).toBe(isShown ? bar : '');
	});

	it.each([
		[{WT_SESSION: 'a'}, true],
		[{ConEmuANSI: 'ON'}, true],
		[{ConEmuANSI: 'OFF'}, false],
		[{WT_SESSION: 'a', TMUX: '/tmp/t,1,0'}, false],
		[{WT_SESSION: 'a', ZELLIJ: '0'}, false],
		[{TERM: 'xterm-kitty', TERM_PROGRAM: 'iTerm.app'}, false],
		[{}, false],
	])('is known from the variables %j: %j', (env, expected) => {
		expect(hasProgress(env)).toBe(expected);
	});
});

it('asks in the form of the answer', () => {
	expect(statusQuery).toBe(`\x1b]${yes.body}\x1b\\`);
});
