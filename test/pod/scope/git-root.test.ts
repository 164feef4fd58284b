import {execFileSync} from 'node:child_process';
import {chmod} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {ownersOf} from '../../../src/pod/scope/owners.ts';
import {readGitHead} from '../../../src/pod/scope/git-root.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const owners = ownersOf({});
const hash = '0123456789abcdef0123456789abcdef01234567';

describe('the branch of a folder', () => {
	it.each([
		['a branch', 'ref: refs/heads/main\n', {branch: 'main'}],
		['a branch with a slash', 'ref: refs/heads/feature/x y\n', {branch: 'feature/x y'}],
		['a commit', `${hash}\n`, {commit: '0123456'}],
		['a commit in SHA-256', `${hash}${hash.slice(0, 24)}`, {commit: '0123456'}],
		['another ref', 'ref: refs/remotes/origin/main\n', undefined],
		['two lines', 'ref: refs/heads/main\nmore\n', undefined],
		['something else', 'hello', undefined],
		['an empty file', '', undefined],
		['5 MB', `ref: refs/heads/${'x'.repeat(5_000_000)}`, undefined],
	])('is read from HEAD with %s', async (_, text, head) => {
		const project = await tempProject({'.git/HEAD': text, 'src/deep/a.ts': ''});
		expect(await readGitHead(project.path('src/deep'), owners)).toEqual(head);
	});

	it('is that of a worktree, whose .git is a file', async () => {
		const project = await tempProject({
			'.git/worktrees/w/HEAD': 'ref: refs/heads/work\n',
			'.git/HEAD': 'ref: refs/heads/main\n',
			'w/.git': 'gitdir: ../.git/worktrees/w\n',
		});
		expect(await readGitHead(project.path('w'), owners)).toEqual({branch: 'work'});
	});

	it('is unknown without a repository, or if HEAD is a FIFO or a folder', async () => {
		const project = await tempProject({
			'fifo/.git/': '',
			'folder/.git/HEAD/': '',
			'broken/.git': 'gitdir: /none\n',
		});
		execFileSync('mkfifo', [project.path('fifo/.git/HEAD')]);
		for (const folder of ['.', 'fifo', 'folder', 'broken'])
			expect(await readGitHead(project.path(folder), owners)).toBeUndefined();
	});

	it('is unknown if another user could have written it', async () => {
		const project = await tempProject({
			'a/.git/HEAD': 'ref: refs/heads/main\n',
			'b/.git/HEAD': 'ref: refs/heads/main\n',
			'c/.git/HEAD': 'ref: refs/heads/main\n',
		});
		await chmod(project.path('a/.git'), 0o777);
		await chmod(project.path('b/.git/HEAD'), 0o666);
		expect(await readGitHead(project.path('a'), owners)).toBeUndefined();
		expect(await readGitHead(project.path('b'), owners)).toBeUndefined();
		expect(
			await readGitHead(project.path('c'), {...owners, uids: [(process.getuid?.() ?? 0) + 1]}),
		).toBeUndefined();
	});
});
