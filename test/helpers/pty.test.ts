import {access} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {openTerminal, type TerminalOptions} from './pty.ts';

describe('a program on a pty', () => {
	test('what it prints, stands on the screen with its colours', async () => {
		await using terminal = await run(
			String.raw`process.stdout.write('\x1b[1;38;2;255;128;0mhot\x1b[0m 漢👍🏽\x1b[44m|\x1b[0m'); ${stay}`,
		);
		await terminal.waitFor('|');
		expect(terminal.rows()[0]).toBe('hot 漢👍🏽|');
		expect(terminal.cell(0, 0)).toMatchObject({
			text: 'h',
			foreground: '#ff8000',
			background: undefined,
			bold: true,
			italic: false,
		});
		expect(terminal.cell(0, 4)).toMatchObject({text: '漢', width: 2, foreground: undefined});
		expect(terminal.cell(0, 6)).toMatchObject({text: '👍🏽', width: 2});
		expect(terminal.cell(0, 8)).toMatchObject({text: '|', background: 'ansi-4', bold: false});
		expect(terminal.cursor()).toEqual({row: 0, column: 9, visible: true});
		expect(terminal.raw().toString()).toContain('\x1b[1;38;2;255;128;0mhot');
	});

	test('keys are written, it reads them', async () => {
		await using terminal = await run(
			`process.stdin.setRawMode(true); console.log('ready'); process.stdin.on('data', keys => console.log(JSON.stringify(String(keys))))`,
		);
		await terminal.waitFor('ready');
		terminal.write('a\x1b[A');
		await terminal.waitFor('"');
		expect(terminal.rows()[1]).toBe(String.raw`"a\u001b[A"`);
	});

	test('the window changes, it hears of it', async () => {
		await using terminal = await run(
			`const show = () => console.log(process.stdout.columns + 'x' + process.stdout.rows); show(); process.stdout.on('resize', show); ${stay}`,
			{cols: 50, rows: 10},
		);
		await terminal.waitFor('50x10');
		terminal.resize(40, 12);
		await terminal.waitFor('40x12');
		expect(terminal.rows()).toHaveLength(12);
	});

	test('it ends, its code and its last words are there', async () => {
		await using terminal = await run(`console.log('last words'); process.exitCode = 3`);
		expect(await terminal.exit).toEqual({code: 3, signal: undefined});
		expect(terminal.screen()).toContain('last words');
	});

	test('it is killed, the exit names the signal', async () => {
		await using terminal = await run(`console.log('up'); ${stay}`);
		await terminal.waitFor('up');
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toEqual({code: 0, signal: 'SIGTERM'});
	});

	test('the condition never holds, the error shows the screen', async () => {
		await using terminal = await run(`console.log('something else'); ${stay}`);
		await terminal.waitFor('something');
		await expect(terminal.waitFor(/never/u, {timeoutMs: 50})).rejects.toThrow(
			/50 ms passed waiting for \/never\/u\n[^]*\|something else\|/u,
		);
	});

	test('the program ends first, waiting ends too', async () => {
		await using terminal = await run(`console.log('bye')`);
		await expect(terminal.waitFor('never')).rejects.toThrow(/the program ended waiting for never\n[^]*bye/u);
		await expect(terminal.waitFor('never')).rejects.toThrow('the program ended');
	});

	test('modes are set, they can be asked for', async () => {
		await using terminal = await run(
			String.raw`process.stdout.write('\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1002hfull'); ${stay}`,
		);
		await terminal.waitFor('full');
		expect(terminal.virtual.isAlternate()).toBe(true);
		expect(terminal.cursor().visible).toBe(false);
		expect(terminal.virtual.terminal.modes).toMatchObject({bracketedPasteMode: true, mouseTrackingMode: 'drag'});
	});
});

describe('its surroundings', () => {
	test('nothing is said about them, they are clean', async () => {
		await using terminal = await run(
			`const {env} = process; console.log(JSON.stringify([env.TERM, env.COLORTERM, env.CI, env.HOME, env.NODE_ENV, process.cwd()])); ${stay}`,
			{cols: 200},
		);
		await terminal.waitFor(']');
		expect(JSON.parse(terminal.rows()[0]!)).toEqual([
			'xterm-256color',
			'truecolor',
			null,
			terminal.home,
			null,
			terminal.cwd,
		]);
	});

	test('a variable is given or taken, it is there or not', async () => {
		await using terminal = await run(`console.log('[' + process.env.CI + process.env.COLORTERM + ']'); ${stay}`, {
			env: {CI: 'true', COLORTERM: undefined},
		});
		await terminal.waitFor(']');
		expect(terminal.rows()[0]).toBe('[trueundefined]');
	});

	test('the terminal is closed, its directories are gone', async () => {
		const terminal = await run(stay);
		await terminal.close();
		await expect(access(terminal.home)).rejects.toThrow('ENOENT');
		await expect(access(terminal.cwd)).rejects.toThrow('ENOENT');
	});
});

describe('queries to the terminal', () => {
	test('by default, they are answered as xterm does', async () => {
		expect(await answersTo({})).toBe('\x1b[?1;2c\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\');
	});

	test('answers are given, only those are sent', async () => {
		expect(await answersTo({answers: {'\x1b[c': '\x1b[?62c'}})).toBe('\x1b[?62c');
	});

	test('the terminal is mute, nothing is sent', async () => {
		expect(await answersTo({answers: 'none'})).toBe('');
	});

	// The program asks, and prints all that it was told before the key that is pressed last.
	async function answersTo(options: TerminalOptions): Promise<string> {
		const code = String.raw`let told = ''; process.stdin.setRawMode(true); process.stdin.on('data', keys => { told += keys; if (told.endsWith('!')) console.log(JSON.stringify(told)) }); process.stdout.write('\x1b[c\x1b]11;?\x1b\\asked\n')`;
		await using terminal = await run(code, options);
		await terminal.waitFor('asked');
		terminal.write('!');
		await terminal.waitFor('!"');
		return (JSON.parse(terminal.rows()[1]!) as string).slice(0, -1);
	}
});

const stay = 'setInterval(() => {}, 60_000)';

async function run(code: string, options: TerminalOptions = {}) {
	return openTerminal({command: [process.execPath, '-e', code], ...options});
}
