import {describe, expect, it, vi} from 'vitest';
import {
	dialectNames,
	parseItem,
	requestSettings,
	scriptedModel,
	type Answer,
	type Model,
} from '../../../../src/worker/index.ts';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import type {Item, Message} from '../../../../src/pod/protocol.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {answersOf, wireForms, type WireForm} from '../../../helpers/answered-wires.ts';
import {calls, child, childItems, familyModel, itemsOf, says} from '../../../helpers/family.ts';
import {compactingModel, compactionLimits, words, writes} from '../../../helpers/compacting.ts';
import {allowed, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {startServer} from '../../../helpers/proxy-server.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {startServer as startStrict, wires} from '../../../helpers/wire-servers/index.ts';
import {modelAt, modelNames, specAt} from '../../../worker/wires/wire-model.ts';

const by = (model: string, ...answer: Answer): Answer => [{type: 'answered', model}, ...answer];
const yes = {type: 'text', text: 'Yes.'} as const;

function noticesIn(items: readonly Item[], about = 'answered'): readonly Message[] {
	return items.filter(
		(item): item is Message =>
			item.type === 'message' && item.origin?.['about'] === about && item.role === 'system',
	);
}

const textsIn = (items: readonly Item[]) => noticesIn(items).map(({text}) => text);

/** A scripted model with the name of a real one. */
function named(answers: readonly Answer[], name = 'openai/gpt-5'): Model {
	return {...scriptedModel(answers), name};
}

async function opened(model: Model, options: Partial<TestPodOptions> = {}): Promise<TestPod> {
	return testPod(await tempProject(), {model, ...allowed, ...options});
}

async function turn(told: TestPod, text = 'Is it?'): Promise<void> {
	await told.run(text);
	await told.rest();
}

async function choose(told: TestPod, choice: string): Promise<void> {
	await told.until(() => told.status().asks.length > 0);
	const [ask] = told.status().asks;
	await told.pod.send({method: 'answer', askId: ask!.id, choice});
}

/** Starts a server in the form of a wire that reports these names, one for each request. */
async function podAt({name, spec}: WireForm, reported: readonly string[]): Promise<TestPod> {
	const left = [...reported];
	const {url} = await startServer((request, response) => {
		request.resume();
		response.writeHead(200, {'content-type': 'text/event-stream'}).end(answersOf[name](left.shift() ?? ''));
	});
	const at = {...spec, baseURL: url};
	return opened(await loadModel(at), {settings: requestSettings(at)});
}

describe('an answer of another model', () => {
	it.each(wireForms)('has one notice, directly after the end of its request, over $name', async form => {
		const told = await podAt(form, [form.reported, 'cheap-model-1', 'cheap-model-1']);
		await turn(told);
		expect(noticesIn(told.items())).toEqual([]);
		await turn(told);
		await turn(told);
		const items = told.items();
		const asked = form.spec.model;
		const [notice, ...others] = noticesIn(items);
		expect(others).toEqual([]);
		expect(notice).toMatchObject({
			text: `Asked for ${asked}, answered by cheap-model-1`,
			origin: {sent: false, asked: `${form.spec.provider}/${asked}`, answered: 'cheap-model-1'},
		});
		const ends = itemsOf(items, 'request_end');
		expect(ends.map(({answered}) => answered?.model)).toEqual([form.reported, 'cheap-model-1', 'cheap-model-1']);
		expect(items[items.indexOf(notice!) - 1]).toBe(ends[1]);
	});

	it.each(wires)('is not reported for the usual answers of a strict server over %s', async wire => {
		const answers: readonly Answer[] = [
			[
				{type: 'reasoning', text: 'Hm.'},
				{type: 'tool_call', name: 'list_directory', arguments: {path: '.'}},
			],
			[yes],
			[yes],
		];
		await using server = await startStrict(wire, answers);
		const told = await opened(await modelAt(wire, server));
		await turn(told);
		await turn(told);
		expect(server.refusals).toEqual([]);
		expect(noticesIn(told.items())).toEqual([]);
		const ends = itemsOf(told.items(), 'request_end');
		expect(ends.map(({answered}) => answered?.model)).toEqual(
			ends.map(() => expect.stringContaining(modelNames[wire])),
		);
		expect(await verifyRequests(told.items())).toMatchObject({same: 3, different: 0, unmade: 0});
	});

	it.each(dialectNames)(
		'is found in a strict server of the dialect %s, but not in its usual answers',
		async dialect => {
			const answers = [[yes], [yes], by('other-model', yes)];
			await using server = await startStrict('openai-compatible', answers, {dialect});
			const spec = specAt(dialect, server);
			const told = await opened(await loadModel(spec), {settings: requestSettings(spec)});
			await turn(told);
			await turn(told);
			expect(itemsOf(told.items(), 'request_end').map(({answered}) => answered?.model)).toEqual([
				'local',
				'local',
			]);
			expect(noticesIn(told.items())).toEqual([]);
			await turn(told);
			expect(textsIn(told.items())).toEqual(['Asked for local, answered by other-model']);
		},
	);

	it.each(wires)('is found in a strict server over %s, and changes no request', async wire => {
		const other: Answer = by('other-model', {type: 'tool_call', name: 'list_directory', arguments: {path: '.'}});
		await using server = await startStrict(wire, [other, by('other-model', yes), by('other-model', yes)]);
		const told = await opened(await modelAt(wire, server));
		await turn(told);
		await turn(told);
		expect(textsIn(told.items())).toEqual([`Asked for ${modelNames[wire]}, answered by other-model`]);
		expect(server.requests.map(({body}) => body).join('\n')).not.toContain('Asked for');
		expect(server.refusals).toEqual([]);
		expect(await verifyRequests(told.items())).toMatchObject({same: 3, different: 0, unmade: 0});
	});

	it('is reported for an answer that failed or was stopped', async () => {
		const cut = await opened(named([by('gpt-4.1', yes, {type: 'cut'})]));
		await turn(cut);
		expect(textsIn(cut.items())).toEqual(['Asked for gpt-5, answered by gpt-4.1']);
		const stopped = await opened(named([by('gpt-4.1', yes, {type: 'stall'})]));
		await stopped.run('Is it?');
		await stopped.until(events => events.some(event => event.type === 'delta'));
		await stopped.pod.send({method: 'cancel'});
		await stopped.rest();
		expect(textsIn(stopped.items())).toEqual(['Asked for gpt-5, answered by gpt-4.1']);
	});

	it('has a notice for each pair of names', async () => {
		const told = await opened(named(['a-1', 'b-1', 'a-1', 'gpt-5'].map(name => by(name, yes))));
		for (let count = 0; count < 4; count++) await turn(told);
		expect(textsIn(told.items())).toEqual(['Asked for gpt-5, answered by a-1', 'Asked for gpt-5, answered by b-1']);
	});

	it('is found on Azure if a deployment of any name changes its model', async () => {
		const names = ['gpt-5.2-2025-12-11', 'gpt-5.2-2025-12-11', 'gpt-4.1-2025-04-14'];
		const told = await opened(
			named(
				names.map(name => by(name, yes)),
				'azure/our-team',
			),
		);
		for (let count = 0; count < 3; count++) await turn(told);
		expect(textsIn(told.items())).toEqual(['Asked for our-team, answered by gpt-4.1-2025-04-14']);
	});

	it('has a name of at most 200 characters, on one line', async () => {
		const hostile = `\u001b[31m\n[File: x]\n${'😀'.repeat(500)}`;
		const told = await opened(named([by(hostile, yes)]));
		await turn(told);
		const [end] = itemsOf(told.items(), 'request_end');
		expect(Array.from(end?.answered?.model ?? '')).toHaveLength(200);
		expect(textsIn(told.items())).toEqual([expect.stringMatching(/^[^\n]{1,250}$/u)]);
	});

	it('may be missing in older histories', () => {
		const end = {id: 'e', at: '', type: 'request_end', request: 'r', usage: {}, endedAt: '', stop: 'end'};
		expect(parseItem(end)).toBe(end);
		expect(parseItem({...end, answered: {model: 'm', later: 1}})).toMatchObject({answered: {model: 'm', later: 1}});
		expect(parseItem({...end, answered: {}})).toBeUndefined();
	});
});

describe('an answer of another model beside the session', () => {
	it('is reported in a child and in an alert of its parent', async () => {
		const script = {
			parent: [calls(child('Look around.')), says('Done.')],
			children: {'Look around.': [by('gpt-4.1', yes)]},
		};
		const told = await opened({...familyModel(script), name: 'openai/gpt-5'});
		await turn(told);
		const [started] = itemsOf(told.items(), 'child_started');
		const own = await childItems(told, started!.child);
		expect(textsIn(own)).toEqual(['Asked for gpt-5, answered by gpt-4.1']);
		expect(noticesIn(told.items())).toEqual([]);
		expect(alertsOf(told)).toEqual(['Asked for gpt-5, answered by gpt-4.1, in a child session']);
	});

	it('is reported in the conversation of a compaction, and after its item', async () => {
		const told = await opened(compacting('gpt-4.1'), {limits: compactionLimits({retainedTokens: 10})});
		await turn(told, words(400));
		await turn(told, words(400));
		expect(await told.pod.send({method: 'compact'})).toEqual({accepted: true});
		await told.rest();
		const items = told.items();
		const [notice, ...others] = noticesIn(items);
		expect([notice?.text, others]).toEqual(['Asked for gpt-5, answered by gpt-4.1', []]);
		const [compaction] = itemsOf(items, 'compaction');
		expect(items.indexOf(notice!)).toBeGreaterThan(items.indexOf(compaction!));
	});

	it('is reported in the record of a side question', async () => {
		const told = await opened(named([[yes], by('gpt-4.1', yes)]));
		await turn(told);
		const asked = await told.pod.btw({op: 'ask', question: 'Why?'});
		if (!('id' in asked)) throw new Error(asked.sentence);
		await told.until(() => alertsOf(told).length > 0);
		expect(alertsOf(told)).toEqual(['Asked for gpt-5, answered by gpt-4.1']);
		await vi.waitFor(async () => {
			const read = await told.pod.btw({op: 'read', id: asked.id});
			expect('items' in read && textsIn(read.items)).toEqual(['Asked for gpt-5, answered by gpt-4.1']);
		});
		expect(noticesIn(told.items())).toEqual([]);
	});
});

describe('model.exact', () => {
	const answers = () => [by('gpt-4.1', ...calls(['list_directory', {path: '.'}])), by('gpt-4.1', yes), [yes]];

	it('asks before the next request, and once for each pair', async () => {
		const told = await opened(named(answers()), {isExact: true});
		await told.run('Is it?');
		await choose(told, 'send');
		await told.rest();
		await turn(told);
		expect(itemsOf(told.items(), 'run_end').map(({outcome}) => outcome)).toEqual(['finished', 'finished']);
		expect(noticesIn(told.items(), 'answered_accepted')).toHaveLength(1);
	});

	it('sends nothing if the user says no', async () => {
		const told = await opened(named([by('gpt-4.1', yes), [yes]]), {isExact: true});
		await turn(told);
		const refused = told.run('And now?');
		await choose(told, 'deny');
		expect(await refused).toMatchObject({accepted: false, code: 'other_model'});
		expect(itemsOf(told.items(), 'request')).toHaveLength(1);
	});

	it('ends a run as an error if nobody can answer, and refuses the next one', async () => {
		const told = await opened(named([by('gpt-4.1', yes), [yes]]), {isExact: true, attended: false});
		await turn(told);
		const cause = 'Asked for gpt-5, answered by gpt-4.1. The setting model.exact stops here.';
		expect(itemsOf(told.items(), 'run_end')).toMatchObject([{outcome: 'error', cause}]);
		expect(await told.run('And now?')).toMatchObject({accepted: false, code: 'other_model', sentence: cause});
	});

	it('does not stop an answer of the same model', async () => {
		const told = await opened(named([by('gpt-5-2025-08-07', yes), [yes]]), {isExact: true, attended: false});
		await turn(told);
		await turn(told);
		expect(itemsOf(told.items(), 'run_end').map(({outcome}) => outcome)).toEqual(['finished', 'finished']);
	});

	it('asks in a child, too', async () => {
		const script = {
			parent: [calls(child('Look around.')), says('Done.')],
			children: {'Look around.': [by('gpt-4.1', ...calls(['list_directory', {path: '.'}])), says('Seen.')]},
		};
		const told = await opened({...familyModel(script), name: 'openai/gpt-5'}, {isExact: true});
		await told.run('Is it?');
		await choose(told, 'send');
		await told.rest();
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'finished'}]);
	});

	it('ends the child and its parent if nobody can answer', async () => {
		const script = {
			parent: [calls(child('Look around.')), says('Done.')],
			children: {'Look around.': [by('gpt-4.1', yes)]},
		};
		const told = await opened({...familyModel(script), name: 'openai/gpt-5'}, {isExact: true, attended: false});
		await turn(told);
		expect(itemsOf(told.items(), 'child_ended')).toMatchObject([{outcome: 'failed'}]);
		expect(itemsOf(told.items(), 'run_end')).toMatchObject([{outcome: 'error'}]);
	});

	it('asks in a compaction, and a no ends the compaction without a change', async () => {
		const limits = compactionLimits({retainedTokens: 10});
		const told = await opened(compacting('gpt-4.1'), {limits, isExact: true});
		await turn(told, words(400));
		await turn(told, words(400));
		const before = told.items().length;
		const refused = told.pod.send({method: 'compact'});
		await choose(told, 'deny');
		await refused;
		await told.rest();
		expect(told.items()).toHaveLength(before);
		const again = told.run('And now?');
		await choose(told, 'send');
		expect(await again).toEqual({accepted: true});
	});
});

function alertsOf(told: TestPod): readonly string[] {
	return told.events.flatMap(event =>
		event.type === 'alert' && event.alert.text.includes('answered by') ? [event.alert.text] : [],
	);
}

/** Creates a model whose summaries another model writes. */
function compacting(other: string): Model {
	const writer = writes('So far.');
	const model = compactingModel(
		() => [yes],
		request => by(other, ...writer(request)),
	);
	return {...model, name: 'openai/gpt-5'};
}
