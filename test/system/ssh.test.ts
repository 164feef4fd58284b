import {execFileSync, spawn} from 'node:child_process';
import {chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir, userInfo} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {idle, openChat, send, transcript} from '../helpers/chat.ts';
import {blockedModel} from '../helpers/blocked-model.ts';
import type {Terminal} from '../helpers/pty.ts';
import {runProgram} from '../helpers/program.ts';
import {sharedPlace, startServing, type SharedPlace} from '../helpers/serve.ts';
import {findProgram} from '../../src/pod/platform/programs.ts';
import type {StepOf} from '../../src/worker/wires/script.ts';

const sshd = '/usr/sbin/sshd';
/** Needs the packages openssh-client and openssh-server. */
const hasSsh = existsSync(sshd) && findProgram('ssh', process.env['PATH']) !== undefined;
const bash = (command: string): StepOf<'tool_call'> => ({type: 'tool_call', name: 'bash', arguments: {command}});

/** Another terminal: its own home and state, and a program `ssh` that knows the machine `box`. */
type Outside = {
	readonly options: {readonly cwd: string; readonly home: string; readonly env: Readonly<Record<string, string>>};
	/** Ends all connections to the machine. */
	readonly cut: () => void;
	/** The remote end of the next connections runs this script instead of inkpod. */
	readonly replaceProgram: (script: string) => Promise<void>;
};

