import {execFileSync} from 'node:child_process';
import {link, lstat, mkdir, readFile, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import {obeyedPlaces} from '../../../../src/pod/permissions/confine/git-places.ts';
import {protectedPlaces} from '../../../../src/pod/permissions/confine/protected-places.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

async function repository() {
	const project = await tempProject({'home/x': '', 'p/a.txt': ''});
	const [pwd, home] = [project.path('p'), project.path('home')];
	const git = (...words: string[]) =>
		execFileSync('git', words, {cwd: pwd, env: {PATH: process.env['PATH'], HOME: home}});
	git('init', '-q');
	const places = async (folder = pwd) => {
		const found = await protectedPlaces(folder, {HOME: home});
		const names = (list: typeof found.held) => list.map(({path}) => relative(pwd, path));
		return {readOnly: names(found.readOnly), held: names(found.held)};
	};
	return {project, pwd, home, git, places};
}

describe('the places that a command without a cell cannot change', () => {
	it('are the folder of git as a whole, and files that other programs run', async () => {
		const {project, places} = await repository();
		await project.write('p/sub/.envrc', '');
		expect(await places()).toEqual({readOnly: ['.git', 'sub/.envrc'], held: []});
	});

	it('include the targets and other names of files that other programs run', async () => {
		const {project, pwd, places} = await repository();
		for (const name of [
			'dev/envrc',
			'tools/hook',
			'.husky/commit-msg',
			'skills/x/SKILL.md',
			'.claude/settings.json',
		])
			await project.write(`p/${name}`, '');
		await symlink('dev/envrc', join(pwd, '.envrc'));
		await symlink('../tools/hook', join(pwd, '.husky/pre-commit'));
		await symlink('../skills', join(pwd, '.claude/skills'));
		await symlink('..', join(pwd, '.claude/project'));
		await link(join(pwd, '.husky/commit-msg'), join(pwd, 'a-hook'));
		expect(await places()).toEqual({
			readOnly: ['.claude', '.git', '.husky', 'a-hook', 'dev/envrc', 'skills', 'tools/hook'],
			held: ['dev', 'tools'],
		});
	});

	it('include repositories at any depth, whose folders keep their names', async () => {
		const {project, places} = await repository();
		await project.write('p/node_modules/a/.git/config', '');
		for (const name of ['HEAD', 'objects/x', 'refs/x']) await project.write(`p/build/b.git/${name}`, '');
		expect(await places()).toEqual({
			readOnly: ['.git', 'build/b.git', 'node_modules/a/.git'],
			held: ['build', 'node_modules', 'node_modules/a'],
		});
	});

	it('include the targets of linked hooks, and the folders that lead there', async () => {
		const {project, pwd, places} = await repository();
		await project.write('p/tools/hooks/check.sh', '');
		await mkdir(join(pwd, '.git/hooks'), {recursive: true});
		await symlink('../../tools/hooks/check.sh', join(pwd, '.git/hooks/pre-commit'));
		const {readOnly, held} = await places();
		expect(readOnly).toContain('tools/hooks/check.sh');
		expect(held).toEqual(['tools', 'tools/hooks']);
	});

	it('include the files that the configuration includes, and the folders above its hooks', async () => {
		const {project, git, places} = await repository();
		await project.write('p/shared/git.cfg', '');
		await project.write('p/tools/hooks/pre-commit', '');
		git('config', 'include.path', '../shared/git.cfg');
		git('config', 'core.hooksPath', 'tools/hooks');
		git('config', 'alias.lint', '!lint ./shared');
		const {readOnly, held} = await places();
		expect(readOnly).toEqual(expect.arrayContaining(['shared/git.cfg', 'tools/hooks']));
		expect(readOnly).not.toContain('shared');
		expect(held).toEqual(['shared', 'tools']);
	});

	it('include what a configuration names and what is missing, which becomes empty', async () => {
		const {pwd, git, places} = await repository();
		git('config', 'core.hooksPath', 'tools/hooks');
		git('config', 'include.path', '../shared/git.cfg');
		git('config', '--add', 'include.path', 'inside.cfg');
		expect((await places()).readOnly).toEqual(['.git', 'shared/git.cfg', 'tools/hooks']);
		expect(await readFile(join(pwd, 'shared/git.cfg'), 'utf8')).toBe('');
		expect((await lstat(join(pwd, 'tools/hooks'))).isDirectory()).toBe(true);
		await expect(lstat(join(pwd, '.git/inside.cfg'))).rejects.toThrow('ENOENT');
	});

	it('include the hooks that your own configuration names in each repository', async () => {
		const {project, pwd, home, places} = await repository();
		await writeFile(join(home, '.gitconfig'), '[core]\n\thooksPath = .hooks\n');
		await project.write('p/lib/.git/config', '');
		expect((await places()).readOnly).toEqual(['.git', '.hooks', 'lib/.git', 'lib/.hooks']);
		// Also from within a folder of a repository
		await mkdir(join(pwd, 'web'));
		await writeFile(join(home, '.gitconfig'), '[core]\n\thooksPath = web/hooks\n');
		expect((await places(join(pwd, 'web'))).readOnly).toEqual(['web/hooks']);
	});

	it('include the folders of hooks in a working tree that a configuration names', async () => {
		const {pwd, git, places} = await repository();
		git('init', '-q', '--bare', 'a/bare');
		git('--git-dir=a/bare', 'config', 'core.bare', 'false');
		git('--git-dir=a/bare', 'config', 'core.worktree', join(pwd, 'w'));
		git('--git-dir=a/bare', 'config', 'core.hooksPath', 'hooks-of-w');
		expect((await places()).readOnly).toEqual(['.git', 'a/bare', 'w/hooks-of-w']);
	});

	it('include a repository that a .git file names, and the file', async () => {
		const {pwd, places} = await repository();
		await mkdir(join(pwd, 'a/b'), {recursive: true});
		await rename(join(pwd, '.git'), join(pwd, 'a/b/real.git'));
		await writeFile(join(pwd, '.git'), 'gitdir: a/b/real.git\n');
		expect(await places()).toEqual({readOnly: ['.git', 'a/b/real.git'], held: ['a', 'a/b']});
	});

	it('include the whole folder of a link that leads to something of git', async () => {
		const {pwd, places} = await repository();
		await mkdir(join(pwd, 'lib'));
		await symlink('../.git', join(pwd, 'lib/.git'));
		expect((await places()).readOnly).toEqual(['.git', 'lib']);
	});

	it('are everything in a folder of git', async () => {
		const {pwd, places} = await repository();
		expect((await places(join(pwd, '.git'))).readOnly).toEqual(['.git']);
		expect((await places(join(pwd, '.git/refs'))).readOnly).toEqual(['.git/refs']);
	});

	it('include a folder above a repository whose path is not UTF-8', async () => {
		const {pwd, places} = await repository();
		await mkdir(Buffer.concat([Buffer.from(join(pwd, 'sub/x')), Buffer.of(0xff), Buffer.from('/.git')]), {
			recursive: true,
		});
		expect((await places()).readOnly).toEqual(['.git', 'sub']);
	});

	it('include the folders of submodules without a repository', async () => {
		const {pwd, git, places} = await repository();
		git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib/sub`);
		expect(await places()).toEqual({readOnly: ['.git', 'lib/sub'], held: ['lib']});
		// Also from within the repository
		expect((await places(join(pwd, 'lib'))).readOnly).toEqual(['lib/sub']);
	});

	it('include other names of what git obeys, and programs of the configuration that are missing', async () => {
		const {project, pwd, git, places} = await repository();
		await mkdir(join(pwd, 'a/b'), {recursive: true});
		git('config', 'core.fsmonitor', 'tools/monitor');
		await link(join(pwd, '.git/config'), join(pwd, 'a/b/cfg'));
		expect(await places()).toEqual({readOnly: ['.git', 'a/b/cfg', 'tools/monitor'], held: ['a', 'a/b', 'tools']});
		expect(await readFile(project.path('p/tools/monitor'), 'utf8')).toBe('');
	});

	it('are the whole working tree of a configuration that is too large', async () => {
		const {project, pwd, places} = await repository();
		await project.write('p/lib/.git/config', `#${'x'.repeat(300_000)}`);
		expect((await places(pwd)).readOnly).toEqual(['.git', 'lib']);
	});

	it('become whole folders if there are more than bubblewrap can take', async () => {
		const {project, places} = await repository();
		await Promise.all(
			Array.from({length: 250}, async (_, index) => project.write(`p/vendor/r${index}/.git/config`, '')),
		);
		await project.write('p/lib/x/.git/config', '');
		expect(await places()).toEqual({readOnly: ['.git', 'lib/x/.git', 'vendor'], held: ['lib', 'lib/x']});
	});
});

describe('what links in the folders of git lead to', () => {
	it.each(['hooks', 'objects/pack', 'refs/tags', 'info'])('is protected: %s', async folder => {
		const {project, pwd, home, places} = await repository();
		await project.write('p/elsewhere/x', '');
		await project.write('p/.git/objects/info/x', '');
		await mkdir(dirname(join(pwd, '.git', folder)), {recursive: true});
		await rm(join(pwd, '.git', folder), {recursive: true, force: true});
		await symlink(join(pwd, 'elsewhere'), join(pwd, '.git', folder));
		expect((await places()).readOnly).toContain('elsewhere');
		expect([...(await obeyedPlaces(pwd, [join(pwd, '.git')], {HOME: home}))]).toContain(join(pwd, 'elsewhere'));
	});

	it('is protected if it is in a folder of hooks', async () => {
		const {project, pwd, home, places} = await repository();
		await writeFile(join(pwd, '.git/config'), '[core]\nhooksPath = hk\n', {flag: 'a'});
		await project.write('p/tools/x', '');
		await mkdir(join(pwd, 'hk'));
		await symlink('../tools/x', join(pwd, 'hk/pre-commit'));
		expect((await places()).readOnly).toEqual(['.git', 'hk', 'tools/x']);
		expect([...(await obeyedPlaces(pwd, [join(pwd, '.git')], {HOME: home}))]).toContain(join(pwd, 'tools/x'));
	});
});

describe('names that are not UTF-8', () => {
	const bytes = (path: string) => Buffer.concat([Buffer.from(path), Buffer.of(0xff)]);

	it('are read in a configuration of git, and a folder above them is read-only', async () => {
		const {project, pwd, home, places} = await repository();
		await mkdir(bytes(join(pwd, 'sub/hooks')), {recursive: true});
		const config = Buffer.concat([bytes('[core]\nhooksPath = sub/hooks'), Buffer.from('\n')]);
		await writeFile(project.path('p/.git/config'), config, {flag: 'a'});
		expect((await places()).readOnly).toEqual(['.git', 'sub']);
		const obeyed = await obeyedPlaces(pwd, [join(pwd, '.git')], {HOME: home});
		expect([...obeyed]).toContain(`${pwd}/sub/hooks\udcff`);
	});

	it('are those of files that other programs run', async () => {
		const {project, pwd, places} = await repository();
		await mkdir(Buffer.concat([bytes(join(pwd, 'sub/x')), Buffer.from('/.husky')]), {recursive: true});
		await project.write('p/other', '');
		expect((await places()).readOnly).toEqual(['.git', 'sub']);
	});
});
