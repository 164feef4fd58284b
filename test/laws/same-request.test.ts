import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {Item, ItemOf, ItemType} from '../../src/pod/protocol.ts';
import type {Answer} from '../../src/worker/index.ts';
import {countedClock} from '../helpers/clock.ts';
import {answering, answers, closed, converse, files, opened, turns, type Held} from '../helpers/conversation.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {
	startServer,
	wires,
	type RecordedRequest,
	type WireName,
	type WireServer,
} from '../helpers/wire-servers/index.ts';
import {modelAt} from '../worker/wires/wire-model.ts';

const inOneProcess: Held = {name: 'in one process', reopen: false};
const otherwise: readonly Held[] = [
	{name: 'with other ids and times', reopen: false, clock: countedClock('other')},
	{name: 'reopened before every turn', reopen: true},
	{name: 'reopened before every turn, and paused when the calls were committed', reopen: true, stop: 'calls'},
	{
		name: 'reopened before every turn, and paused when all calls but one were answered',
		reopen: true,
		stop: 'running',
	},
	{name: 'ended without a word when all calls but one were answered', reopen: true, stop: 'running', by: 'death'},
];

describe.each(wires)('a conversation over the %s wire', wire => {
	it.each(otherwise)('sends the same bytes as a single process when $name', async how => {
		const project = await tempProject(files);
		const [first, second] = [await hold(wire, project, inOneProcess), await hold(wire, project, how)];
		expect(first.requests).toHaveLength(answers.length);
		expect(second.requests.map(withoutKey)).toEqual(first.requests.map(withoutKey));
		for (const {requests} of [first, second])
			expect(new Set(requests.map(({json}) => json.prompt_cache_key)).size).toBe(1);
		expect(of(second.items, 'setup')).toHaveLength(1);
		expect(second.ids.filter(id => first.ids.includes(id))).toEqual([]);
	});

	it('begins each request with the previous one, without ids, times or metadata of files', async () => {
		const {requests, ids, items} = await hold(wire, await tempProject(files), inOneProcess);
		const conversations = requests.map(request => conversationOf[wire](withoutMarks(request)));
		for (const [index, said] of conversations.slice(1).entries()) {
			const before = conversations[index]!;
			expect(said.slice(0, before.length)).toEqual(before);
			expect(headOf(requests[index + 1]!, wire)).toEqual(headOf(requests[index]!, wire));
		}
		const sent = requests.map(({body}) => body).join('\n');
		for (const text of [...ids, ...items.map(({at}) => at), 'sha256":', 'mtimeMs'])
			expect(sent).not.toContain(text);
	});
});

const pairs = wires.flatMap(from => wires.filter(to => to !== from).map(to => [from, to] as const));

describe('a session that changes its model', () => {
	it.each(pairs)(
		'is valid for both wires, with a setup item for each change, from %s to %s and back',
		async (from, to) => {
			const project = await tempProject(files);
			await using home = await startServer(from, answers);
			await using abroad = await startServer(to, answersAbroad);
			const first = await answering(await opened(project, await modelAt(from, home)));
			await speak(first, turns[0]!);
			const second = await answering(await opened(project, await modelAt(to, abroad), await closed(first)));
			await speak(second, turns[1]!);
			const third = await opened(project, await modelAt(from, home), await closed(second));
			await speak(third, turns[2]!);
			expect([...home.refusals, ...abroad.refusals]).toEqual([]);
			const items = third.items();
			expect(of(items, 'run_end').map(({outcome, cause}) => [outcome, cause])).toEqual([
				['finished', undefined],
				['finished', undefined],
				['finished', undefined],
			]);
			expect(of(items, 'setup').map(({model}) => model.split('/')[0])).toEqual([from, to, from]);
			expectHashes(items, [...home.requests.slice(0, 2), ...abroad.requests, ...home.requests.slice(2)]);
			expect(abroad.requests[0]!.body).toContain('They hold a constant, and a name.');
			expect(home.requests[2]!.body).toContain('From abroad.');
		},
	);
});

