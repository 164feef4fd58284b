import {execFileSync} from 'node:child_process';
import {mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Rule} from '../../src/pod/approval/rule.ts';
import type {Ask} from '../../src/pod/protocol.ts';
import type {ModelEvent, Tool} from '../../src/worker/index.ts';
import {testPod, type TestPod, type TestPodOptions} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, toldModel} from '../helpers/told-model.ts';

/**
L13: a decision is checked against what is opened, at the moment it is opened. Each test moves a path after the call was
decided about and before it runs: the `swap` tool does it while it is prepared, which is after the call before it in the batch.
*/

let counter = 0;
const call = (name: string, args: unknown) => calls(`c${++counter}`, name, args);

/** Swaps when it is prepared, and does nothing when it runs. */
function swapTool(swap: () => void): Tool {
	return {
		definition: {name: 'swap', description: '', parameters: {type: 'object'}},
		effect: 'read',
		check(args) {
			swap();
			return {ok: true, args};
		},
		execute: async () => ({summary: 'done', content: 'done'}),
	};
}

type Played = TestPod & {readonly asked: readonly Ask[]; readonly results: readonly string[]};

/** Gives each batch to a pod, and each card to `onCard`, which answers with a choice. */
async function played(project: TempProject, batches: ReadonlyArray<readonly ModelEvent[][]>, options: Partial<TestPodOptions>, onCard: (ask: Ask) => string): Promise<Played> {
	const env = {HOME: project.path('../home'), PATH: process.env['PATH']};
	const told = await testPod(project, {model: toldModel(...batches.map(batch => answer(...batch)), answer(says('Done.'))), env, ...options});
	const asked: Ask[] = [];
	const news = () => told.status().asks.find(({id}) => asked.every(ask => ask.id !== id));
	await told.run('go');
	for (;;) {
		await told.until(() => told.status().kind !== 'running' || news() !== undefined);
		const ask = news();
		if (ask === undefined) break;
		asked.push(ask);
		await told.pod.send({method: 'answer', askId: ask.id, choice: onCard(ask)});
	}
	return {...told, asked, results: told.items().flatMap(item => (item.type === 'tool_result' ? [item.content] : []))};
}

async function tree(folder: string): Promise<Readonly<Record<string, string>>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name)).toSorted();
	return Object.fromEntries(await Promise.all(files.map(async file => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const)));
}

/** A decision about a call on `way/...`, which leads to `docs` then, and to another folder when the call runs. */
type Kind = {
	readonly to: string;
	readonly options: Partial<TestPodOptions>;
	/** The answer to the card about the call as it was first. Absent: there is none. */
	readonly first?: string;
	/** What keeps the call from running: a card about the other folder, or a refusal. */
	readonly then: 'card' | RegExp;
};

const none = {person: [], project: []};
const mode = (set: 'ask' | 'accept-edits' | 'auto', person: readonly Rule[] = [], project: readonly Rule[] = []) => ({approval: {mode: set, rules: {person, project}}});
const hooked = {toolHooks: {before: async () => ({type: 'continue' as const})}};
const other = (action: Rule['action']): Rule => ({tool: '*_file', match: 'other/**', action});

const runsLater = '.git/hooks';
const changes: Readonly<Record<string, Kind>> = {
	'accept-edits': {to: runsLater, options: mode('accept-edits'), then: 'card'},
	'a rule that allows some files': {to: 'other', options: mode('ask', [{tool: '*_file', match: '{way,docs}/**', action: 'allow'}]), then: 'card'},
	'a rule that allows all files': {to: runsLater, options: mode('ask', [{tool: '*_file', action: 'allow'}]), then: 'card'},
	'a rule of the project that allows': {to: 'other', options: mode('ask', [], [{tool: '*_file', match: '{way,docs}/**', action: 'allow'}]), then: 'card'},
	'a card, once': {to: 'other', options: mode('ask'), first: 'allow', then: 'card'},
	'a card, for this session': {to: runsLater, options: mode('ask'), first: 'session', then: 'card'},
	'a card, always': {to: 'other', options: mode('ask'), first: 'always', then: 'card'},
	'a rule that denies the other file': {to: 'other', options: mode('accept-edits', [other('deny')]), then: /[Rr]ule/},
	'a rule of the project that denies the other file': {to: 'other', options: mode('auto', [], [other('deny')]), then: /[Rr]ule/},
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
	'edit_file': ['edit_file', {path: 'way/a.txt', edits: [{old: 'one', new: 'ours'}]}],
};
const reading: typeof changing = {
	'read_file': ['read_file', {path: 'way/a.txt'}],
	'read_file of lines': ['read_file', {path: 'way/a.txt', offset: 1, limit: 1}],
};
const searching: typeof changing = {
	'grep of a folder': ['grep', {pattern: 'one|ELSEWHERE', path: 'way'}],
	'grep of a file': ['grep', {pattern: 'one|ELSEWHERE', path: 'way/a.txt'}],
	'glob': ['glob', {pattern: '*.txt', path: 'way'}],
};

