import {execFile} from 'node:child_process';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {histories, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {isAlive} from '../helpers/processes.ts';
import {blockedModel, pacedModel, type ModelOptions} from '../helpers/blocked-model.ts';
import type {Terminal} from '../helpers/pty.ts';

/**
A model whose first answer begins at once and then streams slowly. It lasts longer than any test, and fits on a screen.
*/
async function slowModel(): Promise<ModelOptions> {
	const answer = {
		type: 'text',
		text: `An answer that takes its time. ${'word '.repeat(400)}`,
		chunk: 5,
		delayMs: 100,
	} as const;
	return pacedModel([[answer], [{type: 'text', text: 'And on.'}]], async (ms, piece) => sleep(piece < 10 ? 0 : ms));
}

/** A module that is preloaded into the program and throws at SIGUSR2, like a bug. */
const bugs = {
	'a throw in a timer': `process.on('SIGUSR2', () => setTimeout(() => { throw new Error('a bug of a test'); }));`,
	'a rejection that nobody handles': `process.on('SIGUSR2', () => void Promise.reject(new Error('a bug of a test')));`,
	'a frame that throws': `
		const write = process.stdout.write;
		let armed = false;
		process.stdout.write = function (text, ...rest) {
			if (!armed || !String(text).includes('\\x1b[?2026h')) return write.call(this, text, ...rest);
			armed = false;
			throw new Error('a bug of a test');
		};
		process.on('SIGUSR2', () => { armed = true; });
	`,
} as const;

describe('a program that ends during an answer restores the terminal, saves the text so far, and', () => {
	it.each(Object.keys(bugs) as Array<keyof typeof bugs>)(
		'prints one sentence and exits with 1 after %s',
		async bug => {
			const terminal = await answering(`--import=data:text/javascript,${encodeURIComponent(bugs[bug])}`);
			process.kill(await pidOf(terminal), 'SIGUSR2');
			await expectGivenBack(terminal, 1);
			expect(terminal.screen()).toContain('a bug of a test');
			await expectPaused(terminal);
		},
	);

	it.each([
		['SIGTERM', 143],
		['SIGHUP', 129],
		['SIGINT', 130],
		['SIGQUIT', 131],
	] as const)('exits after %s with %i', async (signal, code) => {
		const terminal = await answering();
		process.kill(await pidOf(terminal), signal);
		await expectGivenBack(terminal, code);
		await expectPaused(terminal);
	});
});

/** A module that is preloaded into the program and sends a signal twice at SIGUSR2. */
const twice = (signal: string) =>
	`process.on('SIGUSR2', () => [1, 2].map(() => process.emit('${signal}', '${signal}')));`;

describe('a program that gets signals', () => {
	it.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
	] as const)('prints how to resume after %s twice at once, and exits with %i', async (signal, code) => {
		const terminal = await answering(`--import=data:text/javascript,${encodeURIComponent(twice(signal))}`);
		process.kill(await pidOf(terminal), 'SIGUSR2');
		await expectGivenBack(terminal, code);
		expect(terminal.screen().match(/Resume with: inkpod -r/g)).toHaveLength(1);
		await expect(pidOf(terminal)).rejects.toMatchObject({code: 'ENOENT'});
	});

	it('prints how to resume after a signal twice at once while a stored session opens', async () => {
		const before = await answering();
		process.kill(await pidOf(before), 'SIGTERM');
		await expectGivenBack(before, 143);
		const [, id = ''] = /inkpod -r (\w+)/.exec(before.screen()) ?? [];
		const onFirstFrame = `
			const write = process.stdout.write;
			process.stdout.write = function (text, ...rest) {
				if (String(text).includes('\\x1b[?2026h')) {
					process.stdout.write = write;
					setImmediate(() => [1, 2].map(() => process.emit('SIGTERM', 'SIGTERM')));
				}
				return write.call(this, text, ...rest);
			};
		`;
		const preload = `--import=data:text/javascript,${encodeURIComponent(onFirstFrame)}`;
		const terminal = await openChat({
			...(await slowModel()),
			home: before.home,
			cwd: before.cwd,
			command: withModes(preload, await builtProgram()),
			args: ['-r', id],
		});
		await expectGivenBack(terminal, 143);
		expect(terminal.screen()).toContain(`Resume with: inkpod -r ${id}`);
	});

	it('leaves a terminal that the next start restores when it is killed', async () => {
		const shell = [
			'stty -a > before; "$@"; stty -a > between; "$@"; code=$?; stty -a > after',
			'cmp before between || echo "left raw"; cmp before after && echo "same modes"; echo "code $code"; read end',
		].join('; ');
		const terminal = await openChat({
			...(await slowModel()),
			command: ['sh', '-c', shell, 'sh', process.execPath, await builtProgram()],
		});
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor(/takes its time\. word word/);
		const terminals = join(terminal.home, '.local/state/inkpod/terminals');
		await until(async () => (await readdir(terminals).catch(() => [])).length === 1);
		process.kill(await pidOf(terminal), 'SIGKILL');
		await terminal.waitFor(screen => screen.includes('◦ idle') && !screen.includes('takes its time'), {
			what: 'the next start',
		});
		terminal.write('\x04');
		await expectGivenBack(terminal, 0);
		expect(terminal.screen()).toContain('left raw');
		expect(await readdir(terminals)).toEqual([]);
	});
});

