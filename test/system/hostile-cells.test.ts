import {execFileSync} from 'node:child_process';
import {
	existsSync,
	linkSync,
	readdirSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {OpenCell, Outcome} from '../../src/pod/permissions/confine/cells.ts';
import {createConfinement} from '../../src/pod/permissions/confine/confinement.ts';
import {openScratch} from '../../src/pod/tools/processes/output-file.ts';
import {startCommand} from '../../src/pod/tools/processes/start-command.ts';
import {settle} from '../../src/pod/tools/commands/settle.ts';
import {removeTree} from '../helpers/temp-project.ts';

const gitSettings = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];

/** A project with a session whose commands run in cells. With `memory`, inkpod's state is on that file
system. `place`: the project's folder, with a new repository if it is the default. */
function hostile({memory, place = 'project'}: {memory?: string; place?: string} = {}) {
	const top = realpathSync(mkdtempSync(join(tmpdir(), 'inkpod-hostile-')));
	onTestFinished(async () => removeTree(top));
	const pwd = join(top, place);
	const state =
		memory === undefined ? join(top, 'state') : realpathSync(mkdtempSync(join(memory, 'inkpod-hostile-')));
	if (memory !== undefined) onTestFinished(async () => removeTree(state));
	mkdirSync(pwd, {recursive: true});
	mkdirSync(join(top, 'home'), {recursive: true});
	const env = {PATH: process.env['PATH'], HOME: join(top, 'home'), INKPOD_HOME: state};
	const confinement = createConfinement({
		settings: {mode: 'require'},
		scope: {pwd, writable: true, readRoots: []},
		env,
		cells: join(state, 'cells'),
	});
	const git = (...args: readonly string[]) =>
		execFileSync('git', [...gitSettings, ...args], {cwd: pwd, env, encoding: 'utf8'}).trim();
	if (place === 'project') git('init', '-q', '-b', 'main');
	return {
		top,
		git,
		at: (name: string) => join(pwd, name),
		write: (name: string, text: string) => {
			mkdirSync(join(pwd, name, '..'), {recursive: true});
			writeFileSync(join(pwd, name), text, {mode: 0o755});
		},
		/** `ask`: the answer to the card about files that other programs run. */
		run: async (
			command: string,
			atEnd = () => {},
			ask?: (paths: readonly string[]) => boolean,
		): Promise<Outcome | undefined> => {
			using opened = await scratch();
			const call = {signal: new AbortController().signal} as never;
			let cell: OpenCell | undefined;
			let outcome: Outcome | undefined;
			const started = await startCommand(command, {
				...{shell: '/bin/bash', cwd: pwd, env, output: opened.output, signal: AbortSignal.timeout(60_000)},
				async launch(shell, text, given) {
					const found = await confinement.launch(shell, text, given, 'none', 'layered');
					if (found.ok) cell = found.launch.cell;
					return found;
				},
				async settle(end, code) {
					atEnd();
					const networks = {network: 'none', networkIfApproved: 'none'} as const;
					const told = {cell, ...networks, output: opened.output, call};
					const askProtected = ask && (async (_call: unknown, paths: readonly string[]) => ask(paths));
					const confine = {onCreated() {}, ...(askProtected && {askProtected})};
					({outcome} = await settle(end, code, {...told, confine, isAwaited: ask !== undefined}));
				},
			});
			if (started.ok) await started.ended;
			expect(cell, 'a cell').toBeDefined();
			return outcome;
		},
	};
}

async function scratch() {
	const opened = await openScratch();
	if (!opened.ok) throw new Error('The output has no file.');
	return {output: opened.output, [Symbol.dispose]: () => void opened.output.close()};
}

function leftOut(outcome: Outcome | undefined): readonly string[] {
	return outcome?.type === 'taken' ? outcome.leftOut.map(({path, why}) => `${why} ${path}`).toSorted() : [];
}

