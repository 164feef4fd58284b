import {describe, expect, it} from 'vitest';
import type {Rule} from '../../../src/pod/permissions/approval/rule.ts';
import {estimateTokens} from '../../../src/pod/ground/text/tokens.ts';
import type {ItemOf, ItemType} from '../../../src/worker/index.ts';
import {answer, calls, eventModel, says} from '../../helpers/event-model.ts';
import {
	calls as familyCalls,
	child,
	childItems,
	itemsOf,
	openFamily,
	says as familySays,
} from '../../helpers/family.ts';
import {manyTools, manyToolsServer} from '../../helpers/many-tools.ts';
import {configure, writtenServer} from '../../helpers/mcp-server.ts';
import {allowed, reopened, testPod, type TestPod, type TestPodOptions} from '../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

/** Runs one turn that makes these calls, with a real server of 400 tools. */
async function turnWith(
	wanted: ReadonlyArray<readonly [name: string, args: unknown]>,
	options: Partial<TestPodOptions> = allowed,
	project?: TempProject,
): Promise<TestPod> {
	project ??= await tempProject();
	await configure(project, {hub: await writtenServer(project, manyToolsServer)});
	const answers = wanted.map(([name, args], index) => answer(calls(`c${index}`, name, args)));
	const told = await testPod(project, {model: eventModel(...answers, answer(says('Done.'))), ...options});
	await told.run('go');
	return told;
}

const of = <Type extends ItemType>(told: TestPod, type: Type) =>
	told.items().filter((item): item is ItemOf<Type> => item.type === type);

const contents = (told: TestPod) => of(told, 'tool_result').map(({content}) => content);

const ask = async (told: TestPod) => {
	await told.until(() => told.status().asks.length > 0);
	return told.status().asks[0]!;
};

const rules = (...user: readonly Rule[]): Partial<TestPodOptions> => ({
	approval: {mode: 'ask', rules: {user, project: []}},
});

const call = (tool: string, args?: unknown) => ['call_tool', {name: `mcp__hub__${tool}`, arguments: args}] as const;

