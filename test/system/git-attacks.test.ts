import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

/**
A repository with a nested one (`n`), a bare one (`b.git`), a submodule (`s`) and a worktree (`w`), and a hook
that is not used.
*/
const begin = `git init -q && git config core.logAllRefUpdates true && echo one > a.txt && mkdir data &&
	echo x > data/x &&
git init -q ../o && git -C ../o commit -q --allow-empty -m o && git submodule --quiet add ../o s &&
	git add . && git commit -qm first
git worktree add -q w -b w && git init -q n && echo 1 > n/f && git -C n add f && git -C n commit -qm n
git clone -q --bare . b.git && git remote add up ./b.git && git branch -q other
printf '#!/bin/sh\\n$PWD/evil\\n' > .git/hooks/post-checkout && chmod -x .git/hooks/post-checkout
git config extensions.worktreeConfig true && git -C n config extensions.worktreeConfig true
mkdir -p seed/objects seed/refs/heads && printf '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = '\\
'%s/evil\\n' "$PWD" > seed/config`;

/** Writes a program that reports when git outside runs it. */
const evil = `printf '#!/bin/sh\\n[ -n "$OUTSIDE" ] &&
	echo ran >> "$RAN"\\ncat 2>/dev/null\\nexit 0\\n' > evil && chmod +x evil
E=$PWD/evil; CONF=$(printf '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = %s\\n\\thooksPath = '\\
'%s/hk\\n[diff]\\n\\texternal = %s\\n[alias]\\n\\tstatus = !%s\\n' $E $PWD $E $E)
hook() { mkdir -p "$(dirname "$1")" && rm -f "$1" && cp evil "$1"; }
repo() { mkdir -p "$1/objects" "$1/refs/heads" && echo "ref: refs/heads/main" > "$1/HEAD" &&
	echo "$CONF" > "$1/config"; }
`;

/** What a user, a prompt or an editor runs afterwards, in every folder. */
const obey = `git() { timeout 5 "$GIT" "$@" </dev/null >/dev/null 2>&1; }; GIT=$(command -v git)
	export GIT_EDITOR=true GIT_PAGER=cat
for d in n s w b.git data seed new p/q p/q/r z v x/y v x; do [ -d "$d" ] && (cd "$d"
	git status; git diff; git log -1; git add -A; git commit -qm x; git checkout -qf .); done
for c in "status" "diff" "fetch -q --all" "add -A" "commit -qm x" "checkout -qf ." "checkout -q other" \\
	"rebase --continue" "cherry-pick --continue" \\
	"bisect good" "push -q up HEAD:refs/heads/z" "submodule update -q" "merge -q --no-edit HEAD" \\
		"reset -q --hard" "checkout -q -" "push -q up HEAD:refs/heads/y"
do git $c; done; true`;

const hooks = [
	'pre-commit',
	'post-checkout',
	'post-commit',
	'reference-transaction',
	'post-index-change',
	'prepare-commit-msg',
	'commit-msg',
	'post-merge',
	'pre-push',
];

const indexScript = `python3 - <<'END'
import hashlib, struct, subprocess
oid = bytes.fromhex(subprocess.check_output(['git', 'hash-object', '-w', 'evil']).decode().strip())
def entry(name, mode=0o100755):
    e = struct.pack('>10I', 0, 0, 0, 0, 0, 0, mode, 0, 0, 0) + oid + struct.pack('>H', len(name)) + name
    return e + b'\\0' * (8 - len(e) % 8)
entries = [entry(b'NAME')]
body = struct.pack('>4sII', b'DIRC', 2, len(entries)) + b''.join(entries)
open('.git/index', 'wb').write(body + hashlib.sha1(body).digest())
END`;

