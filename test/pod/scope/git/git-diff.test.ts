import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {appendFile, chmod, mkdir, rm, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {gitDiff} from '../../../../src/pod/scope/git/git-diff.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const pathOnly = {PATH: process.env['PATH']};

function git(cwd: string, ...args: readonly string[]): string {
	const env = {...pathOnly, HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
	const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
	return execFileSync('git', [...who, ...args], {cwd, env, encoding: 'utf8', stdio: 'pipe'});
}

async function repository(files: Readonly<Record<string, string>> = {'a.txt': 'one\n'}): Promise<TempProject> {
	const project = await tempProject(files);
	git(project.dir, 'init', '-q');
	git(project.dir, 'add', '.');
	git(project.dir, 'commit', '-qm', 'first');
	return project;
}

const changed = async ({dir, scope}: TempProject, pwd = dir) => {
	const made = await gitDiff({...scope, pwd}, {...pathOnly, HOME: dir});
	return made.kind === 'diff' ? made.text : made;
};

describe('the uncommitted changes', () => {
	it('are those of tracked files, staged and not staged, below the working directory', async () => {
		const project = await repository({'a.txt': 'one\n', 'sub/b.txt': 'b\n', 'sub/c.txt': 'c\n'});
		await writeFile(project.path('a.txt'), 'two\n');
		await writeFile(project.path('sub/b.txt'), 'staged\n');
		git(project.dir, 'add', 'sub/b.txt');
		await rm(project.path('sub/c.txt'));
		await writeFile(project.path('new.txt'), 'untracked\n');
		const index = git(project.dir, 'ls-files', '--stage', '--debug');
		const text = await changed(project);
		for (const part of ['-one\n+two\n', '-b\n+staged\n', '+++ /dev/null\n@@ -1 +0,0 @@\n-c\n'])
			expect(text).toContain(part);
		expect(text).not.toContain('untracked');
		const below = await changed(project, project.path('sub'));
		expect(below).toContain('diff --git a/b.txt b/b.txt');
		expect(below).not.toContain('a.txt');
		expect(git(project.dir, 'ls-files', '--stage', '--debug')).toBe(index);
	});

	it('are shown before the first commit, in a worktree, and with sha256', async () => {
		const project = await tempProject({'a.txt': 'one\n'});
		git(project.dir, 'init', '-q', '--object-format=sha256');
		git(project.dir, 'add', '.');
		await writeFile(project.path('a.txt'), 'two\n');
		expect(await changed(project)).toContain('-one\n+two\n');
		git(project.dir, 'commit', '-qam', 'first');
		git(project.dir, 'worktree', 'add', '-q', 'tree');
		await writeFile(project.path('tree/a.txt'), 'three\n');
		expect(await changed(project, project.path('tree'))).toContain('-two\n+three\n');
	});

	it('respect the line endings that the repository configures', async () => {
		const project = await repository();
		git(project.dir, 'config', 'core.autocrlf', 'true');
		await writeFile(project.path('a.txt'), 'one\r\ntwo\r\n');
		expect(await changed(project)).toContain(' one\n+two\n');
	});

	it('are not lost among thousands of bytes of warnings', async () => {
		const names = Array.from({length: 300}, (_, index) => `long-name-of-a-file-${index}.txt`);
		const project = await repository(Object.fromEntries(names.map(name => [name, 'one\r\n'])));
		git(project.dir, 'config', 'core.autocrlf', 'input');
		await Promise.all(names.map(async name => writeFile(project.path(name), 'two\r\n')));
		expect(await changed(project)).toContain('long-name-of-a-file-299.txt');
	});

	it('are cut at a whole line when they are too long', async () => {
		const project = await repository();
		await writeFile(project.path('a.txt'), 'a line of text\n'.repeat(50_000));
		const made = await gitDiff({...project.scope}, {...pathOnly, HOME: project.dir});
		expect(made).toMatchObject({kind: 'diff', truncated: true, text: expect.stringMatching(/\+a line of text\n$/)});
	});

	it('are not shown without a repository, or if another user could have made it', async () => {
		const project = await tempProject({'a.txt': ''});
		expect(await changed(project)).toEqual({kind: 'none'});
		git(project.dir, 'init', '-q');
		expect(await changed(project)).toBe('');
		await chmod(project.path('.git'), 0o777);
		expect(await changed(project)).toEqual({kind: 'none'});
	});

	it('are not those of a folder that only looks like a git directory', async () => {
		const project = await repository();
		git(project.dir, 'init', '-q', '--bare', 'data');
		expect(await changed(project, project.path('data'))).toMatchObject({kind: 'failed'});
	});

	it('are a sentence when the repository is broken', async () => {
		const project = await repository();
		await appendFile(project.path('.git/config'), '[broken');
		expect(await changed(project)).toMatchObject({
			kind: 'failed',
			sentence: expect.stringMatching(/^git cannot read line \d+ of .*config\.$/),
		});
	});
});

describe('a hostile repository', () => {
	/** Each setting names a program that leaves a mark. */
	const settings: Readonly<Record<string, readonly string[]>> = {
		fsmonitor: ['core.fsmonitor'],
		'external diff': ['diff.external', 'diff.mark.command'],
		textconv: ['diff.mark.textconv'],
		'clean filter': ['filter.mark.clean', 'filter.mark.process'],
		pager: ['core.pager', 'pager.diff'],
		alias: ['alias.diff', 'alias.rev-parse', 'alias.config'],
	};
	it.each(Object.entries(settings))('runs no program by its configuration: %s', async (_, names) => {
		const project = await repository({'a.txt': 'one\n', '.gitattributes': '* diff=mark filter=mark\n'});
		const mark = project.path('../mark');
		await writeFile(project.path('mark.sh'), `#!/bin/sh\ntouch '${mark}'\ncat\n`, {mode: 0o755});
		for (const name of names) {
			const command = name.startsWith('alias') ? `!${project.path('mark.sh')}` : project.path('mark.sh');
			git(project.dir, 'config', name, command);
		}
		await mkdir(project.path('.git/info'), {recursive: true});
		await writeFile(project.path('.git/info/attributes'), '* diff=mark filter=mark\n');
		await writeFile(project.path('a.txt'), 'two\n');
		expect(await changed(project)).toContain('-one\n+two\n');
		expect(existsSync(mark)).toBe(false);
	});

	it('runs no program by the configuration of a submodule', async () => {
		const project = await repository();
		const other = await repository({'b.txt': 'b\n'});
		git(project.dir, 'submodule', '--quiet', 'add', other.dir, 'sub');
		git(project.dir, 'commit', '-qm', 'sub');
		const mark = project.path('../mark');
		await writeFile(project.path('../mark.sh'), `#!/bin/sh\ntouch '${mark}'\n`, {mode: 0o755});
		git(project.path('sub'), 'config', 'core.fsmonitor', project.path('../mark.sh'));
		await writeFile(project.path('sub/b.txt'), 'c\n');
		expect(await changed(project)).toBe('');
		expect(existsSync(mark)).toBe(false);
	});

	it('fetches no missing object', async () => {
		const project = await repository();
		const mark = project.path('../mark');
		const objects = project.path('.git/objects');
		const blob = git(project.dir, 'rev-parse', 'HEAD:a.txt').trim();
		for (const [name, value] of Object.entries({
			'core.repositoryformatversion': '1',
			'extensions.partialClone': 'origin',
			'remote.origin.promisor': 'true',
			'remote.origin.url': `ext::sh -c touch% ${mark}`,
			'protocol.ext.allow': 'always',
		}))
			git(project.dir, 'config', name, value);
		await rm(`${objects}/${blob.slice(0, 2)}/${blob.slice(2)}`, {force: true});
		await writeFile(project.path('a.txt'), 'two\n');
		expect(await changed(project)).toMatchObject({kind: 'failed'});
		expect(existsSync(mark)).toBe(false);
	});

	it('does not supply git itself', async () => {
		const project = await repository();
		await writeFile(project.path('git'), '#!/bin/sh\n', {mode: 0o755});
		const made = await gitDiff(project.scope, {PATH: project.dir, HOME: project.dir});
		expect(made).toMatchObject({kind: 'failed', sentence: expect.stringContaining('git was not found in PATH')});
	});
});
