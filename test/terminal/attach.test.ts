import {readdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, idle, listening, openChat, send, transcript} from '../helpers/chat.ts';
import {blockedModel, inTwo} from '../helpers/blocked-model.ts';
import {runProgram} from '../helpers/program.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

type Place = {readonly cwd: string; readonly home: string; readonly env: Readonly<Record<string, string>>};

/** Creates a project, a home and a folder for sockets. */
async function place(files: Readonly<Record<string, string>> = {}): Promise<Place> {
	const project = await tempProject(files);
	const runtime = await project.mkdir('../run');
	return {cwd: project.dir, home: join(dirname(project.dir), 'home'), env: {XDG_RUNTIME_DIR: runtime}};
}

async function owner(at: Place, args: readonly string[] = []): Promise<Terminal> {
	const terminal = await openChat({...at, args});
	await terminal.waitFor(idle);
	await listening(at.env['XDG_RUNTIME_DIR']!);
	return terminal;
}

async function second(at: Place, args: readonly string[] = ['attach']): Promise<Terminal> {
	const terminal = await openChat({...at, args});
	await terminal.waitFor(/• Attached to the session in process \d+/);
	return terminal;
}

/** Sends a message and waits for the end of its answer on every screen. */
async function say(from: Terminal, text: string, ...all: readonly Terminal[]): Promise<void> {
	await send(from, text);
	for (const terminal of [from, ...all]) {
		await terminal.waitFor(`▌ ${text}`);
		await terminal.waitFor(
			screen => idle.test(screen) && /\n {2}[\d.]+ s/.test(screen.slice(screen.lastIndexOf(`▌ ${text}`))),
			{what: `an answer to ${text}`},
		);
	}
}

/** Returns the rows from the user's last message on. The number of rows above them depends on the alerts. */
function lastTurn(terminal: Terminal): string[] {
	const rows = transcript(terminal);
	return rows.slice(rows.findLastIndex(row => row.startsWith('▌')));
}

describe('two terminals on one session', () => {
	it('both show text that is typed in either, and the first keeps running when the second closes', async () => {
		const at = await place({'a.md': '# Apples\n'});
		const one = await owner(at);
		const two = await second(at);
		await say(one, 'tell about @a.md', two);
		await say(two, 'and what else', one);
		expect(lastTurn(two)).toEqual(lastTurn(one));
		two.write('\x04');
		expect(await two.exit).toEqual({code: 0, signal: undefined});
		expect(two.screen()).toMatch(
			/The session continues in another terminal\.\nAttach again with: inkpod attach \w{26}\n/,
		);
		await say(one, 'still here');
		one.write('\x04');
		expect(await one.exit).toEqual({code: 0, signal: undefined});
		expect(await readdir(join(at.env['XDG_RUNTIME_DIR']!, 'inkpod'))).toEqual([]);
	});

	it('let the second continue with its draft when the first is killed, and a third can then attach', async () => {
		const at = await place();
		const one = await owner(at);
		await say(one, 'hello there');
		const two = await second(at, ['-c']);
		expect(lastTurn(two)).toEqual(lastTurn(one));
		two.write('my draft');
		await two.waitFor('❯ my draft');
		process.kill(one.pid, 'SIGKILL');
		await two.waitFor('The other terminal closed; the session continues here.');
		expect(two.screen()).toContain('❯ my draft');
		two.write('\r');
		await two.waitFor('▌ my draft');
		await two.waitFor(idle);
		const three = await second(at);
		await say(three, 'from the third', two);
		expect(lastTurn(three)).toEqual(lastTurn(two));
		process.kill(three.pid, 'SIGKILL');
		await say(two, 'the last word');
		expect(await histories(at.home)).toHaveLength(1);
	});

	it('let the second resume the turn when the first is killed', async () => {
		const model = await blockedModel([inTwo('Once ', 'upon a time.')], 'And they lived.');
		const {env, ...rest} = await place();
		const at = {...rest, env: {...env, ...model.options.env}};
		const one = await owner(at, model.options.args);
		const two = await second(at);
		await send(one, 'tell me more');
		await two.waitFor(screen => screen.includes(' Answering') && screen.includes('Once'));
		process.kill(one.pid, 'SIGKILL');
		await two.waitFor(screen => screen.includes('the session continues here') && screen.includes('■ interrupted'));
		expect(two.screen()).toContain('Once');
		two.write('\r');
		await two.waitFor(
			screen =>
				screen.includes('◦ idle') &&
				screen.slice(screen.lastIndexOf('▌ tell me more')).includes('And they lived.'),
		);
	});

	it('continue when the first of three quits: one takes over and the other attaches to it', async () => {
		const at = await place();
		const one = await owner(at);
		await say(one, 'hello there');
		const others = [await second(at), await second(at), await second(at)];
		one.write('\x04');
		await one.exit;
		await Promise.all(
			others.map(async terminal =>
				terminal.waitFor(
					screen =>
						screen.includes('the session continues here') ||
						[...screen.matchAll(/Attached to the session in process (\d+)/g)].some(
							([, pid]) => pid !== String(one.pid),
						),
					{what: 'a new pod'},
				),
			),
		);
		const [two, ...rest] = others;
		await say(two!, 'anybody there', ...rest);
		expect(others.filter(terminal => terminal.screen().includes('continues here')).length).toBeLessThanOrEqual(1);
		for (const terminal of rest) expect(lastTurn(terminal)).toEqual(lastTurn(two!));
	});

	it('both show the first message, or the second starts a new session if the first quits without one', async () => {
		const at = await place();
		const one = await owner(at);
		const two = await second(at);
		await say(two, 'the first words', one);
		one.write('\x04');
		await two.waitFor('the session continues here');

		const other = await place();
		const three = await owner(other);
		const four = await second(other);
		three.write('\x04');
		await four.waitFor('this is a new session');
		await say(four, 'hello there');
		expect(await histories(other.home)).toHaveLength(1);
	});
});

describe('a session that cannot be attached to', () => {
	it('leads to one sentence and exit code 2 when it does not exist', async () => {
		const at = await place();
		const none = await openChat({...at, args: ['attach']});
		expect(await none.exit).toMatchObject({code: 2});
		expect(none.screen()).toContain('No session of this directory is open in another terminal.');
		expect(
			await runProgram({args: ['-p', '--model', 'offline', 'hello'], cwd: at.cwd, home: at.home}),
		).toMatchObject({code: 0});
		const [file] = await histories(at.home);
		const closed = await openChat({...at, args: ['attach', dirname(file!).slice(-26)]});
		expect(await closed.exit).toMatchObject({code: 2});
		expect(closed.screen()).toContain('This session is not open in another terminal.');
	});

	it('is reported with its process when it was started with --no-socket', async () => {
		const at = await place();
		const one = await openChat({...at, args: ['--no-socket']});
		await one.waitFor(idle);
		await say(one, 'hello there');
		const two = await openChat({...at, args: ['-c']});
		expect(await two.exit).toMatchObject({code: 2});
		expect(two.screen()).toContain(`This session is open in process ${one.pid}`);
		await expect(readdir(join(at.env['XDG_RUNTIME_DIR']!, 'inkpod'))).rejects.toThrow('ENOENT');
	});

	it('leads to one warning when the folder of sockets is not private, and the chat continues', async () => {
		const at = await place();
		await writeFile(join(at.env['XDG_RUNTIME_DIR']!, 'inkpod'), '');
		const one = await openChat(at);
		await one.waitFor('No other terminal can attach to this session');
		await say(one, 'hello there');
	});
});
