import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

const begin =
	'git init -q && echo one > a.txt && echo two > b.txt && mkdir d && echo three > d/c.txt && git add . && ' +
	'git commit -qm first && git tag t1 && git branch other && echo 2 >> b.txt && git commit -qam second && ' +
	'git checkout -q other && echo o > o.txt && git add . && git commit -qm other && git checkout -q main';
const conflict = 'git checkout -q other && echo x > b.txt && git commit -qam clash && git checkout -q main';

/** Everything that git says about repositories, and the files. */
const state = `for git in . $(find . -mindepth 2 -name .git -prune -print | sort | xargs -r -n1 dirname); do (
	cd "$git" && pwd | sed 's/.*project/project/' && git fsck --strict 2>&1 | grep -v dangling
		cat "$(git rev-parse --git-dir)/HEAD"
	git for-each-ref; git status --short --branch; git stash list; git ls-files -s; git log --all --format='%H %P %D'
	git reflog --all --format='%gD %H %gs'; git bisect log 2>/dev/null
		git worktree list | sed 's/.*project/project/'; git submodule status
	git diff --cached --stat
		ls "$(git rev-parse --git-dir)" | grep -v -E '^(branches|hooks|description|config|info|modules|packed-refs)$' )
done; find . -name '*.git' -prune -o -print | sort; for f in $(git ls-files -o -m -x '*.git' 2>/dev/null)
	do echo "$f"; cat "$f" 2>/dev/null; done
find . -name '*.git' -type d -prune -exec sh -c 'git -C "$0" for-each-ref
	git -C "$0" fsck 2>&1 | grep -v dangling; git -C "$0" config core.bare' {} \\;`;

