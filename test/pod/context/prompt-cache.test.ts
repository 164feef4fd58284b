import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../src/pod/disk/check/verify-requests.ts';
import {attributeRequest} from '../../../src/pod/ground/history/reader.ts';
import {cacheSettings} from '../../../src/pod/context/prompt-cache.ts';
import type {Item} from '../../../src/pod/protocol.ts';
import {setupText} from '../../../src/screen/rows/texts.ts';
import {requestSettings, systemClock, type Answer, type Clock, type Tool} from '../../../src/worker/index.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {createItems} from '../../helpers/items.ts';
import {allowed, reopened, testPod, type TestPod} from '../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';
import {startServer, type HttpAnswer, type WireName, type WireServer} from '../../helpers/wire-servers/index.ts';
import type {Json} from '../../helpers/wire-servers/speech.ts';
import {modelNames, testKey} from '../../worker/wires/wire-model.ts';

const minute = 60_000;
const yes: Answer = [{type: 'text', text: 'Yes.'}];

/** A clock that a test sets forward by hand. */
function handClock(): Clock & {pass(ms: number): void} {
	let ms = Date.UTC(2026, 0, 1);
	return {...systemClock(), now: () => ms, pass: more => void (ms += more)};
}

type Options = {readonly clock: Clock; readonly before?: TestPod; readonly moreTools?: readonly Tool[]};

async function podAt(
	project: TempProject,
	server: WireServer,
	{before, wire = 'anthropic', ...options}: Options & {readonly wire?: WireName},
): Promise<TestPod> {
	await before?.pod.send({method: 'shutdown'});
	const spec = {provider: wire, model: modelNames[wire], apiKey: testKey, baseURL: server.url};
	return testPod(project, {
		...allowed,
		...options,
		model: await loadModel(spec),
		settings: requestSettings(spec),
		...(before && {session: await reopened(before)}),
	});
}

async function say(pod: TestPod, text: string): Promise<void> {
	expect(await pod.run(text)).toEqual({accepted: true});
	await pod.rest();
}

const timesIn = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'setup' ? [item.settings['cacheTime']] : []));

/** Returns the marks of each request: `1h` or `5m` at the prompt, and then those of the messages. */
function marksOf({requests}: WireServer): readonly string[] {
	return requests.map(({json}) => {
		const {system, messages} = json;
		const blocks: Json[] = [...system, ...messages.flatMap(({content}: Json) => content)];
		return blocks.flatMap(({cache_control: mark}) => (mark === undefined ? [] : [mark.ttl ?? '5m'])).join(' ');
	});
}

async function expectVerified(items: readonly Item[], {requests}: WireServer): Promise<void> {
	expect(await verifyRequests(items)).toMatchObject({same: requests.length, different: 0, unmade: 0});
	const sent = items.flatMap((item, index) => (item.type === 'request' ? [items.slice(0, index)] : []));
	for (const [n, before] of sent.entries())
		expect(await attributeRequest(before)).toMatchObject({attribution: {unknown: [], body: requests[n]?.body}});
}

