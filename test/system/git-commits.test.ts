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
		'a cherry-pick onto such a commit',
		'hk/post-commit',
		`O=$(git rev-parse HEAD:hk/post-commit) && ${clash} && ${commit('hk/post-commit')}; git cherry-pick c
git update-index --cacheinfo 100755,$O,hk/post-commit; git cat-file blob $O > hk/post-commit`,
		'git status; git cherry-pick --skip; git commit -q --allow-empty -m next',
	],
];

/** Renamed, the file that a pick changes is the hook. Its parent is a commit of the command, too. */
const renamed = `cp hk/post-commit keep; git checkout -q --orphan o; mkdir foo; git mv hk/post-commit foo/post-commit
git -c core.hooksPath=/dev/null -c core.fsmonitor= commit -qm base
${commit('foo/post-commit')}; git -c core.hooksPath=/dev/null -c core.fsmonitor= checkout -qf main`;

const renaming: ReadonlyArray<readonly [what: string, command: string, user: string]> = [
	['a rebase', `${renamed}\n${pickLater}`, 'git rebase --continue; git commit -q --allow-empty -m next'],
	[
		'a cherry-pick',
		`${renamed}\n${clash}; git cherry-pick c $E`,
		'git checkout --ours a; git add a; git cherry-pick --skip; git commit -q --allow-empty -m next',
	],
	[
		'a merge with a stash',
		`${renamed}\n${clash}; git merge c; git commit-tree -p $E~1 -p $E -m wip $E^{tree} > .git/MERGE_AUTOSTASH`,
		'git checkout --ours a; git add a; git commit -qm merged; git commit -q --allow-empty -m next',
	],
	[
		'a rebase that is only staged',
		`${clash}; git rebase c; git update-index --add --cacheinfo 100755,$(git rev-parse HEAD:hk/post-commit),hk/new
git rev-parse HEAD`,
		'git checkout --ours a; git add a; git rebase --continue; git ls-files | grep -q hk/new && echo x > "$RAN"',
	],
];

const patches: ReadonlyArray<readonly [what: string, command: string, user: string]> = [
	[
		'patches',
		`${evilAside('hk/post-commit')}\n${clash}; P='git format-patch -q --stdout -1'; $P c > p; $P $E >> p
git am p; rm p`,
		'git am --skip; git commit -q --allow-empty -m next',
	],
	[
		'a rebase by patches',
		`${clash}; git checkout -q c && ${commit('hk/post-commit')}; git rebase --apply main`,
		'git rebase --skip; git commit -q --allow-empty -m next',
	],
	[
		'patches with a rename',
		`${evilAside('hk/post-commit')}\n${clash}; P='git format-patch -q --stdout -1'; $P c > p; $P $E >> p
sed -i 's/^--- .*post-c/rename old hk\\/post-c/; s/^+++ .*post-c/rename new hk\\/post-c/' p; git am p; rm p`,
		'git am --skip; git commit -q --allow-empty -m next',
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

	it.each(renaming)('are not made files by a rename: %s', async (_what, command, user) => {
		const project = gitProject(begin);
		const {notes, leftOut} = await project.inside(command);
		outside(project, user);
		expect(ran(project)).toBe(false);
		expect([...notes, ...leftOut.map(({path}) => path)].join('\n')).toMatch(
			/were not applied to the project, because git would write files that other programs run|MERGE_AUTOSTASH/,
		);
		const plain = gitProject(begin);
		plain.outside(`unset OUTSIDE; { ${command}; } >/dev/null 2>&1; true`);
		outside(plain, user);
		expect(ran(plain), 'without a cell').toBe(true);
	});

	it.each(patches)('are not made files by what is unfinished: %s', async (what, command, user) => {
		const project = gitProject(begin);
		const {notes} = await project.inside(command);
		outside(project, user);
		expect(ran(project)).toBe(false);
		expect(notes.join('\n')).toContain('was not applied to the project, because patches can write any file');
		const plain = gitProject(begin);
		plain.outside(`unset OUTSIDE; { ${command}; } >/dev/null 2>&1; true`);
		outside(plain, user);
		if (what !== 'patches with a rename') expect(ran(plain), 'without a cell').toBe(true);
	});

	it.each([
		['a tag that is named like an object', 'git tag $(git rev-parse HEAD | cut -c1-9)', '.git/refs/tags/'],
		['a branch that is named like an object', 'git branch $(git rev-parse HEAD | cut -c1-7)', '.git/refs/heads/'],
		['a replacement', 'git replace HEAD HEAD~1', '.git/refs/replace/'],
	])('get no other names: %s', async (_what, command, path) => {
		const project = gitProject(begin);
		const {leftOut} = await project.inside(command);
		expect(leftOut).toEqual([{path: expect.stringContaining(path), why: 'git'}]);
		expect(project.outside('git for-each-ref --format="%(refname)"').trim().split('\n')).toEqual([
			'refs/heads/main',
			'refs/heads/old',
			'refs/heads/side',
		]);
	});

	it.each([
		[
			'a list of shallow commits beside a rebase',
			`${clash}; git rebase c; git rev-parse c > .git/shallow`,
			'shallow',
		],
		['an abbreviated start of a bisection', 'git bisect start; echo 1234567 > .git/BISECT_START', 'BISECT_START'],
	])('do not lead elsewhere: %s', async (_what, command, name) => {
		const project = gitProject(begin);
		const {leftOut} = await project.inside(command);
		expect(leftOut).toEqual([{path: `.git/${name}`, why: 'git'}]);
		expect(existsSync(join(project.dir, '.git', name))).toBe(false);
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