const scripts: ReadonlyArray<readonly [name: string, command: string, prepare?: string]> = [
	['commit', 'echo more >> a.txt && git commit -qam third'],
	['commit in a folder', 'mkdir -p x/y && echo 1 > x/y/z && git add . && git commit -qm z'],
	['commit --amend', 'echo more >> a.txt && git commit -qa --amend --no-edit'],
	['add only', 'echo more >> a.txt && git add a.txt'],
	['a rename in the index', 'git mv a.txt e.txt && git rm -q d/c.txt'],
	['status', 'git status >/dev/null; GIT_OPTIONAL_LOCKS=1 git status'],
	['reset --hard', 'git reset -q --hard HEAD~1'],
	['checkout of a branch', 'git checkout -q other'],
	['checkout of a commit', 'git checkout -q t1'],
	['a new branch', 'git checkout -qb new/one && echo n > n.txt && git add . && git commit -qm n'],
	['branch -d', 'git merge -q --no-edit other && git branch -d other'],
	['branch -m', 'git branch -m other renamed && git branch -m main trunk'],
	['a branch that becomes a folder of branches', 'git branch -D other && git branch other/one'],
	['a folder of branches that becomes a branch', 'git branch -D f/g && git branch f', 'git branch f/g'],
	['tags', 'git tag v1 && git tag -a v2 -m two && git tag -d t1'],
	['merge', 'git merge -q --no-edit other'],
	['merge --squash', 'git merge -q --squash other'],
	['merge with conflict', 'git merge -q other', conflict],
	['merge with conflict, finished', 'git merge -q other; echo y > b.txt; git commit -qam merged', conflict],
	['merge --abort', 'git merge --abort', `${conflict} && ! git merge other`],
	['rebase', 'git checkout -q other && git rebase -q main'],
	['rebase with conflict', 'git checkout -q other; git rebase main', conflict],
	[
		'rebase --continue',
		'echo y > b.txt; git add . && GIT_EDITOR=true git rebase --continue',
		`${conflict} && git checkout -q other && ! git rebase main`,
	],
	['rebase --abort', 'git rebase --abort', `${conflict} && git checkout -q other && ! git rebase main`],
	['rebase -i with edit', 'git checkout -q other; GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/" git rebase -q -i HEAD~1'],
	['cherry-pick', 'git cherry-pick other'],
	['cherry-pick of two with conflict', 'git cherry-pick other~1 other', conflict],
	['revert', 'git revert --no-edit HEAD'],
	[
		'revert with conflict',
		'git revert --no-edit HEAD',
		'echo 3 > b.txt && git commit -qam three && ' +
			'echo 4 > b.txt && git commit -qam four && git reset -q --hard && true',
	],
	['stash', 'echo more >> a.txt && git stash -q'],
	['stash of a second', 'echo more >> b.txt && git stash -q', 'echo more >> a.txt && git stash -q'],
	['stash pop', 'git stash pop -q', 'echo more >> a.txt && git stash -q'],
	['gc', 'git gc -q'],
	['gc --prune=now', 'git gc -q --prune=now', 'git branch -D other && git reflog expire --expire=now --all'],
	[
		'gc again',
		'git gc -q && echo x >> a.txt && git commit -qam x',
		'git gc -q && echo m > m.txt && git add . && git commit -qm m',
	],
	['repack -ad', 'git repack -adq'],
	[
		'repack of a pack',
		'git repack -adq --write-midx --write-bitmap-index',
		'git repack -q && echo m > m.txt && git add . && git commit -qm m',
	],
	['pack-refs', 'git pack-refs --all'],
	['pack-refs and branches', 'git pack-refs --all && git branch new && git branch -D other', 'git pack-refs --all'],
	['commit-graph', 'git commit-graph write --reachable'],
	['bisect', 'git bisect start -q main t1 >/dev/null && git bisect bad >/dev/null'],
	['bisect reset', 'git bisect reset -q', 'git bisect start main t1 >/dev/null'],
	['init', 'mkdir n && cd n && git init -q && echo x > x && git add x && git commit -qm x'],
	[
		'init of sha256',
		'mkdir n && cd n && git init -q --object-format=sha256 && echo x > x && git add x && git commit -qm x',
	],
	['init in a folder that is empty', 'cd e && git init -q && echo x > x && git add x && git commit -qm x', 'mkdir e'],
	['init --bare', 'git init -q --bare n.git && git push -q ./n.git main'],
	['clone', 'git clone -q --no-hardlinks . v/copy && cd v/copy && echo c > c && git add c && git commit -qm c'],
	['clone --bare', 'git clone -q --no-hardlinks --bare . v/copy.git'],
	['clone of a repository with packs', 'git clone -q "file://$PWD" copy', 'git gc -q'],
	['a commit in a nested repository', 'cd n/m && echo x > x && git add x && git commit -qm x', 'git init -q n/m'],
	['worktree add', 'git worktree add -q w other'],
	['a commit in a worktree', 'cd w && echo x >> o.txt && git commit -qam w', 'git worktree add -q w other'],
	['worktree remove', 'git worktree remove w', 'git worktree add -q w other'],
	['worktree lock', 'git worktree lock w', 'git worktree add -q w other'],
	[
		'a commit in a submodule',
		'cd s && echo x > x && git add x && git commit -qm x && cd .. && git commit -qam s',
		submodule(),
	],
	['notes', 'git notes add -m note'],
	['update-index --split-index', 'git update-index --split-index && echo x > x && git add x'],
	['index version 4', 'git update-index --index-version 4 && echo x > x && git add x'],
	['sparse-checkout patterns', 'mkdir -p .git/info && echo "/*" > .git/info/sparse-checkout'],
	['fetch', 'git fetch -q up', 'git init -q up && git -C up commit -q --allow-empty -m u && git remote add up ./up'],
	['reflog expire', 'git reflog expire --expire=now --all'],
	[
		'names of branches and files that are not UTF-8',
		"n=$(printf '\\377') && echo x > $n && git add . && git commit -qm x && git branch b$n",
	],
];

function submodule(): string {
	return (
		'git init -q ../origin && git -C ../origin commit -q --allow-empty -m o && git submodule --quiet ' +
		'add ../origin s && git commit -qm sub'
	);
}

describe('git in a cell gives the same as without one', () => {
	it.each(scripts)('%s', async (_name, command, prepare = 'true') => {
		const project = gitProject(`${begin} && (${prepare}) >/dev/null 2>&1`);
		const plain = gitProject(`${begin} && (${prepare}) >/dev/null 2>&1`);
		const taken = await project.inside(`(${command}) >/dev/null 2>&1`);
		plain.outside(`(${command}) >/dev/null 2>&1; true`);
		const texts = [project, plain].map(({outside}) =>
			outside(`{ ${state}; } 2>&1`).replaceAll(/inkpod-g-\w+|(?<=sharedindex\.)\w+/g, 'x'),
		);
		expect(texts[0]).toBe(texts[1]);
		expect(taken.leftOut.filter(({path}) => !path.endsWith('config'))).toEqual([]);
		expect(taken.notes).toEqual([]);
	});
});

