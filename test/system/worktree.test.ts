import {execFileSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {calls, child, familyModel, itemsOf, says} from '../helpers/family.ts';
import {allowed, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});
const task = 'Commit it.';

/** What the repository says to the next command: where it is, and the number of hooks. */
const look =
	'cat .git "$(git rev-parse --git-dir)/commondir"; ls "$(git rev-parse --git-common-dir)/hooks" | grep -vc' +
	' sample$; true';

/** Lets a child in a worktree run a confined command, and then look at the repository. Returns both outputs. */
async function inWorktree(command: string) {
	const project = await tempProject({'a.txt': 'one\n', 'b.txt': 'two\n'});
	const env = {
		HOME: join(project.dir, '../home'),
		PATH: process.env['PATH'],
		XDG_CACHE_HOME: join(project.dir, '../cache'),
	};
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=n', ...args], {cwd: project.dir, env}).toString();
	git('init', '-q', '-b', 'main');
	git('add', '-A');
	git('commit', '-qm', 'first');
	git('branch', 'other');
	const config = await readFile(project.path('.git/config'), 'utf8');
	const model = familyModel({
		parent: [calls(child(task, {worktree: true})), says('Done.')],
		children: {[task]: [calls(['bash', {command}]), calls(['bash', {command: look}]), says('Committed.')]},
	});
	const told = await testPod(project, {model, env, ...allowed, confine: {mode: 'require'}});
	told.pod.subscribe(event => {
		for (const {id, choices} of event.type === 'status' ? event.status.asks : [])
			void told.pod.send({method: 'answer', askId: id, choice: choices[0]!.choice});
	});
	await told.run('Go');
	await told.rest();
	const [started] = itemsOf(told.items(), 'child_started');
	const opened = await told.pod.child(started!.child);
	if (!opened.ok) throw new Error(opened.sentence);
	let [output, after] = ['', ''];
	opened.pod.subscribe(event => {
		if (event.type !== 'snapshot') return;
		[output = '', after = ''] = itemsOf(event.items, 'tool_result').map(({content}) => content);
	})();
	await opened.pod.send({method: 'shutdown'});
	const isSame = (await readFile(project.path('.git/config'), 'utf8')) === config;
	return {project, output, after, isSame, git};
}

describe.skipIf(!available.ok)('a confined command in the worktree of a child', () => {
	it('can commit', async () => {
		const {output, project} = await inWorktree(
			'echo ONE > a.txt; git -c user.name=n -c user.email=a@b commit -qam child && git log --oneline | wc -l',
		);
		expect(output).toBe('2');
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('ONE\n');
	});

	it.each([
		['the configuration of the repository', 'echo "[x]" >> "$common/config"', 'config'],
		['its hooks', 'echo x > "$common/hooks/pre-commit"', 'hooks/pre-commit'],
		['where its worktree belongs', 'echo /tmp > "$own/commondir"', 'commondir'],
		['its own git file', 'rm -f .git; echo "gitdir: /tmp" > .git', '.git'],
	])('cannot change %s', async (_name, command, name) => {
		const {output, after, isSame, project, git} = await inWorktree(
			`common=$(git rev-parse --git-common-dir); own=$(git rev-parse --git-dir); ${command} && echo CHANGED`,
		);
		const [, path = ''] = /^CHANGED\n\[Not changed in the project, .*: "(.*)"\]$/.exec(output) ?? [];
		expect(`/${path}`.endsWith(`/${name}`)).toBe(true);
		expect(after).toMatch(/^gitdir: \/.*\/project\/\.git\/worktrees\/\w+\n\.\.\/\.\.\n0$/);
		expect(isSame).toBe(true);
		expect(await readFile(project.path('b.txt'), 'utf8')).toBe('two\n');
		expect(git('status', '--short')).toBe('');
	});

	it('cannot see or change the working tree of the parent', async () => {
		const {output, project, git} = await inWorktree(
			'main=$(git rev-parse --git-common-dir)/..; test -e "$main/a.txt" && echo SEEN; echo x > "$main/b.txt"; true',
		);
		expect(output).not.toContain('SEEN');
		expect(await readFile(project.path('b.txt'), 'utf8')).toBe('two\n');
		expect(git('status', '--short')).toBe('');
	});
});