const answersAbroad: readonly Answer[] = [
	[
		{type: 'reasoning', text: 'Another mind.'},
		{type: 'tool_call', callId: 'abroad_1', name: 'read_file', arguments: {path: 'a.ts'}},
		{type: 'tool_call', callId: 'abroad_2', name: 'glob', arguments: '{"pattern":'},
	],
	[
		{type: 'reasoning', text: 'Done.'},
		{type: 'text', text: 'From abroad.'},
	],
];

async function speak(told: Awaited<ReturnType<typeof opened>>, text: string): Promise<void> {
	expect(await told.run(text)).toEqual({accepted: true});
	await told.rest();
}

type Holding = {
	readonly requests: readonly RecordedRequest[];
	readonly items: readonly Item[];
	readonly ids: readonly string[];
};

/** Runs the conversation with its own server. The server must not refuse anything. */
async function hold(wire: WireName, project: TempProject, how: Held): Promise<Holding> {
	await using server: WireServer = await startServer(wire, answers);
	const items = await converse(project, async () => modelAt(wire, server), how);
	expect(server.refusals).toEqual([]);
	expectInterruption(items, how);
	expect(of(items, 'reasoning').map(({text}) => text)).toEqual([
		'I should look at both, 二つとも 👍.',
		'Now I know.',
		'They leave.',
	]);
	expect(of(items, 'tool_result').map(({isError}) => isError)).toEqual([false, false, false]);
	expectHashes(items, server.requests);
	return {requests: server.requests, items, ids: items.map(({id}) => id)};
}

/** Checks that only the first turn was interrupted, and at the right place. */
function expectInterruption(items: readonly Item[], {stop, by}: Held): void {
	const interruption = stop === undefined ? [] : [by === 'death' ? 'error' : 'paused'];
	expect(of(items, 'run_end').map(({outcome}) => outcome)).toEqual([...interruption, ...turns.map(() => 'finished')]);
	if (stop === undefined) return;
	const before = items.slice(
		0,
		items.findIndex(({type}) => type === 'run_end'),
	);
	expect([of(before, 'tool_call').length, of(before, 'tool_result').length]).toEqual([3, stop === 'calls' ? 0 : 2]);
}

/** Compares the requests in history with the requests that the server received. */
function expectHashes(items: readonly Item[], requests: readonly RecordedRequest[]): void {
	expect(of(items, 'request').map(({requestHash}) => requestHash)).toEqual(
		requests.map(({body}) => createHash('sha256').update(body).digest('hex')),
	);
}

function of<Type extends ItemType>(items: readonly Item[], type: Type): Array<ItemOf<Type>> {
	return items.filter((item): item is ItemOf<Type> => item.type === type);
}

/** Returns the body without the session's cache key, which OpenAI uses to find its cache. */
function withoutKey({body, json}: RecordedRequest): string {
	return json.prompt_cache_key === undefined ? body : body.replace(JSON.stringify(json.prompt_cache_key), '"key"');
}

/** Removes the cache marks. They move with the conversation, and the provider compares only the content around them. */
function withoutMarks(request: RecordedRequest): RecordedRequest {
	return {
		...request,
		json: JSON.parse(request.body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
	};
}

const keys: Readonly<Record<WireName, string>> = {
	anthropic: 'messages',
	openai: 'input',
	google: 'contents',
	'openai-compatible': 'messages',
};

const conversationOf = Object.fromEntries(
	wires.map(wire => [wire, ({json}: RecordedRequest) => json[keys[wire]] as unknown[]]),
) as Readonly<Record<WireName, (request: RecordedRequest) => unknown[]>>;

/** Returns everything except the conversation: model, system prompt, tools, settings. */
function headOf({json, url}: RecordedRequest, wire: WireName): unknown {
	return {...json, url, [keys[wire]]: undefined};
}