const attacks: ReadonlyArray<readonly [name: string, command: string]> = [
	['config', 'echo "$CONF" > .git/config'],
	['config, appended', 'echo "$CONF" >> .git/config'],
	['config by git', 'git config core.fsmonitor $E'],
	['config as a link', 'echo "$CONF" > c && ln -sf ../c .git/config'],
	['config renamed into place', 'echo "$CONF" > c && mv c .git/config'],
	['config.worktree', 'echo "$CONF" > .git/config.worktree'],
	['an include', 'echo "$CONF" > c && git config include.path ../c'],
	['a filter', 'git config filter.x.clean $E && echo "* filter=x" > .gitattributes && echo 2 > a.txt'],
	[
		'info/attributes',
		'mkdir -p .git/info && echo "* filter=x diff=x" > .git/info/attributes && git config filter.x.clean $E',
	],
	['commondir', 'repo x/y && echo "$PWD/x/y" > .git/commondir'],
	['commondir, relative', 'repo x/y && cp -r .git/objects .git/refs x/y/ && echo "../x/y" > .git/commondir'],
	...hooks.map(name => [`hooks/${name}`, `hook .git/hooks/${name}`] as const),
	['a hook that becomes a program', 'chmod +x .git/hooks/post-checkout'],
	['a hook that is a link', 'ln -sf $E .git/hooks/post-commit'],
	['hooks as a link', 'hook hk/post-checkout && rm -rf .git/hooks && ln -s ../hk .git/hooks'],
	['hooks as a new folder', 'rm -rf .git/hooks && hook .git/hooks/post-checkout'],
	[
		'a sample that is renamed',
		'cp $E .git/hooks/post-commit.sample && mv .git/hooks/post-commit.sample .git/hooks/post-commit',
	],
	['.git as a link', 'mv .git real && echo "$CONF" >> real/config && ln -s real .git'],
	['.git as a file', 'mv .git real && echo "$CONF" >> real/config && echo "gitdir: real" > .git'],
	['.git replaced by a copy', 'cp -r .git g2 && rm -rf .git && echo "$CONF" >> g2/config && mv g2 .git'],
	[
		'.git made again',
		'rm -rf .git && git init -q && git config core.fsmonitor $E && git add a.txt && git commit -qm x',
	],
	['the configuration of a nested repository', 'git -C n config core.fsmonitor $E'],
	['config.worktree of a nested repository', 'echo "$CONF" > n/.git/config.worktree'],
	['a hook of a nested repository', 'hook n/.git/hooks/post-checkout; hook n/.git/hooks/post-index-change'],
	[
		'a hook of a bare repository',
		'hook b.git/hooks/post-receive; hook b.git/hooks/update; hook b.git/hooks/reference-transaction',
	],
	[
		'the configuration of a bare repository',
		'git -C b.git config core.fsmonitor $E && git -C b.git config alias.status "!$E"; git -C b.git config' +
			' core.hooksPath $PWD/hk; hook hk/update',
	],
	['a submodule’s configuration', 'git -C s config core.fsmonitor $E'],
	['a submodule’s hook', 'hook .git/modules/s/hooks/post-checkout; hook .git/modules/s/hooks/post-index-change'],
	[
		'the .git file of a submodule',
		'repo x/y && cp -r .git/modules/s/objects .git/modules/s/refs x/y && echo "gitdir: ../x/y" > s/.git',
	],
	[
		'commondir of a worktree',
		'repo x/y && cp -r .git/objects .git/refs x/y/ && echo "$PWD/x/y" > .git/worktrees/w/commondir',
	],
	['config.worktree of a worktree', 'echo "$CONF" > .git/worktrees/w/config.worktree'],
	['gitdir of a worktree', 'repo x/y && echo "$PWD/x/y/.git" > .git/worktrees/w/gitdir'],
	['the .git file of a worktree', 'repo x/y && echo "gitdir: $PWD/x/y" > w/.git'],
	[
		'a new worktree with another common folder',
		'git worktree add -q v other2 -b other2 && repo x/y && cp -r .git/objects .git/refs x/y/ && echo ' +
			'"$PWD/x/y" > .git/worktrees/v/commondir',
	],
	[
		'a new worktree with a configuration',
		'git worktree add -q v -b other2 && echo "$CONF" > .git/worktrees/v/config.worktree',
	],
	['a new repository', 'git init -q new && git -C new config core.fsmonitor $E'],
	['a new repository in a new folder', 'mkdir -p p/q && repo p/q/.git'],
	[
		'a new repository with hooks',
		'git init -q new && hook new/.git/hooks/post-index-change && cd new && ' +
			'echo 1 > f && git add f && git commit -qm x',
	],
	[
		'a new repository with config.worktree',
		'git init -q new && git -C new config extensions.worktreeConfig true && ' +
			'echo "$CONF" > new/.git/config.worktree',
	],
	[
		'a new repository with an include',
		'echo "$CONF" > c && git init -q new && git -C new config include.path ../../c',
	],
	[
		'a new repository with a remote that runs',
		'git init -q new && git -C new config remote.x.url "ext::$E" && git -C new config protocol.ext.allow ' +
			'always && git -C new config remote.y.url ../b.git && git -C new config remote.y.uploadpack $E',
	],
	['a new bare repository', 'repo new'],
	['a new bare repository, deeper', 'mkdir -p p/q && repo p/q/r'],
	[
		'a new bare repository with a working tree',
		'git init -q --bare new && git -C new config core.worktree .. && git -C new config core.bare false &&' +
			' git -C new config core.fsmonitor $E',
	],
	['a folder that becomes a repository', 'echo "ref: refs/heads/main" > seed/HEAD'],
	[
		'a folder that becomes a repository by commondir',
		'mkdir -p x/c/objects x/c/refs && echo "$CONF" > x/c/config && mkdir x/y && echo "ref: ' +
			'refs/heads/main" > x/y/HEAD && echo ../c > x/y/commondir',
	],
	['a .git file in a new folder', 'repo x/y && mkdir z && echo "gitdir: ../x/y" > z/.git'],
	[
		'a .git file that names a seed',
		'echo "ref: refs/heads/main" > seed/HEAD; mkdir z && echo "gitdir: ../seed" > z/.git',
	],
	['a .git link in a new folder', 'repo x/y && mkdir z && ln -s ../x/y z/.git'],
	['a .git link in an old folder', 'repo x/y && ln -s ../x/y data/.git'],
	['a repository in an old folder', 'repo data/.git'],
	['objects as a link', 'mv .git/objects ob && ln -s ../ob .git/objects && echo "$CONF" >> .git/config'],
	['refs as a link', 'mv .git/refs rf && ln -s ../rf .git/refs && hook .git/hooks/reference-transaction'],
	[
		'alternates',
		'repo x/y && echo "$PWD/x/y/objects" > .git/objects/info/alternates && git config core.alternateRefsCommand $E',
	],
	[
		'grafts and shallow',
		'git rev-parse HEAD > .git/shallow && echo x > .git/info/grafts && hook .git/hooks/post-checkout',
	],
	['an index with a hook', indexScript.replace('NAME', '.git/hooks/post-checkout')],
	['an index with a hook in capitals', indexScript.replace('NAME', '.GIT/hooks/post-checkout')],
	['an index with a path upwards', indexScript.replace('NAME', 'd/../.git/hooks/post-checkout')],
	['an index with a hook of a nested repository', indexScript.replace('NAME', 'n/.git/hooks/post-checkout')],
	[
		'a rebase that runs',
		'mkdir .git/rebase-merge && cd .git/rebase-merge && git rev-parse HEAD | tee onto > orig-head && echo' +
			' refs/heads/main > head-name && echo "exec $E" > git-rebase-todo && touch interactive done && ' +
			'echo 1 > msgnum && echo 1 > end && git rev-parse HEAD > ../HEAD',
	],
	['a rebase that was begun', 'GIT_SEQUENCE_EDITOR="printf \'break\\nexec $E\\n\' >" git rebase -i HEAD'],
	['a rebase with a short exec', 'GIT_SEQUENCE_EDITOR="printf \'break\\nx $E\\n\' >" git rebase -i HEAD'],
	[
		'a rebase with a merge strategy',
		'GIT_SEQUENCE_EDITOR="printf \'break\\n\' >" git rebase -i HEAD; echo "-s $E" > .git/rebase-merge/strategy',
	],
	[
		'a rebase with signatures',
		'GIT_SEQUENCE_EDITOR="printf \'break\\n\' >" git rebase -i HEAD; echo "-Sx" > ' +
			'.git/rebase-merge/gpg_sign_opt; git config gpg.program $E',
	],
	[
		'an author script',
		'GIT_SEQUENCE_EDITOR="printf \'break\\n\' >" git rebase -i HEAD; echo "$E" > .git/rebase-merge/author-script',
	],
	[
		'a sequencer that runs',
		'mkdir .git/sequencer && echo "exec $E" > .git/sequencer/todo && git rev-parse HEAD > ' +
			'.git/sequencer/head && git rev-parse HEAD > .git/CHERRY_PICK_HEAD',
	],
	[
		'a bisection',
		'echo "$(git rev-parse HEAD)" > .git/BISECT_START; echo "\'; $E; \'" > .git/BISECT_NAMES; echo "git ' +
			'bisect start; $E" > .git/BISECT_LOG; printf "bad\\ngood\\n" > .git/BISECT_TERMS',
	],
	['a HEAD that is a link', 'echo "ref: refs/heads/main" > h && ln -sf ../h .git/HEAD; git config core.fsmonitor $E'],
	['submodules in the configuration', 'git config submodule.s.update "!$E" && git config submodule.s.url ext::$E'],
	['a deleted HEAD and a new configuration', 'rm b.git/HEAD && echo "$CONF" > b.git/config'],
];

const ran = (project: GitProject) => existsSync(join(project.dir, '../ran'));

describe('git outside obeys nothing that a command in a cell wrote', () => {
	const obeyed = new Set<string>();
	it.each(attacks)('%s', async (name, command) => {
		const project = gitProject(begin);
		const before = project.outside('git config --list --show-origin; cat .git/config b.git/config n/.git/config');
		await project.inside(`${evil}{ ${command}\n} >/dev/null 2>&1`, () => {
			project.outside('git status; git -C n status; git -C w status; git -C b.git log -1');
			expect(ran(project)).toBe(false);
		});
		expect(project.outside('git config --list --show-origin; cat .git/config b.git/config n/.git/config')).toBe(
			before,
		);
		project.outside(obey);
		expect(ran(project)).toBe(false);
		const plain = gitProject(begin);
		plain.outside(`${evil}{ ${command}\n} >/dev/null 2>&1; rm -f "$RAN"; ${obey}`);
		if (ran(plain)) obeyed.add(name);
	});

	it('is a test that can fail: without a cell, git obeys most of them', () => {
		expect(attacks.length).toBeGreaterThan(70);
		expect(obeyed.size).toBeGreaterThan(40);
	});
});