describe('a program during an answer', () => {
	it.each(['by Ctrl+Z', 'by a SIGTSTP'])(
		'gives the terminal back to the shell when it is stopped %s, and continues with fg',
		async how => {
			const terminal = await chatUnderShell();
			if (how === 'by Ctrl+Z') terminal.write('\x1a');
			else process.kill(await pidOf(terminal), 'SIGTSTP');
			await terminal.waitFor(screen => screen.trimEnd().endsWith('PROMPT>'));
			expectModes(terminal, false);
			terminal.write('stty -a | grep -o " icanon"; jobs\r');
			await terminal.waitFor(/ icanon[^]*Stopped/);
			terminal.write('fg\r');
			await terminal.waitFor(
				screen => screen.includes('▌ go') && screen.includes('An answer that takes its time'),
				{what: 'the whole screen'},
			);
			expectModes(terminal, true);
			terminal.write('\x1b');
			await terminal.waitFor('■ interrupted');
			terminal.write('\x04');
			await terminal.waitFor(/Resume with[^]*PROMPT>/);
			expectModes(terminal, false);
		},
	);

	it('redraws the whole screen after a SIGSTOP', async () => {
		const terminal = await chatUnderShell();
		process.kill(await pidOf(terminal), 'SIGSTOP');
		await terminal.waitFor(/Stopped[^]*PROMPT>/);
		terminal.write('fg\r');
		await terminal.waitFor(screen => screen.includes('▌ go') && !screen.includes('PROMPT>'), {
			what: 'the whole screen',
		});
		terminal.write('\x1b');
		await terminal.waitFor('■ interrupted');
	});
});

describe('the session picker', () => {
	it.each(['by Ctrl+Z', 'by a SIGTSTP'])(
		'gives the terminal back to the shell when it is stopped %s, and continues with fg',
		async how => {
			const terminal = await shell();
			const program = `'${process.execPath}' '${await builtProgram()}'`;
			const sessions = `${program} -p --model offline apples >one; ${program} -p --model offline pears >two; clear`;
			terminal.write(`${sessions}; sh -c 'echo $$ >$HOME/pid; exec "$@"' sh ${program} -r\r`);
			await terminal.waitFor(screen => screen.includes('Resume session') && screen.includes('apples'));
			for (let round = 1; round <= 2; round++) {
				if (how === 'by Ctrl+Z') terminal.write('\x1a');
				else process.kill(Number(await readFile(join(terminal.home, 'pid'), 'utf8')), 'SIGTSTP');
				await terminal.waitFor(
					screen => !screen.includes('Resume session') && screen.trimEnd().endsWith('PROMPT>'),
				);
				expectModes(terminal, false);
				terminal.write('stty -a | grep -o " icanon"; jobs\r');
				await terminal.waitFor(/ icanon[^]*Stopped/);
				terminal.write('clear; fg\r');
				await terminal.waitFor(
					screen =>
						screen.includes('Resume session') &&
						/pears[^]*apples/.test(screen) &&
						!screen.includes('PROMPT>'),
					{what: 'the whole screen'},
				);
			}
			terminal.write('app');
			await terminal.waitFor(screen => screen.includes('❯ app') && !screen.includes('pears'));
			expect(terminal.rows()[0]).toContain('Resume session');
			terminal.write('\x1b');
			await terminal.waitFor(/PROMPT>\s*$/);
			expectModes(terminal, false);
		},
	);
});

