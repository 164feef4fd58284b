/**
Whether other programs run, by themselves, what a file contains: hooks of git, hooks and skills of agents, tasks of an
editor, start files of shells; or whether it says what inkpod may do in the project. A list of what is usual, by names
alone; see `isRunByGit` for what the disk says. What a build or a test runs is not on it: it changes all day. `path` is
relative, with `/`.
*/
export function runsLater(path: string): boolean {
	// As file systems see names that fold case and forms.
	const names = path
		.normalize('NFKC')
		.replaceAll(/\p{Cf}/gu, '')
		.toLowerCase()
		.split('/');
	return names.some(name => folders.has(name)) || files.has(names.at(-1) ?? '') || places.test(names.join('/'));
}

/** `.git` is a file as well, in a worktree and a submodule. */
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
	// Hooks, skills, servers and settings of agents, inkpod's own among them
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

/** Below a folder of configurations, where a folder of dotfiles may be instead. */
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

/** `HEAD` makes a git directory of a folder with `objects` and `refs`. */
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
