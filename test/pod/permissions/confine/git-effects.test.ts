import {execFileSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitFolders} from '../../../../src/pod/permissions/confine/git-folders.ts';
import {listEffects, plainPath} from '../../../../src/pod/permissions/confine/effects.ts';
import {takeOverLayer, gitHome} from '../../../helpers/git-cell.ts';
import {folderWith, layerOf} from '../../../helpers/layers.ts';

const git = (cwd: string, ...args: readonly string[]) =>
	execFileSync('git', args, {
		cwd,
		env: gitHome(join(cwd, '..')),
		stdio: ['ignore', 'pipe', 'pipe'],
		encoding: 'utf8',
	});

function repository(): string {
	const folder = folderWith({'a.txt': 'one\n', 'b.txt': 'two\n'});
	git(folder, 'init', '-q');
	git(folder, 'add', '.');
	git(folder, 'commit', '-qm', 'first');
	return folder;
}

/** Commits a change of a file. */
function commit(folder: string, message: string): void {
	writeFileSync(join(folder, 'a.txt'), `${message}\n`);
	git(folder, 'commit', '-qam', message);
}

describe('folders of git', () => {
	const found = async (change: (merged: string) => void, files: Readonly<Record<string, string>> = {}) => {
		const layer = layerOf(folderWith({'x/y': '', ...files}), change);
		const listed = await listEffects(layer);
		return (await gitFolders(layer, listed!.effects)).map(
			({type, path, isNew}) => `${type} ${path}${isNew ? ' new' : ''}`,
		);
	};
	const bare = {'r/HEAD': 'ref: refs/heads/main\n', 'r/objects/x': '', 'r/refs/x': '', 'r/config': ''};
	const write = (merged: string, path: string, text = '') => {
		mkdirSync(join(merged, path, '..'), {recursive: true});
		writeFileSync(join(merged, path), text);
	};

	it('are those named .git, in any case and at any depth', async () => {
		expect(await found(merged => write(merged, 'a/b/.git/x'))).toEqual(['folder a/b/.git new']);
		expect(await found(merged => write(merged, 'a/.GIT/x'))).toEqual(['folder a/.GIT new']);
	});

	it('are bare repositories that exist, whatever changes in them', async () => {
		expect(await found(merged => write(merged, 'r/config', 'x'), bare)).toEqual(['folder r']);
		expect(await found(merged => write(merged, 'r/hooks/update', 'x'), bare)).toEqual(['folder r']);
		expect(await found(merged => rmSync(join(merged, 'r/HEAD')), bare)).toEqual(['folder r']);
	});

	it('are folders that become repositories', async () => {
		const {'r/HEAD': head, ...seed} = bare;
		expect(await found(merged => write(merged, 'r/HEAD', head), seed)).toEqual(['folder r new']);
		expect(await found(merged => symlinkSync('x', join(merged, 'r/HEAD')), seed)).toEqual(['folder r new']);
		expect(await found(merged => ['r/HEAD', 'r/commondir'].forEach(name => write(merged, name)))).toEqual([
			'folder r new',
		]);
		expect(
			await found(merged => ['q/r/HEAD', 'q/r/objects/x', 'q/r/refs/x'].forEach(name => write(merged, name))),
		).toEqual(['folder q/r new']);
	});

	it('are files and links named .git', async () => {
		expect(await found(merged => write(merged, 'x/.git', 'gitdir: y'))).toEqual(['file x/.git new']);
		expect(await found(merged => symlinkSync('../r', join(merged, 'x/.git')), bare)).toEqual(['file x/.git new']);
	});

	it('contain the parts of worktrees, but not submodules', async () => {
		const files = {'.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': ''};
		const change = (merged: string) => {
			for (const name of ['HEAD', 'commondir']) write(merged, `.git/worktrees/w/${name}`);
			for (const name of ['HEAD', 'objects/x', 'refs/x']) write(merged, `.git/modules/a/b/${name}`);
		};
		expect(await found(change, files)).toEqual(['folder .git', 'folder .git/modules/a/b new']);
	});

	it('are not folders without a part of a repository', async () => {
		expect(await found(merged => ['q/HEAD', 'q/objects/x'].forEach(name => write(merged, name)))).toEqual([]);
	});
});

