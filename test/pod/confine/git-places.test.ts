import {execFileSync} from 'node:child_process';
import {mkdir, rename, symlink, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import {protectedPlaces} from '../../../src/pod/confine/places.ts';
import {tempProject} from '../../helpers/temp-project.ts';

async function repository() {
	const project = await tempProject({'home/x': '', 'p/a.txt': ''});
	const [pwd, home] = [project.path('p'), project.path('home')];
	const git = (...words: string[]) =>
		execFileSync('git', words, {cwd: pwd, env: {PATH: process.env['PATH'], HOME: home}});
	git('init', '-q');
	await mkdir(join(pwd, '.git/hooks'), {recursive: true});
	const places = async () => {
		const found = await protectedPlaces(pwd, {HOME: home});
		const names = (list: typeof found.held) => list.map(({path}) => relative(pwd, path));
		return {readOnly: names(found.readOnly), held: names(found.held)};
	};
	return {project, pwd, git, places};
}

describe('the places of git that a confined command cannot change', () => {
	it('include the targets of linked hooks, and the folders that lead there', async () => {
		const {project, pwd, places} = await repository();
		await project.write('p/tools/hooks/check.sh', '');
		await symlink('../../tools/hooks/check.sh', join(pwd, '.git/hooks/pre-commit'));
		const {readOnly, held} = await places();
		expect(readOnly).toContain('tools/hooks/check.sh');
		expect(held).toEqual(['.git', 'tools', 'tools/hooks']);
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
		expect(held).toEqual(['.git', 'shared', 'tools']);
	});

	it('include a repository that a .git file names', async () => {
		const {pwd, places} = await repository();
		await mkdir(join(pwd, 'a/b'), {recursive: true});
		await rename(join(pwd, '.git'), join(pwd, 'a/b/real.git'));
		await writeFile(join(pwd, '.git'), 'gitdir: a/b/real.git\n');
		const {readOnly, held} = await places();
		expect(readOnly).toEqual(expect.arrayContaining(['.git', 'a/b/real.git/config', 'a/b/real.git/hooks']));
		expect(held).toEqual(['a', 'a/b', 'a/b/real.git']);
	});
});
