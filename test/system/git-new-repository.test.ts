import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

describe('a repository that a command made', () => {
	it('fetches no objects that are missing', async () => {
		const project = gitProject('git init -q && git commit -q --allow-empty -m first');
		const {leftOut, notes} = await project.inside(`git init -q sub && cd sub && echo x > x && git add x
			git commit -qm x && T=$(git rev-parse HEAD^{tree})
			rm -f ".git/objects/$(echo "$T" | sed 's|..|&/|')" .git/index
			git config core.repositoryformatversion 1 && git config extensions.partialClone origin
			git config remote.origin.url "file://$PWD/nowhere" && git config remote.origin.promisor true
			git config remote.origin.partialclonefilter blob:none
			git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
			C=$(git rev-parse HEAD) && cd .. && git update-index --add --cacheinfo 160000,"$C",sub`);
		const trace = project.outside(`GIT_TRACE=1 git status 2>&1; GIT_TRACE=1 git -C sub log -p 2>&1; true`);
		expect(trace).not.toMatch(/\bfetch\b/);
		expect(trace).toContain('run_command: cd sub;');
		expect(leftOut).toContainEqual({path: 'sub/.git/config', why: 'git'});
		expect(notes).toEqual([
			'The repository "sub/.git" was cloned without some of its objects. It is in the project without the ' +
				'settings with which git fetches them.',
		]);
	});

	it('is one of the format that git reads in its configuration', async () => {
		const project = gitProject();
		await project.inside(`git init -q n && git -C n commit -q --allow-empty -m n
			git -C n config extensions.x.objectFormat sha256`);
		expect(project.outside('git -C n log --format=%s')).toBe('n\n');
	});

	it('pushes only what a push says', async () => {
		const project = gitProject(`git init -q && git commit -q --allow-empty -m first && git branch other
			git init -q --bare ../origin.git && git push -q --all ../origin.git`);
		await project.inside(`git init -q n && cd n && git commit -q --allow-empty -m n && git branch mine
			git config remote.origin.url ../../origin.git && git config remote.origin.mirror true`);
		const names = () => project.outside("git -C ../origin.git for-each-ref --format='%(refname) %(objectname)'");
		const before = names();
		project.outside('cd n && git checkout -q mine && git -c push.default=current push -q');
		expect(names()).toMatch(/\nrefs\/heads\/mine .+\n/);
		expect(names().split('\n')).toEqual(expect.arrayContaining(before.split('\n')));
	});

	it('does not overwrite branches by a fetch', async () => {
		const project = gitProject('git init -q ../origin && git -C ../origin commit -q --allow-empty -m origin');
		await project.inside(`git init -q n && cd n && git commit -q --allow-empty -m n && git checkout -q -b work
			git config remote.origin.url ../../origin && git config remote.origin.fetch '+refs/heads/*:refs/heads/*'`);
		project.outside('git -C n fetch -q');
		expect(project.outside('git -C n log --format=%s main')).toBe('n\n');
	});
});
