import {describe, expect, it} from 'vitest';
import {runsLater} from '../../../../src/pod/permissions/approval/runs-later.ts';

describe('a file that other programs run', () => {
	it.each([
		'.git/hooks/post-checkout',
		'sub/.GIT/config',
		'.g\u200bit/hooks/x',
		'.husky/pre-commit',
		'.hg/hgrc',
		'.vscode/tasks.json',
		'.devcontainer.json',
		'a/.envrc',
		'inkpod.toml',
		'.mcp.json',
		'.bashrc',
		'.cshrc',
		'.xprofile',
		'.exrc',
		'fish/config.fish',
		'.config/git/config',
		'home/.config/git/attributes',
		'.config/fish/conf.d/x.fish',
		'dotfiles/fish/functions/ls.fish',
		'conf.d/a.fish',
		'.config/systemd/user/x.service',
		'.config/autostart/x.desktop',
		'Library/LaunchAgents/x.plist',
		'.agents/skills/x/run.sh',
		'.claude/settings.json',
		'.codex/config.toml',
		'.cursor/hooks.json',
		'.gemini/settings.json',
		'.opencode/plugin/x.ts',
		'opencode.json',
		'.inkpod/workflows/w.md',
		'bare/HEAD',
		'.jj/repo/config.toml',
		'.pre-commit-config.yaml',
		'lefthook.yml',
		'.lefthook/x',
		'.yarnrc.yml',
		'.pnpmfile.cjs',
		'.zed/tasks.json',
		'.bashrc.d/x',
	])('is recognised: %s', path => {
		expect(runsLater(path)).toBe(true);
	});

	it.each([
		'package.json',
		'Makefile',
		'src/git.ts',
		'.gitignore',
		'docs/hooks.md',
		'.github/x.md',
		'login.ts',
		'vimrc.md',
		'head.ts',
		'conf.d/a.conf',
		'src/fish/a.ts',
		'skills/a.md',
		'.config/a.json',
		'agents/x.md',
		'AGENTS.md',
	])('does not include %s', path => {
		expect(runsLater(path)).toBe(false);
	});
});