describe('a session with 400 tools of a server', () => {
	it('has at most 6,000 tokens of tools, and lists all of them', async () => {
		const told = await turnWith([]);
		await told.rest();
		const [setup] = of(told, 'setup');
		const names = setup!.tools.map(({name}) => name);
		expect(names.slice(-2)).toEqual(['find_tools', 'call_tool']);
		expect(names.filter(name => name.startsWith('mcp__'))).toEqual([]);
		expect(setup!.tools.at(-2)?.deferred).toBe(400);
		const written = JSON.stringify(setup!.tools);
		expect(estimateTokens(written)).toBeLessThanOrEqual(6000);
		expect(manyTools.filter(({name}) => !written.includes(` ${name}`))).toEqual([]);
		const {rows} = await told.pod.ledger();
		expect(rows.find(({label}) => label.startsWith('find_tools'))?.label).toBe('find_tools: 400 tools on demand');
	});

	it('finds tools and runs each by its name, and records what the model wrote', async () => {
		const last = manyTools.at(-1)!.name;
		const told = await turnWith([
			['find_tools', {query: 'archive a label'}],
			call('archive_label_of_user', {id: '7'}),
			['call_tool', {name: `mcp__hub__${last}`, arguments: '{"id":"8"}'}],
			['mcp__hub__get_issue_of_user', {id: '9'}],
		]);
		await told.rest();
		const [found, ...ran] = contents(told);
		expect(found).toContain('"name":"mcp__hub__archive_label_of_user"');
		expect(ran).toEqual([
			'ran archive_label_of_user {"id":"7"}',
			`ran ${last} {"id":"8"}`,
			'ran get_issue_of_user {"id":"9"}',
		]);
		expect(of(told, 'tool_call').map(({name}) => name)).toEqual([
			'find_tools',
			'call_tool',
			'call_tool',
			'mcp__hub__get_issue_of_user',
		]);
	});

	it('asks with the card of the named tool, and remembers the answer for it', async () => {
		const told = await turnWith(
			[
				call('archive_label_of_user', {id: '7'}),
				call('archive_label_of_user', {id: '8'}),
				call('get_label_of_user', {id: '9'}),
			],
			{},
		);
		const card = await ask(told);
		expect(card).toMatchObject({callId: 'c0', title: 'Allow this call of hub: archive_label_of_user?'});
		expect(JSON.parse(card.detail)).toEqual({id: '7'});
		expect(card.choices.map(({label}) => label)[1]).toContain('mcp__hub__archive_label_of_user');
		await told.pod.send({method: 'answer', askId: card.id, choice: 'session'});
		await told.until(() => told.status().asks.some(({id}) => id !== card.id));
		const other = await ask(told);
		expect(other).toMatchObject({callId: 'c2', title: 'Allow this call of hub: get_label_of_user?'});
		await told.pod.send({method: 'answer', askId: other.id, choice: 'deny'});
		await told.rest();
		expect(contents(told)).toEqual([
			'ran archive_label_of_user {"id":"7"}',
			'ran archive_label_of_user {"id":"8"}',
			expect.stringContaining('mcp__hub__get_label_of_user'),
		]);
	});

	it('honours a rule for the named tool', async () => {
		const told = await turnWith(
			[call('get_label_of_user', {id: '7'}), call('archive_label_of_user', {id: '8'})],
			rules({tool: 'mcp__hub__get_*', action: 'allow'}),
		);
		expect((await ask(told)).callId).toBe('c1');
		expect(contents(told)).toEqual(['ran get_label_of_user {"id":"7"}']);
	});

	it('neither lists nor finds nor calls a tool that a rule denies', async () => {
		const told = await turnWith(
			[
				['find_tools', {query: 'archive_label_of_user'}],
				call('archive_label_of_user', {id: '7'}),
				['mcp__hub__archive_label_of_user', {id: '7'}],
				call('archive_label_of_usr', {id: '7'}),
			],
			{approval: {mode: 'auto', rules: {user: [{tool: 'mcp__hub__archive_*', action: 'deny'}], project: []}}},
		);
		await told.rest();
		expect(JSON.stringify(of(told, 'setup')[0]!.tools)).not.toContain('archive');
		const [found, ...ran] = contents(told);
		expect(found).not.toContain('mcp__hub__archive');
		expect(ran).toHaveLength(3);
		for (const text of ran) expect(text).not.toMatch(/^ran/);
		expect(of(told, 'tool_result').map(({details}) => details?.['denied'] !== undefined)).toEqual([
			false,
			true,
			true,
			false,
		]);
		expect(ran[2]).not.toContain('mcp__hub__archive_label_of_user');
	});

	it('gives hooks the named tool', async () => {
		const seen: unknown[] = [];
		const told = await turnWith([call('get_label_of_user', {id: '7'})], {
			...allowed,
			toolHooks: {
				async before({tool, args}) {
					seen.push(['before', tool, args]);
					return {type: 'continue'};
				},
				async after({tool}, {content}) {
					seen.push(['after', tool, content]);
					return {type: 'continue'};
				},
			},
		});
		await told.rest();
		expect(seen).toEqual([
			['before', 'mcp__hub__get_label_of_user', {id: '7'}],
			['after', 'mcp__hub__get_label_of_user', 'ran get_label_of_user {"id":"7"}'],
		]);
	});

	it('treats a tool that is not read-only as before in plan mode', async () => {
		const told = await turnWith([call('get_label_of_user', {id: '7'})], {
			approval: {mode: 'plan', rules: {user: [{tool: 'mcp__*', action: 'allow'}], project: []}},
		});
		expect((await ask(told)).title).toContain('hub: get_label_of_user');
	});

	it.each([
		[
			'a tool of inkpod',
			{name: 'bash', arguments: {command: 'touch x'}},
			'call_tool does not run bash. Call bash directly.',
		],
		['find_tools', {name: 'find_tools', arguments: {query: 'a'}}, 'Call find_tools directly.'],
		['itself', {name: 'call_tool', arguments: {name: 'bash', arguments: {}}}, 'call_tool does not run itself'],
		[
			'a tool that does not exist',
			{name: 'mcp__hub__get_lable_of_user', arguments: {id: '1'}},
			'Did you mean mcp__hub__get_label_of_user or',
		],
		[
			'nothing that resembles a tool',
			{name: 'xyz\u001b[31m'},
			String.raw`There is no tool "xyz\u001b[31m". Search with find_tools.`,
		],
		['no name', {arguments: {}}, 'The arguments of call_tool do not fit: "name" is missing.'],
		[
			'a list as arguments',
			{name: 'mcp__hub__get_label_of_user', arguments: []},
			'"arguments" must be an object, not an array.',
		],
		[
			'text that is not JSON as arguments',
			{name: 'mcp__hub__get_label_of_user', arguments: '{id'},
			'The arguments of mcp__hub__get_label_of_user are not valid JSON',
		],
		[
			'too few arguments',
			{name: 'mcp__hub__get_label_of_user'},
			'do not fit: the argument id is missing. The tool has these arguments: id.',
		],
		[
			'huge arguments',
			{name: 'mcp__hub__get_label_of_user', arguments: {id: 'x'.repeat(1_048_577)}},
			'The arguments of call_tool are larger than 1 MB.',
		],
	])('refuses call_tool with %s', async (_, args, sentence) => {
		const told = await turnWith([['call_tool', args]]);
		await told.rest();
		expect(contents(told)).toHaveLength(1);
		expect(contents(told)[0]).toContain(sentence);
		expect(of(told, 'tool_result')[0]?.isError).toBe(true);
		expect(told.status().asks).toEqual([]);
	});

	it('defers the same tools after a resume, without a new setup', async () => {
		const project = await tempProject();
		const first = await turnWith([], allowed, project);
		await first.rest();
		await first.pod.send({method: 'shutdown'});
		const session = await reopened(first);
		const again = await turnWith([call('get_label_of_user', {id: '1'})], {...allowed, session}, project);
		await again.rest();
		expect(of(again, 'setup')).toHaveLength(1);
		expect(contents(again)).toEqual(['ran get_label_of_user {"id":"1"}']);
	});
});