/** Starts an ssh server for this machine, with keys made for the test. `inside` is what a login there has. */
async function outside(inside: SharedPlace): Promise<Outside> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-ssh-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true}));
	const path = (name: string) => join(dir, name);
	for (const key of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path(key)]);
	for (const name of ['bin', 'local', 'home', 'project']) await mkdir(path(name));
	await writeFile(path('authorized'), await readFile(path('user.pub')));
	await script(path('bin/inkpod'), `#!/bin/sh\nexec '${process.execPath}' '${await builtProgram()}' "$@"\n`);
	await script(path('local/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${path('ssh_config')}' "$@"\n`);
	const port = await freePort();
	const variables = {...inside.env, HOME: inside.home, PATH: `${path('bin')}:/usr/bin:/bin`};
	await writeFile(path('sshd_config'), serverConfig(path, port, variables));
	await writeFile(path('ssh_config'), clientConfig(path, port));
	await mkdir('/run/sshd', {recursive: true});
	const server = spawn(sshd, ['-D', '-f', path('sshd_config')], {stdio: 'ignore'});
	onTestFinished(() => void server.kill());
	await expect.poll(async () => readdir(dir)).toContain('pid');
	return {
		options: {
			cwd: path('project'),
			home: path('home'),
			env: {PATH: `${path('local')}:${process.env['PATH']}`, XDG_RUNTIME_DIR: dir},
		},
		cut: () => void execFileSync('pkill', ['-KILL', '-f', `ssh -F ${path('ssh_config')}`]),
		replaceProgram: async text => script(path('bin/inkpod'), text),
	};
}

type PathIn = (name: string) => string;

function serverConfig(path: PathIn, port: number, variables: Readonly<Record<string, string>>): string {
	const words = Object.entries(variables).map(([name, value]) => `"${name}=${value}"`);
	return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${path('host')}
AuthorizedKeysFile ${path('authorized')}
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
PidFile ${path('pid')}
SetEnv ${words.join(' ')}
`;
}

function clientConfig(path: PathIn, port: number): string {
	return `Host box
HostName 127.0.0.1
Port ${port}
User ${userInfo().username}
IdentityFile ${path('user')}
UserKnownHostsFile ${path('known')}
StrictHostKeyChecking accept-new
`;
}

async function script(file: string, text: string): Promise<void> {
	await writeFile(file, text);
	await chmod(file, 0o755);
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	await new Promise(resolve => void server.close(resolve));
	return port;
}

async function answer(terminal: Terminal, key: string): Promise<void> {
	await terminal.waitFor(/(?:Run this command|Take these changes)\?[^]*Esc: /);
	terminal.write(key);
}

/** A session in a server whose first call waits for approval. */
async function waitingSession(...answers: readonly string[]) {
	const {options} = await blockedModel([bash('echo made > made.txt')], ...answers);
	const inside = await sharedPlace({}, options.env);
	await startServing(inside);
	const started = await runProgram({args: ['--bg', ...options.args, 'make it'], ...inside});
	return {inside, id: started.stdout.trim(), model: options};
}

describe.skipIf(!hasSsh)('a session on another machine', () => {
	it('is shown, answered and continued over ssh, and goes on without the connection', async () => {
		const {inside, id} = await waitingSession('Done.', 'Hello to you.');
		const {options} = await outside(inside);
		const terminal = await openChat({...options, args: ['attach', `box:${id.slice(0, 20)}`]});
		await terminal.waitFor("Attached to the session on box. Closing this terminal won't stop the session.");
		await answer(terminal, '2');
		await terminal.waitFor('Done.');
		await send(terminal, 'hello');
		await terminal.waitFor('Hello to you.');
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		// The command is longer than a row of the terminal.
		expect(terminal.screen().replaceAll(/\s/g, '')).toMatch(new RegExp(`Attachagainwith:.*attachbox:${id}`));
		expect(await readFile(join(inside.cwd, 'made.txt'), 'utf8')).toBe('made\n');
	});

	it('is shown again after the connection was cut while a card was open, and keeps the draft', async () => {
		const {inside, id} = await waitingSession('Done.');
		const {options, cut} = await outside(inside);
		const terminal = await openChat({...options, args: ['attach', `box:${id}`]});
		await terminal.waitFor(/Run this command\?|Take these changes\?/);
		cut();
		await terminal.waitFor(screen => screen.split('Attached to the session on box').length > 1);
		await answer(terminal, '2');
		await terminal.waitFor('Done.');
		await terminal.waitFor(idle);
		expect(transcript(terminal).join('\n')).toContain('● Run echo made > made.txt');
	});

	it.each([
		['a session that does not exist', 'box:01AAAAAA', /inkpod: box: No session begins with 01AAAAAA/],
		['a host that does not exist', 'nobody.invalid:01AAAAAA', /inkpod: ssh could not connect to nobody\.invalid: /],
	])('is refused with one sentence: %s', async (_name, name, sentence) => {
		const {options} = await outside(await sharedPlace());
		const terminal = await openChat({...options, args: ['attach', name]});
		expect(await terminal.exit).toMatchObject({code: 2});
		expect(terminal.screen().match(new RegExp(sentence, 'g'))).toHaveLength(1);
	});

	it.each<[string, string, RegExp]>([
		['has no inkpod', 'exit 127', /inkpod was not found on box\./],
		['prints escapes', String.raw`printf '\033]0;owned\007\033[2Jgarbage\n' >&2; exit 3`, /inkpod: box: .*garbage/],
		['sends garbage', 'yes garbage', /inkpod: box: The other terminal sent a message that/],
		['sends one endless line', 'cat /dev/zero', /inkpod: box: The other terminal sent a message that/],
		[
			'is another session',
			`printf '{"inkpod":2,"session":"01JDBBBBBBBBBBBBBBBBBBBBBB","pwd":"/","pid":1}\\n'; sleep 60`,
			/inkpod: box: The other terminal sent a message that/,
		],
		[
			'is a newer version',
			`printf '{"inkpod":9,"session":"01JDAAAAAAAAAAAAAAAAAAAAAA","pwd":"/","pid":1}\\n'; sleep 60`,
			/inkpod: box: The other terminal runs another version/,
		],
	])('is left with one sentence if the machine %s', async (_name, body, sentence) => {
		const {options, replaceProgram} = await outside(await sharedPlace());
		await replaceProgram(`#!/bin/sh\n${body}\n`);
		const terminal = await openChat({...options, args: ['attach', 'box:01JDAAAAAAAA']});
		expect(await terminal.exit).toMatchObject({code: 2});
		expect(terminal.screen().replaceAll('\n', ' ')).toMatch(sentence);
		expect(terminal.raw().toString('latin1')).not.toMatch(/\x1b\]0;owned/);
	});

	it('gets no paths or keys of this machine, and no text before it is sent', async () => {
		const {inside} = await waitingSession('Done.');
		const {options, replaceProgram} = await outside(inside);
		const log = join(inside.cwd, 'heard');
		const status = '{"kind":"idle","asks":[],"queue":[]}';
		const session =
			'{"id":"01JDAAAAAAAAAAAAAAAAAAAAAA","model":"a/b","scope":{"pwd":"/p","writable":true,"readRoots":[]}}';
		const snapshot = `{"type":"snapshot","session":${session},"tail":[],"status":${status},"count":0}`;
		const hello = '{"inkpod":2,"session":"01JDAAAAAAAAAAAAAAAAAAAAAA","pwd":"/p","pid":1}';
		await replaceProgram(`#!/bin/sh\nprintf '%s\\n' '${hello}' '${snapshot}'\nexec tee '${log}' >/dev/null\n`);
		const terminal = await openChat({...options, args: ['attach', 'box:01JDAAAAAAAA']});
		await terminal.waitFor(idle);
		await writeFile(join(options.cwd, 'private.png'), 'x');
		terminal.write(`\x1b[200~${join(options.cwd, 'private.png')}\x1b[201~`);
		await terminal.waitFor('private.png');
		terminal.write('\x15secret thought');
		await terminal.waitFor('❯ secret thought');
		const heard = await readFile(log, 'utf8');
		expect(heard).toMatch(/^\{"attach":2\}\n/);
		expect(heard).not.toMatch(/private|secret|project/);
	});
});
