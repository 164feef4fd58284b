import {execFileSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitlinks} from '../../../../src/pod/permissions/confine/gitlinks.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const commit = '1'.repeat(40);

async function repository(...init: readonly string[]) {
	const project = await tempProject({'a.txt': '', 'lib/b.txt': '', 'lib2/very/long/name/of/a/file.txt': ''});
	const git = (...words: string[]) =>
		execFileSync('git', words, {cwd: project.dir, env: {PATH: process.env['PATH'], HOME: project.path('../home')}});
	git('init', '-q', ...init);
	git('add', '-A');
	const link = (path: string, id = commit) => git('update-index', '--add', '--cacheinfo', `160000,${id},${path}`);
	return {project, git, link, gitDir: project.path('.git')};
}

describe('the submodules of an index', () => {
	it.each([2, 3, 4])('are read from version %i', async version => {
		const {git, link, gitDir} = await repository();
		for (const path of ['lib/x', 'lib/xy', 'zürich', 'm']) link(path);
		if (version === 3) git('update-index', '--skip-worktree', 'a.txt');
		else git('update-index', '--index-version', String(version));
		expect(await gitlinks(gitDir)).toEqual(['lib/x', 'lib/xy', 'm', 'zürich']);
	});

	it('are read from a repository with SHA-256, and from a split index', async () => {
		const long = await repository('--object-format=sha256');
		long.link('lib/x', '1'.repeat(64));
		expect(await gitlinks(long.gitDir)).toEqual(['lib/x']);
		const split = await repository();
		split.link('lib/x');
		split.git('update-index', '--split-index');
		expect(await gitlinks(split.gitDir)).toEqual(['lib/x']);
	});

	it('are read again when the index has changed', async () => {
		const {link, gitDir} = await repository();
		expect(await gitlinks(gitDir)).toEqual([]);
		link('later');
		expect(await gitlinks(gitDir)).toEqual(['later']);
	});

	it.each([
		['nothing', Buffer.alloc(0)],
		['another file', Buffer.from('not an index, but long enough')],
		['a count that is too large', Buffer.from('44495243000000027fffffff', 'hex')],
		[
			'an unknown version',
			Buffer.concat([Buffer.from('4449524300000009000000ff', 'hex'), Buffer.alloc(500, 0xff)]),
		],
	])('are none in %s', async (_name, bytes) => {
		const project = await tempProject();
		await writeFile(join(project.dir, 'index'), bytes);
		expect(await gitlinks(project.dir)).toEqual([]);
	});
});
