import {readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {approvalModes, type ApprovalMode} from '../../src/pod/protocol/approval-mode.ts';
import {outputDir} from '../../src/pod/tools/processes/output-file.ts';
import type {Ask} from '../../src/pod/protocol.ts';
import type {ModelEvent} from '../../src/worker/index.ts';
import {reopened, testPod, type TestPod, type TestPodOptions} from '../helpers/pod.ts';
import {scopeOf, tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

/**
inkpod runs, writes or reads nothing without the user's approval. A card that showed it, one of the user's rules, or a
mode can approve.
*/

let counter = 0;
const bash = (command: string) => calls(`c${++counter}`, 'bash', {command});
const write = (path: string, content = 'written\n') => calls(`c${++counter}`, 'write_file', {path, content});
const edit = (path: string, old = 'one', fresh = 'two') =>
	calls(`c${++counter}`, 'edit_file', {path, edits: [{old, new: fresh}]});
const read = (path: string) => calls(`c${++counter}`, 'read_file', {path});

const mode = (set: ApprovalMode) => ({approval: {mode: set, rules: {user: [], project: []}}});
const results = ({items}: TestPod) => items().flatMap(item => (item.type === 'tool_result' ? [item.content] : []));

/** Gives each batch to a pod and each card to `onCard`, which returns a choice. */
async function played(
	project: TempProject,
	batches: ReadonlyArray<readonly ModelEvent[][]>,
	onCard: (ask: Ask) => Promise<string> | string,
	options: Partial<TestPodOptions> = {},
): Promise<TestPod & {readonly asked: readonly Ask[]}> {
	const told = await testPod(project, {
		model: eventModel(...batches.map(batch => answer(...batch)), answer(says('Done.'))),
		env: {HOME: project.path('../home'), PATH: process.env['PATH']},
		...options,
	});
	const asked: Ask[] = [];
	await told.run('go');
	for (;;) {
		await told.until(
			() =>
				told.status().kind !== 'running' ||
				told.status().asks.some(({id}) => asked.every(ask => ask.id !== id)),
		);
		const ask = told.status().asks.find(({id}) => asked.every(known => known.id !== id));
		if (ask === undefined) return {...told, asked};
		asked.push(ask);
		await told.pod.send({method: 'answer', askId: ask.id, choice: await onCard(ask)});
	}
}

async function tree(folder: string): Promise<Readonly<Record<string, string>>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.toSorted();
	return Object.fromEntries(
		await Promise.all(
			files.map(async file => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const),
		),
	);
}

describe('a file that other programs run, in accept-edits', () => {
	const paths = [
		'.git/hooks/pre-commit',
		'.git/config',
		'.GIT/config',
		'sub/.git',
		'.g\u200Cit/config',
		'.husky/pre-push',
		'.vscode/tasks.json',
		'.envrc',
		'a/.envrc',
		'.bashrc',
		'.npmrc',
		'inkpod.toml',
		'.mcp.json',
		'hooks/pre-commit',
		'./src/../.git/new',
	];

	it.each(paths)('needs approval and does not change after “No”: %j', async path => {
		const project = await tempProject({'.git/hooks/sample': '', 'src/': ''});
		await project.link('hooks', '.git/hooks');
		const before = await tree(project.dir);
		const {asked} = await played(project, [[write(path)]], () => 'deny', mode('accept-edits'));
		expect(asked.map(({title}) => title)).toEqual([
			expect.stringMatching(/ \(this file is executed by other programs\)$/),
		]);
		expect(await tree(project.dir)).toEqual(before);
	});

	it.each(['src/a.ts', 'package.json', '.gitignore', '.github/workflows/a.yml', 'git/config', 'envrc'])(
		'does not include %j, which is written without asking',
		async path => {
			const project = await tempProject();
			const {asked} = await played(project, [[write(path)]], () => 'deny', mode('accept-edits'));
			expect(asked).toEqual([]);
			expect(await readFile(project.path(path), 'utf8')).toBe('written\n');
		},
	);

	it('is allowed only by a rule that names it: not by approval of any file, nor by a rule without a match', async () => {
		const project = await tempProject();
		const {asked} = await played(
			project,
			[
				[write('a.txt')],
				[write('b.txt'), write('.git/config')],
				[write('.git/config', 'again\n')],
				[write('.git/other')],
			],
			({title}) => (title.includes('config') || title.includes('a.txt') ? 'session' : 'deny'),
		);
		expect(asked.map(({title}) => title)).toEqual([
			'Allow writing a.txt?',
			'Allow writing .git/config? (this file is executed by other programs)',
			'Allow writing .git/other? (this file is executed by other programs)',
		]);
		expect(asked[1]!.choices[1]!.label).toBe('Yes, and don\'t ask again for writing ".git/config"');
		const user = [
			{tool: 'write_file', match: '.git/hooks/**', action: 'allow'},
			{tool: '*', action: 'allow'},
		] as const;
		const ruled = await played(
			await tempProject(),
			[[write('.git/hooks/a'), write('.envrc'), write('c.txt')]],
			() => 'deny',
			{approval: {mode: 'ask', rules: {user, project: []}}},
		);
		expect(ruled.asked.map(({title}) => title)).toEqual([
			'Allow writing .envrc? (this file is executed by other programs)',
		]);
	});

	it('is written without asking in the mode auto', async () => {
		const {asked} = await played(await tempProject(), [[write('.git/config')]], () => 'deny', mode('auto'));
		expect(asked).toEqual([]);
	});
});

describe('a change that was shown on a card', () => {
	const swaps: Readonly<Record<string, (project: TempProject) => Promise<unknown>>> = {
		'the file has other contents that were read, too': async project =>
			writeFile(project.path('a.txt'), 'one, other\n'),
		'the file is gone': async project => rm(project.path('a.txt')),
		'another file that was read is in its place': async project =>
			rename(project.path('b.txt'), project.path('a.txt')),
	};
	it.each(
		Object.entries(swaps).flatMap(
			([name, swap]) =>
				[
					['edit_file', name, swap, edit('a.txt')],
					['write_file', name, swap, write('a.txt')],
				] as const,
		),
	)('is not made when the file changes after the card: %s: %s', async (_tool, _name, swap, call) => {
		const project = await tempProject({'a.txt': 'one, other\n', 'b.txt': 'one, b\n'});
		let swapped: Readonly<Record<string, string>> = {};
		const told = await played(
			project,
			[[read('a.txt'), read('b.txt'), bash('printf "one\\n" > a.txt')], [read('a.txt')], [call]],
			async ({title}) => {
				if (!title.includes('a.txt')) return 'allow';
				await swap(project);
				swapped = await tree(project.dir);
				return 'allow';
			},
		);
		expect(results(told).at(-1)).toMatch(/was changed on disk after the change was shown|no such file/);
		expect(await tree(project.dir)).toEqual(swapped);
	});

	it('is made when only calls of the same batch changed the file', async () => {
		const project = await tempProject({'a.txt': 'one two three\n'});
		const told = await played(
			project,
			[
				[read('a.txt')],
				[
					edit('a.txt', 'one', '1'),
					edit('a.txt', 'two', '2'),
					write('n.txt', 'new\n'),
					edit('n.txt', 'new', 'newer'),
				],
			],
			() => 'allow',
		);
		expect(told.asked).toHaveLength(4);
		expect(await tree(project.dir)).toEqual({'a.txt': '1 2 three\n', 'n.txt': 'newer\n'});
	});

	it('is shown in full when only line endings differ', async () => {
		const project = await tempProject({'a.txt': 'one\ntwo\r\nthree\r\n'});
		const told = await played(project, [[read('a.txt')], [write('a.txt', 'one\ntwo\nthree\n')]], () => 'allow');
		expect(told.asked[0]).toMatchObject({
			title: 'Allow writing a.txt?',
			shows: 'diff',
			detail: expect.stringContaining('-one\n') as unknown,
		});
		expect(await tree(project.dir)).toEqual({'a.txt': 'one\r\ntwo\r\nthree\r\n'});
	});
});

describe('a call with ambiguous arguments', () => {
	it.each<[string, string, string]>([
		['a key twice', '{"command":"echo shown","command":"touch ran"}', 'touch ran'],
		['a key that every object has', '{"__proto__":{"command":"echo shown"},"command":"touch ran"}', 'touch ran'],
		['a key that is escaped', String.raw`{"command":"echo shown","\u0063ommand":"touch ran"}`, 'touch ran'],
	])('appears on the card as it would run: %s', async (_, args, shown) => {
		const project = await tempProject();
		const {asked} = await played(project, [[calls('c', 'bash', args)]], () => 'deny');
		expect(asked.map(({detail}) => detail)).toEqual([shown]);
		expect(await tree(project.dir)).toEqual({});
	});

	it.each([
		'{"command":["touch ran"]}',
		'{"__proto__":{"command":"touch ran"}}',
		'["touch ran"]',
		'"touch ran"',
		'null',
		'{"command":"touch ran"',
		`{"command":${'['.repeat(50_000)}`,
	])('is refused without a question and runs nothing: %#', async args => {
		const project = await tempProject();
		const told = await played(project, [[calls('c', 'bash', args)]], () => 'allow');
		expect(told.asked).toEqual([]);
		expect(results(told)[0]).toMatch(/^The arguments of bash /);
		expect(await tree(project.dir)).toEqual({});
	});
});

describe('a read-only scope', () => {
	it.each(
		approvalModes
			.filter(each => each !== 'auto')
			.flatMap(
				each =>
					[
						[each, true],
						[each, false],
					] as const,
			),
	)(
		'changes nothing without approval in mode %s, attended %s, whatever the project allows',
		async (set, attended) => {
			const project = await tempProject({'a.txt': 'one\n', 'sub/': ''});
			const before = await tree(project.dir);
			const allowed = [{tool: '*', action: 'allow'}] as const;
			const scope = await scopeOf(project.dir, {writable: false});
			const told = await played(
				project,
				[
					[read('a.txt')],
					[
						write('b.txt'),
						write('a.txt'),
						edit('a.txt'),
						write('sub/new/c.txt'),
						bash('touch d.txt'),
						calls('bg', 'bash', {command: 'touch e.txt', background: true}),
					],
				],
				() => 'deny',
				{scope, attended, approval: {mode: set, rules: {user: [], project: allowed}}},
			);
			expect(told.asked.map(({detail}) => detail)).toEqual(attended ? ['touch d.txt', 'touch e.txt'] : []);
			expect(results(told).filter(text => text.includes('read_only'))).toHaveLength(4);
			expect(await tree(project.dir)).toEqual(before);
		},
	);
});

describe('a link that a command puts in place of its output folder', () => {
	it('is never followed out of the scope', async () => {
		const project = await tempProject({'../outside/secret.txt': 'SECRET-OUTSIDE\n'});
		const outside = project.path('../outside');
		const folder = join(project.path('..'), 'state');
		const command = [
			`d=$(find ${folder} -name output -type d)`,
			'rm -rf "$d"',
			`ln -s ${outside} "$d"`,
			"head -c 200000 /dev/zero | tr '\\0' x",
		].join('; ');
		const told = await played(project, [[bash(command)], [read(join(outside, 'secret.txt'))]], () => 'allow');
		expect(await readdir(outputDir(told.session.dir))).toContain('secret.txt');
		expect(results(told)[1]).toContain('outside the directories');
		await told.pod.send({method: 'shutdown'});
		const later = await played(project, [[read(join(outside, 'secret.txt'))]], () => 'allow', {
			session: await reopened(told),
		});
		expect(results(later).at(-1)).toContain('outside the directories');
	});
});