describe('a terminal during an answer', () => {
	it('ends the program with 129 when its window is closed, and the text so far is saved', async () => {
		const terminal = await answeringAlone();
		terminal.hangUp();
		expect(await terminal.exit).toMatchObject({code: 129});
		await expectPaused(terminal);
	});

	it('delays nothing while it does not read, and shows the whole screen when it reads again', async () => {
		const {terminal, env} = await flooded();
		const before = await memoryOf(terminal.pid);
		terminal.write('\x1b');
		await until(async () => (await itemsOf(terminal)).some(({type}) => type === 'run_end'));
		terminal.write('once more');
		await until(async () => (await draftsOf(terminal)).includes('once more'));
		terminal.write('\r');
		await until(async () => (await itemsOf(terminal)).some(({text}) => text === 'And on.'));
		expect((await memoryOf(terminal.pid)) - before).toBeLessThan(80_000_000);
		terminal.resume();
		await terminal.waitFor('And on.');
		await terminal.waitFor('◦ idle');
		const shown = transcript(terminal);
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		const fresh = await openChat({cwd: terminal.cwd, home: terminal.home, env, args: ['-c'], ...wide});
		await fresh.waitFor('And on.');
		expect(shown).toEqual(transcript(fresh));
	});

	it('does not keep a SIGTERM from ending the program when it reads nothing', async () => {
		const {terminal} = await flooded();
		terminal.kill('SIGTERM');
		await until(async () => !isAlive(terminal.pid));
		expect((await itemsOf(terminal)).at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
		await expect(pidOf(terminal)).rejects.toMatchObject({code: 'ENOENT'});
		terminal.resume();
		expect(await terminal.exit).toMatchObject({code: 143});
	});
});

const listed = Array.from({length: 1000}, (_, line) => `- line ${line} ${'word '.repeat(line % 13)}\n`).join('');

/** More text than a terminal accepts while it does not read, then silence. */
const flood = [
	{
		type: 'text',
		text: `It takes its time. word word\n\n${listed}`,
		chunk: 60,
		delayMs: 1,
	},
	{type: 'text', text: 'The end.'},
	{type: 'stall'},
] as const;
const wide = {cols: 200, rows: 60};

async function answeringAlone(model?: ModelOptions): Promise<Terminal> {
	const terminal = await openChat({...(model ?? (await slowModel())), ...wide});
	await terminal.waitFor('anthropic/test');
	await send(terminal, 'go');
	await terminal.waitFor(/takes its time\. word word/);
	return terminal;
}

/** Opens a chat that has received a whole flood, on a terminal that has read none of it. */
async function flooded(): Promise<{readonly terminal: Terminal; readonly env: ModelOptions['env']}> {
	const model = await blockedModel(flood, 'And on.');
	const terminal = await answeringAlone(model.options);
	terminal.pause();
	model.goOn();
	await until(async () => (await itemsOf(terminal)).some(item => item['role'] === 'assistant'));
	return {terminal, env: model.options.env};
}

async function itemsOf(terminal: Terminal): Promise<Awaited<ReturnType<typeof onlyHistory>>['items']> {
	return onlyHistory(terminal.home).then(
		({items}) => items,
		() => [],
	);
}

async function draftsOf({home}: Terminal): Promise<string> {
	const names = (await readdir(home, {recursive: true})).filter(name => name.endsWith('draft.json'));
	return (await Promise.all(names.map(async name => readFile(join(home, name), 'utf8').catch(() => '')))).join('');
}

/** Returns the resident memory in bytes. */
async function memoryOf(pid: number): Promise<number> {
	const {stdout} = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
	return Number(stdout) * 1024;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
	while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20));
}

