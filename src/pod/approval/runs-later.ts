/**
Whether other programs run, by themselves, what stands in a file: hooks of git, tasks of an editor, start files of shells; or whether it says
what inkpod may do in the project. A short list of what is usual, not a boundary: what a build or a test runs is the project's business, and
changed all day. `path` is relative, with `/`.
*/
export function runsLater(path: string): boolean {
	// As file systems see names that fold case and forms.
	const names = path.normalize('NFKC').replaceAll(/\p{Cf}/gu, '').toLowerCase().split('/');
	return names.some(name => folders.has(name)) || files.has(names.at(-1)!);
}

/** `.git` is a file as well, in a worktree and a submodule. */
const folders: ReadonlySet<string> = new Set([
	'.git', '.githooks', '.hg', '.husky', '.vscode', '.idea', '.devcontainer', '.ssh',
]);

const files: ReadonlySet<string> = new Set([
	'inkpod.toml', '.mcp.json',
	'.envrc', '.gitconfig', '.npmrc', '.devcontainer.json', '.exrc', '.vimrc', '.nvimrc', '.hgrc',
	'.profile', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases',
	'.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', 'config.fish',
	'.cshrc', '.tcshrc', '.login', '.logout', '.xprofile', '.xinitrc', '.xsession',
]);
