import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

const evil = `#!/bin/sh\\n[ -n "$OUTSIDE" ] && echo ran >> "$RAN"\\ncat 2>/dev/null\\nexit 0\\n`;
const plainGit = 'git -c core.hooksPath=/dev/null -c core.fsmonitor=';
const hook = (path: string) => `printf '${evil}' > ${path} && chmod +x ${path} && git add -f ${path}`;

const begin = `git init -q && mkdir -p tools && seq 3 > tools/build.sh && seq 5 > tools/x.sh && echo a > a
git add . && git commit -qm 1 && git config core.hooksPath tools/hooks && echo b > b && git add b && git commit -qm 2`;
const beginWithHook = begin.replace(
	'mkdir -p tools',
	`mkdir -p tools/hooks && printf '#!/bin/sh\\nexit 0\\n' > tools/hooks/pre-commit && chmod +x tools/hooks/*`,
);
const pickLater = `GIT_SEQUENCE_EDITOR="printf 'break\\npick '$E' evil\\n' >" git rebase -q -i HEAD`;
const clash =
	'git checkout -q -b c && echo c > a && git commit -qam c && git checkout -q main && echo d > a && git commit -qam d';
const next = 'git add .; git commit -q --allow-empty -m next';

/** The parent of the pick has the tools in \`d\`, so git takes \`d\` for a folder that was renamed. */
const moved = `git checkout -q --detach && mkdir d && git mv tools/build.sh tools/x.sh d/ && ${plainGit} commit -qm base
mkdir -p d/hooks && echo n > d/new && ${hook('d/hooks/post-commit')} && git add . && ${plainGit} commit -qm evil
E=$(git rev-parse HEAD); ${plainGit} checkout -qf main`;
/** The pick renames \`d\`, in which the branch has a program. */
const movedByPick = `mkdir -p d && echo 1 > d/1 && echo 2 > d/2 && git add . && ${plainGit} commit -qm d1
git checkout -q --detach && git mv d/1 d/2 tools/ && ${plainGit} commit -qm ren; E=$(git rev-parse HEAD)
${plainGit} checkout -qf main && mkdir -p d/hooks && echo n > d/new && ${hook('d/hooks/post-commit')} && git add .
${plainGit} commit -qm d2`;
/** Makes a commit \`$E\` with one more program. The working tree stays as it is. */
const treeWith = (path: string) => `printf '${evil}' > ../program && B=$(git hash-object -w ../program)
export GIT_INDEX_FILE=$PWD/../index; git read-tree HEAD; git update-index --add --cacheinfo 100755,$B,${path}
E=$(git commit-tree -p HEAD -m evil $(git write-tree)); unset GIT_INDEX_FILE`;

type Case = readonly [what: string, prepare: string, command: string, user: string];