describe('what git obeys elsewhere in the project', () => {
	it('is not changed by a command in a cell', async () => {
		const {git, write, at, run} = hostile();
		write('tools/hooks/pre-commit', 'exit 0\n');
		write('inc/shared', '\n');
		write('scripts/fsm', 'exit 0\n');
		git('config', 'core.hooksPath', 'tools/hooks');
		git('config', 'include.path', '../inc/shared');
		git('config', 'core.fsmonitor', './scripts/fsm');
		git('config', 'filter.x.clean', './scripts/clean');
		const outcome = await run(
			'for f in tools/hooks/p{re,ost}-commit inc/shared scripts/{fsm,clean}; do echo evil > $f; done; echo > ok',
		);
		expect(leftOut(outcome)).toEqual(
			['inc/shared', 'scripts/clean', 'scripts/fsm', 'tools/hooks/post-commit', 'tools/hooks/pre-commit'].map(
				path => `protected ${path}`,
			),
		);
		expect(existsSync(at('ok'))).toBe(true);
	});

	it.each(['.gitconfig', '.config/git'])('is not changed where %s leads into a project', async name => {
		const {at, top, write, run} = hostile();
		write('git/config', 'of the user');
		mkdirSync(join(top, 'home/.config'), {recursive: true});
		symlinkSync(at(name === '.gitconfig' ? 'git/config' : 'git'), join(top, 'home', name));
		expect(leftOut(await run('echo evil > git/config; echo > git/other'))).toEqual(['protected git/config']);
		expect(existsSync(at('git/other'))).toBe(true);
	});

	it("is not changed where the user's configuration names it, in a project without a repository", async () => {
		const {top, run, write} = hostile({place: 'dotfiles'});
		write('inc', 'of the user');
		const names = `[core]\nhooksPath=${top}/dotfiles/hooks\n[include]\npath=${top}/dotfiles/inc\n`;
		writeFileSync(join(top, 'home/.gitconfig'), names);
		const outcome = await run('mkdir hooks; echo evil > hooks/pre-commit; echo evil > inc; echo > ok');
		expect(leftOut(outcome)).toEqual(['protected hooks', 'protected inc']);
	});

	it('is not replaced by way of a folder above', async () => {
		const {git, write, at, run} = hostile();
		write('tools/hooks/pre-commit', 'exit 0\n');
		git('config', 'core.hooksPath', 'tools/hooks');
		await run('mkdir -p evil/hooks; echo evil > evil/hooks/pre-commit; rm -r tools; ln -s evil tools');
		expect(readFileSync(at('tools/hooks/pre-commit'), 'utf8')).toBe('exit 0\n');
		await run('rm -r tools');
		expect(existsSync(at('tools/hooks/pre-commit'))).toBe(true);
	});

	it('is not changed where a link in the folder of git leads', async () => {
		const {write, at, run} = hostile();
		write('hooks/pre-commit', 'exit 0\n');
		rmSync(at('.git/hooks'), {recursive: true, force: true});
		execFileSync('ln', ['-s', '../hooks', at('.git/hooks')]);
		expect(leftOut(await run('echo evil > hooks/post-commit'))).toEqual(['protected hooks/post-commit']);
	});
});

describe('the kept caches of a session', () => {
	it('do not cover what took the place of a folder', async () => {
		const {write, at, run} = hostile();
		write('src/x', 'x');
		await run('mkdir src/__pycache__; echo > src/__pycache__/a');
		rmSync(at('src'), {recursive: true});
		write('src', 'of the user');
		await run('echo new > src/y');
		expect(readFileSync(at('src'), 'utf8')).toBe('of the user');
	});

	it('contain nothing of git', async () => {
		const {git, run} = hostile();
		git('commit', '-q', '--allow-empty', '-m', '1');
		await run('git branch x.tsbuildinfo');
		git('commit', '-q', '--allow-empty', '-m', '2');
		git('branch', '-f', 'x.tsbuildinfo', 'main');
		const commit = `git ${gitSettings.join(' ')} commit -q --allow-empty -m 3`;
		await run(`git checkout -q x.tsbuildinfo; ${commit}`);
		expect(git('log', '--format=%s', 'x.tsbuildinfo')).toBe('3\n2\n1');
	});

	it('do not give a folder the permissions that it had before', async () => {
		const {write, at, run} = hostile();
		write('src/x', 'x');
		await run('mkdir src/__pycache__; echo > src/__pycache__/a');
		execFileSync('chmod', ['700', at('src')]);
		await run('echo > src/y');
		expect(execFileSync('stat', ['-c', '%a', at('src')], {encoding: 'utf8'})).toBe('700\n');
	});

	it('make no repository in the project', async () => {
		const {at, run} = hostile();
		await run('mkdir __pycache__; git init -q __pycache__');
		expect(existsSync(at('__pycache__'))).toBe(false);
	});
});

