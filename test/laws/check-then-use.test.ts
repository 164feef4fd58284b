import {execFileSync} from 'node:child_process';
import {mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {Rule} from '../../src/pod/permissions/approval/rule.ts';
import type {Ask} from '../../src/pod/protocol.ts';
import {createFindings} from '../../src/pod/tools/search/walk.ts';
import {searchBuiltin} from '../../src/pod/tools/search/grep-builtin.ts';
import {call, hooked, mode, played, resultsOf, swapTool, tree} from '../helpers/played-batch.ts';
import {testPod, type TestPodOptions} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, says, eventModel} from '../helpers/event-model.ts';

/**
L13: a decision is checked when a call opens a file. Each test moves a path between the decision and the call. The
`swap` tool moves it while the tool itself is prepared, after the previous call in the batch was prepared.
*/

/**
A decision about a call on `way/...`. The path leads to `docs` at first, and to another folder when the call runs.
*/
type Kind = {
	readonly to: string;
	readonly options: Partial<TestPodOptions>;
	/** The answer to the card about the first target. Absent if there is no card. */
	readonly first?: string;
	/** What stops the call: a card about the other folder, or a refusal. */
	readonly then: 'card' | RegExp;
};

const other = (action: Rule['action']): Rule => ({tool: '*', match: 'other/**', action});
const some: Rule = {tool: '*', match: '{way,docs}/**', action: 'allow'};

const runsLater = '.git/hooks';
const changes: Readonly<Record<string, Kind>> = {
	'accept-edits': {to: runsLater, options: mode('accept-edits'), then: 'card'},
	'a rule that allows some files': {to: 'other', options: mode('ask', [some]), then: 'card'},
	'a rule that allows all files': {
		to: runsLater,
		options: mode('ask', [{tool: '*', action: 'allow'}]),
		then: 'card',
	},
	'a rule of the project that allows': {to: 'other', options: mode('ask', [], [some]), then: 'card'},
	'a card, once': {to: 'other', options: mode('ask'), first: 'allow', then: 'card'},
	'a card, for this session': {to: runsLater, options: mode('ask'), first: 'session', then: 'card'},
	'a card, always': {to: 'other', options: mode('ask'), first: 'always', then: 'card'},
	'a rule that denies the other file': {to: 'other', options: mode('accept-edits', [other('deny')]), then: /[Rr]ule/},
	'a rule of the project that denies it': {to: 'other', options: mode('auto', [], [other('deny')]), then: /[Rr]ule/},
	'a rule that asks about the other file': {to: 'other', options: mode('auto', [other('ask')]), then: 'card'},
	'a hook that allowed it': {to: 'other', options: {...mode('accept-edits'), ...hooked}, then: /changed/},
	'the scope': {to: '../outside', options: mode('auto'), then: /outside/},
};

const reads: Readonly<Record<string, Kind>> = {
	'no rule about the file': {to: 'other', options: mode('ask', [other('deny')]), then: /[Rr]ule/},
	'no rule of the project about it': {to: 'other', options: mode('auto', [], [other('deny')]), then: /[Rr]ule/},
	'no rule that asks about it': {to: 'other', options: mode('auto', [other('ask')]), then: 'card'},
	'an innocent name': {to: 'secret', options: mode('auto'), then: 'card'},
	'a hook that allowed it': {to: 'other', options: {...mode('auto'), ...hooked}, then: /changed/},
	'the scope': {to: '../outside', options: mode('auto'), then: /outside/},
};

const searches: Readonly<Record<string, Kind>> = {
	'a hook that allowed it': {to: 'other', options: {...mode('auto'), ...hooked}, then: /changed/},
	'the scope': {to: '../outside', options: mode('auto'), then: /outside/},
};

const changing: Readonly<Record<string, readonly [name: string, args: unknown]>> = {
	'write_file of a new file': ['write_file', {path: 'way/n.txt', content: 'ours\n'}],
	'write_file in a new folder': ['write_file', {path: 'way/deep/er/n.txt', content: 'ours\n'}],
	'write_file over a file': ['write_file', {path: 'way/a.txt', content: 'ours\n'}],
	edit_file: ['edit_file', {path: 'way/a.txt', edits: [{old: 'one', new: 'ours'}]}],
};
const reading: typeof changing = {
	read_file: ['read_file', {path: 'way/a.txt'}],
	'read_file of lines': ['read_file', {path: 'way/a.txt', offset: 1, limit: 1}],
};
const searching: typeof changing = {
	'grep of a folder': ['grep', {pattern: 'one|ELSEWHERE', path: 'way'}],
	'grep of a file': ['grep', {pattern: 'one|ELSEWHERE', path: 'way/a.txt'}],
	glob: ['glob', {pattern: '*.txt', path: 'way'}],
};

