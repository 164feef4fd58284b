/** A way in which a command could make git run a program. */
export type WayToGit = {
	readonly name: string;
	/** It runs in the project. `evil` writes settings to a file, `program` a program, and `repo` creates a repository. */
	readonly command: string;
	/** The working tree or bare repository in which git runs outside. */
	readonly tree?: string;
};

const way = (name: string, command: string, tree = '.'): WayToGit => ({name, command, tree});

/** Returns the script of one way. Its programs write a file `canary`, and its own files are in the folder `$D`. */
export function scriptOf(command: string, canary: string, folder: string): string {
	return `(
CANARY='${canary}'; D="$PWD/${folder}"; mkdir -p "$D"
program() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\\ntouch "%s"\\nexit 0\\n' "$CANARY" > "$1"; chmod +x "$1"; }
evil() { printf '[core]\\n\\tfsmonitor = %s\\n\\thooksPath = %s\\n' "$D/e" "$D/h" >> "$1"; }
repo() { rm -rf "$1/.git"; git init -q "$1"; evil "$1/.git/config"; }
program "$D/e"
for hook in pre-commit post-index-change reference-transaction; do program "$D/h/$hook"; done
${command}
)
`;
}

const hooks = [
	...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout'],
	...['reference-transaction', 'post-index-change'],
];
const deep9 = 'd/d/d/d/d/d/d/d/d';
const deep20 = Array.from({length: 20}, () => 'e').join('/');

/** The repositories of the project that have nothing special but their place. */
export const nested = ['vendor/lib', 'build/x', 'node_modules/m', 'target/t', 'dist/p', deep9, deep20, 'many/f301/r'];

