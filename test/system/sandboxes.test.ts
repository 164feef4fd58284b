import {spawnSync} from 'node:child_process';
import {mkdtemp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir, userInfo} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram, projectRoot} from '../helpers/built.ts';
import {histories, pressUntil, send} from '../helpers/chat.ts';
import {openTerminal} from '../helpers/pty.ts';
import {isRoot} from '../helpers/other-user.ts';

/** A user who is not in the list of users. Only root can become this user. */
const uid = isRoot ? 54_321 : userInfo().uid;
const asUser = isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all'] : [];

/** A root folder with the system's programs and inkpod, and without /proc. FOLDER is the user's. */
const withoutProc = [
	...['bwrap', '--dev', '/dev', '--tmpfs', '/tmp', '--bind', 'FOLDER', 'FOLDER'],
	...['/usr', '/etc', '/bin', '/sbin', '/lib', '/lib64', '/opt', dirname(process.execPath), projectRoot].flatMap(
		path => ['--ro-bind-try', path, path],
	),
];

const sandboxes: ReadonlyArray<readonly [name: string, command: readonly string[]]> = [
	[isRoot ? 'no sandbox, as a user who is not in the list of users' : 'no sandbox', []],
	['bwrap --dev-bind / /', ['bwrap', '--dev-bind', '/', '/']],
	['unshare -Ur', ['unshare', '-Ur']],
	['a root folder without /proc', withoutProc],
	['a root folder without /proc, as its root', [...withoutProc, '--unshare-user', '--uid', '0', '--gid', '0']],
];

const planted = 'PLANTED-IN-THE-HOME-FOLDER';

describe.each(sandboxes)('inkpod in %s', (_name, sandbox) => {
	it(
		'shows the first screen, answers, and runs a command that is confined or says that it is not',
		{timeout: 180_000},
		async () => {
			const {terminal, home} = await open(sandbox);
			await terminal.waitFor(/ · (confined|not confined: )/, slow);
			const [, state] = / · (confined(?:, no cells)?|not confined: .*)$/m.exec(terminal.screen()) ?? [];
			const isConfined = state?.startsWith('confined');
			await send(terminal, 'hello');
			await terminal.waitFor(/I'm the offline guide\.[^]*◦ idle/, slow);
			await send(terminal, 'run `cat ~/planted.txt; echo made > made.txt; echo ended`');
			// On a layer, the command is tried first.
			const isTried = state === 'confined';
			const card = isTried ? /Take these changes\?[^]*Esc: / : /Run this command\?[^]*Esc: /;
			await terminal.waitFor(card, slow);
			const shown = isTried
				? '+ made.txt'
				: isConfined
					? '  Confined: can write this dir'
					: '  Not confined: bubblewrap ';
			expect(terminal.screen()).toContain(shown);
			await pressUntil(terminal, '\x1b[A', /❯ 1/);
			await pressUntil(terminal, '\r', /● Run cat[^]*│ ended[^]*◦ idle/);
			expect(terminal.screen().includes(planted)).toBe(!isConfined);
			expect(terminal.screen().includes(' · +1 file')).toBe(isTried);
			expect(await readFile(join(terminal.cwd, 'made.txt'), 'utf8')).toBe('made\n');
			expect(await histories(home)).toHaveLength(1);
			terminal.write('\x04');
			expect(await terminal.exit).toMatchObject({code: 0});
		},
	);
});

it.runIf(isRoot)('a user without a home folder reads a sentence', {timeout: 60_000}, async () => {
	const [file, ...args] = [...asUser, 'env', '-u', 'HOME', process.execPath, await builtProgram(), '-p', 'hello'];
	const {status, stderr} = spawnSync(file, args, {cwd: '/', encoding: 'utf8', timeout: 50_000});
	expect([status, stderr]).toEqual([2, expect.stringContaining('You have no home folder')]);
});

const slow = {timeoutMs: 40_000};

type Opened = {readonly terminal: Awaited<ReturnType<typeof openTerminal>>; readonly home: string};

/** Opens the built program on a terminal, as the ordinary user and in the sandbox. */
async function open(sandbox: readonly string[]): Promise<Opened> {
	const folder = await mkdtemp(join(tmpdir(), 'inkpod-sandbox-'));
	const [home, cwd] = [join(folder, 'home'), join(folder, 'project')];
	await Promise.all([home, cwd].map(async path => mkdir(path)));
	await writeFile(join(home, 'planted.txt'), `${planted}\n`);
	if (isRoot) spawnSync('chown', ['-R', `${uid}:${uid}`, folder]);
	const inside = sandbox.map(word => (word === 'FOLDER' ? folder : word));
	const terminal = await openTerminal({
		command: ['env', ...asUser, ...inside, process.execPath, await builtProgram()],
		env: {INKPOD_CONFINE: undefined, NODE_COMPILE_CACHE: undefined},
		cwd,
		home,
		cols: 260,
		rows: 45,
	});
	onTestFinished(async () => {
		await terminal.close();
		await rm(folder, {recursive: true, force: true});
	});
	return {terminal, home};
}