const cells = [...product(changing, changes), ...product(reading, reads), ...product(searching, searches)].flatMap(
	cell => (cell.kind.first === undefined ? [true, false] : [true]).map(attended => ({...cell, attended})),
);

function product(tools: typeof changing, kinds: Readonly<Record<string, Kind>>) {
	const all = Object.entries(kinds);
	return Object.entries(tools).flatMap(([tool, made]) => all.map(([name, kind]) => ({tool, made, name, kind})));
}

/**
Creates a project in which `way` leads to `docs`. The model has read the files in both places, so only the decision
protects them.
*/
async function projectWith(kind: Kind): Promise<TempProject> {
	const elsewhere = {[`${kind.to}/a.txt`]: 'one ELSEWHERE\n', 'secret/.env': 'ELSEWHERE=1\n'};
	const project = await tempProject({'docs/a.txt': 'one\n', ...elsewhere});
	// A secret under a harmless name, in a folder that does not look like a secret.
	if (kind.to === 'secret') {
		rmSync(project.path('secret/a.txt'));
		symlinkSync('.env', project.path('secret/a.txt'));
	}
	await project.link('way', 'docs');
	return project;
}

function turn(project: TempProject, to: string): void {
	rmSync(project.path('way'));
	symlinkSync(to, project.path('way'));
}

/** Attaches the files, so that the model may change them. No card or rule about reading is involved. */
function attached(kind: Kind): string {
	return `See @docs/a.txt${kind.to === 'secret' || kind.to.startsWith('..') ? '' : ` and @"${kind.to}/a.txt"`}`;
}

describe('a call whose path leads elsewhere after the decision', () => {
	it.each(cells)(
		'is judged again when it is $tool, decided by $name, attended $attended',
		async ({made, kind, attended}) => {
			const [name, args] = made;
			const project = await projectWith(kind);
			const elsewhere = project.path(kind.to);
			const before = await tree(elsewhere);
			const isReading = name !== 'write_file' && name !== 'edit_file';
			const {asked, ...told} = await played(project, {
				text: isReading ? 'Go.' : attached(kind),
				batch: [call(name, args)],
				swap: () => turn(project, kind.to),
				options: {...kind.options, attended},
				choose: ({length}) => (length === 1 && kind.first !== undefined ? kind.first : 'deny'),
			});
			const [result] = resultsOf(told);
			expect(await tree(elsewhere)).toEqual(before);
			if (isReading) expect(result?.content).not.toContain('ELSEWHERE');
			expect(asked).toHaveLength(Number(kind.first !== undefined) + Number(kind.then === 'card' && attended));
			if (kind.then !== 'card') expect(result?.content).toMatch(kind.then);
			else
				expect(result?.content).toMatch(
					attended ? /denied this call|not allowed/ : /nobody can approve|not allowed/,
				);
		},
	);

	const nothing: Kind = {to: 'other', options: mode('auto'), then: 'card'};
	const every = product({...changing, ...reading, ...searching}, {nothing});
	it.each(every)('uses the new place when it is $tool and both places are allowed', async ({made, kind}) => {
		const project = await projectWith(kind);
		const swap = () => turn(project, kind.to);
		const options = {...kind.options, attended: false};
		const told = await played(project, {text: attached(kind), batch: [call(...made)], swap, options});
		expect(resultsOf(told).map(({isError}) => isError)).toEqual([false]);
		expect(await tree(project.path('docs'))).toEqual({'a.txt': 'one\n'});
	});

	it('fails as changed when its path leads elsewhere every time', async () => {
		const project = await tempProject({'docs/a.txt': 'one\n', 'other/a.txt': 'one\n'});
		await project.link('way', 'docs');
		const choose = ({length}: readonly Ask[]) => {
			turn(project, length % 2 === 1 ? 'other' : 'docs');
			return 'allow';
		};
		const batch = [call('write_file', {path: 'way/n.txt', content: 'ours\n'})];
		const {asked, ...told} = await played(project, {batch, options: mode('ask'), choose});
		expect(asked).toHaveLength(3);
		expect(resultsOf(told).map(({content}) => content)).toEqual([expect.stringContaining('(changed)')]);
		expect(Object.keys(await tree(project.dir)).filter(name => name.endsWith('n.txt'))).toEqual([]);
	});

	it('stays unanswered when the run is paused at the second card', async () => {
		const project = await tempProject({'.git/hooks/sample': '', 'docs/': ''});
		await project.link('way', 'docs');
		const batch = [call('write_file', {path: 'way/n', content: 'ours\n'}), call('swap', {})];
		const moreTools = [swapTool(() => turn(project, runsLater))];
		const told = await testPod(project, {model: eventModel(answer(...batch)), moreTools, ...mode('accept-edits')});
		await told.run('go');
		await told.until(() => told.status().asks.length === 1);
		await told.pod.send({method: 'pause'});
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
		expect(resultsOf(told)).toEqual([]);
	});

	it('runs its hook only once', async () => {
		const project = await projectWith(nothing);
		const seen: unknown[] = [];
		const after: string[] = [];
		const toolHooks: TestPodOptions['toolHooks'] = {
			async before({tool, target}) {
				seen.push([tool, target]);
				return {type: 'continue'};
			},
			async after({tool}) {
				after.push(tool);
				return {type: 'continue'};
			},
		};
		const swap = () => turn(project, 'other');
		await played(project, {batch: [call('read_file', {path: 'way/a.txt'})], swap, options: {toolHooks}});
		expect(seen).toEqual([
			['read_file', project.path('docs/a.txt')],
			['swap', undefined],
		]);
		expect(after).toEqual(['swap']);
	});
});