export const waysToGit: readonly WayToGit[] = [
	way('config', 'evil .git/config'),
	way('git config', 'git config core.fsmonitor "$D/e"'),
	way('config by rename', 'cp .git/config $D/c; evil $D/c; mv -f $D/c .git/config'),
	way(
		'config by its lock',
		'cp .git/config .git/config.lock; evil .git/config.lock; mv -f .git/config.lock .git/config',
	),
	way('config by a link', 'cp .git/config $D/c; evil $D/c; ln -sf $D/c .git/config'),
	way('config by a hard link', 'ln .git/config $D/c && evil $D/c'),
	way('config, truncated', 'truncate -s 0 .git/config; git init -q; evil .git/config'),
	way('config after chmod', 'chmod 777 .git .git/config; evil .git/config'),
	way('config after umount', 'umount -l .git; umount .git; evil .git/config'),
	way('config after a mount', 'mount -o remount,rw,bind .git; evil .git/config'),
	way('config through /proc', 'evil /proc/self/cwd/.git/config; evil /proc/self/root$PWD/.git/config'),
	way('config through a descriptor', 'exec 8>>.git/config; printf "[core]\\n\\tfsmonitor = %s\\n" "$D/e" >&8'),
	way('config.worktree', 'evil .git/config.worktree'),
	way('commondir', 'cp -r .git $D/x; evil $D/x/config; echo $D/x > .git/commondir'),
	...hooks.map(hook => way(`hook ${hook}`, `program .git/hooks/${hook}`)),
	way('hooks replaced', 'mv .git/hooks .git/old; program .git/hooks/reference-transaction'),
	way('hooks as a link', 'rm -rf .git/hooks; ln -s $D/h .git/hooks'),
	way('.git replaced', 'mv .git g; cp -r g .git; evil .git/config'),
	way('.git created again', 'rm -rf .git; repo .'),
	way('.git as a link', 'cp -r .git $D/g; evil $D/g/config; ln -sfn $D/g .git; mv .git g2; ln -s $D/g .git'),
	way('.git as a file', 'cp -r .git $D/g; evil $D/g/config; mv .git o; echo "gitdir: $D/g" > .git'),
	way('worktree config', 'git config --worktree core.fsmonitor "$D/e"'),
	way('folder of hooks', 'program hp/tools/hooks/reference-transaction', 'hp'),
	way('folder of hooks, renamed', 'mv hp/tools hp/t; program hp/tools/hooks/reference-transaction', 'hp'),
	way('folder of hooks, missing', 'program hm/tools/hooks/reference-transaction', 'hm'),
	way('folder of hooks through a link', 'rm hl/tools; program hl/tools/hooks/reference-transaction', 'hl'),
	way('included file', 'evil inc/shared/a.cfg', 'inc'),
	way('included file by rename', 'evil $D/c; mv -f $D/c inc/shared/a.cfg', 'inc'),
	way('included file, folder renamed', 'mv inc/shared inc/s; mkdir inc/shared; evil inc/shared/a.cfg', 'inc'),
	way('included file, missing', 'mkdir -p inc/more; evil inc/more/b.cfg', 'inc'),
	way('included file of a condition', 'mkdir -p inc/more; evil inc/more/c.cfg', 'inc'),
	way('program of a setting', 'program prog/tools/fs', 'prog'),
	way('program of a setting by rename', 'program $D/p; mv -f $D/p prog/tools/fs', 'prog'),
	way('program of a setting, missing', 'program progm/tools/fs', 'progm'),
	way('file of a worktree', 'cp -r .git $D/x; evil $D/x/config; echo "gitdir: $D/x" > wt/.git', 'wt'),
	way('file of a worktree, removed', 'rm -f wt/.git; repo wt', 'wt'),
	way('folder of a worktree, renamed', 'mv wt w2; mkdir wt; repo wt', 'wt'),
	way(
		'commondir of a worktree',
		'cp -r .git $D/x; evil $D/x/config; echo "$D/x" > .git/worktrees/wt/commondir',
		'wt',
	),
	way('config.worktree of a worktree', 'evil .git/worktrees/wt/config.worktree', 'wt'),
	way('config of a submodule', 'evil .git/modules/sub/config', 'sub'),
	way('config of a submodule, from above', 'evil .git/modules/sub/config'),
	way('hooks of a submodule', 'program .git/modules/sub/hooks/reference-transaction', 'sub'),
	way('file of a submodule', 'rm -f sub/.git; repo sub'),
	way('submodule, renamed', 'mv sub s2; mkdir sub; repo sub'),
	way('submodule, not initialized', 'repo un'),
	way('submodule, not initialized, replaced', 'rmdir un; mv un u2; mkdir un; repo un'),
	...nested.map(tree => way(`config of ${tree}`, `evil ${tree}/.git/config`, tree)),
	...nested.map(tree =>
		way(`parent of ${tree} renamed`, `mv ${tree.split('/')[0]} xx; mkdir -p ${tree}; repo ${tree}`, tree),
	),
	way(
		'config of a bare repository',
		'printf "[core]\\n\\tbare = false\\n\\tworktree = %s\\n" "$PWD" >> a/bare.git/config; evil a/bare.git/config',
		'a/bare.git',
	),
	way('hook of a bare repository', 'program a/bare.git/hooks/reference-transaction', 'a/bare.git'),
	way(
		'bare repository, replaced',
		'mv a/bare.git a/b; cp -r a/b a/bare.git; program a/bare.git/hooks/reference-transaction',
		'a/bare.git',
	),
	way('repository behind a link', 'rm ln/.git; cp -r .git ln/.git; evil ln/.git/config', 'ln'),
	way('repository that a link names', 'evil real.git/config', 'ln'),
	way('second name of config', 'evil hard/cfg', 'hard'),
	way('second name of a hook', 'printf "#!/bin/sh\\ntouch \\"%s\\"\\n" "$CANARY" > hard/check.sh', 'hard'),
	way('target of a hook', 'program lh/tools/check.sh', 'lh'),
	way('target of a hook, folder renamed', 'mv lh/tools lh/t; program lh/tools/check.sh', 'lh'),
];