const cells = [
	...product(changing, changes),
	...product(reading, reads),
	...product(searching, searches),
].flatMap(cell => (cell.kind.first === undefined ? [{...cell, attended: true}, {...cell, attended: false}] : [{...cell, attended: true}]));

function product(tools: typeof changing, kinds: Readonly<Record<string, Kind>>) {
	return Object.entries(tools).flatMap(([tool, made]) => Object.entries(kinds).map(([name, kind]) => ({tool, made, name, kind})));
}

/** `way` leads to `docs`. What lies elsewhere is known to the model, so that nothing but the decision keeps it as it is. */
async function projectWith(kind: Kind): Promise<TempProject> {
	const project = await tempProject({'docs/a.txt': 'one\n', [`${kind.to}/a.txt`]: 'one ELSEWHERE\n', 'secret/.env': 'ELSEWHERE=1\n'});
	// A secret behind an innocent name, in a folder that is no secret.
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

/** A file may be changed once it was read: said by an attachment, so that reading it asks nobody and no rule is about it. */
function attached(kind: Kind): string {
	return `See @docs/a.txt${kind.to === 'secret' || kind.to.startsWith('..') ? '' : ` and @"${kind.to}/a.txt"`}`;
}

describe('a call whose path leads elsewhere after it was decided about', () => {
	it.each(cells)('$tool, decided by $name, attended $attended: is decided about anew', async ({made: [name, args], kind, attended}) => {
		const project = await projectWith(kind);
		const elsewhere = project.path(kind.to);
		const before = await tree(elsewhere);
		const isReading = name !== 'write_file' && name !== 'edit_file';
		const told = await testPod(project, {model: toldModel(answer(call(name, args), call('swap', {})), answer(says('Done.'))), attended, moreTools: [swapTool(() => turn(project, kind.to))], ...kind.options});
		const asked = await answered(told, isReading ? 'Go.' : attached(kind), ({length}) => (length === 1 && kind.first !== undefined ? kind.first : 'deny'));
		const [result] = resultsOf(told).filter(content => content !== 'done');
		expect(await tree(elsewhere)).toEqual(before);
		if (isReading) expect(result).not.toContain('ELSEWHERE');
		expect(asked).toHaveLength(Number(kind.first !== undefined) + Number(kind.then === 'card' && attended));
		if (kind.then !== 'card') expect(result).toMatch(kind.then);
		else expect(result).toMatch(attended ? /not allow/ : /nobody can be asked|not allowed/);
	});

	it.each(product({...changing, ...reading, ...searching}, {'nothing': {to: 'other', options: mode('auto'), then: 'card'}}))('$tool, when all of it is allowed: is done in the other place', async ({made: [name, args], kind}) => {
		const project = await projectWith(kind);
		const told = await testPod(project, {model: toldModel(answer(call(name, args), call('swap', {})), answer(says('Done.'))), attended: false, moreTools: [swapTool(() => turn(project, 'other'))], ...kind.options});
		await answered(told, attached(kind), () => 'deny');
		expect(told.items().filter(item => item.type === 'tool_result').map(({isError}) => isError)).toEqual([false, false]);
		expect(await tree(project.path('docs'))).toEqual({'a.txt': 'one\n'});
	});

	it('is given up as changed when its path leads elsewhere each time', async () => {
		const project = await tempProject({'docs/a.txt': 'one\n', 'other/a.txt': 'one\n', '.git/hooks/sample': ''});
		await project.link('way', 'docs');
		let turns = 0;
		const onCard = () => {
			turn(project, turns++ % 2 === 0 ? 'other' : 'docs');
			return 'allow';
		};
		const {asked, results} = await played(project, [[call('write_file', {path: 'way/n.txt', content: 'ours\n'})]], {approval: {mode: 'ask', rules: none}}, onCard);
		expect(asked).toHaveLength(3);
		expect(results).toEqual([expect.stringContaining('(changed)')]);
		expect(Object.keys(await tree(project.dir)).filter(name => name.endsWith('n.txt'))).toEqual([]);
	});

	it('stays unanswered when the run is paused at the second card', async () => {
		const project = await tempProject({'.git/hooks/sample': '', 'docs/': ''});
		await project.link('way', 'docs');
		const told = await testPod(project, {model: toldModel(answer(call('write_file', {path: 'way/n', content: 'ours\n'}), call('swap', {}))), moreTools: [swapTool(() => turn(project, runsLater))], ...mode('accept-edits')});
		await told.run('go');
		await told.until(() => told.status().asks.length === 1);
		await told.pod.send({method: 'pause'});
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
		expect(resultsOf(told)).toEqual(['done']);
	});

	it('runs a hook once', async () => {
		const project = await projectWith({to: 'other', options: {}, then: 'card'});
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
		const told = await testPod(project, {model: toldModel(answer(call('read_file', {path: 'way/a.txt'}), call('swap', {})), answer(says('Done.'))), moreTools: [swapTool(() => turn(project, 'other'))], toolHooks});
		await answered(told, 'go', () => 'deny');
		expect(seen).toEqual([['read_file', project.path('docs/a.txt')], ['swap', undefined]]);
		expect(after).toEqual(['swap']);
	});
});

/** Runs, and answers each card by those that there were. */
async function answered(told: TestPod, text: string, choose: (asked: readonly Ask[]) => string): Promise<readonly Ask[]> {
	const asked: Ask[] = [];
	const news = () => told.status().asks.find(({id}) => asked.every(ask => ask.id !== id));
	await told.run(text);
	for (;;) {
		await told.until(() => told.status().kind !== 'running' || news() !== undefined);
		const ask = news();
		if (ask === undefined) return asked;
		asked.push(ask);
		await told.pod.send({method: 'answer', askId: ask.id, choice: choose(asked)});
	}
}

function resultsOf({items}: TestPod): readonly string[] {
	return items().flatMap(item => (item.type === 'tool_result' ? [item.content] : []));
}

describe('one answer that checks out a branch with a link into .git/hooks, and then writes through it', () => {
	it.each([
		['attended', true],
		['with nobody to ask', false],
	])('%s, no hook is written without a card', async (_, attended) => {
		const project = await tempProject({'a.txt': 'a\n'});
		const git = (...args: readonly string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: project.dir, stdio: 'pipe'});
		git('init', '-q', '-b', 'main');
		git('add', '-A');
		git('commit', '-qm', 'one');
		git('checkout', '-q', '-b', 'feature');
		await project.link('docs', '.git/hooks');
		git('add', '-A');
		git('commit', '-qm', 'two');
		git('checkout', '-q', 'main');
		const writes = Array.from({length: 150}, (__, index) => call('write_file', {path: `src/f${index}.ts`, content: `${index}\n`}));
		const hook = call('write_file', {path: 'docs/post-checkout', content: '#!/bin/sh\n'});
		const batch = [call('bash', {command: 'git checkout -q feature'}), ...writes, hook];
		const rules = {person: [{tool: 'bash', match: 'git checkout *', action: 'allow'}], project: []} as const;
		const {asked} = await played(project, [batch], {attended, approval: {mode: 'accept-edits', rules}}, () => 'deny');
		expect(await readdir(project.path('.git/hooks'))).not.toContain('post-checkout');
		expect(asked.every(({title}) => title.includes('.git/hooks/post-checkout'))).toBe(true);
	});
});

