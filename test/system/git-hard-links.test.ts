import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

const begin = `git init -q && echo a > a && git add a && git commit -qm 1 && echo b > a && git commit -qam 2
git branch side HEAD~1`;

/** Gives every file of git a second name that does not belong to git. */
const linkAll = `mkdir links; n=0; for f in $(find . -type f -path '*.git*' -o -type f -path '*bare/*'); do
	n=$((n + 1)); ln "$f" links/$n; done`;

const linkedFiles = `find . -type f -links +1 -path '*.git*' -o -type f -links +1 -path '*bare/*'`;

describe('files of git with a second name', () => {
	it.each([
		['a rebase', `GIT_SEQUENCE_EDITOR="sed -i '1s/^pick/edit/'" git rebase -q -i HEAD~1`],
		['a commit', 'git checkout -q side && echo c > c && git add c && git commit -qm c && git tag -a x -m x'],
		['packs', 'git gc -q'],
		['a worktree', 'git worktree add -q wt && git worktree lock wt'],
		['a repository', 'git init -q n && git -C n commit -q --allow-empty -m n && git clone -q --bare n bare'],
	])('have only the name of git after a take-over: %s', async (_what, command) => {
		const project = gitProject(begin);
		await project.inside(`${command}\n${linkAll}`);
		expect(project.outside(linkedFiles)).toBe('');
		expect(project.outside('ls links').split('\n').length).toBeGreaterThan(10);
		project.outside(`for f in links/*; do chmod u+w $f; echo exec touch evil > $f; done
			for g in .git n/.git bare; do [ -e $g ] && GIT_DIR=$g git fsck --strict; done; true`);
		expect(project.outside('cat .git/HEAD; grep -rl "exec touch" .git n/.git bare 2>/dev/null; true')).toMatch(
			/^(?:ref: refs\/heads\/.+|[\da-f]{40})\n$/,
		);
	});
});
