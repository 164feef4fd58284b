import {access} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {openTerminal, type TerminalOptions} from './pty.ts';

describe('a program on a pty', () => {
	it('shows its output with colours', async () => {
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

	it('reads the keys that a test writes', async () => {
		await using terminal = await run(
			`process.stdin.setRawMode(true); console.log('ready');
			process.stdin.on('data', keys => console.log(JSON.stringify(String(keys))))`,
		);
		await terminal.waitFor('ready');
		terminal.write('a\x1b[A');
		await terminal.waitFor('"');
		expect(terminal.rows()[1]).toBe(String.raw`"a\u001b[A"`);
	});

	it('gets the new size when the window changes', async () => {
		await using terminal = await run(
			`const show = () => console.log(process.stdout.columns + 'x' + process.stdout.rows);
			show(); process.stdout.on('resize', show); ${stay}`,
			{cols: 50, rows: 10},
		);
		await terminal.waitFor('50x10');
		terminal.resize(40, 12);
		await terminal.waitFor('40x12');
		expect(terminal.rows()).toHaveLength(12);
	});

	it('keeps its exit code and its last output when it ends', async () => {
		await using terminal = await run(`console.log('last words'); process.exitCode = 3`);
		expect(await terminal.exit).toEqual({code: 3, signal: undefined});
		expect(terminal.screen()).toContain('last words');
	});

	it('reports the signal that killed it', async () => {
		await using terminal = await run(`console.log('up'); ${stay}`);
		await terminal.waitFor('up');
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toEqual({code: 0, signal: 'SIGTERM'});
	});

	it('shows its screen in the error when a condition never becomes true', async () => {
		await using terminal = await run(`console.log('something else'); ${stay}`);
		await terminal.waitFor('something');
		await expect(terminal.waitFor(/never/u, {timeoutMs: 50})).rejects.toThrow(
			/50 ms passed waiting for \/never\/u\n[^]*\|something else\|/u,
		);
	});

	it('ends a wait when it exits before the condition becomes true', async () => {
		await using terminal = await run(`console.log('bye')`);
		await expect(terminal.waitFor('never')).rejects.toThrow(/the program ended waiting for never\n[^]*bye/u);
		await expect(terminal.waitFor('never')).rejects.toThrow('the program ended');
	});

	it('reports the terminal modes that it sets', async () => {
		await using terminal = await run(
			String.raw`process.stdout.write('\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1002hfull'); ${stay}`,
		);
		await terminal.waitFor('full');
		expect(terminal.virtual.isAlternate()).toBe(true);
		expect(terminal.cursor().visible).toBe(false);
		expect(terminal.virtual.terminal.modes).toMatchObject({bracketedPasteMode: true, mouseTrackingMode: 'drag'});
	});
});

describe('the environment and directories of a program', () => {
	it('are clean by default', async () => {
		await using terminal = await run(
			`const {TERM, COLORTERM, CI, HOME, NODE_ENV} = process.env;
			console.log(JSON.stringify([TERM, COLORTERM, CI, HOME, NODE_ENV, process.cwd()])); ${stay}`,
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

	it('contain a variable that is set, and lack one that is removed', async () => {
		await using terminal = await run(`console.log('[' + process.env.CI + process.env.COLORTERM + ']'); ${stay}`, {
			env: {CI: 'true', COLORTERM: undefined},
		});
		await terminal.waitFor(']');
		expect(terminal.rows()[0]).toBe('[trueundefined]');
	});

	it('are deleted when the terminal is closed', async () => {
		const terminal = await run(stay);
		await terminal.close();
		await expect(access(terminal.home)).rejects.toThrow('ENOENT');
		await expect(access(terminal.cwd)).rejects.toThrow('ENOENT');
	});
});

describe('queries to the test terminal', () => {
	it('are answered as xterm would by default', async () => {
		expect(await answersTo({})).toBe('\x1b[?1;2c\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\');
	});

	it('get only the given answers', async () => {
		expect(await answersTo({answers: {'\x1b[c': '\x1b[?62c'}})).toBe('\x1b[?62c');
	});

	it('get no reply when the terminal answers none', async () => {
		expect(await answersTo({answers: 'none'})).toBe('');
	});

	// The program asks, and prints every answer that arrives before the last key.
	async function answersTo(options: TerminalOptions): Promise<string> {
		const code = String.raw`let answers = ''; process.stdin.setRawMode(true);
			process.stdin.on('data', keys => {
				answers += keys; if (answers.endsWith('!')) console.log(JSON.stringify(answers));
			});
			process.stdout.write('\x1b[c\x1b]11;?\x1b\\asked\n')`;
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