describe('a take-over of git', () => {
	it('takes a commit', async () => {
		const folder = repository();
		const taken = await takeOverLayer(layerOf(folder, merged => commit(merged, 'inside')));
		expect(taken).toMatchObject({leftOut: [], notes: []});
		expect(git(folder, 'log', '--format=%s')).toBe('inside\nfirst\n');
		expect(git(folder, 'status', '--short')).toBe('');
		expect(git(folder, 'reflog', '--format=%gs')).toBe('commit: inside\ncommit (initial): first\n');
	});

	it('keeps a commit elsewhere if there was one outside', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => commit(merged, 'inside'));
		writeFileSync(join(folder, 'b.txt'), 'outside\n');
		git(folder, 'commit', '-qam', 'outside');
		const {leftOut, notes} = await takeOverLayer(layer);
		expect(git(folder, 'log', '--format=%s')).toBe('outside\nfirst\n');
		expect(git(folder, 'log', '-1', '--format=%s', 'refs/inkpod/heads/main')).toBe('inside\n');
		expect(git(folder, 'status', '--short')).toBe(' M a.txt\n');
		expect(leftOut.map(({path}) => path)).toContain('.git/refs/heads/main');
		expect(notes).toEqual([
			'"refs/heads/main" was changed from outside meanwhile. ' +
				'The command’s commit is kept as "refs/inkpod/heads/main".',
		]);
	});

	it('keeps a commit elsewhere if something was staged outside, because the two indexes differ', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => commit(merged, 'inside'));
		writeFileSync(join(folder, 'b.txt'), 'staged\n');
		git(folder, 'add', 'b.txt');
		await takeOverLayer(layer);
		expect(git(folder, 'log', '--format=%s')).toBe('first\n');
		expect(git(folder, 'log', '-1', '--format=%s', 'refs/inkpod/heads/main')).toBe('inside\n');
		expect(git(folder, 'status', '--short')).toBe(' M a.txt\nM  b.txt\n');
	});

	it('takes a commit in a worktree, whose repository is a layer of its own', async () => {
		const folder = repository();
		const tree = join(folder, '../tree');
		git(folder, 'worktree', 'add', '-q', '-b', 'side', tree);
		const layer = layerOf(join(folder, '.git'), merged => {
			writeFileSync(join(merged, 'hooks/pre-commit'), 'x');
			const own = [`--git-dir=${merged}/worktrees/tree`, `--work-tree=${tree}`];
			writeFileSync(join(tree, 'a.txt'), 'inside\n');
			git(tree, ...own, 'commit', '-qam', 'inside');
		});
		expect(await takeOverLayer(layer)).toMatchObject({
			leftOut: [{path: 'hooks/pre-commit', why: 'git'}],
			notes: [],
		});
		expect(git(tree, 'log', '--format=%s')).toBe('inside\nfirst\n');
		expect(git(tree, 'status', '--short')).toBe('');
		expect(git(folder, 'log', '--format=%s')).toBe('first\n');
	});

	it('names what commits change in a worktree elsewhere, whatever the folders around it are called', async () => {
		const folder = repository();
		const tree = join(folder, '../.claude/tree');
		git(folder, 'worktree', 'add', '-q', '-b', 'side', tree);
		git(folder, 'config', 'core.hooksPath', 'hk');
		const committed = async (path: string) => {
			const layer = layerOf(join(folder, '.git'), merged => {
				const own = [`--git-dir=${merged}/worktrees/tree`, `--work-tree=${tree}`];
				mkdirSync(join(tree, path, '..'), {recursive: true});
				writeFileSync(join(tree, path), 'inside\n');
				git(tree, ...own, 'add', path);
				git(tree, ...own, 'commit', '-qm', path);
			});
			const {notes} = await takeOverLayer(layer);
			rmSync(join(folder, 'cell'), {recursive: true, force: true});
			return notes;
		};
		expect(await committed('c.txt')).toEqual([]);
		expect(await committed('hk/post-commit')).toEqual([
			'New commits change files that other programs run: "../../.claude/tree/hk/post-commit", ' +
				'"../hk/post-commit". git writes these files when you check the commits out.',
		]);
		expect((await committed('.envrc')).join('\n')).toContain('".envrc"');
	});

	it('takes a commit although a status outside wrote the index again', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => commit(merged, 'inside'));
		const before = readFileSync(join(folder, '.git/index'));
		utimesSync(join(folder, 'b.txt'), 1, 1);
		git(folder, 'status');
		expect(readFileSync(join(folder, '.git/index'))).not.toEqual(before);
		expect(await takeOverLayer(layer)).toMatchObject({leftOut: [], notes: []});
		expect(git(folder, 'log', '--format=%s')).toBe('inside\nfirst\n');
		expect(git(folder, 'status', '--short')).toBe('');
	});

	it('takes other branches although there was a commit outside', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => git(merged, 'branch', 'inside'));
		commit(folder, 'outside');
		expect(await takeOverLayer(layer)).toMatchObject({leftOut: [], notes: []});
		expect(git(folder, 'branch', '--format=%(refname:short)')).toBe('inside\nmain\n');
		expect(git(folder, 'log', '--format=%s')).toBe('outside\nfirst\n');
	});

	it('does not take an old value back that only moved to packed-refs', async () => {
		const folder = repository();
		git(folder, 'branch', 'other');
		const layer = layerOf(folder, merged => git(merged, 'pack-refs', '--all'));
		commit(folder, 'outside');
		git(folder, 'branch', '-f', 'other', 'main');
		await takeOverLayer(layer);
		expect(git(folder, 'log', '--format=%s', 'other')).toBe('outside\nfirst\n');
		expect(git(folder, 'log', '--format=%s', 'main')).toBe('outside\nfirst\n');
	});

	it('deletes no object that only a command outside still needs', async () => {
		const folder = repository();
		git(folder, 'checkout', '-qb', 'gone');
		commit(folder, 'lost');
		git(folder, 'checkout', '-q', 'main');
		git(folder, 'branch', '-D', 'gone');
		git(folder, 'reflog', 'expire', '--expire=now', '--all');
		const lost = git(folder, 'fsck', '--lost-found').split(' ').at(-1)!.trim();
		const layer = layerOf(folder, merged => git(merged, 'gc', '-q', '--prune=now'));
		git(folder, 'branch', 'found', lost);
		await takeOverLayer(layer);
		expect(git(folder, 'fsck', '--strict')).toBe('');
		expect(git(folder, 'log', '--format=%s', 'found')).toBe('lost\nfirst\n');
	});

	it('does not count an index with other times as a change', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => {
			writeFileSync(join(merged, 'a.txt'), 'one\n');
			git(merged, 'update-index', '--refresh');
		});
		const index = readFileSync(join(folder, '.git/index'));
		const {steps} = await takeOverLayer(layer);
		expect(steps.filter(({type}) => type === 'move_locked')).toEqual([]);
		expect(readFileSync(join(folder, '.git/index'))).toEqual(index);
	});

	it.each([
		['small', 10],
		['large', 2_000_000],
	])('takes no %s object with something after it, which git outside would use and not read', async (_, size) => {
		const folder = repository();
		const body = randomBytes(size);
		const layer = layerOf(folder, merged => {
			writeFileSync(join(merged, 'b.txt'), body);
			const name = git(merged, 'hash-object', '-w', 'b.txt').trim();
			const path = join(merged, '.git/objects', name.replace(/^../, '$&/'));
			chmodSync(path, 0o644);
			appendFileSync(path, 'more');
		});
		const {leftOut} = await takeOverLayer(layer);
		expect(leftOut).toEqual([{path: expect.stringMatching(/^\.git\/objects\//), why: 'git'}]);
		commit(folder, 'outside');
		expect(git(folder, 'fsck', '--strict')).toBe('');
	});

	it('leaves a file that git outside holds a lock for', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => {
			writeFileSync(join(merged, 'a.txt'), 'x\n');
			git(merged, 'add', '.');
		});
		writeFileSync(join(folder, '.git/index.lock'), '');
		const {leftOut} = await takeOverLayer(layer);
		expect(leftOut).toEqual([{path: '.git/index', why: 'conflict'}]);
		expect(git(folder, 'ls-files', '-s', 'a.txt')).toContain('5626abf');
	});

	it('does not write below refs/inkpod for a command, nor logs of it', async () => {
		const folder = repository();
		const layer = layerOf(folder, merged => git(merged, 'update-ref', 'refs/inkpod/x', 'HEAD'));
		const {leftOut} = await takeOverLayer(layer);
		expect(leftOut).toEqual([{path: '.git/refs/inkpod/x', why: 'git'}]);
		expect(git(folder, 'for-each-ref', 'refs/inkpod')).toBe('');
	});

	it.each([
		['an object with another name', 'objects/aa/bb7b6a8d0f4c5f1e3d2c1b0a9f8e7d6c5b4a39', 'x'],
		['alternates', 'objects/info/alternates', '/'],
		['a pack that is none', `objects/pack/pack-${'a'.repeat(40)}.pack`, 'PACK'],
		['a reference that is not an object', 'refs/heads/x', 'ref: refs/heads/main\n'],
		['a HEAD that is not one', 'HEAD', 'ref: ../x\n'],
		['an index that is not one', 'index', 'DIRC'],
		['lines of a log that are not', 'logs/HEAD', 'x\n'],
		['grafts', 'info/grafts', 'x\n'],
		['an unknown name', 'unknown', 'x\n'],
		['names of a bisection that a shell would run', 'BISECT_NAMES', "'; touch x; '\n"],
	])('leaves out %s', async (_name, path, text) => {
		const folder = repository();
		const layer = layerOf(folder, merged => {
			mkdirSync(join(merged, '.git', path, '..'), {recursive: true});
			rmSync(join(merged, '.git', path), {force: true});
			writeFileSync(join(merged, '.git', path), text);
		});
		const before = git(folder, 'status', '--short', '--branch');
		const {leftOut} = await takeOverLayer(layer);
		expect(leftOut).toEqual([{path: `.git/${path}`, why: 'git'}]);
		expect(git(folder, 'status', '--short', '--branch')).toBe(before);
	});

	it('does not write to a repository with tables of references', async () => {
		const folder = repository();
		git(folder, 'config', 'core.repositoryformatversion', '1');
		git(folder, 'config', 'extensions.refStorage', 'reftable');
		const layer = layerOf(folder, merged => writeFileSync(join(merged, '.git/ORIG_HEAD'), 'x'));
		const {leftOut, notes} = await takeOverLayer(layer);
		expect(leftOut).toEqual([{path: '.git', why: 'git'}]);
		expect(notes).toHaveLength(1);
		expect(existsSync(join(folder, '.git/ORIG_HEAD'))).toBe(false);
	});

	it('gives a new repository a configuration of known settings', async () => {
		const folder = folderWith({'a.txt': ''});
		const layer = layerOf(folder, merged => {
			git(merged, 'init', '-q', 'n');
			git(merged, '-C', 'n', 'remote', 'add', 'origin', 'https://example.com/x.git');
			git(merged, '-C', 'n', 'config', 'core.fsmonitor', '/bin/evil');
			git(merged, '-C', 'n', 'config', 'user.name', 'A B');
		});
		const {leftOut} = await takeOverLayer(layer);
		expect(leftOut).toEqual([{path: 'n/.git/config', why: 'git'}]);
		expect(readFileSync(join(folder, 'n/.git/config'), 'utf8')).toBe(
			'[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n' +
				'[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' +
				'[user]\n\tname = A B\n',
		);
		expect(plainPath(layer.path)).toBe(folder);
	});
});
