import {rmSync, symlinkSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import type {Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import type {ItemOf} from '../../../../src/pod/protocol.ts';
import {answersIn, compactingModel, compactionLimits, steps, words} from '../../../helpers/compacting.ts';
import {testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const limits = compactionLimits({retainedTokens: 100, autoReadTokens: 200});
const talk = () => [{type: 'text' as const, text: words(80, 'talk')}];

type Calls = ReadonlyArray<readonly [name: string, args: Record<string, unknown>]>;

/** Compacts a long conversation. The worker that writes the summary makes these calls. */
async function compacted(
	project: TempProject,
	calls: Calls,
	options: Partial<TestPodOptions> = {},
): Promise<Compacted> {
	const model = compactingModel(talk, steps(calls, [['write_summary', {text: 'So far.'}]]));
	const told = await testPod(project, {model, limits, ...options});
	for (const text of ['First', 'Second', 'Third']) {
		await told.run(text);
		await told.rest();
	}
	const receipt = await told.pod.send({method: 'compact'});
	const item = told.items().findLast(each => each.type === 'compaction');
	return {told, receipt, item, seen: JSON.stringify([model.summaries, told.items()])};
}

type Compacted = {
	readonly told: TestPod;
	readonly receipt: unknown;
	readonly item: ItemOf<'compaction'> | undefined;
	/** Everything that the model read, and the whole history. */
	readonly seen: string;
};

const on = (rules: {readonly user?: readonly Rule[]; readonly project?: readonly Rule[]}) =>
	({approval: {mode: 'auto', rules: {user: [], project: [], ...rules}}}) as const;
const keeps = (action: Rule['action']): Rule => ({tool: 'read_file', match: 'private/**', action});
const noHook = {toolHooks: {before: async () => ({type: 'continue' as const})}};
const refusing = {
	toolHooks: {
		before: async ({args}: {readonly args: unknown}) =>
			JSON.stringify(args).includes('private')
				? {type: 'cancel' as const, reason: 'Not this one.'}
				: {type: 'continue' as const},
	},
};

const kinds: ReadonlyArray<readonly [string, Partial<TestPodOptions>, RegExp]> = [
	['a rule that denies', on({user: [keeps('deny')]}), /^a rule in config\.toml denies it/],
	['a rule of the project that denies', on({project: [keeps('deny')]}), /^a rule in inkpod\.toml denies it/],
	['a rule that asks', on({user: [keeps('ask')]}), /^a rule requires approval/],
	['a hook', {...on({}), ...refusing}, /^a hook refused it: Not this one\./],
];
const ways: ReadonlyArray<readonly [string, string]> = [
	['by its name', 'private/a.txt'],
	['by a link', 'private-link'],
	['by an absolute path', '/'],
];

const cells = kinds.flatMap(([kind, options, reason]) =>
	['read_file', 'mark_read_required'].flatMap(tool =>
		ways.map(([way, path]) => ({kind, options, reason, tool, way, path})),
	),
);

async function guarded(): Promise<TempProject> {
	const project = await tempProject({'private/a.txt': 'GUARDED\n', 'a.txt': 'free\n', 'b.txt': 'free\n'});
	await project.link('private-link', 'private/a.txt');
	return project;
}

describe('the worker that makes a summary', () => {
	it.each(cells)(
		'cannot read a file with $tool $way when $kind forbids it',
		async ({options, reason, tool, path}) => {
			const project = await guarded();
			const written = path === '/' ? project.path('private/a.txt') : path;
			const {item, told, seen} = await compacted(
				project,
				[
					[tool, {path: written}],
					[tool, {path: 'a.txt'}],
				],
				options,
			);
			expect(item?.refused).toEqual([{path: written, reason: expect.stringMatching(reason) as unknown}]);
			expect(seen).not.toContain('GUARDED');
			expect(told.events.some(event => event.type === 'status' && event.status.asks.length > 0)).toBe(false);
			const reads = told.items().filter(each => each.type === 'message' && each.origin?.kind === 'auto_read');
			expect(reads).toHaveLength(tool === 'read_file' ? 0 : 1);
		},
	);

	it.each(['read_file', 'mark_read_required', 'add_reference'])(
		'saves no path of 100,000 characters when %s is called with one',
		async tool => {
			const path = `private/${'x'.repeat(100_000)}`;
			const rules = {user: [keeps('deny'), {...keeps('deny'), tool}]};
			for (const options of [on({}), on(rules)]) {
				const {item, told} = await compacted(await guarded(), [[tool, {path}]], options);
				expect(JSON.stringify(item).length).toBeLessThan(4000);
				expect(told.items().some(each => each.type === 'compaction')).toBe(true);
			}
		},
	);

	it.each(kinds)('does not choose a path that now leads to a file denied by %s', async (_, options) => {
		const project = await guarded();
		await project.link('way', 'a.txt');
		const model = compactingModel(talk, request => {
			const made = steps(
				[['mark_read_required', {path: 'way'}]],
				[['write_summary', {text: 'So far.'}]],
			)(request);
			if (answersIn(request) === 1) {
				rmSync(project.path('way'));
				symlinkSync('private/a.txt', project.path('way'));
			}
			return made;
		});
		const told = await testPod(project, {model, limits, ...options});
		for (const text of ['First', 'Second', 'Third']) {
			await told.run(text);
			await told.rest();
		}
		await told.pod.send({method: 'compact'});
		const item = told.items().findLast(each => each.type === 'compaction');
		expect(item).toMatchObject({
			refused: [{path: 'way', reason: 'its path now leads to another file than when it was named.'}],
		});
		expect(JSON.stringify(told.items())).not.toContain('GUARDED');
	});

	it('calls the hooks before and after its calls, with their targets', async () => {
		const project = await guarded();
		const heard: unknown[] = [];
		const toolHooks: TestPodOptions['toolHooks'] = {
			async before({tool, target}) {
				heard.push(['before', tool, target]);
				return {type: 'continue'};
			},
			async after({tool}) {
				heard.push(['after', tool]);
				return {type: 'continue'};
			},
		};
		await compacted(project, [['read_file', {path: 'a.txt'}]], {toolHooks});
		const reads = [
			['before', 'read_file', project.path('a.txt')],
			['after', 'read_file'],
		];
		expect(heard).toEqual([...reads, ['before', 'write_summary', undefined], ['after', 'write_summary']]);
	});

	const wide: ReadonlyArray<readonly [string, Parameters<typeof on>[0]]> = [
		['asks about every tool', {user: [{tool: '*', action: 'ask'}]}],
		['of the project asks about every tool', {project: [{tool: '*', action: 'ask'}]}],
		['asks about this tool', {user: [{tool: 'write_summary', action: 'ask'}]}],
		[
			'denies every tool that another does not allow',
			{
				user: [
					{tool: 'read_file', action: 'allow'},
					{tool: '*', action: 'deny'},
				],
			},
		],
		['denies tools that begin alike', {user: [{tool: 'write_*', action: 'deny'}]}],
	];
	it.each(wide)('writes its summary when a rule %s', async (_, rules) => {
		const {item, seen} = await compacted(
			await guarded(),
			[['mark_read_required', {path: 'private/a.txt'}]],
			on(rules),
		);
		expect(item).toMatchObject({summary: 'So far.'});
		if (!JSON.stringify(rules).includes('write_')) expect(seen).not.toContain('GUARDED');
	});

	it('fails with the reason when a rule keeps it from writing the summary', async () => {
		const rules = on({user: [{tool: 'write_summary', action: 'deny'}]});
		const {receipt, item} = await compacted(await guarded(), [['read_file', {path: 'a.txt'}]], rules);
		const sentence = 'No summary was written: a rule in config.toml denies it.';
		expect([receipt, item]).toEqual([{accepted: false, code: 'compaction', sentence}, undefined]);
	});

	it('ends when a hook after a call ends the run', async () => {
		const toolHooks: TestPodOptions['toolHooks'] = {
			...noHook.toolHooks,
			after: async () => ({type: 'cancel', reason: 'Enough.'}),
		};
		const {receipt, item} = await compacted(await guarded(), [['read_file', {path: 'a.txt'}]], {toolHooks});
		expect([receipt, item]).toEqual([{accepted: false, code: 'compaction', sentence: 'Enough.'}, undefined]);
	});
});

describe('instructions that a rule forbids', () => {
	it.each(['deny', 'ask'] as const)('are kept from the model, and a warning gives the reason: %s', async action => {
		const project = await tempProject({
			'.git/': '',
			'AGENTS.md': 'Be kind.\n',
			'sub/AGENTS.md': 'GUARDED\n',
			'sub/a.txt': 'a\n',
		});
		const rules = {user: [{tool: 'read_file', match: 'sub/AGENTS.md', action}], project: []};
		const told = await testPod(project, {model: compactingModel(talk), approval: {mode: 'auto', rules}});
		await told.run('See @sub/a.txt');
		await told.rest();
		expect(JSON.stringify(told.items())).toContain('Be kind.');
		expect(JSON.stringify(told.items())).not.toContain('GUARDED');
		const alerts = told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
		expect(alerts).toEqual([expect.stringMatching(/AGENTS\.md" was not sent to the model: a rule .*\.$/)]);
	});
});
