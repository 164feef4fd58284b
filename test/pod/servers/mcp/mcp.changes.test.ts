import {describe, expect, it} from 'vitest';
import {allowed, testPod, type TestPod} from '../../../helpers/pod.ts';
import {configure, writtenServer} from '../../../helpers/mcp-server.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const setups = (told: TestPod) =>
	told
		.items()
		.flatMap(item =>
			item.type === 'setup' ? [item.tools.map(({name}) => name).filter(name => name.startsWith('mcp__'))] : [],
		);

/** A server that gets another tool when `grow` is called, and announces it a number of times. */
const growing = (announcements: number) => `
	tools = [tool('grow')];
	call = (id, {name}) => {
		if (name === 'grow') {
			tools = [tool('grow'), tool('grown')];
			const note = JSON.stringify({jsonrpc: '2.0', method: 'notifications/tools/list_changed'});
			say((note + '\\n').repeat(${announcements}));
		}
		answer(id, {content: [{type: 'text', text: 'did ' + name + ', ' + heard.filter(m => m === 'tools/list').length}]});
	};`;

describe('a list of tools that changes while a turn runs', () => {
	it.each([1, 5000])('counts for the next request, and %i announcements are one change', async announcements => {
		const project = await tempProject();
		await configure(project, {s: await writtenServer(project, growing(announcements))});
		const model = eventModel(
			answer(calls('c1', 'mcp__s__grow', {})),
			answer(calls('c2', 'mcp__s__grown', {})),
			answer(says('Done.')),
		);
		const told = await testPod(project, {model, ...allowed});
		await told.run('go');
		await told.rest();
		expect(setups(told)).toEqual([['mcp__s__grow'], ['mcp__s__grow', 'mcp__s__grown']]);
		expect(model.requests.map(({tools}) => tools.filter(({name}) => name.startsWith('mcp__')).length)).toEqual([
			1, 2, 2,
		]);
		const results = told.items().flatMap(item => (item.type === 'tool_result' ? [item.content] : []));
		expect(results).toEqual(['did grow, 1', 'did grown, 2']);
	});
});

describe('/mcp', () => {
	it('disables a server for the session, enables it, and connects it again', async () => {
		const project = await tempProject();
		const pid = `tools = [tool('p' + process.pid)];`;
		await configure(project, {s: await writtenServer(project, pid)});
		const yes = answer(says('Yes.'));
		const told = await testPod(project, {model: eventModel(yes, yes, yes, yes), ...allowed});
		const turn = async () => {
			await told.run('go');
			await told.rest();
			return setups(told).at(-1)![0];
		};
		const change = async (action: 'enable' | 'disable' | 'reconnect', server = 's') =>
			told.pod.send({method: 'change_mcp', server, action});
		const first = await turn();
		expect(first).toMatch(/^mcp__s__p\d+$/);
		expect(await change('disable')).toEqual({accepted: true});
		expect(await told.pod.mcp()).toMatchObject([{name: 's', state: 'disabled', tools: []}]);
		expect(await turn()).toBeUndefined();
		await change('enable');
		const second = await turn();
		expect(second).toMatch(/^mcp__s__p\d+$/);
		expect(second).not.toBe(first);
		await change('reconnect');
		expect(await told.pod.mcp()).toMatchObject([
			{state: 'ready', tools: [{name: expect.not.stringContaining(second!)}]},
		]);
		expect(await change('disable', 'other')).toEqual({
			accepted: false,
			code: 'no_such_server',
			sentence: 'There is no MCP server other. /mcp lists them.',
		});
	});
});

describe('several servers of a project', () => {
	async function bringing() {
		const project = await tempProject({'.git/': ''});
		const server = await writtenServer(project, `tools = [tool('t')];`);
		const entries = {one: server, two: {...server, env: {A: '\u001b[31mred'}}, three: server};
		await project.write('.mcp.json', JSON.stringify({mcpServers: entries}));
		return {project, told: await testPod(project, {model: eventModel(answer(says('Yes.')))})};
	}
	const card = async (told: TestPod, choice: string) => {
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		await told.pod.send({method: 'answer', askId: ask!.id, choice});
		return ask!;
	};

	it('are on one card at the start, which no message has to wait for', async () => {
		const {told} = await bringing();
		const ask = await card(told, 'trust');
		expect(ask.title).toBe('Start 3 MCP servers from this project?');
		expect(ask.detail.match(/── Start MCP server "\w+" from this project\?/g)).toHaveLength(3);
		expect(ask.detail).toContain('"A": "\\u001b[31mred"');
		await told.run('go');
		await told.rest();
		expect(setups(told)).toEqual([['mcp__one__t', 'mcp__three__t', 'mcp__two__t']]);
		expect(told.status().asks).toEqual([]);
	});

	it('are asked about one by one on request, and a later session asks only about the others', async () => {
		const {project, told} = await bringing();
		await card(told, 'each');
		const titles = [await card(told, 'trust'), await card(told, 'deny'), await card(told, 'trust')];
		expect(titles.map(({title}) => title)).toEqual([
			'Start MCP server "one" from this project?',
			'Start MCP server "two" from this project?',
			'Start MCP server "three" from this project?',
		]);
		await told.run('go');
		await told.rest();
		expect(setups(told)).toEqual([['mcp__one__t', 'mcp__three__t']]);
		const later = await testPod(project, {model: eventModel()});
		expect((await card(later, 'deny')).title).toBe('Start MCP server "two" from this project?');
	});

	it('are not started after one “No” for all of them', async () => {
		const {told} = await bringing();
		await card(told, 'deny');
		await told.run('go');
		await told.rest();
		expect(setups(told)).toEqual([[]]);
		expect((await told.pod.mcp()).map(({state}) => state)).toEqual(['untrusted', 'untrusted', 'untrusted']);
	});
});
