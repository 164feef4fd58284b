import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {gitDiff} from '../../../../src/pod/scope/git/git-diff.ts';
import type {Untracked} from '../../../../src/pod/protocol.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const pathOnly = {PATH: process.env['PATH']};

function git(cwd: string, ...args: readonly string[]): string {
	const env = {...pathOnly, HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
	return execFileSync('git', [...args], {cwd, env, encoding: 'utf8', stdio: 'pipe'});
}

async function repository(files: Readonly<Record<string, string | Uint8Array>>): Promise<TempProject> {
	const project = await tempProject(files);
	git(project.dir, 'init', '-q');
	return project;
}

async function untracked({dir, scope}: TempProject, pwd = dir): Promise<Untracked> {
	const made = await gitDiff({...scope, pwd}, {...pathOnly, HOME: dir});
	if (made.kind !== 'diff' || made.untracked === undefined) throw new Error(JSON.stringify(made));
	return made.untracked;
}

describe('the untracked files', () => {
	it('are shown with their contents as additions, below the working directory', async () => {
		const project = await repository({
			'a.txt': 'one\ntwo\n',
			'sub/b.txt': 'b',
			'empty.txt': '',
			'old.txt': 'old\n',
		});
		git(project.dir, 'add', 'old.txt');
		expect(await untracked(project)).toEqual({
			files: [
				{path: 'a.txt', diff: '--- /dev/null\n+++ a.txt\n@@ -0,0 +1,2 @@\n+one\n+two'},
				{path: 'empty.txt', diff: ''},
				{path: 'sub/b.txt', diff: '--- /dev/null\n+++ sub/b.txt\n@@ -0,0 +1,1 @@\n+b'},
			],
			hasMore: false,
		});
		expect(await untracked(project, project.path('sub'))).toMatchObject({files: [{path: 'b.txt'}]});
	});

	it('do not include files that the project or .git/info/exclude ignores', async () => {
		const project = await repository({'a.log': 'a', 'b.tmp': 'b', 'c.txt': 'c', '.gitignore': '*.log\n'});
		git(project.dir, 'add', '.gitignore');
		await mkdir(project.path('.git/info'), {recursive: true});
		await writeFile(project.path('.git/info/exclude'), '*.tmp\n');
		expect((await untracked(project)).files.map(({path}) => path)).toEqual(['c.txt']);
	});

	it('are listed by name only if they are binary, large, a secret, a link, a repository or unreadable', async () => {
		const outside = await tempProject({'outside.txt': 'hidden words\n'});
		const project = await repository({
			'.env': 'KEY=hidden words\n',
			'a.bin': new Uint8Array([0, 1, 2]),
			'big.txt': 'x'.repeat(2_000_000),
			'locked.txt': 'hidden words\n',
			'repo/x.txt': 'hidden words\n',
			'real.txt': 'real\n',
		});
		git(project.path('repo'), 'init', '-q');
		git(project.dir, 'add', 'real.txt');
		await project.link('inside', 'real.txt');
		await project.link('out', outside.path('outside.txt'));
		await project.link('gone', 'nowhere');
		await chmod(project.path('locked.txt'), 0);
		const {files} = await untracked(project);
		const isRoot = process.getuid?.() === 0;
		expect(files.filter(({path}) => !isRoot || path !== 'locked.txt')).toEqual([
			{path: '.env', diff: '', remark: 'it looks like a secret, so it is not shown'},
			{path: 'a.bin', diff: '', remark: 'binary'},
			{path: 'big.txt', diff: '', remark: 'too large to show'},
			{path: 'gone', diff: '', remark: 'it cannot be read'},
			{path: 'inside', diff: '', remark: 'a link'},
			...(isRoot ? [] : [{path: 'locked.txt', diff: '', remark: 'it cannot be read'}]),
			{path: 'out', diff: '', remark: 'a link'},
			{path: 'repo/', diff: '', remark: 'a nested repository'},
		]);
	});

	it('are limited in number and in the size of their contents', async () => {
		const text = 'a line of text\n'.repeat(4000);
		const many = Object.fromEntries(
			Array.from({length: 300}, (_, index) => [
				`${String(index).padStart(3, '0')}.txt`,
				index < 9 ? text : 'x\n',
			]),
		);
		const {files, hasMore} = await untracked(await repository(many));
		expect([files.length, hasMore]).toEqual([200, true]);
		const bytes = files.reduce((sum, {diff}) => sum + diff.length, 0);
		expect(bytes).toBeGreaterThan(100_000);
		expect(bytes).toBeLessThan(200_000);
		expect(files[0]?.remark).toBe('too large to show');
		expect(files.at(-1)).toEqual({path: '199.txt', diff: '', remark: 'not shown'});
	});

	it('are listed with names that look like options, contain line breaks, or begin with a tilde', async () => {
		const names = ['--help', '-x', 'a\nb.txt', '~root'];
		const {files} = await untracked(await repository(Object.fromEntries(names.map(name => [name, 'text\n']))));
		expect(files.map(({path}) => path)).toEqual(names);
		expect(files.every(({diff}) => diff.split('\n').length === 4)).toBe(true);
	});

	it('run no program that the repository names', async () => {
		const project = await repository({'a.txt': 'a\n'});
		const mark = project.path('../mark');
		await writeFile(project.path('../mark.sh'), `#!/bin/sh\ntouch '${mark}'\n`, {mode: 0o755});
		for (const name of ['core.fsmonitor', 'core.untrackedCache', 'alias.ls-files', 'core.hooksPath'])
			git(
				project.dir,
				'config',
				name,
				name.startsWith('alias') ? `!${project.path('../mark.sh')}` : project.path('../mark.sh'),
			);
		await mkdir(project.path('repo'));
		git(project.path('repo'), 'init', '-q');
		git(project.path('repo'), 'config', 'core.fsmonitor', project.path('../mark.sh'));
		expect((await untracked(project)).files.map(({path}) => path)).toContain('a.txt');
		expect(existsSync(mark)).toBe(false);
	});
});
