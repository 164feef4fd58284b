import {execFileSync} from 'node:child_process';
import {symlink} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {isRunByGit} from '../../../src/pod/scope/git-programs.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

const head = 'ref: refs/heads/main\n';
/** Returns the files of a minimal git repository. */
const bare = (dir: string) => ({[`${dir}/HEAD`]: head, [`${dir}/objects/`]: '', [`${dir}/refs/`]: ''});
const config = (text: string) => ({...bare('.git'), '.git/config': text});
type Case = readonly [name: string, files: Readonly<Record<string, string>>, path: string];

async function judged(files: Readonly<Record<string, string>>, path: string): Promise<boolean> {
	const project = await tempProject(files);
	return isRunByGit(project.path(path), envOf(project));
}

function envOf(project: TempProject) {
	return {HOME: project.path('../home')};
}

describe('a file that git runs or takes commands from', () => {
	const known: readonly Case[] = [
		['in a bare repository', bare('store'), 'store/hooks/post-checkout'],
		['its config', bare('store'), 'store/config'],
		['deep in it', bare('store'), 'store/modules/a/hooks/x'],
		['in the working folder, which is one', {HEAD: head, 'objects/': '', 'refs/': ''}, 'hooks/pre-commit'],
		['in a git directory of a worktree', {'w/HEAD': head, 'w/commondir': '../store\n'}, 'w/config.worktree'],
		['behind a .git file', {'.git': 'gitdir: data\n', 'data/': ''}, 'data/hooks/x'],
		[
			'in the common directory',
			{'.git': 'gitdir: w\n', 'w/commondir': '../store\n', 'store/': ''},
			'store/hooks/x',
		],
		['in core.hooksPath', config('[core]\n\thooksPath = tools/hooks\n'), 'tools/hooks/pre-commit'],
		['below it', config('[core]\n\thooksPath = tools/hooks\n'), 'tools/hooks/lib/common.sh'],
		['in core.hooksPath on one line', config('[CORE] HooksPath=tools/hooks ; ours\n'), 'tools/hooks/x'],
		['in core.hooksPath after several headers on one line', config('[a "]"] [CORE]hooksPath = h\n'), 'h/x'],
		['in a quoted one', config('[core]\nhooksPath = "my hooks" # ours\n'), 'my hooks/x'],
		['in one on two lines', config('[core]\nhooksPath = tools\\\n/hooks\n'), 'tools/hooks/x'],
		['in one that is the project itself', config('[core]\nhooksPath = .\n'), 'pre-commit'],
		[
			'in one of an included file',
			{...config('[include]\npath = ../more\n'), more: '[core]\nhooksPath = h\n'},
			'h/x',
		],
		['an included file', {...config('[include]\npath = ../more\n')}, 'more'],
		['an included file, maybe', {...config('[includeIf "gitdir:~/x/"]\npath = ../more\n')}, 'more'],
		['in one of config.worktree', {...bare('.git'), '.git/config.worktree': '[core]\nhooksPath = h\n'}, 'h/x'],
		['in one of the user', {...bare('.git'), '../home/.gitconfig': '[core]\nhooksPath = h\n'}, 'h/x'],
		[
			'in one of the user, elsewhere',
			{'../home/.config/git/config': '[core]\nhooksPath = ~/../project/h\n'},
			'h/x',
		],
		[
			'in one of a repository with its data elsewhere',
			{'.git': 'gitdir: ../d\n', '../d/config': '[core]\nhooksPath = h\n'},
			'h/x',
		],
		['a monitor', config('[core]\nfsmonitor = ./watch.sh\n'), 'watch.sh'],
		['a filter', config('[filter "x"]\nclean = node tools/clean.js %f\n'), 'tools/clean.js'],
		['an alias', config('[alias]\nz = "!sh ./z.sh"\n'), 'z.sh'],
		['an editor with a blank', config("[core]\neditor = 'my tools/x' -w\n"), 'my tools/x'],
		['an alias in the working tree', config('[alias]\nz = !$(git rev-parse --show-toplevel)/z.sh\n'), 'z.sh'],
		['beside a configuration too large to read', config('# x\n'.repeat(100_000)), 'a.ts'],
	];
	it.each(known)('is detected: %s', async (_, files, path) => {
		expect(await judged(files, path)).toBe(true);
	});

	it('is detected behind a link in a folder of hooks', async () => {
		const project = await tempProject({...config('[core]\nhooksPath = h\n'), 'h/lib/': '', 'tools/x': ''});
		await symlink('two', project.path('h/pre-commit'));
		await symlink('../tools/x', project.path('h/two'));
		await symlink(project.path('more'), project.path('h/lib/more'));
		for (const path of ['tools/x', 'more/a'])
			expect(await isRunByGit(project.path(path), envOf(project))).toBe(true);
		expect(await isRunByGit(project.path('tools/y'), envOf(project))).toBe(false);
	});

	const others: readonly Case[] = [
		['a header without an end', config(`[${'a'.repeat(200_000)}`), 'a.ts'],
		['no repository', {}, 'hooks/pre-commit'],
		['a repository', config('[core]\n\tbare = false\n[remote "origin"]\n\turl = https://x/y.git\n'), 'src/hooks/x'],
		['a folder with a HEAD alone', {'a/HEAD': 'x'}, 'a/hooks/x'],
		['no hooks', config('[core]\nhooksPath = /dev/null\n'), 'hooks/x'],
		['a comment', config('[core]\n# hooksPath = tools\n'), 'tools/x'],
		['a neighbour of core.hooksPath', config('[core]\nhooksPath = tools/hooks\n'), 'tools/hooks-x'],
		['below core.hooksPath that is the project', config('[core]\nhooksPath = .\n'), 'src/pre-commit'],
		[
			'includes in a circle',
			{...config('[include]\npath = ../m\n'), m: '[include]\npath = m\npath = .git/config\n'},
			'a',
		],
		['a .git file with nonsense', {'.git': 'x'.repeat(100_000)}, 'hooks/x'],
	];
	it.each(others)('is not detected: %s', async (_, files, path) => {
		expect(await judged(files, path)).toBe(false);
	});

	it('does not wait for a configuration that is a FIFO', async () => {
		const project = await tempProject(bare('.git'));
		execFileSync('mkfifo', [project.path('.git/config'), project.path('.git/commondir')]);
		expect(await isRunByGit(project.path('a.ts'), envOf(project))).toBe(false);
	});
});
