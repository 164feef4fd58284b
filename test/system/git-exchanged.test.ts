import {renameSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

const begin = `git init -q && git commit -q --allow-empty -m p && git init -q ../other && cd ../other
git commit -q --allow-empty -m one && git commit -q --allow-empty -m two && git branch work && git branch gone
git pack-refs --all && git branch -f work HEAD~1 && git bundle create ../project/o.bundle --all 2>/dev/null`;
const make = `mkdir sub && cd sub && git init -q && git fetch -qu ../o.bundle '+refs/heads/*:refs/heads/*'`;
const change = `cd sub && C=$(git rev-parse HEAD~1) && git update-ref refs/heads/main $C &&
	git update-ref refs/heads/work $C && git update-ref refs/heads/pwned $C && git update-ref -d refs/heads/gone`;

/** Puts a link to the other repository in the place of a folder, as a background command can at any moment. */
function exchange({dir}: GitProject, name: string): void {
	const path = join(dir, name);
	renameSync(path, `${path}-away`);
	symlinkSync(join(dir, '../other', name.replace(/^sub\/?/, '')), path);
}

describe('a folder that becomes a link while references are taken over', () => {
	const names = ['sub', 'sub/.git', 'sub/.git/refs', 'sub/.git/refs/heads'];
	const others = (project: GitProject) => project.outside('git -C ../other for-each-ref');

	it.each(names)('leads nowhere in a new repository at %s', async name => {
		const project = gitProject(begin);
		const before = others(project);
		let isDone = false;
		await project.inside(`${make} && git update-ref refs/heads/pwned HEAD`, undefined, ({type}) => {
			if (type !== 'refs' || isDone) return;
			isDone = true;
			exchange(project, name);
		});
		expect(isDone).toBe(true);
		expect(others(project)).toBe(before);
	});

	it.each([...names, 'sub/.git/packed-refs'])('leads nowhere in a repository that exists at %s', async name => {
		const project = gitProject(`${begin}\ncd ../project && ${make} && git pack-refs --all && git branch loose`);
		const before = others(project);
		const {leftOut} = await project.inside(change, undefined, ({type}) => {
			if (type === 'refs') exchange(project, name);
		});
		expect(leftOut.length).toBeGreaterThan(0);
		expect(others(project)).toBe(before);
	});
});
