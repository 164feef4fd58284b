import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {blockedModel} from '../helpers/blocked-model.ts';
import {runProgram} from '../helpers/program.ts';
import type {Terminal} from '../helpers/pty.ts';
import {sharedPlace, startServing, type SharedPlace} from '../helpers/serve.ts';
import type {StepOf} from '../../src/worker/wires/script.ts';

const bash = (command: string): StepOf<'tool_call'> => ({type: 'tool_call', name: 'bash', arguments: {command}});
const waits = 'echo begun; until [ -e go ]; do sleep 0.02; done; echo ended';
const allow = '2';

/** A place in which the model first runs a command that waits for the file `go`. */
async function place(...answers: readonly string[]): Promise<SharedPlace & {readonly args: readonly string[]}> {
	const {options} = await blockedModel([bash(waits)], ...answers);
	return {...(await sharedPlace({}, options.env)), args: options.args};
}

/** Opens a chat in which the command waits, and detaches it. */
async function detaching(at: Awaited<ReturnType<typeof place>>): Promise<Terminal> {
	const terminal = await openChat(at);
	await terminal.waitFor(idle);
	await send(terminal, 'go');
	await answer(terminal, allow);
	await terminal.waitFor('│ begun');
	await send(terminal, '/detach');
	await terminal.waitFor(/Detaching when echo begun.* ends/);
	return terminal;
}

/** Answers a card as soon as it listens. */
async function answer(terminal: Terminal, key: string): Promise<void> {
	await terminal.waitFor(/Run this command\?[^]*Esc: /);
	terminal.write(key);
}

const idOf = (terminal: Terminal) => /inkpod attach (\w{26})/.exec(terminal.screen())![1]!;

describe('a session that is detached', () => {
	it('waits for its command, goes on in the server with draft and answers, and can be attached and ended', async () => {
		const at = await place('After the command.', 'Another answer.');
		const server = await startServing(at);
		const first = await detaching(at);
		first.write('my draft');
		await first.waitFor('❯ my draft');
		await writeFile(join(at.cwd, 'go'), '');
		expect(await first.exit).toEqual({code: 0, signal: undefined});
		expect(first.screen()).toContain('The session continues without a terminal.');
		const id = idOf(first);
		expect(server.log()).toContain(`${id} opened in ${at.cwd}`);
		const second = await openChat({...at, args: ['attach', id], cols: 60, rows: 15});
		await second.waitFor('After the command.');
		await second.waitFor('❯ my draft');
		expect(transcript(second).join('\n')).toContain('│ ended');
		second.write('\r');
		await second.waitFor('Another answer.');
		second.write('\x04');
		expect(await second.exit).toEqual({code: 0, signal: undefined});
		server.kill('SIGTERM');
		expect(await server.ended).toBe(0);
		expect(server.log()).toContain(`${id} closed`);
		const {code} = await runProgram({args: ['verify', id, '--requests'], cwd: at.cwd, home: at.home, env: at.env});
		expect(code).toBe(0);
	});

	it('asks its questions to whoever attaches', async () => {
		const {options} = await blockedModel([bash('echo made > made.txt')], 'Done.');
		const at = {...(await sharedPlace({}, options.env)), args: options.args};
		await startServing(at);
		const started = await runProgram({
			args: ['--bg', ...at.args, 'make it'],
			cwd: at.cwd,
			home: at.home,
			env: at.env,
		});
		expect(started).toMatchObject({code: 0, stdout: expect.stringMatching(/^\w{26}\n$/) as unknown});
		const id = started.stdout.trim();
		const listed = async () => runProgram({args: ['sessions', '--needs'], cwd: at.cwd, home: at.home, env: at.env});
		await expect.poll(async () => (await listed()).stdout).toMatch(/ {2}needs you {2}/);
		const second = await openChat({...at, args: ['attach', id]});
		await answer(second, allow);
		await second.waitFor('Done.');
		expect(await readFile(join(at.cwd, 'made.txt'), 'utf8')).toBe('made\n');
		await expect.poll(async () => (await listed()).stdout).toMatch(/ {2}open {2}/);
	});

	it('stays in its terminal when you press Esc, and runs on', async () => {
		const at = await place('After the command.');
		await startServing(at);
		const terminal = await detaching(at);
		terminal.write('\x1b');
		await terminal.waitFor('The session stays in this terminal.');
		await writeFile(join(at.cwd, 'go'), '');
		await terminal.waitFor('After the command.');
	});

	it('needs a server', async () => {
		const at = await place('Hello.');
		const terminal = await openChat(at);
		await terminal.waitFor(idle);
		await send(terminal, 'go');
		await answer(terminal, '3');
		await terminal.waitFor('Hello.');
		await terminal.waitFor(idle);
		await send(terminal, '/detach');
		await terminal.waitFor('No inkpod server is running. Start one with: inkpod serve');
		const {code, stderr} = await runProgram({args: ['--bg', 'x'], cwd: at.cwd, home: at.home, env: at.env});
		expect([code, stderr]).toEqual([2, expect.stringContaining('inkpod serve')]);
	});
});

describe('a transfer that fails', () => {
	it('leaves the session in the terminal when the server is killed, and nothing is lost', async () => {
		const at = await place('After the command.', 'Still here.');
		const server = await startServing(at);
		const terminal = await detaching(at);
		server.kill('SIGKILL');
		await server.ended;
		await writeFile(join(at.cwd, 'go'), '');
		await terminal.waitFor('The session stays in this terminal: No inkpod server is running.');
		await terminal.waitFor('■ interrupted');
		expect(transcript(terminal).join('\n')).toContain('│ ended');
		terminal.write('\r');
		await terminal.waitFor('After the command.');
		terminal.write('\x04');
		await terminal.exit;
		expect((await onlyHistory(at.home)).items.filter(({type}) => type === 'tool_result')).toHaveLength(1);
	});

	it('leaves a session that can be resumed when the terminal is killed', async () => {
		const at = await place('After the command.');
		await startServing(at);
		const terminal = await detaching(at);
		terminal.kill('SIGKILL');
		await terminal.exit;
		const again = await openChat({...at, args: [...at.args, '-c']});
		await again.waitFor('■ interrupted');
		expect(transcript(again).join('\n')).toContain('│ begun');
		// The command has survived its terminal.
		await writeFile(join(at.cwd, 'go'), '');
	});

	it('leaves a session that can be resumed when the server is killed after it', async () => {
		const at = await place('After the command.');
		const server = await startServing(at);
		const terminal = await detaching(at);
		await writeFile(join(at.cwd, 'go'), '');
		await terminal.exit;
		server.kill('SIGKILL');
		await server.ended;
		const again = await openChat({...at, args: [...at.args, '-r', idOf(terminal)]});
		await again.waitFor('│ ended');
		await again.waitFor(/◦ idle|■ interrupted/);
	});
});
