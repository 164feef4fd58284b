import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

const begin = `git init -q && mkdir tools 'my tools' hk && printf '#!/bin/sh\\nexit 0\\n' > tools/x && chmod +x tools/x
cp tools/x 'my tools/x' && cp tools/x runner && git add . && git commit -qm first
git init -q s && git -C s commit -q --allow-empty -m s && git submodule --quiet add ./s s && git submodule absorbgitdirs
`;

/** Replaces programs by one that reports when git outside runs it. */
const evil = `for f in tools/x 'my tools/x' runner later common/hooks/pre-commit; do
	[ "$f" = common/hooks/pre-commit ] && [ ! -e common ] && continue
	printf '#!/bin/sh\\n[ -n "$OUTSIDE" ] && echo ran >> "$RAN"
exit 0\\n' > "$f"; done`;

/** Each configuration of the user names a program in the project. */
const named: ReadonlyArray<readonly [name: string, prepare: string, outside: string]> = [
	['after a substitution', `git config alias.x '!"$(git rev-parse --show-toplevel)/tools/x"'`, 'x'],
	['after a variable', `git config alias.x '!\${GIT_PREFIX:-.}/tools/x'`, 'x'],
	['in a folder that the command enters', `git config alias.x '!cd tools && ./x'`, 'x'],
	['as an argument without a slash', `git config alias.x '!sh runner'`, 'x'],
	['although it does not exist yet', `git config alias.x '!sh ./later'`, 'x'],
	['in quotes, with a blank', `git config core.editor "'my tools/x'"`, 'commit -q --allow-empty'],
	['with a blank after a backslash', `git config core.editor 'my\\ tools/x'`, 'commit -q --allow-empty'],
	['with a blank and without a shell', `git config gpg.program "$PWD/my tools/x"`, 'commit -qS --allow-empty -m x'],
	['in pieces', `git config core.editor 'to"ols"/x'`, 'commit -q --allow-empty'],
	[
		'by a link among its hooks',
		'git config core.hooksPath hk && ln -s ../tools/x hk/pre-commit',
		'commit -q --allow-empty -m x',
	],
	[
		'by a link in a folder of hooks that itself is a link',
		'rm -r .git/hooks && ln -s ../hk .git/hooks && ln -s two hk/pre-commit && ln -s ../tools/x hk/two',
		'commit -q --allow-empty -m x',
	],
	[
		'in a common folder without a HEAD',
		`git worktree add -q ../v && mv .git/worktrees/v own && echo ../common > own/commondir && mv .git common
rm common/HEAD && echo gitdir: own > .git && echo ref: refs/heads/main > own/HEAD
mkdir -p common/hooks && cp tools/x common/hooks/pre-commit`,
		'commit -q --allow-empty -m x',
	],
	[
		'by a link among the hooks of a submodule',
		'mkdir -p .git/modules/s/hooks && ln -s "$PWD/tools/x" .git/modules/s/hooks/post-checkout',
		'-C s checkout -q HEAD',
	],
];

it('leaves the objects as they were that a repository borrows from a plain folder', async () => {
	const borrow = `mkdir -p objs/info && cp -r .git/objects/* objs && rm -r .git/objects/??
rm -rf .git/objects/pack/*
echo "$PWD/objs" > .git/objects/info/alternates`;
	const project = gitProject(`git init -q && echo one > a && git add a && git commit -qm first && ${borrow}`);
	await project.inside(`python3 - <<'END'
import subprocess, zlib, os
name = subprocess.check_output(['git', 'rev-parse', 'HEAD:a']).decode().strip()
path = 'objs/%s/%s' % (name[:2], name[2:])
os.remove(path)
open(path, 'wb').write(zlib.compress(b'blob 4\\0two\\n'))
END`);
	expect(project.outside('git show HEAD:a')).toBe('one\n');
});

const ran = (project: GitProject) => existsSync(join(project.dir, '../ran'));

it.each(named)('leaves a program as it was that git finds %s', async (_name, prepare, command) => {
	const outside = `git ${command} </dev/null >/dev/null 2>&1; true`;
	const project = gitProject(`${begin}${prepare}`);
	const {leftOut} = await project.inside(evil);
	project.outside(outside);
	expect(ran(project)).toBe(false);
	expect(leftOut.map(({why}) => why)).toContain('protected');
	const plain = gitProject(`${begin}${prepare}`);
	plain.outside(`${evil}\n${outside}`);
	expect(ran(plain), 'without a cell').toBe(true);
});