it('has no processes left when its end is reported', async () => {
	const {write, top, run} = hostile();
	write(
		'survive.py',
		`import os, time
for n in range(60):
    if os.fork() == 0:
        os.setsid()
        while True: time.time()
`,
	);
	let left: readonly string[] = ['not looked'];
	await run(`python3 survive.py ${top}; sleep 0.2`, () => {
		left = processesWith(`survive.py\0${top}`);
	});
	expect(left).toEqual([]);
});

/** Returns the processes with words in their arguments. Those that have ended have none. */
function processesWith(words: string): readonly string[] {
	return readdirSync('/proc').filter(name => {
		try {
			return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(words);
		} catch {
			return false;
		}
	});
}

it('takes a link over that took the place of a file, and a file that took the place of a link', async () => {
	const {write, at, run} = hostile();
	write('a', 'a');
	execFileSync('ln', ['-s', 'a', at('b')]);
	const outcome = await run('ln -sf c a; rm b; echo b > b');
	expect(outcome).toMatchObject({counts: {added: 0, changed: 2, deleted: 0}, leftOut: []});
	expect([readlinkSync(at('a')), readFileSync(at('b'), 'utf8')]).toEqual(['c', 'b\n']);
});

it('is removed even if it contains paths that are too long for the system', async () => {
	const {top, write, run} = hostile();
	write(
		'deep.py',
		`import os
fd = os.open('.', os.O_RDONLY)
for n in range(30):
    os.mkdir('x' * 200, dir_fd=fd)
    fd = os.open('x' * 200, os.O_RDONLY, dir_fd=fd)
`,
	);
	expect(await run('python3 deep.py')).toEqual({type: 'failed', code: 'ENAMETOOLONG', isKept: false});
	expect(readdirSync(join(top, 'state/cells'))).toEqual(['kept']);
});

describe("inkpod's own folders", () => {
	it.each(['', '.config', '.config/inkpod'])(
		'are not created, changed or renamed with the home folder as project (%j)',
		async made => {
			const {at, run} = hostile({place: 'home'});
			mkdirSync(at(made), {recursive: true});
			await run(
				'mv .config .config2; rm -rf .config; mkdir -p .config/inkpod; echo evil > .config/inkpod/config.toml; echo > ok',
			);
			expect(existsSync(at('ok'))).toBe(true);
			expect(readdirSync(at('.config/inkpod'))).toEqual([]);
		},
	);
});

describe("links to inkpod's configuration", () => {
	const replace = 'rm -rf .config; mkdir -p .config/inkpod; echo evil > .config/inkpod/config.toml; mv dot dot2';
	it.each([
		['.config', 'dot', 'dot/inkpod/config.toml'],
		['.config/inkpod', '../dot', 'dot/config.toml'],
	])('cannot be replaced with the home folder as project (%s)', async (name, target, file) => {
		const {at, write, run} = hostile({place: 'home'});
		write(file, 'of the user');
		mkdirSync(at(name.includes('/') ? '.config' : '.'), {recursive: true});
		symlinkSync(target, at(name));
		await run(replace);
		expect(readFileSync(at('.config/inkpod/config.toml'), 'utf8')).toBe('of the user');
	});

	it.each(['files/config.toml', 'files/missing.toml'])('lead to files that no command changes (%s)', async name => {
		const {at, top, write, run} = hostile({place: 'dotfiles'});
		write('files/config.toml', 'of the user');
		mkdirSync(join(top, 'home/.config/inkpod'), {recursive: true});
		symlinkSync(at(name), join(top, 'home/.config/inkpod/config.toml'));
		await run(`mv files old; mkdir files; echo evil > ${name}; rm -f ${name}; echo evil > ${name}; echo > ok`);
		expect(existsSync(at(name)) && readFileSync(at(name), 'utf8')).toBe(
			/missing/.test(name) ? false : 'of the user',
		);
		expect(existsSync(at('ok'))).toBe(true);
	});
});

describe('a project in a folder of git', () => {
	it('is changed only by name', async () => {
		const {at, top, run} = hostile({place: 'repository/.git/hooks'});
		execFileSync('git', ['init', '-q', join(top, 'repository')]);
		expect(leftOut(await run('echo evil > post-commit'))).toEqual(['protected post-commit']);
		expect(existsSync(at('post-commit'))).toBe(false);
	});
});