/** Opens the chat as a job of a shell, with an answer in progress. */
async function chatUnderShell(): Promise<Terminal> {
	const {args, env} = await slowModel();
	const terminal = await shell(env);
	terminal.write(`'${process.execPath}' '${await builtProgram()}' ${args.join(' ')}\r`);
	await terminal.waitFor(/◦ idle [^\n]*test/u);
	await send(terminal, 'go');
	await terminal.waitFor(/takes its time\. word word/);
	return terminal;
}

/** Opens an interactive shell with job control. */
async function shell(env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
	const terminal = await openChat({
		command: ['/bin/bash', '--norc', '--noprofile', '-i'],
		env: {...env, PS1: 'PROMPT> '},
	});
	await terminal.waitFor('PROMPT>');
	return terminal;
}

/** Opens a shell that runs the chat, and prints its exit code and the modes of the terminal. */
async function answering(...nodeArgs: string[]): Promise<Terminal> {
	const terminal = await openChat({
		...(await slowModel()),
		command: withModes(...nodeArgs, await builtProgram()),
	});
	await terminal.waitFor('anthropic/test');
	await send(terminal, 'go');
	await terminal.waitFor(/takes its time\. word word/);
	return terminal;
}

/**
Returns a command that runs node with these arguments, and prints its exit code and whether the terminal is unchanged.
*/
function withModes(...nodeArgs: readonly string[]): readonly [string, ...string[]] {
	const shell =
		'stty -a > before; "$@"; code=$?; stty -a > after; ' +
		'cmp before after && echo "same modes"; echo "code $code"; read end';
	return ['sh', '-c', shell, 'sh', process.execPath, ...nodeArgs];
}

/** Returns the pid of the program itself from the lock of its session. */
async function pidOf(terminal: Terminal): Promise<number> {
	const [file] = await histories(terminal.home);
	return (JSON.parse(await readFile(file!.replace(/history\.json$/, 'lock'), 'utf8')) as {pid: number}).pid;
}

async function expectGivenBack(terminal: Terminal, code: number): Promise<void> {
	await terminal.waitFor(`code ${code}`);
	expect(terminal.screen()).toContain('same modes');
	expectModes(terminal, false);
}

/** Tells whether the terminal has the modes of our screen or those of a shell. */
function expectModes(terminal: Terminal, ours: boolean): void {
	expect(terminal.virtual.isAlternate()).toBe(ours);
	expect(terminal.cursor().visible).toBe(true);
	expect(terminal.virtual.terminal.modes).toMatchObject({
		sendFocusMode: ours,
		wraparoundMode: !ours,
		mouseTrackingMode: ours ? 'drag' : 'none',
		synchronizedOutputMode: false,
	});
	const bytes = terminal.raw().toString('latin1');
	for (const [enter, leave] of [
		['\x1b[>5u', '\x1b[<u'],
		['\x1b[>4;1m', '\x1b[>4m'],
	] as const)
		expect(bytes.lastIndexOf(enter) > bytes.lastIndexOf(leave)).toBe(ours);
}

/** Checks that the streamed text is saved, the run has its end, and no process owns the session. */
async function expectPaused(terminal: Terminal): Promise<void> {
	const {items} = await onlyHistory(terminal.home);
	expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
	expect(items.find(item => item['role'] === 'assistant')).toMatchObject({
		text: expect.stringMatching(/takes its time\. word word/) as unknown,
		stop: 'aborted',
	});
	await expect(pidOf(terminal)).rejects.toMatchObject({code: 'ENOENT'});
}
