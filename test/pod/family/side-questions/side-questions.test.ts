import {describe, expect, it, vi} from 'vitest';
import {readdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {SideQuestionAnswer, Item, PodClient} from '../../../../src/pod/protocol.ts';
import {scriptedModel, type Answer, type ModelRequest} from '../../../../src/worker/index.ts';
import {storedItems} from '../../../helpers/fixtures.ts';
import {storedSideQuestions} from '../../../../src/pod/disk/conversations/side-questions.ts';
import {readSession, type StoredSession} from '../../../../src/pod/disk/log/read.ts';
import {verifySideQuestions, type CheckedSideQuestion} from '../../../../src/pod/disk/check/verify-blobs.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {allowed, reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {startServer} from '../../../helpers/wire-servers/index.ts';
import {modelAt} from '../../../worker/wires/wire-model.ts';
import {attached, served} from '../../../helpers/socket-pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

type State = Extract<SideQuestionAnswer, {readonly id: string}>;

describe('a side question', () => {
	it('is answered from the items of the session, and adds nothing to it', async () => {
		const {told, requests} = await setting([says('Hello.'), says('Because.')]);
		await told.run('Hi');
		await told.rest();
		const before = await readFile(told.file, 'utf8');
		const done = await answered(told.pod, 'Why?');
		expect(done).toMatchObject({before: told.items().length, isPartial: false, isAttached: false});
		expect(textsOf(done.items)).toEqual(['Why?', 'Because.']);
		const [first, side] = requests;
		expect(side?.messages.slice(0, 1)).toEqual(first?.messages);
		expect(side?.tools).toEqual(first?.tools);
		expect(side?.messages.at(-1)).toMatchObject({role: 'user', text: 'Why?'});
		await step(told.pod, {op: 'discard', id: done.id});
		expect(await readFile(told.file, 'utf8')).toBe(before);
		expect(await told.pod.btw({op: 'read', id: done.id})).toHaveProperty('sentence');
	});

	it('has each word in a file before a client gets it, and keeps it there when it is discarded', async () => {
		const {told} = await setting([says('Hello.'), [{type: 'text', text: 'Because it'}, {type: 'stall'}]]);
		await told.run('Hi');
		await told.rest();
		const asked = await step(told.pod, {op: 'ask', question: 'Why?'});
		const folder = join(dirname(told.file), 'asides');
		const [name = ''] = await readdir(folder);
		const history = join(folder, name, 'history.json');
		expect(await readFile(history, 'utf8')).toContain('Why?');
		await vi.waitFor(async () => {
			const {items} = await step(told.pod, {op: 'read', id: asked.id});
			expect(textsOf(items)).toEqual(['Why?', 'Because it']);
		});
		expect(await readFile(join(folder, name, 'stream.log'), 'utf8')).toContain('Because it');
		await step(told.pod, {op: 'discard', id: asked.id});
		expect(await readFile(history, 'utf8')).toContain('Because it');
		expect(await readdir(join(folder, name))).toEqual(['history.json']);
	});

	it('counts in the cost of the session when it is discarded', async () => {
		const {told} = await setting([says('Hello.'), says('Because.')]);
		await told.run('Hi');
		await told.rest();
		const {id} = await answered(told.pod, 'Why?');
		await step(told.pod, {op: 'discard', id});
		const {models} = await told.pod.spending();
		expect(models.map(({requests}) => requests)).toEqual([2]);
	});

	it('counts in the cost of the resumed session when it is discarded', async () => {
		const {told} = await setting([says('Because.'), says('Hello.')]);
		const {id} = await answered(told.pod, 'Why?');
		await step(told.pod, {op: 'discard', id});
		await told.run('Hi');
		await told.rest();
		await told.pod.send({method: 'shutdown'});
		const [question] = await sideQuestionsOf(told);
		expect(textsOf(question!.items)).toEqual(['Why?', 'Because.']);
		const again = await testPod(await tempProject(), {model: scriptedModel([]), session: await reopened(told)});
		await vi.waitFor(async () => {
			const {models} = await again.pod.spending();
			expect(models.map(({requests}) => requests)).toEqual([2]);
		});
	});

	it('is in a record of its own before its request is sent', async () => {
		const seen: string[] = [];
		const project = await tempProject();
		const model = scriptedModel(async (_, n) => {
			const folder = join(dirname(told.file), 'asides');
			for (const id of n === 0 ? [] : await readdir(folder))
				seen.push(await readFile(join(folder, id, 'history.json'), 'utf8'));
			return says('Yes.');
		});
		const told: TestPod = await testPod(project, {model, ...allowed});
		await told.run('Hi');
		await told.rest();
		await answered(told.pod, 'Why?');
		expect(
			seen.map(text =>
				storedItems(text)
					.map(({type}) => type)
					.slice(-2),
			),
		).toEqual([['message', 'request']]);
	});

	it('can be verified when it is discarded', async () => {
		const says = (text: string) => [{type: 'text', text}] as const;
		await using server = await startServer('openai-compatible', [says('Hello.'), says('Because.')]);
		const model = await modelAt('openai-compatible', server);
		const told = await testPod(await tempProject(), {model, ...allowed});
		await told.run('Hi');
		await told.rest();
		const {id} = await answered(told.pod, 'Why?');
		await step(told.pod, {op: 'discard', id});
		const read = await readSession(dirname(told.file));
		if (!read.ok) throw new Error(read.sentence);
		const {checked: found, ...verdict} = await verifySideQuestions(read.session);
		expect(verdict).toEqual({ok: true, count: 1, findings: []});
		const [{before, session}] = found as [CheckedSideQuestion];
		const checked = await verifyRequests([...before, ...session.items], {from: before.length});
		expect(checked).toMatchObject({same: 1, different: 0, unmade: 0, unchecked: 0});
		const changed = before.map(item => ('text' in item ? {...item, text: 'Something else'} : item));
		const other = await verifyRequests([...changed, ...session.items], {from: before.length});
		expect(other).toMatchObject({same: 0, different: 1});
	});

	it('refuses calls without asking', async () => {
		const call = [{type: 'tool_call', callId: 'a', name: 'bash', arguments: '{"command":"touch x"}'}] as const;
		const {told} = await setting([says('Hello.'), [...call], says('Without it.')]);
		await told.run('Hi');
		await told.rest();
		const done = await answered(told.pod, 'Try it');
		expect(done.items.find(({type}) => type === 'tool_result')).toMatchObject({isError: true});
		expect(textsOf(done.items).at(-1)).toBe('Without it.');
		expect(told.status().asks).toEqual([]);
	});

	it('is attached once, as a message that the next request contains', async () => {
		const {told, requests} = await setting([says('Hello.'), says('Because.'), says('I see.')]);
		await told.run('Hi');
		await told.rest();
		const {id} = await answered(told.pod, 'Why?');
		expect(await step(told.pod, {op: 'attach', id})).toMatchObject({isAttached: true});
		await step(told.pod, {op: 'attach', id});
		const own = told.items().filter(item => item.type === 'message' && item.origin?.kind === 'btw');
		const text = '[Answer to the side question: Why?]\nBecause.';
		expect(own).toMatchObject([{role: 'system', text, origin: {question: 'Why?', model: told.model}}]);
		await told.run('Go on');
		await told.rest();
		expect(JSON.stringify(requests.at(-1)?.messages)).toContain('[Answer to the side question: Why?]');
		expect(told.items().filter(({type}) => type === 'run_end')).toHaveLength(2);
	});

	it('is kept as a session that begins as this one', async () => {
		const {told} = await setting([says('Hello.'), says('Because.')]);
		await told.run('Hi');
		await told.rest();
		const {id} = await answered(told.pod, 'Why?');
		const {kept = ''} = await step(told.pod, {op: 'keep', id});
		const file = join(dirname(dirname(told.file)), kept, 'history.json');
		const items = storedItems(await readFile(file, 'utf8'));
		expect(textsOf(items)).toEqual(['Hi', 'Hello.', 'Why?', 'Because.']);
		expect(await step(told.pod, {op: 'keep', id})).toMatchObject({kept});
	});

	it('is kept as a new session when this one is empty', async () => {
		const {told} = await setting([says('Because.')]);
		const {id} = await answered(told.pod, 'Why?');
		const {kept = ''} = await step(told.pod, {op: 'keep', id});
		const file = join(dirname(dirname(told.file)), kept, 'history.json');
		expect(textsOf(storedItems(await readFile(file, 'utf8')))).toEqual(['Why?', 'Because.']);
	});

	it('sees what the last request saw while a run is in progress', async () => {
		const gate = Promise.withResolvers<void>();
		const {told} = await setting([says('Hello.'), says('Because.')], gate.promise);
		await told.run('Hi');
		await told.until(() => told.items().some(({type}) => type === 'request'));
		const done = await answered(told.pod, 'Why?');
		expect(done.isPartial).toBe(true);
		expect(told.items()[done.before]?.type).toBe('request');
		// The message is committed at the next edge of the run or after its end. Only then does this step end.
		const attaching = step(told.pod, {op: 'attach', id: done.id});
		gate.resolve();
		expect(await attaching).toMatchObject({isAttached: true});
		await told.rest();
		const ends = told.items().filter(({type}) => type === 'run_end');
		expect(ends).toMatchObject([{outcome: 'finished'}]);
		expect(told.items().some(item => item.type === 'message' && item.origin?.kind === 'btw')).toBe(true);
	});

	it('stops when the terminal that asked it vanishes, and others do not', async () => {
		const gate = Promise.withResolvers<void>();
		const model = scriptedModel(async (_, n) => {
			if (n === 1) await gate.promise;
			return says('Because.');
		});
		const told = await testPod(await tempProject(), {model, ...allowed});
		const here = await answered(told.pod, 'Why?');
		const there = await attached((await served(told.pod)).path);
		const {id} = await step(there, {op: 'ask', question: 'And there?'});
		expect(await step(told.pod, {op: 'read', id})).toMatchObject({isRunning: true});
		await there.send({method: 'shutdown'});
		await vi.waitFor(async () => expect(await told.pod.btw({op: 'read', id})).toHaveProperty('sentence'));
		gate.resolve();
		expect(await step(told.pod, {op: 'read', id: here.id})).toMatchObject({id: here.id});
	});

	it('works in an attached terminal', async () => {
		const {told} = await setting([says('Hello.'), says('Because.')]);
		await told.run('Hi');
		await told.rest();
		const there = await attached((await served(told.pod)).path);
		const done = await answered(there, 'Why?');
		expect(textsOf(done.items)).toEqual(['Why?', 'Because.']);
	});
});

function says(text: string): Answer {
	return [{type: 'text', text}];
}

/** A pod whose model answers in order. With `gate`, its first request waits for it. */
async function setting(answers: readonly Answer[], gate?: Promise<void>) {
	const project = await tempProject();
	const requests: ModelRequest[] = [];
	const model = scriptedModel(async (request, n) => {
		requests.push(request);
		if (n === 0) await gate;
		return answers[n] ?? says('Nothing is left.');
	});
	const told = await testPod(project, {model, ...allowed});
	return {told: {...told, model: model.name}, requests};
}

async function sideQuestionsOf({file}: Pick<TestPod, 'file'>): Promise<readonly StoredSession[]> {
	return Array.fromAsync(storedSideQuestions(dirname(file)));
}

async function answered(pod: PodClient, question: string): Promise<State> {
	const {id} = await step(pod, {op: 'ask', question});
	for (;;) {
		const state = await step(pod, {op: 'read', id});
		if (!state.isRunning) return state;
		await new Promise(resolve => setImmediate(resolve));
	}
}

async function step(pod: PodClient, given: Parameters<PodClient['btw']>[0]): Promise<State> {
	const answer = await pod.btw(given);
	if ('sentence' in answer) throw new Error(answer.sentence);
	return answer;
}

function textsOf(items: readonly Item[]): readonly string[] {
	return items.flatMap(item => (item.type === 'message' && item.role !== 'system' ? [item.text] : []));
}