describe('an answer that checks out a link into .git/hooks and then writes through it', () => {
	it.each([
		['attended', true],
		['when no one can approve', false],
	])('writes no hook without a card: %s', async (_, attended) => {
		const project = await tempProject({'a.txt': 'a\n'});
		const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
		const git = (...args: readonly string[]) =>
			execFileSync('git', [...who, ...args], {cwd: project.dir, stdio: 'pipe'});
		git('init', '-q', '-b', 'main');
		git('add', '-A');
		git('commit', '-qm', 'one');
		git('checkout', '-q', '-b', 'feature');
		await project.link('docs', '.git/hooks');
		git('add', '-A');
		git('commit', '-qm', 'two');
		git('checkout', '-q', 'main');
		const names = Array.from({length: 150}, (__, index) => `src/f${index}.ts`);
		const writes = names.map(path => call('write_file', {path, content: 'written\n'}));
		const hook = call('write_file', {path: 'docs/post-checkout', content: '#!/bin/sh\n'});
		const batch = [call('bash', {command: 'git checkout -q feature'}), ...writes, hook];
		const options = {attended, ...mode('accept-edits', [{tool: 'bash', match: 'git checkout *', action: 'allow'}])};
		const {asked} = await played(project, {batch, options});
		expect(await readdir(project.path('.git/hooks'))).not.toContain('post-checkout');
		expect(asked.every(({title}) => title.includes('.git/hooks/post-checkout'))).toBe(true);
	});
});

describe('a command whose working directory was replaced by a link', () => {
	const kinds: Readonly<Record<string, {readonly options: Partial<TestPodOptions>; readonly choice?: string}>> = {
		'a rule': {options: mode('ask', [{tool: 'bash', match: 'touch *', action: 'allow'}])},
		'a card, once': {options: mode('ask'), choice: 'allow'},
		'a card, for this session': {options: mode('ask'), choice: 'session'},
		'a card, always': {options: mode('ask'), choice: 'always'},
		auto: {options: mode('auto')},
		'a hook': {options: {...mode('auto'), ...hooked}},
	};
	const all = Object.entries(kinds);
	const cases = all.flatMap(([name, kind]) => [false, true].map(background => ({name, kind, background})));
	it.each(cases)('does not run when allowed by $name, in the background $background', async ({kind, background}) => {
		const {options, choice = 'deny'} = kind;
		const project = await tempProject({'../elsewhere/': ''});
		const swap = () => {
			renameSync(project.dir, project.path('../aside'));
			symlinkSync('elsewhere', project.dir);
		};
		const batch = [call('bash', {command: 'touch ran', background})];
		const told = await played(project, {batch, swap, options, choose: () => choice});
		expect(resultsOf(told).map(({content}) => content)).toEqual([expect.stringContaining('(changed)')]);
		expect([await readdir(project.path('../elsewhere')), await readdir(project.path('../aside'))]).toEqual([
			[],
			[],
		]);
	});
});

