import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

/** git runs the hooks, the monitor and the filter, which are files of the project. The filter does not exist yet. */
const begin = `git init -q && mkdir hk scripts && printf '#!/bin/sh\\nprintf "t\\\\0/\\\\0"\\n' > scripts/fsm
for h in post-commit post-rewrite post-checkout; do printf '#!/bin/sh\\nexit 0\\n' > hk/$h; done
chmod +x hk/* scripts/fsm && echo a > a && git add . && git commit -qm 1 && git branch side
git config core.hooksPath hk && git config core.fsmonitor ./scripts/fsm
git config filter.f.smudge ./scripts/smudge && git config filter.f.clean cat
echo b > b && git add b && git commit -qm 2 && git branch old`;

const evil = `#!/bin/sh\\n[ -n "$OUTSIDE" ] && echo ran >> "$RAN"\\ncat 2>/dev/null\\nexit 0\\n`;
/** Makes a commit \`$E\` in which a file is a program that reports when git outside runs it. */
const commit = (path: string, more = 'true') => `printf '${evil}' > ${path} && chmod +x ${path} && ${more}
git add . && git -c core.hooksPath=/dev/null commit -qm evil && E=$(git rev-parse HEAD)`;
const evilAside = (path: string, more?: string) => `git checkout -q --detach && ${commit(path, more)}
git -c core.hooksPath=/dev/null -c core.fsmonitor= checkout -q main`;
const pickLater = `GIT_SEQUENCE_EDITOR="printf 'break\\npick '$E' evil\\n' >" git rebase -q -i HEAD`;
const clash =
	'git checkout -q -b c && echo c > a && git commit -qam c && git checkout -q main && echo d > a && git commit -qam d';
const noEditor = 'export GIT_EDITOR=true;';

const stopped: ReadonlyArray<readonly [what: string, path: string, command: string, user: string]> = [
	[
		'a rebase',
		'hk/post-commit',
		`${evilAside('hk/post-commit')}\n${pickLater}`,
		'git rebase --continue; git commit -q --allow-empty -m next',
	],
	[
		'a rebase that is aborted',
		'hk/post-commit',
		`${evilAside('hk/post-commit')}\n${pickLater}
git rev-parse HEAD; echo $E > .git/rebase-merge/orig-head; printf 'noop\\n' > .git/rebase-merge/git-rebase-todo`,
		'git rebase --abort; git commit -q --allow-empty -m next',
	],
	[
		'a rebase, with a monitor',
		'scripts/fsm',
		`${evilAside('scripts/fsm')}\n${pickLater}`,
		'git rebase --continue; git status',
	],
	[
		'a rebase, with a filter',
		'scripts/smudge',
		`${evilAside('scripts/smudge', "echo '*.x filter=f' > .gitattributes && echo x > z.x")}\n${pickLater}`,
		'git rebase --continue; git status',
	],
	[
		'a cherry-pick',
		'hk/post-commit',
		`${evilAside('hk/post-commit')}\n${clash}; git cherry-pick c $E`,
		'git checkout --ours a; git add a; git cherry-pick --skip; git commit -q --allow-empty -m next',
	],
	[
		'a cherry-pick with short names',
		'hk/post-commit',
		`${evilAside('hk/post-commit')}\n${clash}; git cherry-pick c $E
sed -i 's/\\([0-9a-f]\\{8\\}\\)[0-9a-f]*/\\1/' .git/sequencer/todo`,
		'git cherry-pick --skip; git commit -q --allow-empty -m next',
	],
	[
		'a merge with a stash',
		'hk/post-commit',
		`printf '${evil}' > hk/post-commit; git add . && S=$(git stash create) && git reset -q --hard
${clash}; git merge c; echo $S > .git/MERGE_AUTOSTASH`,
		'git checkout --ours a; git add a; git commit -qm merged; git commit -q --allow-empty -m next',
	],
	[
		'patches',
		'hk/post-commit',
		`${evilAside('hk/post-commit')}\n${clash}; P='git format-patch -q --stdout -1'; $P c > p; $P $E >> p
git am p; rm p`,
		'git am --skip; git commit -q --allow-empty -m next',
	],
	[
		'a rebase by patches',
		'hk/post-commit',
		`${clash}; git checkout -q c && ${commit('hk/post-commit')}; git rebase --apply main`,
		'git rebase --skip; git commit -q --allow-empty -m next',
	],
	[
		'a cherry-pick onto such a commit',
		'hk/post-commit',
		`O=$(git rev-parse HEAD:hk/post-commit) && ${clash} && ${commit('hk/post-commit')}; git cherry-pick c
git update-index --cacheinfo 100755,$O,hk/post-commit; git cat-file blob $O > hk/post-commit`,
		'git status; git cherry-pick --skip; git commit -q --allow-empty -m next',
	],
];

const ran = (project: GitProject) => existsSync(join(project.dir, '../ran'));
const outside = (project: GitProject, user: string) =>
	project.outside(`${noEditor} { ${user}; } </dev/null >/dev/null 2>&1; true`);

describe('commits that change what git runs', () => {
	it.each(stopped)('are not made files by what is unfinished: %s', async (_what, path, command, user) => {
		const project = gitProject(begin);
		const {notes, output} = await project.inside(command);
		outside(project, user);
		expect(ran(project)).toBe(false);
		expect([...notes, output].join('\n')).toContain(`New commits change files that other programs run: "${path}"`);
		const plain = gitProject(begin);
		plain.outside(`unset OUTSIDE; { ${command}; } >/dev/null 2>&1; true`);
		outside(plain, user);
		expect(ran(plain), 'without a cell').toBe(true);
	});

	it.each([
		['a branch', `git checkout -q side && ${commit('hk/post-commit')}`],
		['the branch that is checked out', commit('hk/post-commit')],
		['a stash', `printf '${evil}' > hk/post-commit; git stash -q`],
		['an older stash', `printf '${evil}' > hk/post-commit; git stash -q; echo x > a; git stash -q`],
		['a merge', `git checkout -q side; git merge -q --no-commit main; ${commit('hk/post-commit')}`],
		['a tag', `${evilAside('hk/post-commit')}; git tag x $E`],
	])('are named: %s', async (_what, command) => {
		const {notes} = await gitProject(begin).inside(command);
		expect(notes).toEqual([
			'New commits change files that other programs run: "hk/post-commit". git writes these files when ' +
				'you check the commits out.',
		]);
	});

	it('are not those of others', async () => {
		const project = gitProject(
			`${begin} && git checkout -q side && echo x > hk/post-commit && git commit -qam x && git checkout -q main`,
		);
		expect(
			(await project.inside('echo c > c && git add c && git commit -qm c && git branch again side')).notes,
		).toEqual([]);
		const rebase = `${clash}; git rebase c`;
		expect((await project.inside(rebase)).notes).toEqual([]);
		expect(existsSync(join(project.dir, '.git/rebase-merge'))).toBe(true);
	});
});
