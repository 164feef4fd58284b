import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readFile, readdir, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {pathExists} from '../../../../src/pod/ground/files/path-exists.ts';
import {
	createWorktree,
	mergeWorktree,
	planWorktree,
	removeWorktree,
	worktreeDiff,
} from '../../../../src/pod/family/worktree/worktree.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

async function made(files: Readonly<Record<string, string>>) {
	const project = await tempProject(files);
	const env = {
		PATH: process.env['PATH'],
		HOME: project.path('../home'),
		XDG_CACHE_HOME: project.path('../cache'),
		GIT_CONFIG_NOSYSTEM: '1',
	};
	const gitIn = (cwd: string, ...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd, env, encoding: 'utf8'});
	const git = (...args: readonly string[]) => gitIn(project.dir, ...args);
	git('init', '-q', '-b', 'main');
	await symlink('elsewhere', project.path('link'));
	git('add', '-A');
	git('commit', '-qm', 'first');
	// git writes the working tree as it would check it out.
	git('rm', '-rq', '--cached', '.');
	git('reset', '-q', '--hard');
	const planned = await planWorktree(project.scope, env, 'child');
	if (!planned.ok) throw new Error(planned.sentence);
	const {worktree} = planned;
	const create = async () => expect(await createWorktree(worktree, {env})).toEqual({ok: true});
	const diff = async () => {
		const got = await worktreeDiff(worktree, {env});
		if (!got.ok) throw new Error(got.sentence);
		return got.text;
	};
	return {project, env, git, gitIn, worktree, create, diff, inTree: (name: string) => join(worktree.path, name)};
}

describe('a worktree', () => {
	it('is one that git knows, and can work with', async () => {
		const {git, gitIn, worktree, create, inTree} = await made({'a.txt': 'one\n', 'd/b.sh': 'b\n'});
		await create();
		expect(git('worktree', 'list', '--porcelain')).toContain(
			`worktree ${worktree.path}\nHEAD ${worktree.base}\ndetached`,
		);
		expect(gitIn(worktree.path, 'status', '--porcelain')).toBe('');
		await writeFile(inTree('a.txt'), 'two\n');
		gitIn(worktree.path, 'commit', '-qam', 'second');
		gitIn(worktree.path, 'branch', 'kept');
		expect(git('rev-parse', 'kept^').trim()).toBe(worktree.base);
		expect(git('fsck')).toBe('');
		git('worktree', 'prune');
		git('worktree', 'remove', worktree.path);
		expect(await pathExists(worktree.path)).toBe(false);
	});

	it('is not created over something that exists, and leaves nothing if its commit cannot be checked out', async () => {
		const {project, env, worktree} = await made({'a.txt': 'one\n'});
		const missing = {...worktree, base: '1'.repeat(40)};
		expect(await createWorktree(missing, {env})).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(/git reports: /),
		});
		expect(await pathExists(worktree.path)).toBe(false);
		expect(await pathExists(project.path('.git/worktrees'))).toBe(false);
		await mkdir(worktree.path, {recursive: true});
		await writeFile(join(worktree.path, 'mine'), '');
		expect(await createWorktree(worktree, {env})).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(/EEXIST/),
		});
		expect(await readdir(worktree.path)).toEqual(['mine']);
	});

	it('gives all its changes to the parent', async () => {
		const place = await made({
			'a.txt': 'one\n',
			file: 'a file\n',
			'folder/x': 'x\n',
			'old/y': 'y\n',
			'gone.txt': 'gone\n',
			'run.sh': 'echo\n',
			bin: 'a\0b\n',
			'.gitignore': '*.log\n',
		});
		const {project, worktree, env, create, diff, inTree, git} = place;
		await create();
		await rm(inTree('file'));
		await mkdir(inTree('file'));
		await writeFile(inTree('file/inside'), 'inside\n');
		await rm(inTree('folder'), {recursive: true});
		await writeFile(inTree('folder'), 'now a file\n');
		await rm(inTree('old'), {recursive: true});
		await mkdir(inTree('new'));
		await writeFile(inTree('new/y'), 'y\n');
		await symlink('new', inTree('old'));
		await rm(inTree('gone.txt'));
		await chmod(inTree('run.sh'), 0o755);
		await writeFile(inTree('bin'), 'a\0c\n');
		await writeFile(inTree('a\nb "é'), 'odd\n');
		await writeFile(inTree('x.log'), 'ignored\n');
		const patch = await diff();
		expect(await mergeWorktree(worktree, patch, {env})).toEqual({ok: true});
		git('add', '-A');
		const inParent = git('write-tree').trim();
		const inChild = place.gitIn(worktree.path, 'write-tree').trim();
		expect(inParent).toBe(inChild);
		expect(git('ls-files', '-z').split('\0').filter(Boolean).toSorted()).toEqual(
			[
				'.gitignore',
				'a.txt',
				'a\nb "é',
				'bin',
				'file/inside',
				'folder',
				'link',
				'new/y',
				'old',
				'run.sh',
			].toSorted(),
		);
		await removeWorktree(worktree, {env});
		expect(await pathExists(project.path('.git/worktrees'))).toBe(false);
	});

	it('has the line endings that the attributes of the project say, and so has what is merged', async () => {
		const {project, worktree, env, create, diff, inTree} = await made({
			'.gitattributes': '*.txt text eol=crlf\n',
			'a.txt': 'one\ntwo\n',
		});
		await create();
		expect(await readFile(inTree('a.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
		expect(await diff()).toBe('');
		await writeFile(inTree('a.txt'), 'ONE\r\ntwo\r\n');
		const patch = await diff();
		expect(patch).toContain('-one\n+ONE\n');
		expect(await mergeWorktree(worktree, patch, {env})).toEqual({ok: true});
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('ONE\r\ntwo\r\n');
	});

	it('is removed alone: others stay, even those whose folder is not there at the moment', async () => {
		const {project, worktree, env, create, git} = await made({'a.txt': 'one\n'});
		git('worktree', 'add', '-q', '--detach', '../other');
		await rm(project.path('../other'), {recursive: true});
		await create();
		await removeWorktree(worktree, {env});
		expect(await readdir(project.path('.git/worktrees'))).toEqual(['other']);
		expect(await readdir(dirname(worktree.path))).toEqual([]);
	});
});