describe('a change to files in an allowed folder', () => {
	it('is not written to the new place when their folder moves', async () => {
		const project = await tempProject({'docs/a.txt': 'one\n', '.git/': ''});
		const swap = () => {
			renameSync(project.path('docs'), project.path('.git/hooks'));
			mkdirSync(project.path('docs'));
		};
		const batch = [call('edit_file', {path: 'docs/a.txt', edits: [{old: 'one', new: 'ours'}]})];
		await played(project, {text: 'See @docs/a.txt', batch, swap, options: mode('accept-edits')});
		expect(await tree(project.path('.git'))).toEqual({'hooks/a.txt': 'one\n'});
	});

	it('does not search them when a link to a secret replaces them', async () => {
		const project = await tempProject({'docs/a.txt': 'one\n', '.env': 'ELSEWHERE=1\n'});
		const accepts = () => {
			rmSync(project.path('docs/a.txt'), {force: true});
			symlinkSync('../.env', project.path('docs/a.txt'));
			return true;
		};
		const how = {output: 'content', context: 0, limit: 100} as const;
		const findings = createFindings(how);
		const start = {real: project.path('docs'), kind: 'directory'} as const;
		const {signal} = new AbortController();
		await searchBuiltin(
			{scope: project.scope, pattern: '.', start, accepts, signal, since: Date.now(), ...how},
			findings,
		);
		expect(findings.result(1000).rows.join('\n')).not.toContain('ELSEWHERE');
	});
});

describe('a file that is restored after its card', () => {
	const swaps: Readonly<Record<string, (project: TempProject) => void>> = {
		'a link is in its place': project => {
			rmSync(project.path('docs/a.txt'));
			symlinkSync('../other/a.txt', project.path('docs/a.txt'));
		},
		'a link is in the place of its folder': project => {
			rmSync(project.path('docs'), {recursive: true});
			symlinkSync('other', project.path('docs'));
		},
		'its contents changed': project => writeFileSync(project.path('docs/a.txt'), 'theirs\n'),
		'it is gone': project => rmSync(project.path('docs/a.txt')),
		'a link to the outside is in the place of its folder': project => {
			rmSync(project.path('docs'), {recursive: true});
			symlinkSync('../outside', project.path('docs'));
		},
	};
	it.each(Object.entries(swaps))('stays as it is when %s', async (_, swap) => {
		const same = 'ours\n';
		const project = await tempProject({'docs/a.txt': 'one\n', 'other/a.txt': same, '../outside/a.txt': same});
		const batch = [call('edit_file', {path: 'docs/a.txt', edits: [{old: 'one', new: 'ours'}]})];
		const told = await played(project, {text: 'See @docs/a.txt', batch, options: mode('auto')});
		const [first] = told.items();
		const files = await told.pod.filesSince(first!.id);
		expect(files).toMatchObject([{state: 'tools', path: 'docs/a.txt'}]);
		swap(project);
		const before = await tree(project.path('..'));
		const chosen = files.map(({real, present}) => ({real, ...(present !== undefined && {present})}));
		expect(await told.pod.send({method: 'restore_files', to: first!.id, files: chosen})).toMatchObject({
			accepted: false,
		});
		const after = await tree(project.path('..'));
		const written = Object.keys(after).filter(name => after[name] !== before[name] && !name.startsWith('state/'));
		expect(written).toEqual([]);
	});
});

describe('a file that is attached again', () => {
	it('needs a second Enter when its path now leads to a secret', async () => {
		const project = await projectWith({to: 'secret', options: {}, then: 'card'});
		const told = await testPod(project, {model: eventModel(answer(says('Hm.')), answer(says('Hm.')))});
		const ref = {type: 'file_ref', path: 'way/a.txt'} as const;
		await told.run([ref]);
		await told.rest();
		turn(project, 'secret');
		expect((await told.pod.preflight([ref], new AbortController().signal)).refs).toMatchObject([
			{ok: false, reason: 'denied'},
		]);
		await told.run([ref]);
		await told.rest();
		expect(JSON.stringify(told.items())).not.toContain('ELSEWHERE');
		expect(told.items().findLast(item => item.type === 'message' && item.role === 'user')).toMatchObject({
			origin: {segments: [{outcome: {failed: 'denied'}}]},
		});
	});
});