describe('a session with 20 tools of a server', () => {
	const body = `tools = Array.from({length: 20}, (_, at) => tool('t' + at, {description: 'word '.repeat(400)}));`;

	it.each([
		[8000, ['find_tools', 'call_tool']],
		[1_000_000, expect.arrayContaining(['mcp__s__t0', 'mcp__s__t19']) as unknown],
	])('asks a local server for its window of %i before it decides', async (window, names) => {
		const project = await tempProject();
		await configure(project, {s: await writtenServer(project, body)});
		const model = eventModel(answer(says('Yes.')), answer(says('Yes.')));
		const told = await testPod(project, {model, describe: async () => ({window}), ...allowed});
		for (const text of ['one', 'two']) {
			await told.run(text);
			await told.rest();
		}
		const setups = of(told, 'setup').map(({tools}) => tools.map(({name}) => name));
		expect(setups).toHaveLength(1);
		expect(setups[0]!.filter(name => /^mcp__|_tools?$/.test(name))).toEqual(names);
	});

	it('makes no new setup when a deferred tool changes and its line does not', async () => {
		const project = await tempProject();
		const server = `
			const list = more => Array.from({length: 50}, (_, at) =>
				tool('t' + at, {inputSchema: {type: 'object', properties: more}}));
			tools = list({});
			call = (id, {name}) => {
				if (name === 't1') tools = list({changed: {type: 'string'}});
				if (name === 't1') say(JSON.stringify({jsonrpc: '2.0', method: 'notifications/tools/list_changed'}) + '\\n');
				answer(id, {content: [{type: 'text', text: 'ok'}]});
			};`;
		await configure(project, {s: await writtenServer(project, server)});
		const model = eventModel(
			answer(calls('c1', 'call_tool', {name: 'mcp__s__t1'})),
			answer(calls('c2', 'find_tools', {query: 't2'})),
			answer(says('Done.')),
		);
		const told = await testPod(project, {model, ...allowed});
		await told.run('go');
		await told.rest();
		expect(of(told, 'setup')).toHaveLength(1);
		expect(contents(told)[1]).toContain('"changed"');
	});
});

