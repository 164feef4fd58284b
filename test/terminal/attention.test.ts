import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {idle, openChat, send} from '../helpers/chat.ts';
import type {Terminal, TerminalOptions} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

async function openConfigured(
	config: string,
	options: TerminalOptions = {},
): Promise<{readonly terminal: Terminal; readonly name: string}> {
	const project = await tempProject({'home/.config/inkpod/': '', 'work/': ''});
	const home = project.path('home');
	const cwd = project.path('work');
	await mkdir(join(home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home, '.config/inkpod/config.toml'), config);
	const terminal = await openChat({cwd, home, ...options});
	await terminal.waitFor('offline');
	return {terminal, name: basename(cwd)};
}

const written = (terminal: Terminal) => terminal.raw().toString();
const titles = (terminal: Terminal) =>
	Array.from(written(terminal).matchAll(/\x1b\]2;([^\x1b\x07]*)\x1b\\/g), ([, title]) => title);
const bells = (terminal: Terminal) => written(terminal).split('\x07').length - 1;

async function answered(terminal: Terminal, words = 'hello'): Promise<void> {
	await send(terminal, words);
	await terminal.waitFor(screen => screen.includes(`▌ ${words}`) && idle.test(screen));
}

describe('the window title', () => {
	it('shows the project and the status, and is restored at the end', async () => {
		const {terminal, name} = await openConfigured('');
		await answered(terminal);
		terminal.write('\x04');
		await terminal.exit;
		expect(titles(terminal)).toEqual([`inkpod · ${name}`, `● inkpod · ${name}`, `inkpod · ${name}`, '']);
		expect(written(terminal).match(/\x1b\[22;0t/g)).toHaveLength(1);
		expect(written(terminal).lastIndexOf('\x1b[23;0t')).toBeGreaterThan(written(terminal).lastIndexOf('\x1b]2;'));
	});

	it.each([
		['[screen]\ntitle = false\n', {}],
		['', {env: {TERM: 'linux'}}],
	])('is not set with the configuration %j and the options %j', async (config, options) => {
		const {terminal} = await openConfigured(config, options);
		await answered(terminal);
		terminal.write('\x04');
		await terminal.exit;
		expect(written(terminal)).not.toMatch(/\x1b\]2;|\x1b\[2[23];0t/);
	});
});

describe('the bell', () => {
	it('rings at the end of a run when the terminal is not focused', async () => {
		const {terminal} = await openConfigured('');
		terminal.write('\x1b[O');
		await answered(terminal);
		expect(bells(terminal)).toBe(1);
		terminal.write('\x1b[I');
		await answered(terminal, 'thanks');
		expect(bells(terminal)).toBe(1);
	});

	it.each([
		['always', '\x1b[I', 1],
		['never', '\x1b[O', 0],
	])('follows the setting %s', async (bell, focus, count) => {
		const {terminal} = await openConfigured(`[screen]\nbell = "${bell}"\n`);
		terminal.write(focus);
		await answered(terminal);
		expect(bells(terminal)).toBe(count);
	});
});

describe('the notification on the desktop', () => {
	it.each([
		['', '\x1b[O', {TERM_PROGRAM: 'WezTerm'}, ['The turn has ended.']],
		['', '\x1b[I', {TERM_PROGRAM: 'WezTerm'}, []],
		['', '\x1b[O', {TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/t,1,0'}, []],
		['[screen]\nnotify = false\n', '\x1b[O', {TERM_PROGRAM: 'WezTerm'}, []],
	])('follows the configuration %j, the focus %j and the variables %j', async (config, focus, env, expected) => {
		const {terminal, name} = await openConfigured(config, {env});
		terminal.write(focus);
		await answered(terminal);
		const notices = Array.from(written(terminal).matchAll(/\x1b\]777;notify;([^\x1b]*);([^\x1b]*)\x1b\\/g));
		expect(notices.map(([, title, body]) => [title, body])).toEqual(
			expected.map(body => [`inkpod · ${name}`, body]),
		);
	});
});

describe('the notification through tmux', () => {
	it.each([
		['on', 1],
		['off', 0],
	])('is sent with allow-passthrough %s: %i times', async (passes, count) => {
		const programs = await tempProject({tmux: `#!/bin/sh\nprintf '${passes}\\txterm-ghostty\\tghostty 1.4\\n'\n`});
		await chmod(programs.path('tmux'), 0o755);
		const env = {TMUX: '/tmp/t,1,0', TMUX_PANE: '%0', TERM: 'tmux-256color'};
		const {terminal, name} = await openConfigured('', {
			env: {...env, PATH: `${programs.dir}:${process.env['PATH']}`},
		});
		const notices = () =>
			written(terminal).match(/\x1bPtmux;\x1b\x1b\]777;notify;[^;]*;[^\x1b]*\x1b\x1b\\\x1b\\/g) ?? [];
		terminal.write('\x1b[O');
		await answered(terminal);
		await expect.poll(() => notices().length).toBe(count);
		if (count > 0) expect(notices()[0]).toContain(`;inkpod · ${name};The turn has ended.`);
	});
});

describe('the state of the program', () => {
	/** A terminal that takes program status, and whose name says that it shows progress. */
	const answers = {
		'\x1b]7501;?\x1b\\': '\x1b]7501;?\x1b\\',
		'\x1b[>0q': '\x1bP>|ghostty 1.4.0\x1b\\',
		'\x1b[c': '\x1b[?62;c',
	};
	const readSecret = {type: 'tool_call', name: 'read_file', arguments: {path: '.env'}};
	const states = (terminal: Terminal) =>
		Array.from(written(terminal).matchAll(/\x1b\]7501;state=(\w+)/g), ([, state]) => state);
	const bars = (terminal: Terminal) =>
		Array.from(written(terminal).matchAll(/\x1b\]9;4;(\d)/g), ([, state]) => state);

	it('is reported to a terminal that takes it, and removed at the end', async () => {
		const {terminal} = await openConfigured('', {answers});
		await answered(terminal);
		terminal.write('\x04');
		await terminal.exit;
		expect(states(terminal)).toEqual(['idle', 'working', 'done', 'clear']);
		expect(bars(terminal)).toEqual(['3', '0']);
	});

	it('is removed when a signal ends the program in the middle of its work', async () => {
		const project = await tempProject({'.env': 'KEY=1\n', 'script.json': JSON.stringify([[readSecret]])});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], answers});
		await terminal.waitFor('idle');
		await send(terminal, 'go');
		await terminal.waitFor('approval needed');
		expect(states(terminal)).toEqual(['idle', 'working', 'blocked']);
		terminal.kill('SIGTERM');
		await terminal.exit;
		expect(states(terminal).at(-1)).toBe('clear');
		expect(bars(terminal).at(-1)).toBe('0');
	});

	it.each([
		['[screen]\ntitle = false\n', answers],
		['', 'xterm'],
	] as const)('is not reported with the configuration %j and the answers %j', async (config, given) => {
		const {terminal} = await openConfigured(config, {answers: given});
		await answered(terminal);
		terminal.write('\x04');
		await terminal.exit;
		expect([states(terminal), bars(terminal)]).toEqual([[], []]);
	});
});

describe('configured keys', () => {
	it('run their actions, and wrong ones are reported', async () => {
		const {terminal} = await openConfigured('[keys]\nnewline = ["ctrl+x", "f5"]\nsumbit = "ctrl+j"\n', {cols: 140});
		await terminal.waitFor('Unknown action "sumbit" in [keys].');
		terminal.write('one');
		await terminal.waitFor('❯ one');
		terminal.write('\x18two');
		await terminal.waitFor(/❯ one\n {2}two/);
	});

	it('are ignored in a project’s configuration, with a warning', async () => {
		const project = await tempProject({'inkpod.toml': '[keys]\nsubmit = "ctrl+x"\n'});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'offline'], cols: 140});
		await terminal.waitFor(/inkpod\.toml:1: unknown key keys /);
		terminal.write('\x18hello');
		await terminal.waitFor('❯ hello');
	});
});
