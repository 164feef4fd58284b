import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {idle, openChat, pressApart, send} from '../helpers/chat.ts';
import {fakeSystemctl, type Trouble} from '../helpers/fake-systemctl.ts';
import {runProgram} from '../helpers/program.ts';
import {sharedPlace, type SharedPlace} from '../helpers/serve.ts';

type Place = SharedPlace & {readonly args: readonly string[]; readonly unit: string};

/** A user with a systemd, in which no server runs. */
async function place(trouble?: Trouble): Promise<Place> {
	const at = await sharedPlace();
	const {bin} = await fakeSystemctl(at.project, trouble);
	const PATH = `${bin}:${process.env['PATH']}`;
	const unit = join(at.home, '.config/systemd/user');
	return {...at, env: {...at.env, PATH}, args: ['--model', 'offline'], unit};
}

const needs = async ({cwd, home, env}: Place) => runProgram({args: ['sessions', '--needs'], cwd, home, env});

describe('a detach without a server', () => {
	it('starts the server as a service after one question', async () => {
		const at = await place();
		const terminal = await openChat(at);
		await terminal.waitFor(idle);
		await send(terminal, 'hello');
		await terminal.waitFor(/rule-based guide|rules, not an AI/);
		await terminal.waitFor(idle);
		await send(terminal, '/detach');
		await terminal.waitFor(/Start it as a service\?[^]*systemctl --user enable --now inkpod[^]*1\. Yes, start it/);
		await terminal.waitFor(/Esc: /);
		await pressApart(terminal, '1');
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
		expect(terminal.screen()).toContain('The session continues without a terminal.');
		expect((await needs(at)).stdout).toMatch(/ {2}open {2}/);
	});

	it('stays in the terminal if you say no', async () => {
		const at = await place();
		const terminal = await openChat(at);
		await terminal.waitFor(idle);
		await send(terminal, 'hello');
		await terminal.waitFor(/rule-based guide|rules, not an AI/);
		await terminal.waitFor(idle);
		await send(terminal, '/detach');
		await terminal.waitFor(/Start it as a service\?[^]*Esc: /);
		await pressApart(terminal, '2');
		await terminal.waitFor('No inkpod server is running. Start one with: inkpod serve');
		await terminal.waitFor('❯ /detach');
		await expect(readFile(at.unit, 'utf8')).rejects.toThrow('ENOENT');
	});
});

describe('a task for the background without a server', () => {
	it('starts the server as a service after one question', async () => {
		const at = await place();
		const terminal = await openChat({...at, args: ['--bg', ...at.args, 'do it'], cols: 120});
		await terminal.waitFor('Start it? [y/N]');
		expect(terminal.screen()).toMatch(/ {2}Write ~\/\.config\/systemd\/user\/inkpod[-\w]*\.service/);
		terminal.write('y\r');
		await terminal.waitFor(/^\w{26}$/m);
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
	});

	it.each(['n', ''])('does nothing after the answer "%s"', async answer => {
		const at = await place();
		const terminal = await openChat({...at, args: ['--bg', ...at.args, 'do it'], cols: 120});
		await terminal.waitFor('Start it? [y/N]');
		terminal.write(`${answer}\r`);
		expect(await terminal.exit).toEqual({code: 2, signal: undefined});
		expect(terminal.screen()).toContain('No inkpod server is running. Start one with: inkpod serve');
	});

	it('says which command failed', async () => {
		const at = await place('refuses');
		const terminal = await openChat({...at, args: ['--bg', ...at.args, 'do it'], cols: 160});
		await terminal.waitFor('Start it? [y/N]');
		terminal.write('y\r');
		expect(await terminal.exit).toEqual({code: 2, signal: undefined});
		expect(terminal.screen()).toContain('inkpod: The service was not started: systemctl --user enable --now');
	});

	it('names the command without a terminal', async () => {
		const at = await place();
		const {cwd, home, env} = at;
		const {code, stderr} = await runProgram({args: ['--bg', 'do it'], cwd, home, env, stdin: 'y\n'});
		expect([code, stderr]).toEqual([2, expect.stringContaining('Start one with: inkpod serve')]);
	});
});
