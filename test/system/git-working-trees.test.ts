import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

/** The configuration names a folder of hooks and a monitor in each working tree. */
const named = `git config core.hooksPath hk && git config core.fsmonitor scripts/fsm`;
const files = `mkdir hk scripts && printf '#!/bin/sh\\nprintf "t\\\\0/\\\\0"\\n' > scripts/fsm
printf '#!/bin/sh\\nexit 0\\n' > hk/post-commit && chmod +x hk/* scripts/fsm && git add . && git commit -qm 1`;

const evil = `#!/bin/sh\\n[ -n "$OUTSIDE" ] && echo ran >> "$RAN"\\nexit 0\\n`;
const program = (path: string) => `mkdir -p $(dirname ${path}) && printf '${evil}' > ${path} && chmod +x ${path}`;

const ran = (project: GitProject) => existsSync(join(project.dir, '../ran'));
const outside = (project: GitProject, user: string) =>
	project.outside(`export GIT_EDITOR=true; { ${user}; } </dev/null >/dev/null 2>&1; true`);

const newTrees: ReadonlyArray<readonly [what: string, prepare: string, command: string, user: string]> = [
	[
		'a hook in a linked worktree',
		`git init -q && ${files} && ${named}`,
		`git worktree add -q wt && ${program('wt/hk/post-commit')}`,
		'git -C wt commit -q --allow-empty -m x',
	],
	[
		'a hook that is new in a linked worktree',
		`git init -q && ${files} && ${named}`,
		`git worktree add -q deep/wt && ${program('deep/wt/hk/post-checkout')}`,
		'git -C deep/wt checkout -q --detach',
	],
	[
		'a monitor in a linked worktree',
		`git init -q && ${files} && ${named}`,
		`git worktree add -q wt && ${program('wt/scripts/fsm')}`,
		'git -C wt status',
	],
	[
		'a monitor behind a link in a linked worktree',
		`git init -q && ${files} && ${named}`,
		`git worktree add -q wt && rm -r wt/scripts && ln -s ../tools wt/scripts && ${program('tools/fsm')}`,
		'git -C wt status',
	],
	[
		'a hook in a linked worktree of a bare repository',
		`git init -q --bare bare.git && git clone -q bare.git ../c && cd ../c && ${files} && git push -q origin HEAD
cd ../project/bare.git && ${named}`,
		`git -C bare.git worktree add -q ../wt main && ${program('wt/hk/post-commit')}`,
		'git -C wt commit -q --allow-empty -m x',
	],
	[
		'a hook in a linked worktree of a separate git folder',
		`git init -q --separate-git-dir=g && ${files} && ${named}`,
		`git worktree add -q wt && ${program('wt/hk/post-commit')}`,
		'git -C wt commit -q --allow-empty -m x',
	],
	[
		'a hook in a linked worktree of a nested repository',
		`git init -q n && cd n && ${files} && ${named}`,
		`git -C n worktree add -q ../wt && ${program('wt/hk/post-commit')}`,
		'git -C wt commit -q --allow-empty -m x',
	],
	[
		'a hook in a new repository, because of the configuration of the user',
		'git init -q && git commit -q --allow-empty -m 1 && git config --global core.hooksPath hk',
		`git init -q n && ${program('n/hk/post-commit')}`,
		'git -C n commit -q --allow-empty -m x',
	],
	[
		'a hook in a new submodule, because of the configuration of the user',
		`git init -q ../o && git -C ../o commit -q --allow-empty -m 1 && git init -q
git config --global core.hooksPath hk`,
		`git submodule --quiet add "$PWD/../o" s && ${program('s/hk/post-commit')}`,
		'git -C s commit -q --allow-empty -m x',
	],
];

describe('what git runs in a working tree that a command made', () => {
	it.each(newTrees)('is left out: %s', async (_what, prepare, command, user) => {
		const project = gitProject(prepare);
		const {leftOut} = await project.inside(command);
		outside(project, user);
		expect(ran(project)).toBe(false);
		expect(leftOut.map(({why}) => why)).toContain('protected');
		const plain = gitProject(prepare);
		plain.outside(`unset OUTSIDE; ${command}`);
		outside(plain, user);
		expect(ran(plain), 'without a cell').toBe(true);
	});
});