describe('git outside, meanwhile', () => {
	it('may write the index again without another entry', async () => {
		const project = gitProject(begin);
		const status = 'touch -d 2001-01-01 d/c.txt && git status --short && git ls-files --debug d/c.txt';
		let meanwhile = '';
		const taken = await project.inside('echo more >> a.txt && git commit -qam third', () => {
			meanwhile = project.outside(status);
		});
		expect(meanwhile).toMatch(/mtime: 9783/);
		expect(taken).toMatchObject({leftOut: [], notes: [], output: ''});
		expect(project.outside('git log -2 --format=%s; git status --short; git fsck --strict')).toBe(
			'third\nsecond\n',
		);
	});

	it('may stage a change, which is not lost', async () => {
		const project = gitProject(begin);
		const taken = await project.inside('echo more >> a.txt && git commit -qam third', () => {
			project.outside('echo staged >> d/c.txt && git add d/c.txt');
		});
		expect(taken.leftOut.map(({path}) => path)).toContain('.git/index');
		expect(project.outside('git log -1 --format=%s; git log -1 --format=%s refs/inkpod/heads/main')).toBe(
			'second\nthird\n',
		);
		expect(project.outside('git status --short')).toBe(' M a.txt\nM  d/c.txt\n');
	});
});

it('keeps the repository of a worktree that was removed inside and changed outside', async () => {
	const project = gitProject(`${begin} && git worktree add -q w other`);
	const {leftOut} = await project.inside('git worktree remove w', () => void project.outside('echo mine > w/new'));
	expect(leftOut.map(({path}) => path)).toEqual(['w', '.git/worktrees/w', '.git/worktrees']);
	expect(project.outside('git -C w status --short; cat w/new')).toBe('?? new\nmine\n');
});

describe('a pack with the name of another one', () => {
	const names = 'git rev-list --objects --all | cut -d" " -f1 | git pack-objects -q t/p && rm t/*.idx';
	const packs = `${begin} && echo old | git hash-object -w --stdin >/dev/null && git repack -adkq`;
	const old = '3367afdbbf91e638efe983616377c60477cc6612';
	const state = `git cat-file -p ${old}; git fsck --strict --no-dangling; git verify-pack .git/objects/pack/*.idx`;

	it('does not replace the other one', async () => {
		const project = gitProject(packs);
		await project.inside(`mkdir t && ${names} && mv -f t/p-*.pack "$(ls .git/objects/pack/*.pack)"; rm -r t`);
		expect(project.outside(state)).toBe('old\n');
		expect(project.outside('ls .git/objects/pack/*.pack | wc -l').trim()).toBe('2');
	});

	it('gets its own name', async () => {
		const project = gitProject(begin);
		const made = 'mkdir t && echo old | git hash-object -w --stdin | git pack-objects -q t/p && rm t/*.idx';
		const name = `pack-${'1'.repeat(40)}.pack`;
		await project.inside(
			`${made} && ls t && mv t/p-*.pack .git/objects/pack/${name} && rm -r t .git/objects/33/67*`,
		);
		expect(project.outside(state)).toBe('old\n');
		expect(project.outside('ls .git/objects/pack')).not.toContain('1'.repeat(40));
	});

	it('does not count as a copy of itself', async () => {
		const project = gitProject(packs);
		const name = `pack-${'1'.repeat(40)}.pack`;
		await project.inside(`cd .git/objects/pack && mv pack-*.pack ${name} && rm -f *.idx && git index-pack ${name}`);
		expect(project.outside(state)).toBe('old\n');
		expect(project.outside('ls .git/objects/pack/*.pack | wc -l').trim()).toBe('1');
	});
});

it.each(['../../../../evil', '\\033]0;x\\007', 'a b'])('takes over no rebase of a branch %j', async branch => {
	const project = gitProject(`${begin} && ${conflict}`);
	const rebase = 'git checkout -q other; git rebase main >/dev/null 2>&1; test -d .git/rebase-merge';
	const {leftOut} = await project.inside(`${rebase} && printf 'refs/heads/${branch}' > .git/rebase-merge/head-name`);
	expect(leftOut.map(({path}) => path)).toContain('.git/rebase-merge');
	expect(project.outside('ls .git')).not.toContain('rebase');
});
