import {describe, expect, it} from 'vitest';
import {runsLater} from '../../../src/pod/approval/runs-later.ts';

describe('a file that other programs run', () => {
	it.each([
		'.git/hooks/post-checkout', 'sub/.GIT/config', '.g\u200bit/hooks/x', '.husky/pre-commit', '.hg/hgrc', '.vscode/tasks.json',
		'.devcontainer.json', 'a/.envrc', 'inkpod.toml', '.mcp.json', '.bashrc', '.cshrc', '.xprofile', '.exrc', 'fish/config.fish',
	])('is known: %s', path => {
		expect(runsLater(path)).toBe(true);
	});

	it.each(['package.json', 'Makefile', 'src/git.ts', '.gitignore', 'docs/hooks.md', '.github/x.md', 'login.ts', 'vimrc.md'])('is not %s', path => {
		expect(runsLater(path)).toBe(false);
	});
});
