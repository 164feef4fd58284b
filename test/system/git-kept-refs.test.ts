import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

const begin = `git init -q && echo a > a && git add a && git commit -qm 1 && echo b > b && git add b && git commit -qm 2
git branch side && git pack-refs --all --prune`;
const user = 'echo u > u; git add u; git commit -qm user';

describe('references that inkpod cannot read', () => {
	it.each([
		['too many', `yes "$(git rev-parse HEAD) refs/tags/t" | head -c 17000000 >> .git/packed-refs`],
		['other blanks', "sed -i 's/ refs/\\trefs/' .git/packed-refs"],
		['a link', 'mv .git/packed-refs .git/other; ln -s other .git/packed-refs'],
	])('stay, and the result says so: %s', async (_what, command) => {
		const project = gitProject(begin);
		const before = project.outside('git for-each-ref');
		const {notes} = await project.inside(command);
		expect(project.outside('git for-each-ref')).toBe(before);
		expect(notes).toEqual([
			'The changes of the repository ".git" were not applied to the project: ' +
				'inkpod does not write to repositories of this kind.',
		]);
	});
});

describe('commits that are in conflict', () => {
	it('are all kept', async () => {
		const project = gitProject(begin);
		for (const name of ['one', 'two'])
			await project.inside(`echo ${name} > ${name}; git add ${name}; git commit -qm ${name}`, () => {
				project.outside(user.replaceAll('u', name[0] ?? ''));
			});
		const kept = project.outside('git log --format=%s refs/inkpod/heads/main refs/inkpod/heads/main-2 --not main');
		expect(kept.trim().split('\n').toSorted()).toEqual(['one', 'two']);
	});

	it('are kept without a branch', async () => {
		const project = gitProject(`${begin}; git checkout -q --detach`);
		const {notes} = await project.inside('echo one > one; git add one; git commit -qm one', () => {
			project.outside(user);
		});
		expect(project.outside('git log -1 --format=%s refs/inkpod/HEAD')).toBe('one\n');
		expect(notes).toEqual([
			'"HEAD" was changed from outside meanwhile. The command’s commit is kept as "refs/inkpod/HEAD".',
		]);
	});
});
