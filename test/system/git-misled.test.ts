import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

const begin = `git init -q; echo a > a; git add .; git commit -qm 1; git checkout -q -b topic; echo t > t; git add t
git commit -qm t; git checkout -q main`;
/** A commit that the user does not mean. */
const other = 'E=$(git commit-tree -p HEAD -m other HEAD^{tree})';
const remote = 'git update-ref refs/remotes/origin/main topic';

describe('a reference of a command', () => {
	it.each([
		['a tag', begin, 'tags/topic', 'topic'],
		['a branch', `${begin}; ${remote}`, 'heads/origin/main', 'origin/main'],
		['a reference without a kind', begin, 'topic', 'topic'],
		['a tag, if references are packed', `${begin}; git pack-refs --all`, 'tags/topic', 'topic'],
		[
			'a branch that is called like a remote',
			`${begin}; ${remote}; git remote add origin ../o
git remote set-head origin main`,
			'heads/origin',
			'origin',
		],
	])('does not take the place of one of the user: %s', async (_what, prepare, ref, name) => {
		const command = `${other}; git update-ref refs/${ref} $E`;
		const project = gitProject(prepare);
		const {leftOut} = await project.inside(command);
		expect(leftOut).toContainEqual({path: `.git/refs/${ref}`, why: 'git'});
		expect(project.outside(`git merge -q ${name} 2>&1; ls`)).toBe('a\nt\n');
		const plain = gitProject(prepare);
		plain.outside(command);
		expect(plain.outside(`git merge -q ${name} 2>/dev/null; ls`), 'without a cell').toBe('a\n');
	});

	it.each(['heads/-D', 'tags/-d', 'heads/HEAD', 'tags/v1-2-g1a2b3c4'])(
		'does not have a name that git does not give: %s',
		async ref => {
			const project = gitProject(begin);
			const {leftOut} = await project.inside(`git update-ref refs/${ref} HEAD`);
			expect(leftOut.map(({path}) => path)).toContain(`.git/refs/${ref}`);
			expect(project.outside('git for-each-ref --format="%(refname:short)"')).toBe('main\ntopic\n');
		},
	);

	it.each(['-d', 'HEAD', '1a2b3c4', 'v1-2-g1a2b3c4', 'origin/main'])(
		'is not made by the next commit: %s',
		async name => {
			const project = gitProject(`${begin}; ${remote}`);
			await project.inside(`printf 'ref: refs/heads/${name}\n' > .git/HEAD`);
			project.outside('git commit -q --allow-empty -m next');
			expect(project.outside('git for-each-ref --format="%(refname)" refs/heads')).toBe(
				'refs/heads/main\nrefs/heads/topic\n',
			);
		},
	);

	it('may be checked out before its first commit', async () => {
		const project = gitProject(begin);
		await project.inside('git checkout -q --orphan new');
		expect(project.outside('git symbolic-ref HEAD')).toBe('refs/heads/new\n');
	});

	it('may be checked out if it exists, whatever its name', async () => {
		const project = gitProject(`${begin}; git branch deadbeef`);
		await project.inside('git checkout -q deadbeef --');
		expect(project.outside('git symbolic-ref HEAD')).toBe('refs/heads/deadbeef\n');
	});

	it.each(['1a2b3c4', 'topic-1-g1a2b3c4'])('is not made when a rebase is aborted: %s', async name => {
		const conflict = 'echo m > t; git add t; git commit -qm m; git checkout -q topic';
		const project = gitProject(`${begin}; ${conflict}`);
		const change = `printf 'refs/heads/${name}\n' > .git/rebase-merge/head-name`;
		await project.inside(`git rebase -q main >/dev/null 2>&1; ${change}`);
		project.outside('git rebase --abort 2>/dev/null; true');
		expect(project.outside('git for-each-ref --format="%(refname)" refs/heads')).toBe(
			'refs/heads/main\nrefs/heads/topic\n',
		);
	});

	it('is not checked out if it is left out', async () => {
		const project = gitProject(`${begin}; ${remote}`);
		await project.inside('git checkout -q -b origin/main; echo b > b; git add b; git commit -qm b');
		expect(project.outside('git symbolic-ref HEAD; git ls-files')).toBe('refs/heads/main\na\n');
	});

	it('may have the name of a reference that git would use first', async () => {
		const project = gitProject(`${begin}; git tag v1`);
		const {leftOut} = await project.inside(
			'git branch v1; git branch x; git tag y; git stash -q; git branch stash',
		);
		expect(leftOut).toEqual([]);
	});
});

describe('a list of commits without parents', () => {
	const history = `git init -q; for n in 1 2 3 4; do echo $n > a; git add .; git commit -qm $n; done
git rev-parse HEAD~3 > ../first; rm -rf .git/logs; git repack -adq; touch -d 2020-01-01 .git/objects/pack/*`;
	const see = 'git gc -q; git cat-file -t $(cat ../first) 2>/dev/null || echo none';

	it('does not make git delete the parents', async () => {
		const command = 'git rev-parse HEAD~1 > .git/shallow';
		const project = gitProject(history);
		const {leftOut} = await project.inside(command);
		expect(leftOut).toEqual([{path: '.git/shallow', why: 'git'}]);
		expect(project.outside(see)).toBe('commit\n');
		const plain = gitProject(history);
		plain.outside(command);
		expect(plain.outside(see), 'without a cell').toBe('none\n');
	});

	it.each([
		['a part of the parents', 'git fetch -q --depth 3', 3],
		['all parents', 'git fetch -q --unshallow', 4],
	])('is taken over after a fetch of %s', async (_what, command, count) => {
		const project = gitProject(`(mkdir ../o; cd ../o; ${history})
git clone -q --depth 2 "file://$PWD/../o" c; mv c/.git .; rm -r c; git reset -q --hard`);
		const {leftOut} = await project.inside(command);
		expect(leftOut).toEqual([]);
		expect(project.outside('git log --oneline | wc -l').trim()).toBe(String(count));
	});
});

it('a list of conflicts does not make git write other contents into a hook', async () => {
	const write = (text: string) => `printf '#!/bin/sh\\n${text}\\n' > hk/post-commit; git commit -qam ${text}`;
	const prepare = `git init -q; git config rerere.enabled true; mkdir hk; echo > hk/post-commit; chmod +x hk/*
git add .; git commit -qm 1; git checkout -q -b topic; ${write('exit')}; git checkout -q main; ${write('true')}
git config core.hooksPath hk; git merge topic >/dev/null 2>&1; git reset -q --hard`;
	const command = `printf '#!/bin/sh\\n[ -n "$OUTSIDE" ] && echo ran >> "$RAN"\\n' > note
printf '%s\\tnote\\0' $(ls .git/rr-cache) > .git/MERGE_RR`;
	const user = `{ echo x > x; git add x; git commit -qm x; git merge topic; git add .; git commit -qm merged
git commit -q --allow-empty -m next; } >/dev/null 2>&1; true`;
	const ran = ({dir}: {readonly dir: string}) => existsSync(join(dir, '../ran'));
	const project = gitProject(prepare);
	expect(await project.inside(command)).toMatchObject({leftOut: [], notes: []});
	project.outside(user);
	expect(ran(project)).toBe(false);
	const plain = gitProject(prepare);
	plain.outside(command);
	plain.outside(user);
	expect(ran(plain), 'without a cell').toBe(true);
});
