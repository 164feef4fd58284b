import {describe, expect, it, onTestFinished} from 'vitest';
import {z} from 'zod';
import type {Item, PodClient} from '../../../../src/pod/protocol.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {ownPartsProblem, type OwnParts} from '../../../../src/pod/open/start/local-pod.ts';
import {planStart} from '../../../../src/pod/open/start/plan.ts';
import {startPod, type Started} from '../../../../src/pod/open/start/start-pod.ts';
import {defineTool, type Model, type ModelEvent, type Tool, type ToolEffect} from '../../../../src/worker/index.ts';
import {histories} from '../../../helpers/chat.ts';
import {says, eventModel} from '../../../helpers/event-model.ts';
import {tempHome, type Home} from '../../disk/fixture.ts';

const end: ModelEvent = {type: 'finish', stop: 'end', usage: {input: 1, output: 1}};

function ownModel(...answers: ModelEvent[][]) {
	return {...eventModel(...answers), name: 'own/told'};
}

function named(name: string, effect: ToolEffect = 'read', ran: string[] = []): Tool {
	return defineTool({
		name,
		description: 'Looks an order up.',
		effect,
		input: z.object({id: z.string()}),
		async execute({id}) {
			ran.push(`${name} ${id}`);
			return {summary: id, content: `order ${id}`};
		},
	});
}

function calls(name: string): ModelEvent[] {
	return [
		{type: 'start', key: name, part: {type: 'tool_call', callId: name, name}},
		{type: 'delta', key: name, text: '{"id":"7"}'},
		{type: 'end', key: name},
	];
}

/** Nobody is there to approve a call. */
async function start(home: Home, own: OwnParts, session?: string): Promise<Started> {
	const chosen = session === undefined ? ({kind: 'new'} as const) : ({kind: 'id', id: session} as const);
	const planned = await planStart(
		{session: chosen, readOnly: false, addDirs: [], cwd: home.cwd, model: 'offline'},
		home.env,
	);
	if (!planned.ok) throw new Error(planned.sentence);
	return startPod(planned.plan, home.env, {attended: false, own});
}

async function open(home: Home, own: OwnParts, session?: string) {
	const started = await start(home, own, session);
	if (!started.ok) throw new Error(started.sentence);
	onTestFinished(async () => void (await started.pod.send({method: 'shutdown'})));
	return started;
}

/** Sends a message, and returns the items of the session after the turn. */
async function turn(pod: PodClient): Promise<readonly Item[]> {
	const items: Item[] = [];
	const ended = Promise.withResolvers<void>();
	const stop = pod.subscribe(event => {
		if (event.type === 'snapshot') items.push(...event.items);
		if (event.type !== 'item') return;
		items.push(event.item);
		if (event.item.type === 'run_end') ended.resolve();
	});
	expect(await pod.send({method: 'run', segments: [{type: 'text', text: 'hi'}]})).toEqual({accepted: true});
	await ended.promise;
	stop();
	return items;
}

const texts = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.role === 'assistant' ? [item.text] : []));

describe('the model of a program', () => {
	it('answers instead of the planned model, and is in the history', async () => {
		const {pod} = await open(await tempHome(), {model: ownModel([...says('Hello.'), end])});
		const items = await turn(pod);
		expect(texts(items)).toEqual(['Hello.']);
		expect(items.find(({type}) => type === 'request')).toMatchObject({model: 'own/told'});
	});

	it('can be chosen again after another one', async () => {
		const {pod} = await open(await tempHome(), {model: ownModel([...says('Back.'), end])});
		expect(await pod.send({method: 'model', name: 'offline'})).toMatchObject({accepted: true});
		expect(await pod.send({method: 'model', name: 'own/told'})).toMatchObject({accepted: true});
		expect(texts(await turn(pod))).toEqual(['Back.']);
	});

	it('writes a session that verifies and continues without it', async () => {
		const home = await tempHome();
		const {pod, session} = await open(home, {
			model: ownModel([...says('One.'), end]),
			features: [{name: 'a', tools: [named('order')]}],
		});
		const written = await turn(pod);
		await pod.send({method: 'shutdown'});
		const read = await readSession(session.dir);
		expect(read.ok && verifySession(read.session).findings).toEqual([]);
		expect(await verifyRequests(written)).toMatchObject({different: 0, unsent: 1, unmade: 0});
		const resumed = await open(home, {}, session.id);
		const items = await turn(resumed.pod);
		expect(items.filter(({type}) => type === 'request').map(item => 'model' in item && item.model)).toEqual([
			'own/told',
			'offline',
		]);
		expect(await resumed.pod.send({method: 'model', name: 'own/told'})).toMatchObject({
			accepted: false,
			code: 'no_such_model',
			sentence: expect.stringContaining('own/told') as unknown,
		});
		expect(historyFile(resumed.session.dir)).toBe(historyFile(session.dir));
	});
});

describe('the tools of a program', () => {
	it('are offered to the model, and run by their effect', async () => {
		const ran: string[] = [];
		const model = ownModel(
			[...calls('order'), ...calls('refund'), {...end, stop: 'tool_calls'}],
			[...says('Done.'), end],
		);
		const tools = [named('order', 'read', ran), named('refund', 'execute', ran)];
		const {pod} = await open(await tempHome(), {model, features: [{name: 'shop', tools}]});
		const results = (await turn(pod)).flatMap(item => (item.type === 'tool_result' ? [item] : []));
		expect(ran).toEqual(['order 7']);
		expect(results.toSorted((left, right) => left.callId.localeCompare(right.callId))).toMatchObject([
			{callId: 'order', content: 'order 7', isError: false},
			{callId: 'refund', content: expect.stringContaining('needs approval') as unknown, isError: true},
		]);
		expect(model.requests[0]?.tools.map(({name}) => name)).toEqual(expect.arrayContaining(['order', 'refund']));
	});
});

describe('the parts of a program', () => {
	const model = (name: string): Model => ({...ownModel(), name});
	const ofTools = (...tools: Tool[]): OwnParts => ({features: tools.map(tool => ({name: 'a', tools: [tool]}))});

	it.each([
		['a model with the name of a provider', {model: model('openai/gpt-5')}, /own\/NAME/],
		['a model whose name has control characters', {model: model('own/a\u001B[2J')}, /own\/a\\u001b\[2J/],
		['a tool that inkpod has', ofTools(named('read_file')), /inkpod already has a tool "read_file"/],
		['a tool that runs others', ofTools(named('call_tool')), /inkpod already has a tool "call_tool"/],
		['a tool that looks like one of a server', ofTools(named('a__b')), /"a__b" cannot be used/],
		['a tool without a name', ofTools(named('')), /"" cannot be used/],
		['two tools of one name', ofTools(named('a'), named('a')), /Two of your tools are called "a"/],
	])('are refused before anything is stored: %s', async (_, own: OwnParts, sentence) => {
		const home = await tempHome();
		expect(await start(home, own)).toEqual({ok: false, sentence: expect.stringMatching(sentence) as unknown});
		expect(await histories(home.home)).toEqual([]);
	});

	it('may be absent', () => {
		expect(ownPartsProblem({})).toBeUndefined();
	});
});
