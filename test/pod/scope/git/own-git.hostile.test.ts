import {execFileSync} from 'node:child_process';
import {cpSync, readFileSync, renameSync} from 'node:fs';
import {appendFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {gitDiff} from '../../../../src/pod/scope/git/git-diff.ts';
import {withOwnGit} from '../../../../src/pod/scope/git/own-git.ts';
import {findRepository} from '../../../../src/pod/scope/git/repository.ts';
import {
	createWorktree,
	mergeWorktree,
	planWorktree,
	removeWorktree,
	worktreeDiff,
} from '../../../../src/pod/family/worktree/worktree.ts';
import {hooks, hostileRepository, programSettings, put, type HostileRepository} from '../../../helpers/hostile-git.ts';

type Variables = Readonly<Record<string, string>>;

afterEach(() => vi.unstubAllEnvs());

/** Uses git in all ways in which inkpod does, and checks that each of them works. */
async function everyUse({project}: HostileRepository, variables: Variables): Promise<void> {
	for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
	const env = {
		PATH: process.env['PATH'],
		HOME: project.path('../home'),
		XDG_CACHE_HOME: project.path('../cache'),
		...variables,
	};
	const planned = await planWorktree(project.scope, env, 'child');
	if (!planned.ok) throw new Error(planned.sentence);
	const {worktree} = planned;
	expect(await createWorktree(worktree, {env})).toEqual({ok: true});
	await writeFile(join(worktree.path, 'a.txt'), 'ONE\ntwo\n');
	await writeFile(join(worktree.path, 'new.txt'), 'new\n');
	const diff = await worktreeDiff(worktree, {env});
	if (!diff.ok) throw new Error(diff.sentence);
	expect(diff.text).toMatch(/-one\n\+ONE\n[^]*new file[^]*\+new/);
	expect(await mergeWorktree(worktree, diff.text, {env})).toEqual({ok: true});
	await removeWorktree(worktree, {env});
	const changes = await gitDiff(project.scope, env);
	expect(changes).toMatchObject({kind: 'diff', text: expect.stringContaining('-one\n+ONE')});
	expect(changes).toMatchObject({untracked: {files: [{path: 'new.txt'}]}});
	await references(project.dir, env);
}

async function references(dir: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
	const found = await findRepository(dir, undefined, env);
	if (found?.ok !== true) throw new Error(found?.sentence);
	await withOwnGit(found.repository, {env}, async git => {
		const head = await git(['rev-parse', '--verify', 'HEAD']);
		if (head.type !== 'done') throw new Error(JSON.stringify(head));
		const commit = head.output.toString().trim();
		const input = `update HEAD ${commit}\ncreate refs/heads/taken ${commit}\n`;
		expect(await git(['update-ref', '-m', 'take over', '--stdin'], {input})).toMatchObject({type: 'done'});
		expect(await git(['cat-file', 'blob', 'HEAD:a.txt'])).toMatchObject({output: Buffer.from('one\ntwo\n')});
	});
}

const gitFolder = ({project}: HostileRepository) => project.path('.git');
const include = async (repository: HostileRepository, header: string) => {
	put(repository.project.path('../included'), repository.config);
	await appendFile(join(gitFolder(repository), 'config'), `[${header}]\n\tpath = ../../included\n`);
	return {};
};
/** The values of git's variables. */
const numbered = (config: string) => {
	const listed = execFileSync('git', ['config', '--file', '-', '--list', '-z'], {input: config, encoding: 'utf8'});
	const entries = listed
		.split('\0')
		.slice(0, -1)
		.map(entry => entry.split('\n', 2));
	return {
		GIT_CONFIG_COUNT: String(entries.length),
		...Object.fromEntries(
			entries.flatMap(([key = '', value = ''], n) => [
				[`GIT_CONFIG_KEY_${n}`, key],
				[`GIT_CONFIG_VALUE_${n}`, value],
			]),
		),
	};
};

/** Each puts a configuration in a place. They return variables. */
const sources: Readonly<Record<string, (repository: HostileRepository) => Promise<Variables>>> = {
	async 'the repository'(repository) {
		await appendFile(join(gitFolder(repository), 'config'), repository.config);
		return {};
	},
	async 'the working tree'(repository) {
		await appendFile(join(gitFolder(repository), 'config'), '[extensions]\n\tworktreeConfig = true\n');
		put(join(gitFolder(repository), 'config.worktree'), repository.config);
		return {};
	},
	async 'the user'({project, config}) {
		put(project.path('../home/.gitconfig'), config);
		return {};
	},
	async 'the user in XDG_CONFIG_HOME'({project, config}) {
		put(project.path('../xdg/git/config'), config);
		return {XDG_CONFIG_HOME: project.path('../xdg')};
	},
	async 'the user in GIT_CONFIG_GLOBAL'({project, config}) {
		put(project.path('../global'), config);
		return {GIT_CONFIG_GLOBAL: project.path('../global')};
	},
	async 'the system'({project, config}) {
		put(project.path('../system'), config);
		return {GIT_CONFIG_SYSTEM: project.path('../system')};
	},
	GIT_CONFIG_COUNT: async ({config}) => numbered(config),
	async GIT_CONFIG_PARAMETERS({canary}) {
		const values = ['core.fsmonitor', 'diff.external', 'filter.mark.clean'].map(
			name => `'${name}=${canary(name)}'`,
		);
		return {GIT_CONFIG_PARAMETERS: values.join(' ')};
	},
	'an include': async repository => include(repository, 'include'),
	'a condition gitdir:': async repository => include(repository, 'includeIf "gitdir:**"'),
	'a condition gitdir: for worktrees': async repository => include(repository, 'includeIf "gitdir:**/worktrees/**"'),
	'a condition gitdir/i:': async repository => include(repository, 'includeIf "gitdir/i:**/PROJECT/**"'),
	'a condition onbranch:': async repository => include(repository, 'includeIf "onbranch:m*"'),
	'a condition hasconfig:': async repository => include(repository, 'includeIf "hasconfig:remote.*.url:**"'),
	async 'a common folder elsewhere'(repository) {
		const elsewhere = repository.project.path('../elsewhere');
		cpSync(gitFolder(repository), elsewhere, {recursive: true});
		await appendFile(join(elsewhere, 'config'), repository.config);
		put(join(gitFolder(repository), 'commondir'), elsewhere);
		return {};
	},
	async 'a git folder elsewhere'(repository) {
		const elsewhere = repository.project.path('../elsewhere');
		renameSync(gitFolder(repository), elsewhere);
		put(gitFolder(repository), `gitdir: ${elsewhere}\n`);
		await appendFile(join(elsewhere, 'config'), repository.config);
		return {};
	},
	async hooks(repository) {
		for (const hook of hooks)
			put(join(gitFolder(repository), 'hooks', hook), readFileSync(repository.canary(hook), 'utf8'), 0o755);
		return {};
	},
	async variables({canary, project}) {
		const names = [
			'SSH_COMMAND',
			'SSH',
			'EXTERNAL_DIFF',
			'PAGER',
			'EDITOR',
			'SEQUENCE_EDITOR',
			'ASKPASS',
			'PROXY_COMMAND',
		];
		for (const name of ['git', 'git-status', 'git-fetch', 'git-update-ref', 'git-reset', 'sh'])
			put(project.path(`../programs/${name}`), readFileSync(canary(`GIT_EXEC_PATH ${name}`), 'utf8'), 0o755);
		return {
			...Object.fromEntries(names.map(name => [`GIT_${name}`, canary(`GIT_${name}`)])),
			...Object.fromEntries(['PAGER', 'EDITOR', 'VISUAL', 'SSH_ASKPASS'].map(name => [name, canary(name)])),
			...Object.fromEntries(
				['TRACE', 'TRACE_SETUP', 'TRACE_PERFORMANCE', 'TRACE2', 'TRACE2_EVENT'].map(name => [
					`GIT_${name}`,
					project.path('../marks'),
				]),
			),
			GIT_EXEC_PATH: project.path('../programs'),
			GIT_TEMPLATE_DIR: project.path('../programs'),
			GIT_NAMESPACE: 'elsewhere',
		};
	},
};

describe("inkpod's own git", () => {
	it.each(Object.entries(sources))('runs no program by what it finds: %s', async (_name, prepare) => {
		const repository = await hostileRepository();
		const variables = await prepare(repository);
		repository.ran();
		await everyUse(repository, variables);
		expect(repository.ran()).toEqual([]);
		// The programs do run with git as a user calls it.
		vi.unstubAllEnvs();
		for (const args of [['diff'], ['add', '-A'], ['worktree', 'add', '--detach', '../tree']])
			repository.plain(variables, args);
		expect(repository.ran()).not.toEqual([]);
	});

	it('would run many of these programs as a user calls it', async () => {
		expect(programSettings.length).toBeGreaterThan(60);
		const repository = await hostileRepository();
		await appendFile(join(gitFolder(repository), 'config'), repository.config);
		await writeFile(repository.project.path('a.txt'), 'ONE\n');
		const without = (...names: readonly string[]) => names.flatMap(name => ['-c', `${name}=`]);
		for (const args of [
			['status'],
			['diff'],
			[...without('diff.external'), 'diff'],
			['diff', '--no-ext-diff'],
			['-c', 'core.fsmonitor=false', 'add', '-p'],
			['add', '-A'],
			[...without('filter.mark.process'), 'add', '--renormalize', '.'],
			['canary'],
			['interpret-trailers', '--trailer', 'mark: x'],
			['-c', 'core.hooksPath=/dev/null', 'commit', '-a'],
			['-c', 'core.hooksPath=/dev/null', 'commit', '-S', '-m', 'x'],
			['commit', '-am', 'x'],
			['fetch', 'origin'],
			['push', 'origin', 'HEAD:refs/heads/x'],
			['ls-remote', 'ssh://nowhere.invalid/x'],
			['ls-remote', 'git://nowhere.invalid/x'],
			['archive', '--format=mark', 'HEAD'],
			['difftool', '-y', '-t', 'mark', 'HEAD~1'],
			['-c', 'core.hooksPath=/dev/null', 'rebase', '-i', 'HEAD~1'],
			['web--browse', '-b', 'mark', 'http://nowhere.invalid'],
		])
			repository.plain({}, args);
		expect(repository.ran().length).toBeGreaterThan(12);
	});

	it('does not look into a repository inside of a worktree', async () => {
		const repository = await hostileRepository();
		const {project} = repository;
		const env = {
			PATH: process.env['PATH'],
			HOME: project.path('../home'),
			XDG_CACHE_HOME: project.path('../cache'),
		};
		const planned = await planWorktree(project.scope, env, 'child');
		if (!planned.ok) throw new Error(planned.sentence);
		const {worktree} = planned;
		expect(await createWorktree(worktree, {env})).toEqual({ok: true});
		const sub = join(worktree.path, 'sub');
		repository.plain({}, ['init', '-q', 'sub'], worktree.path);
		repository.plain({}, ['commit', '--allow-empty', '-qm', 'x'], sub);
		repository.plain({}, ['add', 'sub'], worktree.path);
		await appendFile(join(sub, '.git/config'), repository.config);
		await writeFile(join(sub, 'file'), 'x');
		repository.ran();
		const diff = await worktreeDiff(worktree, {env});
		expect(diff).toMatchObject({ok: true, text: expect.stringContaining('Subproject commit')});
		expect(repository.ran()).toEqual([]);
		repository.plain({}, ['add', '--all'], worktree.path);
		expect(repository.ran()).toContain('core.fsmonitor');
	});

	it('is the only place that runs git', async () => {
		const files = execFileSync('git', ['grep', '-lE', String.raw`\brunGit\(|findProgram\('git'`, '--', 'src'], {
			cwd: join(import.meta.dirname, '../../../..'),
			encoding: 'utf8',
		});
		expect(files.trim().split('\n')).toEqual(['src/pod/scope/git/own-git.ts', 'src/pod/scope/git/run-git.ts']);
	});
});
