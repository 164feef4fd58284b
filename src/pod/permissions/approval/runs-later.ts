/**
Tells whether other programs run a file automatically, or whether the file determines what inkpod may do in the project.
Such files are hooks of git, hooks and skills of agents, tasks of an editor, and start files of shells. The list
contains only usual names, while `isRunByGit` also reads the disk. The list omits files that a build or a test runs,
because these files change often. `path` is relative, with `/` as the separator.
*/
export function runsLater(path: string): boolean {
	// Some file systems ignore case or Unicode forms in names.
	const plain = ascii.test(path) ? path : path.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
	if (!possible.test(plain)) return false;
	const names = plain.toLowerCase().split('/');
	return names.some(name => folders.has(name)) || files.has(names.at(-1) ?? '') || places.test(names.join('/'));
}

/**
Returns names for a link at this path. If the target of the link contains an entry with one of these names, the entry
also has a listed path. An empty name means the whole target.
*/
export function heldNames(path: string): readonly string[] {
	const plain = ascii.test(path) ? path : path.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
	return holders.find(([pattern]) => pattern.test(plain))?.[1] ?? [];
}

/** An ASCII name has only one Unicode form. */
const ascii = /^[ -~]*$/;

/** In a worktree and a submodule `.git` is a file. */
const folders: ReadonlySet<string> = new Set([
	'.git',
	'.githooks',
	'.hg',
	'.jj',
	'.husky',
	'.lefthook',
	'.vscode',
	'.idea',
	'.zed',
	'.devcontainer',
	'.ssh',
	'.bashrc.d',
	'.zshrc.d',
	// Hooks, skills, servers and settings of agents, including inkpod's own
	'.agents',
	'.inkpod',
	'.claude',
	'.codex',
	'.cursor',
	'.gemini',
	'.opencode',
	'.windsurf',
	'.kiro',
	'.qwen',
	'.roo',
	'.continue',
]);

/** Files in configuration folders. A repository of dotfiles may contain them in another folder. */
const places = new RegExp(
	[
		/(?:^|\/)\.config\/(?:git|systemd|autostart|environment\.d)\//,
		/(?:^|\/)fish\/(?:conf\.d|functions|completions)\//,
		/(?:^|\/)conf\.d\/[^/]+\.fish$/,
		/(?:^|\/)library\/launchagents\//,
	]
		.map(({source}) => source)
		.join('|'),
);

/**
The folders above these places, with the names in these folders that lead to the places. An empty name means the whole
folder.
*/
const holders: ReadonlyArray<readonly [pattern: RegExp, names: readonly string[]]> = [
	[/(?:^|\/)\.config$/i, ['git', 'systemd', 'autostart', 'environment.d', 'fish']],
	[/(?:^|\/)fish$/i, ['config.fish', 'conf.d', 'functions', 'completions']],
	[/(?:^|\/)library$/i, ['LaunchAgents']],
	[/(?:^|\/)\.config\/(?:git|systemd|autostart|environment\.d)$/i, ['']],
	[/(?:^|\/)(?:fish\/(?:conf\.d|functions|completions)|conf\.d)$/i, ['']],
	[/(?:^|\/)library\/launchagents$/i, ['']],
];

/** A file `HEAD` turns a folder with `objects` and `refs` into a git directory. */
const files: ReadonlySet<string> = new Set([
	'inkpod.toml',
	'.mcp.json',
	'opencode.json',
	'opencode.jsonc',
	'head',
	'.pre-commit-config.yaml',
	'lefthook.yml',
	'lefthook.yaml',
	'.lefthook.yml',
	'.overcommit.yml',
	'.envrc',
	'.gitconfig',
	'.npmrc',
	'.yarnrc',
	'.yarnrc.yml',
	'.pnpmfile.cjs',
	'.devcontainer.json',
	'.exrc',
	'.vimrc',
	'.nvimrc',
	'.hgrc',
	'.profile',
	'.bashrc',
	'.bash_profile',
	'.bash_login',
	'.bash_logout',
	'.bash_aliases',
	'.zshrc',
	'.zshenv',
	'.zprofile',
	'.zlogin',
	'.zlogout',
	'config.fish',
	'.cshrc',
	'.tcshrc',
	'.login',
	'.logout',
	'.xprofile',
	'.xinitrc',
	'.xsession',
]);

/** A quick test that every listed path passes. Most other paths fail it, and need no other tests. */
const possible = new RegExp(
	[
		String.raw`(?:^|\/)\.`,
		...[...folders, ...files]
			.filter(name => !name.startsWith('.'))
			.map(name => name.replaceAll('.', String.raw`\.`)),
		...['fish', 'launchagents'],
	].join('|'),
	'i',
);