it('takes over no worktree in a folder with files, which nobody compared with its configuration', async () => {
	const project = gitProject(`git init -q && ${files} && ${named}`);
	await project.inside(program('wt/hk/post-commit'));
	const {leftOut} = await project.inside(`git worktree add -q other && P=.git/worktrees && cp -r $P/other $P/wt
echo "$PWD/wt/.git" > $P/wt/gitdir && echo "gitdir: $PWD/$P/wt" > wt/.git`);
	outside(project, 'git -C wt commit -q --allow-empty -m x');
	expect(ran(project)).toBe(false);
	expect(leftOut).toEqual(expect.arrayContaining(['wt/.git', '.git/worktrees/wt'].map(path => ({path, why: 'git'}))));
	expect(existsSync(join(project.dir, '.git/worktrees/other/HEAD'))).toBe(true);
});

/** Stops a rebase that will write a hook. `$T` is the working tree in the project. */
const rebase = `git checkout -q --detach && ${program('hk/post-commit')} && git add . && git commit -qm evil
E=$(git rev-parse HEAD) && git checkout -q main
GIT_SEQUENCE_EDITOR="printf 'break\\npick '$E' evil\\n' >" git -c core.hooksPath=/dev/null rebase -q -i HEAD`;
const next = 'git rebase --continue; git commit -q --allow-empty -m next';
const away = `mkdir ../tree && cd ../tree && git init -q --separate-git-dir=../project/g && ${files} && ${named}
git config core.worktree "$PWD"`;

const folders: ReadonlyArray<readonly [what: string, prepare: string, command: string, user: string, path: string]> = [
	[
		'a separate git folder',
		`git init -q --separate-git-dir=g && echo /g > g/info/exclude && ${files} && ${named}`,
		rebase,
		next,
		'hk/post-commit',
	],
	[
		'a separate git folder of a nested working tree',
		`git init -q --separate-git-dir=g a/b && cd a/b && ${files} && ${named}`,
		`cd a/b && ${rebase}`,
		`cd a/b; ${next}`,
		'a/b/hk/post-commit',
	],
	[
		'a git folder to which a link leads',
		`git init -q --separate-git-dir=g t && cd t && rm .git && ln -s ../g .git && ${files} && ${named}`,
		`cd t && ${rebase}`,
		`cd t; ${next}`,
		't/hk/post-commit',
	],
	[
		'a working tree outside of the project',
		away,
		`mkdir t && cd t && export GIT_DIR="$PWD/../g" GIT_WORK_TREE=. && git reset -q --hard && ${rebase}`,
		`cd ../tree && git reset -q --hard && ${next}`,
		'../tree/hk/post-commit',
	],
	[
		'a working tree outside of the project, named by a configuration of its own',
		`${away}
git config --unset core.worktree && git config core.repositoryformatversion 1
git config extensions.worktreeConfig true && git config --worktree core.worktree "$PWD"`,
		`mkdir t && cd t && export GIT_DIR="$PWD/../g" GIT_WORK_TREE=. && git reset -q --hard && ${rebase}`,
		`cd ../tree && git reset -q --hard && ${next}`,
		'../tree/hk/post-commit',
	],
	[
		'a bare repository whose working tree is only known to the user',
		`git init -q --bare g && echo /g > g/info/exclude && export GIT_DIR=g GIT_WORK_TREE=. && ${files} && ${named}`,
		`export GIT_DIR="$PWD/g" GIT_WORK_TREE="$PWD" && ${rebase}`,
		`export GIT_DIR="$PWD/g" GIT_WORK_TREE="$PWD"; ${next}`,
		'hk/post-commit',
	],
];

describe('an unfinished rebase that writes a hook', () => {
	it.each(folders)('is left out: %s', async (_what, prepare, command, user, path) => {
		const project = gitProject(prepare);
		const {notes, output} = await project.inside(command);
		outside(project, user);
		expect(ran(project)).toBe(false);
		expect([...notes, output].join('\n')).toContain(`"${path}"`);
		const plain = gitProject(prepare);
		plain.outside(`unset OUTSIDE; { ${command}; } >/dev/null 2>&1; true`);
		outside(plain, user);
		expect(ran(plain), 'without a cell').toBe(true);
	});
});