describe('the cache marks of a session with Anthropic', () => {
	it('are for an hour at the prompt after a pause of more than five minutes, also after a resume', async () => {
		const project = await tempProject();
		const clock = handClock();
		await using server = await startServer('anthropic', [yes, yes, yes, yes, yes]);
		const first = await podAt(project, server, {clock});
		await say(first, 'One.');
		clock.pass(5 * minute);
		await say(first, 'Two.');
		expect(timesIn(first.items())).toEqual([undefined]);
		clock.pass(5 * minute + 1);
		await say(first, 'Three.');
		await say(first, 'Four.');
		const second = await podAt(project, server, {clock, before: first});
		await say(second, 'Five.');
		const items = second.items();
		expect(server.refusals).toEqual([]);
		expect(timesIn(items)).toEqual([undefined, '1h']);
		expect(marksOf(server)).toEqual(['5m 5m', '5m 5m 5m', '1h 5m 5m', '1h 5m 5m', '1h 5m 5m']);
		await expectVerified(items, server);
	});

	it('are for an hour at the prompt after a call that took longer than five minutes', async () => {
		const clock = handClock();
		const slow: Tool = {
			definition: {name: 'slow', description: 'Waits.', parameters: {type: 'object', properties: {}}},
			effect: 'read',
			check: args => ({ok: true, args}),
			async execute() {
				clock.pass(6 * minute);
				return {summary: 'done', content: 'done'};
			},
		};
		await using server = await startServer('anthropic', [[{type: 'tool_call', name: 'slow', arguments: {}}], yes]);
		const pod = await podAt(await tempProject(), server, {clock, moreTools: [slow]});
		await say(pod, 'Wait.');
		expect(marksOf(server)).toEqual(['5m 5m', '1h 5m 5m']);
		await expectVerified(pod.items(), server);
	});

	it('are for five minutes at a server that refuses the hour', async () => {
		const clock = handClock();
		const words = 'system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted';
		const refusal: HttpAnswer = {status: 400, body: JSON.stringify({error: {message: words}})};
		await using server = await startServer('anthropic', [yes, yes, yes], {
			refuses: ({system}) => (system[0].cache_control.ttl === undefined ? undefined : refusal),
		});
		const pod = await podAt(await tempProject(), server, {clock});
		await say(pod, 'One.');
		clock.pass(6 * minute);
		await say(pod, 'Two.');
		await say(pod, 'Three.');
		expect(server.refusals).toHaveLength(1);
		expect(marksOf(server)).toEqual(['5m 5m', '1h 5m 5m', '5m 5m 5m', '5m 5m 5m']);
		const setups = pod.items().flatMap(item => (item.type === 'setup' ? [item.settings['forms']] : []));
		expect(setups).toEqual([undefined, undefined, ['short_cache']]);
		await expectVerified(pod.items(), server);
	});

	it('change nothing for another wire', async () => {
		const clock = handClock();
		await using server = await startServer('openai', [yes, yes]);
		const pod = await podAt(await tempProject(), server, {clock, wire: 'openai'});
		await say(pod, 'One.');
		clock.pass(6 * minute);
		await say(pod, 'Two.');
		expect(timesIn(pod.items())).toEqual([undefined]);
	});
});

it('the row of a setup says that the prompt is cached for an hour', () => {
	const tools = ['a', 'b'].map(name => ({name, description: '', parameters: {}}));
	const facts = {model: 'anthropic/claude', tools, promptChars: 5};
	expect(setupText({...facts, settings: {cacheTime: '1h'}})).toContain('prompt cached for 1 hour');
	expect(setupText({...facts, settings: {cacheTime: '1h', forms: ['short_cache']}})).toBe(
		'anthropic/claude · changed for this server: prompt cached for 5 minutes · 2 tools · system prompt 5 chars',
	);
	expect(setupText({...facts, settings: {}})).not.toContain('cached');
});

describe('the cache key', () => {
	it('is the session id for OpenAI and absent for other providers', () => {
		expect(cacheSettings({model: 'openai/gpt-6-astra', settings: {}}, [], '01ABC')).toEqual({cacheKey: '01ABC'});
		for (const model of [
			'anthropic/claude-opus-5-5',
			'google/gemini-4',
			'openrouter/openai/gpt-6',
			'openai-compatible/x',
			'offline',
			'scripted:openai/x',
		])
			expect(cacheSettings({model, settings: {}}, [], '01ABC')).toEqual({});
	});

	it('stays the same in a session that continues another one, even if the model changed', () => {
		const items = createItems();
		const history = [
			{...items.setup(), settings: {cacheKey: '01OLD'}},
			items.user('Hello'),
			{...items.setup(), settings: {}},
			{...items.setup(), settings: {cacheKey: 7}},
		];
		expect(cacheSettings({model: 'openai/gpt-6-astra', settings: {}}, history, '01NEW')).toEqual({
			cacheKey: '01OLD',
		});
	});
});