describe('a command, when a link has come in the place of the working directory', () => {
	const kinds: Readonly<Record<string, {readonly options: Partial<TestPodOptions>; readonly choice?: string}>> = {
		'a rule': {options: mode('ask', [{tool: 'bash', match: 'touch *', action: 'allow'}])},
		'a card, once': {options: mode('ask'), choice: 'allow'},
		'a card, for this session': {options: mode('ask'), choice: 'session'},
		'a card, always': {options: mode('ask'), choice: 'always'},
		'auto': {options: mode('auto')},
		'a hook': {options: {...mode('auto'), ...hooked}},
	};
	it.each(Object.entries(kinds).flatMap(([name, kind]) => [false, true].map(background => ({name, kind, background}))))('allowed by $name, in the background $background: is not run', async ({kind, background}) => {
		const project = await tempProject({'../elsewhere/': ''});
		const swap = () => {
			renameSync(project.dir, project.path('../aside'));
			symlinkSync('elsewhere', project.dir);
		};
		const batch = [call('bash', {command: 'touch ran', background}), call('swap', {})];
		const {results} = await played(project, [batch], {moreTools: [swapTool(swap)], ...kind.options}, () => kind.choice ?? 'deny');
		expect(results.filter(content => content !== 'done')).toEqual([expect.stringContaining('(changed)')]);
		expect([await readdir(project.path('../elsewhere')), await readdir(project.path('../aside'))]).toEqual([[], []]);
	});
});

describe('a folder that is moved while a file in it is being changed', () => {
	it('is not written in its new place', async () => {
		const project = await tempProject({'docs/a.txt': 'one\n', '.git/': ''});
		const swap = () => {
			mkdirSync(project.path('docs-2'));
			renameSync(project.path('docs'), project.path('.git/hooks'));
			renameSync(project.path('docs-2'), project.path('docs'));
		};
		const batch = [call('edit_file', {path: 'docs/a.txt', edits: [{old: 'one', new: 'ours'}]}), call('swap', {})];
		const told = await testPod(project, {model: toldModel(answer(...batch), answer(says('Done.'))), moreTools: [swapTool(swap)], ...mode('accept-edits')});
		await answered(told, 'See @docs/a.txt', () => 'deny');
		expect(await tree(project.path('.git'))).toEqual({'hooks/a.txt': 'one\n'});
	});
});