describe('a call of a deferred tool that was interrupted', () => {
	it('asks about the named tool before it runs again', async () => {
		const project = await tempProject();
		const slow = `${manyToolsServer}\ncall = () => {};`;
		await configure(project, {hub: await writtenServer(project, slow)});
		const args = {name: 'mcp__hub__get_label_of_user', arguments: {id: '7'}};
		const told = await testPod(project, {model: eventModel(answer(calls('c1', 'call_tool', args))), ...allowed});
		await told.run('go');
		await told.until(() => (told.status().calls ?? []).length > 0);
		await told.pod.send({method: 'pause'});
		await told.rest();
		await told.pod.send({method: 'shutdown'});
		await configure(project, {hub: await writtenServer(project, manyToolsServer)});
		const model = eventModel(answer(says('Done.')));
		const again = await testPod(project, {model, session: await reopened(told), ...allowed});
		await again.pod.send({method: 'resume'});
		const card = await ask(again);
		expect(card.title).toMatch(/^mcp__hub__get_label_of_user was interrupted after .* Run it again\?$/);
		await again.pod.send({method: 'answer', askId: card.id, choice: 'allow'});
		await again.rest();
		expect(contents(again).at(-1)).toBe('ran get_label_of_user {"id":"7"}');
	});
});

describe('a child of a session with 400 tools of a server', () => {
	/** Lets a child run a tool by its name. Returns the setup of the child, its result, and what its status said. */
	async function childWith(tools?: readonly string[]) {
		const label = {id: '7'};
		const told = await openFamily({
			parent: [familyCalls(child('Label it.', tools && {tools})), familySays('Done.')],
			children: {
				'Label it.': [
					familyCalls(['call_tool', {name: 'mcp__hub__get_label_of_user', arguments: label}]),
					familySays('Labelled.'),
				],
			},
		});
		await configure(told.project, {hub: await writtenServer(told.project, manyToolsServer)});
		await told.run('go');
		await told.rest();
		const [started] = of(told, 'child_started');
		const items = await childItems(told, started!.child);
		const [setup] = itemsOf(items, 'setup');
		return {
			names: setup!.tools.map(({name}) => name),
			results: itemsOf(items, 'tool_result').map(({content}) => content),
		};
	}

	it('defers and runs them as its parent does', async () => {
		const {names, results} = await childWith();
		expect(names.slice(-2)).toEqual(['find_tools', 'call_tool']);
		expect(results).toEqual(['ran get_label_of_user {"id":"7"}']);
	});

	it('has a few named ones in its own list', async () => {
		const {names, results} = await childWith([
			'read_file',
			'mcp__hub__get_label_of_user',
			'mcp__hub__get_label_of_team',
		]);
		expect(names).toEqual(['read_file', 'mcp__hub__get_label_of_team', 'mcp__hub__get_label_of_user']);
		expect(results).toEqual(['ran get_label_of_user {"id":"7"}']);
	});

	it('has all of them with call_tool', async () => {
		expect((await childWith(['read_file', 'call_tool'])).names).toEqual(['read_file', 'find_tools', 'call_tool']);
	});

	it('has none if its tools do not include them', async () => {
		const {names, results} = await childWith(['read_file']);
		expect(names).toEqual(['read_file']);
		expect(results).toEqual(['There is no tool call_tool. The tools are: read_file.']);
	});
});