describe('the index of a cell', () => {
	it('is taken over although a project contains another name of the old one', async () => {
		const {at, git, write, run} = hostile();
		write('old', '');
		git('add', 'old');
		linkSync(at('.git/index'), at('.git/index.inkpod'));
		await run('echo > new; git add new');
		expect(git('ls-files')).toBe('new\nold');
	});

	it('is taken over although a project contains a folder beside it', async () => {
		const {at, git, run} = hostile();
		mkdirSync(at('.git/index.inkpod/x'), {recursive: true});
		expect(await run('echo > new; git add new')).toMatchObject({type: 'taken', leftOut: []});
		expect(git('ls-files')).toBe('new');
	});
});

describe('a layer in memory', () => {
	it('writes no index through a link that a project contains', async () => {
		const {top, at, git, run} = hostile({memory: '/dev/shm'});
		writeFileSync(join(top, 'victim'), 'of the user');
		symlinkSync(join(top, 'victim'), at('.git/index.inkpod'));
		await run('echo > new; git add new');
		expect(readFileSync(join(top, 'victim'), 'utf8')).toBe('of the user');
		expect(git('ls-files')).toBe('new');
	});

	it('does not fill the disk with the holes of a file', async () => {
		const {at, run} = hostile({memory: '/dev/shm'});
		expect(await run('truncate -s 100G big; echo > other')).toEqual({type: 'failed', code: 'EFBIG', isKept: false});
		expect(existsSync(at('other'))).toBe(false);
	});
});

describe('a card about files that other programs run', () => {
	it('allows nothing that it did not name, whatever changes while it is open', async () => {
		const {at, run} = hostile();
		let named: readonly string[] = [];
		const outcome = await run(
			'mkdir -p x .vscode; echo evil > x/.envrc; echo > x/file; echo evil > .envrc; echo > .vscode/tasks.json',
			() => writeFileSync(at('x'), 'of another command'),
			paths => {
				named = paths;
				rmSync(at('x'));
				return true;
			},
		);
		expect(named.toSorted()).toEqual(['.envrc', '.vscode']);
		expect(leftOut(outcome)).toEqual(['protected x/.envrc']);
		const names = ['.envrc', '.vscode/tasks.json', 'x/file', 'x/.envrc'];
		expect(names.map(name => existsSync(at(name)))).toEqual([true, true, true, false]);
	});
});

describe('what a link of the project gives to other programs', () => {
	it.each([
		['.envrc', 'dev/envrc', 'dev/envrc'],
		['.husky', 'tools/husky', 'tools/husky/pre-commit'],
		['.husky/pre-commit', '../tools/hook', 'tools/hook'],
		['.claude/skills', '../skills', 'skills/x/SKILL.md'],
	])('is not changed without being named (%s)', async (link, target, file) => {
		const {at, write, run} = hostile();
		write(file, 'of the user');
		mkdirSync(at(`${link}/..`), {recursive: true});
		symlinkSync(target, at(link));
		expect(leftOut(await run(`echo evil > ${file}; echo > ok`))).toEqual([`protected ${file}`]);
		expect([readFileSync(at(file), 'utf8'), existsSync(at('ok'))]).toEqual(['of the user', true]);
		await run('mv tools old; mv dev old2; mv skills old3; true');
		expect(existsSync(at(file))).toBe(true);
	});

	it.each(['.config', '.config/autostart', '.config/git', 'fish'])('is not given by a new link (%s)', async link => {
		const {at, run} = hostile();
		if (link.includes('/')) mkdirSync(at('.config'));
		const outcome = await run(`mkdir -p evil/autostart evil/git; ln -s $PWD/evil ${link}`);
		expect(leftOut(outcome)).toEqual([`protected ${link}`]);
	});
});

describe('a folder with something that other programs run', () => {
	it('is not deleted without being named', async () => {
		const {at, git, write, run} = hostile();
		write('sub/.husky/pre-commit', 'of the user');
		git('init', '-q', 'nested');
		expect(leftOut(await run('mv sub moved; rm -rf nested'))).toEqual([
			'protected moved/.husky',
			'protected nested',
			'protected sub',
		]);
		expect(readFileSync(at('sub/.husky/pre-commit'), 'utf8')).toBe('of the user');
		expect(existsSync(at('nested/.git/HEAD'))).toBe(true);
	});

	it('is deleted where files are installed or built', async () => {
		const {at, git, write, run} = hostile();
		write('build/package/.npmrc', '');
		git('init', '-q', 'build/_deps/library');
		expect(leftOut(await run('rm -rf build'))).toEqual([]);
		expect(existsSync(at('build'))).toBe(false);
	});
});