const cases: readonly Case[] = [
	['a rebase into a new folder', begin, `${moved}\n${pickLater}`, `git rebase --continue; ${next}`],
	['a rebase', beginWithHook, `${moved}\n${pickLater}`, `git rebase --continue; ${next}; ${next}`],
	[
		'a cherry-pick',
		beginWithHook,
		`${moved}\n${clash}; git cherry-pick c $E`,
		`git checkout --ours a; git add a; git cherry-pick --skip; ${next}`,
	],
	['a rebase with a rename', beginWithHook, `${movedByPick}\n${pickLater}`, `git rebase --continue; ${next}`],
	[
		'a stash of a merge',
		beginWithHook,
		`${moved}\n${clash}; git merge c; git commit-tree -p $E~1 -p $E -m wip $E^{tree} > .git/MERGE_AUTOSTASH`,
		`git checkout --ours a; git add a; git commit -qm merged; ${next}`,
	],
	[
		'a stash of a rebase',
		beginWithHook,
		`${moved}\nS=$(git commit-tree -p $E~1 -p $E -m wip $E^{tree})
GIT_SEQUENCE_EDITOR="printf 'break\\n' >" git rebase -q -i HEAD; echo $S > .git/rebase-merge/autostash`,
		`git rebase --continue; ${next}`,
	],
	[
		'another commit of a submodule',
		`git init -q ../m && git -C ../m commit -q --allow-empty -m m && git -C ../m config core.hooksPath hk && git init -q
git -c protocol.file.allow=always submodule --quiet add ../m sub && git commit -qm 1
git config submodule.recurse true
git -C sub config core.hooksPath hk && echo a > a && git add a && git commit -qm 2`,
		`mkdir sub/hk; cd sub; ${hook('hk/post-commit')}
git commit -qm evil; S=$(git rev-parse HEAD); cd ..
git -C sub checkout -q HEAD~1; T=$(git ls-tree HEAD | sed "s/commit [0-9a-f]*/commit $S/" | git mktree)
E=$(git commit-tree -p HEAD -m evil $T)
${pickLater}`,
		'git rebase --continue; git submodule update; cd sub; git commit -q --allow-empty -m next',
	],
	[
		'a bare repository in the working tree',
		`${begin}; git config --unset core.hooksPath; git init -q --bare server.git; git push -q server.git main`,
		`git checkout -q --detach; mkdir -p server.git/hooks; ${hook('server.git/hooks/post-update')}
git commit -qm evil; E=$(git rev-parse HEAD); git checkout -qf main; ${pickLater}`,
		'git rebase --continue; git commit -q --allow-empty -m n; git push server.git main',
	],
	[
		'the folder of git in the working tree',
		`git init -q --separate-git-dir=meta; echo a > a; git add a; git commit -qm 1; echo b > a; git commit -qam 2`,
		`${treeWith('meta/hooks/post-commit')}\n${pickLater}`,
		'git rebase --continue; git commit -q --allow-empty -m next',
	],
	[
		'references of a rebase of the user',
		`${beginWithHook}; git checkout -q -b t HEAD~1; echo t > t; git add t; git commit -qm t; git checkout -q main
git merge -q --no-ff -m m t; echo z > z; git add z; git commit -qm z
GIT_SEQUENCE_EDITOR="sed -i '0,/^pick/s//break\\npick/'" git rebase -q -i -r HEAD~2`,
		`${treeWith('tools/hooks/post-commit')}
for r in $(git for-each-ref --format='%(refname)' refs/rewritten); do git update-ref $r $E; done`,
		'git rebase --continue; git commit -q --allow-empty -m next',
	],
	[
		'a rebase of a new repository',
		'git config --global core.hooksPath tools/hooks',
		`mkdir n && cd n && ${begin.replace('git config core.hooksPath tools/hooks && ', '')}; git checkout -q --detach
mkdir -p tools/hooks && ${hook('tools/hooks/post-commit')} && ${plainGit} commit -qm evil
E=$(git rev-parse HEAD); ${plainGit} checkout -qf main\n${pickLater}`,
		'cd n; git rebase --continue; git commit -q --allow-empty -m next',
	],
];

const ran = (project: GitProject) => existsSync(join(project.dir, '../ran'));
const outside = (project: GitProject, command: string) =>
	project.outside(`export GIT_EDITOR=true; { ${command}; } </dev/null >/dev/null 2>&1; true`);

describe('picks that git would move', () => {
	it.each(cases)('make no file that git runs: %s', async (_what, prepare, command, user) => {
		const project = gitProject(prepare);
		await project.inside(command);
		outside(project, user);
		expect(ran(project)).toBe(false);
		const plain = gitProject(prepare);
		outside(plain, `unset OUTSIDE; ${command}`);
		outside(plain, user);
		expect(ran(plain), 'without a cell').toBe(true);
	});

	it('do not include those of others', async () => {
		const project = gitProject(
			`${beginWithHook}; git checkout -q -b topic; mkdir src; mv tools/x.sh src; seq 9 > src/y; git add .
git commit -qm move; echo c > a; git commit -qam c; git checkout -q main; echo d > a; git commit -qam d
git checkout -q topic`,
		);
		const {notes} = await project.inside('git rebase main');
		expect(notes).toEqual([]);
		expect(existsSync(join(project.dir, '.git/rebase-merge'))).toBe(true);
	});
});
