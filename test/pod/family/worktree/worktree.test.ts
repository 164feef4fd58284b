import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {pathExists} from '../../../../src/pod/ground/files/path-exists.ts';
import {calls, child, childItems, familyModel, itemsOf, says} from '../../../helpers/family.ts';
import {allowed, reopened, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const task = 'Change the file.';
const changes = [
	calls(['read_file', {path: 'a.txt'}]),
	calls(
		['edit_file', {path: 'a.txt', edits: [{old: 'one', new: 'ONE'}]}],
		['write_file', {path: 'new.txt', content: 'new\n'}],
	),
	says('I changed it.'),
];

/** Creates a repository with one commit. */
async function repository(files: Readonly<Record<string, string>> = {'a.txt': 'one\ntwo\n'}) {
	const project = await tempProject(files);
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
	return {project, env, git};
}

async function family(
	{project, env}: {readonly project: TempProject; readonly env: Readonly<Record<string, string | undefined>>},
	options: Partial<TestPodOptions> & {readonly more?: Record<string, unknown>; readonly script?: typeof changes} = {},
): Promise<TestPod> {
	const {more, script = changes, ...others} = options;
	const model = familyModel({
		parent: [calls(child(task, {worktree: true, ...more})), says('Done.')],
		children: {[task]: script},
	});
	return testPod(project, {model, env, ...allowed, ...others});
}

async function answer(told: TestPod, title: RegExp, label: RegExp) {
	await told.until(() => told.status().asks.some(ask => title.test(ask.title)));
	const ask = told.status().asks.find(each => title.test(each.title))!;
	const choice = ask.choices.find(each => label.test(each.label))!;
	await told.pod.send({method: 'answer', askId: ask.id, choice: choice.choice});
	return ask;
}

const result = (told: TestPod) => itemsOf(told.items(), 'tool_result').at(-1)!.content;
const worktreeOf = (told: TestPod) => itemsOf(told.items(), 'child_started')[0]!.worktree!;

describe('a child session in a worktree', () => {
	it('works beside the project, and its changes are merged when you say so', async () => {
		const place = await repository();
		const told = await family(place);
		await told.run('Go');
		const create = await answer(told, /^Create a git worktree/, /Yes/);
		expect(create.detail).toMatch(/^git worktree add --detach .*cache\/inkpod\/worktrees\/\w{26}$/);
		await told.until(() => told.status().asks.some(({title}) => title.startsWith('Merge')));
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe('one\ntwo\n');
		const {path} = worktreeOf(told);
		expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('ONE\ntwo\n');
		const merge = await answer(told, /^Merge what the child session/, /Merge into/);
		expect(merge.detail).toMatch(/-one\n\+ONE\n[^]*new file[^]*\+new/);
		await told.rest();
		expect(result(told)).toBe(
			'I changed it.\n\n[The changes of the child were merged into the working directory.]',
		);
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe('ONE\ntwo\n');
		expect(await readFile(place.project.path('new.txt'), 'utf8')).toBe('new\n');
		expect(await pathExists(path)).toBe(false);
		expect(place.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
		const [started] = itemsOf(told.items(), 'child_started');
		expect((await childItems(told, started!.child)).length).toBeGreaterThan(3);
		const opened = await told.pod.child(started!.child);
		expect(opened.ok).toBe(true);
		if (opened.ok) await opened.pod.send({method: 'shutdown'});
	});

	it.each([
		['discarded', /Discard/, false, 'one\ntwo\n', /The user discarded the changes/],
		['kept', /Keep/, true, 'one\ntwo\n', /are in the worktree .*They are not merged/],
	])('is %s when you say so', async (_name, label, isKept, contents, line) => {
		const place = await repository();
		const told = await family(place);
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await answer(told, /^Merge/, label);
		await told.rest();
		expect(result(told)).toMatch(line);
		expect(await pathExists(worktreeOf(told).path)).toBe(isKept);
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe(contents);
	});

	it('names what other programs run, also beyond the end of the shown diff', async () => {
		const place = await repository({'a.txt': 'one\n', 'hooks/pre-commit': 'true\n'});
		place.git('config', 'core.hooksPath', 'hooks');
		const told = await family(place, {script: [calls(['list_dir', {path: '.'}]), says('Done.')]});
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await told.until(() => itemsOf(told.items(), 'child_started').length > 0);
		const {path} = worktreeOf(told);
		await writeFile(join(path, '!first'), 'x'.repeat(150_000));
		await writeFile(join(path, '.envrc'), 'evil\n');
		await writeFile(join(path, 'hooks/pre-commit'), 'evil\n');
		await writeFile(join(path, 'z.txt'), 'z\n');
		const merge = await answer(told, /^Merge what the child session/, /Keep/);
		expect(merge.detail).not.toContain('.envrc');
		expect(merge.note).toBe('The child changed files that other programs run: ".envrc", "hooks/pre-commit"');
		await told.rest();
	});

	it('is kept if its changes do not fit any more', async () => {
		const place = await repository();
		const told = await family(place);
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await told.until(() => told.status().asks.some(({title}) => title.startsWith('Merge')));
		await writeFile(place.project.path('a.txt'), 'something else\n');
		await answer(told, /^Merge/, /Merge into/);
		await told.rest();
		expect(result(told)).toMatch(/could not be merged: git reports: .* They are in the worktree/);
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe('something else\n');
		expect(await pathExists(join(worktreeOf(told).path, 'new.txt'))).toBe(true);
	});

	it('is removed without a question if nothing changed', async () => {
		const place = await repository();
		const told = await family(place, {script: [says('Nothing to do.'), says('Nothing.')]});
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await told.rest();
		expect(result(told)).toBe('Nothing to do.\n\n[The child changed no files.]');
		expect(await pathExists(worktreeOf(told).path)).toBe(false);
	});

	it('counts commits of the child as its changes', async () => {
		const place = await repository();
		const commit = `echo ONE > a.txt && git add -A && git -c user.name=n -c user.email=a@b commit -qm child`;
		const told = await family(place, {script: [calls(['bash', {command: commit}]), says('Committed.')]});
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await answer(told, /^Merge/, /Merge into/);
		await told.rest();
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe('ONE\n');
		expect(place.git('log', '--oneline').trim().split('\n')).toHaveLength(1);
	});

	it('runs no hook and no filter of the repository', async () => {
		const place = await repository({'a.txt': 'one\ntwo\n', '.gitattributes': '*.txt filter=evil\n'});
		const ran = place.project.path('../ran');
		await mkdir(place.project.path('.git/hooks'), {recursive: true});
		for (const hook of ['post-checkout', 'pre-commit', 'post-index-change']) {
			await writeFile(place.project.path(`.git/hooks/${hook}`), `#!/bin/sh\ntouch '${ran}'\n`);
			await chmod(place.project.path(`.git/hooks/${hook}`), 0o755);
		}
		for (const [name, command] of Object.entries({smudge: `touch '${ran}'; cat`, clean: `touch '${ran}'; cat`}))
			place.git('config', `filter.evil.${name}`, command);
		place.git('config', 'filter.evil.required', 'true');
		place.git('config', 'core.fsmonitor', `touch '${ran}'; false`);
		const told = await family(place);
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await answer(told, /^Merge/, /Merge into/);
		await told.rest();
		expect(result(told)).toContain('were merged');
		expect(await pathExists(ran)).toBe(false);
	});

	it.each<[string, (place: Awaited<ReturnType<typeof repository>>) => Promise<unknown>, RegExp]>([
		['uncommitted changes', async ({project}) => writeFile(project.path('a.txt'), 'changed\n'), /Commit or stash/],
		['new files', async ({project}) => writeFile(project.path('b.txt'), 'new\n'), /Commit or stash/],
		['submodules', async ({project}) => writeFile(project.path('.gitmodules'), ''), /submodules/],
	])('is refused with a sentence in a repository with %s', async (_name, change, sentence) => {
		const place = await repository();
		await change(place);
		const told = await family(place);
		await told.run('Go');
		await told.rest();
		expect(result(told)).toMatch(sentence);
		expect(itemsOf(told.items(), 'child_started')).toEqual([]);
	});

	it('is refused outside of a repository, when you decline, and where nobody can be asked', async () => {
		const project = await tempProject({'a.txt': 'one\n'});
		const alone = await family({project, env: {HOME: join(project.dir, '../home'), PATH: process.env['PATH']}});
		await alone.run('Go');
		await alone.rest();
		expect(result(alone)).toMatch(/not in one/);
		const declined = await family(await repository());
		await declined.run('Go');
		await answer(declined, /^Create/, /No/);
		await declined.rest();
		expect(result(declined)).toMatch(/does not want a worktree/);
		const unattended = await family(await repository(), {attended: false});
		await unattended.run('Go');
		await unattended.rest();
		expect(result(unattended)).toMatch(/cannot be asked/);
	});

	it('works in the background, too', async () => {
		const place = await repository();
		const told = await family(place, {more: {background: true}});
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await answer(told, /^Merge/, /Merge into/);
		await told.until(() => itemsOf(told.items(), 'message').some(({text}) => text.includes('were merged')));
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe('ONE\ntwo\n');
	});

	it('is kept, and its result says where, if the process ends and you go on without it', async () => {
		const place = await repository();
		const told = await family(place);
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await told.until(() => told.status().asks.some(({title}) => title.startsWith('Merge')));
		const {path} = worktreeOf(told);
		await told.pod.send({method: 'shutdown'});
		const model = familyModel({parent: [says('Done.')]});
		const next = await testPod(place.project, {model, env: place.env, ...allowed, session: await reopened(told)});
		await next.run('Go on without it.');
		await next.rest();
		expect(result(next)).toContain(`[The changes of the child are in the worktree ${path}. They are not merged.]`);
		expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('ONE\ntwo\n');
	});

	it('asks about its changes again when the interrupted turn continues', async () => {
		const place = await repository();
		const told = await family(place);
		await told.run('Go');
		await answer(told, /^Create/, /Yes/);
		await told.until(() => told.status().asks.some(({title}) => title.startsWith('Merge')));
		await told.pod.send({method: 'pause'});
		void told.pod.send({method: 'resume'});
		await answer(told, /^Merge/, /Merge into/);
		await told.rest();
		expect(await readFile(place.project.path('a.txt'), 'utf8')).toBe('ONE\ntwo\n');
	});
});
