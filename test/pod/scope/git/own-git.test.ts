import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, statSync} from 'node:fs';
import {chmod, mkdir, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import type {Env} from '../../../../src/pod/ground/env/env.ts';
import {gitDiff} from '../../../../src/pod/scope/git/git-diff.ts';
import {withOwnGit, type OwnGit} from '../../../../src/pod/scope/git/own-git.ts';
import {findRepository, readRepository} from '../../../../src/pod/scope/git/repository.ts';
import {put} from '../../../helpers/hostile-git.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

afterEach(() => vi.unstubAllEnvs());

const plainEnv = (home: string) => ({PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1'});

function git(cwd: string, ...args: readonly string[]): string {
	const env = {...plainEnv('/nonexistent'), GIT_CONFIG_GLOBAL: '/dev/null'};
	return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
		cwd,
		env,
		encoding: 'utf8',
		stdio: 'pipe',
	});
}

async function repository(...options: readonly string[]) {
	const project = await tempProject({'a.txt': 'one\n'});
	git(project.dir, 'init', '-q', '-b', 'main', ...options);
	git(project.dir, 'add', '-A');
	git(project.dir, 'commit', '-qm', 'first');
	const path = (name: string) => project.path(name);
	return {dir: project.dir, scope: project.scope, path, env: plainEnv(path('../home'))};
}

async function using<Value>(dir: string, env: Env, use: (git: OwnGit) => Promise<Value>): Promise<Value> {
	const found = await findRepository(dir, undefined, env);
	if (found?.ok !== true) throw new Error(found?.sentence ?? 'none');
	const used = await withOwnGit(found.repository, {env}, use);
	if (!used.ok) throw new Error(used.sentence);
	return used.value;
}

const outputOf = async (own: OwnGit, ...args: readonly string[]) => {
	const run = await own(args);
	if (run.type !== 'done') throw new Error(JSON.stringify(run));
	return run.output.toString().trim();
};

describe('references', () => {
	it('are changed in one transaction, with logs, and no hook runs', async () => {
		const {dir, path, env} = await repository();
		const commit = git(dir, 'rev-parse', 'HEAD').trim();
		git(dir, 'branch', 'gone');
		git(dir, 'pack-refs', '--all');
		put(path('.git/hooks/reference-transaction'), `#!/bin/sh\ntouch ${path('../ran')}\n`, 0o755);
		rmSync(path('.git/logs'), {recursive: true});
		const input = `create refs/heads/new ${commit}\ndelete refs/heads/gone ${commit}\n`;
		const run = await using(dir, env, async own => own(['update-ref', '-m', 'taken', '--stdin'], {input}));
		expect(run).toMatchObject({type: 'done'});
		expect(existsSync(path('../ran'))).toBe(false);
		expect(git(dir, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
			'refs/heads/main',
			'refs/heads/new',
		]);
		expect(await readFile(path('.git/logs/refs/heads/new'), 'utf8')).toMatch(
			new RegExp(`^0{40} ${commit} inkpod <inkpod@localhost> \\d+ \\+0000\\ttaken\\n$`),
		);
		expect(git(dir, 'fsck')).toBe('');
	});

	it('do not change if one of them has another value, and respect the locks of other programs', async () => {
		const {dir, path, env} = await repository();
		const commit = git(dir, 'rev-parse', 'HEAD').trim();
		const other = '1'.repeat(40);
		const input = `create refs/heads/new ${commit}\ndelete refs/heads/main ${other}\n`;
		const update = async () => using(dir, env, async own => own(['update-ref', '--stdin'], {input}));
		expect(await update()).toMatchObject({type: 'failed', complaint: expect.stringContaining('refs/heads/main')});
		expect(existsSync(path('.git/refs/heads/new'))).toBe(false);
		put(path('.git/refs/heads/new.lock'), '');
		expect(await update()).toMatchObject({type: 'failed', complaint: expect.stringContaining('lock')});
	});

	it('of a bare repository, and of a worktree, are those that its user sees', async () => {
		const {dir, path, env} = await repository();
		git(dir, 'clone', '-q', '--bare', '.', '../bare.git');
		const folder = path('../bare.git');
		const found = await readRepository({folder, common: folder}, env);
		if (!found.ok) throw new Error(found.sentence);
		const head = git(dir, 'rev-parse', 'HEAD').trim();
		const input = `create refs/heads/new ${head}\n`;
		await withOwnGit(found.repository, {env}, async own => own(['update-ref', '--stdin'], {input}));
		expect(git(folder, 'rev-parse', 'new').trim()).toBe(head);
		git(dir, 'worktree', 'add', '-q', '-b', 'side', '../tree');
		const tree = await realpath(path('../tree'));
		expect(await using(tree, env, async own => outputOf(own, 'symbolic-ref', 'HEAD'))).toBe('refs/heads/side');
	});
});

describe('the git folder of a call', () => {
	it('is private, and exists only during the call', async () => {
		const {dir, env} = await repository();
		const common = await using(dir, env, async own => {
			const made = await outputOf(own, 'rev-parse', '--git-common-dir');
			expect(statSync(made).mode & 0o777).toBe(0o700);
			expect(readFileSync(join(made, 'config'), 'utf8')).toContain('repositoryformatversion = 0\nbare = false\n');
			return made;
		});
		expect(existsSync(common)).toBe(false);
		let left = '';
		const failing = using(dir, env, async own => {
			left = await outputOf(own, 'rev-parse', '--git-common-dir');
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
		expect([left, existsSync(left)]).toEqual([expect.stringContaining('inkpod-git-'), false]);
	});

	it('is not in the project, even if the temporary files are', async () => {
		const {dir, path, env} = await repository();
		await mkdir(path('tmp'));
		vi.stubEnv('TMPDIR', path('tmp'));
		expect(tmpdir()).toBe(path('tmp'));
		const common = await using(dir, env, async own => outputOf(own, 'rev-parse', '--git-common-dir'));
		expect(dirname(common)).toBe('/tmp');
	});
});

describe('the repository of a directory', () => {
	const sentenceOf = async (dir: string, env: Env) => {
		const found = await findRepository(dir, undefined, env);
		return found === undefined || found.ok ? found?.ok : found.sentence;
	};

	it.each([
		['core.repositoryformatversion', '2'],
		['extensions.refStorage', 'reftable'],
		['extensions.unheardOf', 'x'],
		['extensions.objectFormat', 'sha3'],
	])('is refused with a sentence if it has an unknown format: %s', async (name, value) => {
		const {dir, env} = await repository();
		git(dir, 'config', 'core.repositoryFormatVersion', '1');
		git(dir, 'config', name, value);
		expect(await sentenceOf(dir, env)).toBe(
			`The repository has a format that inkpod does not support: ${name.toLowerCase()} = ${value}.`,
		);
	});

	it('is accepted with the formats that change nothing for inkpod', async () => {
		const {dir, env} = await repository('--object-format=sha256');
		git(dir, 'config', 'extensions.worktreeConfig', 'true');
		git(dir, 'config', 'extensions.partialClone', 'origin');
		expect(await using(dir, env, async own => outputOf(own, 'rev-parse', 'HEAD'))).toMatch(/^[\da-f]{64}$/);
	});

	it('is refused if its working tree is elsewhere, or if it has none', async () => {
		const {dir, path, env} = await repository();
		await mkdir(path('../other'));
		git(dir, 'config', 'core.worktree', '../../other');
		expect(await sentenceOf(dir, env)).toMatch(/^git finds a different repository/);
		git(dir, 'config', 'core.worktree', '..');
		expect(await sentenceOf(dir, env)).toBe(true);
		git(dir, 'config', '--unset', 'core.worktree');
		git(dir, 'config', 'core.bare', 'true');
		expect(await sentenceOf(dir, env)).toMatch(/no working tree/);
	});

	it.skipIf(process.getuid?.() !== 0)('is refused if its git folder belongs to another user', async () => {
		const {dir, path, env} = await repository();
		git(dir, 'worktree', 'add', '-q', '../tree');
		execFileSync('chown', ['1234', path('.git')]);
		expect(await sentenceOf(await realpath(path('../tree')), env)).toMatch(/belongs to another user \(uid 1234\)/);
	});
});

describe('settings', () => {
	it('about files are those of the user and of what the user includes', async () => {
		const {dir, path, scope, env} = await repository();
		put(path('../home/.gitconfig'), '[include]\n\tpath = more\n[core]\n\texcludesFile = ~/ignored\n');
		put(path('../home/more'), '[core]\n\tautocrlf = input\n');
		put(path('../home/ignored'), '*.tmp\n');
		await writeFile(path('a.txt'), 'one\r\n');
		await writeFile(path('b.tmp'), '');
		expect(await gitDiff(scope, env)).toMatchObject({kind: 'diff', text: '', untracked: {files: []}});
		git(dir, 'config', 'core.autocrlf', 'false');
		expect(await gitDiff(scope, env)).toMatchObject({
			kind: 'diff',
			text: expect.stringContaining('-one\n+one\r\n'),
		});
	});

	it.each([
		['filemode', async (path: string) => chmod(path, 0o755)],
		[
			'symlinks',
			async (path: string) => {
				await rm(path);
				await writeFile(path, 'a.txt');
			},
		],
	])('of the repository count: core.%s', async (name, change) => {
		const {dir, path, scope, env} = await repository();
		await symlink('a.txt', path('link'));
		git(dir, 'add', 'link');
		git(dir, 'commit', '-qm', 'second');
		await change(path(name === 'symlinks' ? 'link' : 'a.txt'));
		expect(await gitDiff(scope, env)).toMatchObject({text: expect.stringContaining('mode')});
		git(dir, 'config', `core.${name}`, 'false');
		expect(await gitDiff(scope, env)).toMatchObject({kind: 'diff', text: ''});
	});

	it('in attributes of the working tree count where they say how contents are stored', async () => {
		const {dir, path, scope, env} = await repository();
		await writeFile(path('.gitattributes'), '*.txt eol=crlf\n*.id ident\n');
		await writeFile(path('a.id'), '$Id$\n');
		git(dir, 'add', '-A');
		git(dir, 'commit', '-qm', 'second');
		rmSync(path('a.txt'));
		rmSync(path('a.id'));
		git(dir, 'checkout', '--', '.');
		expect(await readFile(path('a.txt'), 'utf8')).toBe('one\r\n');
		await writeFile(path('a.txt'), 'two\r\n');
		expect(await gitDiff(scope, env)).toMatchObject({text: expect.stringMatching(/^-one\n\+two\n$/m)});
	});

	it('of a shared repository decide about the modes of new objects', async () => {
		const {dir, path, env} = await repository('--shared=group');
		await writeFile(path('new'), 'a new object\n');
		const hash = await using(dir, env, async own => outputOf(own, 'hash-object', '-w', 'new'));
		const object = path(`.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`);
		expect(statSync(dirname(object)).mode & 0o070).toBe(0o070);
	});
});
