import {describe, expect, it} from 'vitest';
import {context, unansweredCalls} from '../../../../src/pod/ground/history/reader.ts';
import type {Item, ItemType} from '../../../../src/pod/protocol.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, thinks, eventModel} from '../../../helpers/event-model.ts';

const ofType = (told: TestPod, type: ItemType): Item[] => told.items().filter(item => item.type === type);

async function spoken(): Promise<TestPod> {
	const told = await testPod(await tempProject({'a.md': 'one\n'}), {
		model: eventModel(
			answer(thinks('hm'), calls('c1', 'read_file', {path: 'a.md'})),
			answer(says('Done.')),
			answer(says('More.')),
		),
	});
	await told.run('go');
	await told.rest();
	return told;
}

describe('changeContext', () => {
	it('commits one visible item, and removes dropped items from the next request', async () => {
		const told = await spoken();
		const [result] = ofType(told, 'tool_result');
		expect(await told.pod.send({method: 'context', op: 'drop', ids: [result!.id, result!.id]})).toEqual({
			accepted: true,
		});
		expect(told.items().at(-1)).toMatchObject({type: 'context', op: 'drop', ids: [result!.id]});
		expect(context(told.items()).messages.map(({role}) => role)).toEqual(['user', 'assistant']);
		const {rows} = await told.pod.ledger();
		expect(rows.filter(({dropped}) => dropped).map(({kind}) => kind)).toEqual(['thought', 'call', 'result']);
		expect(await told.pod.send({method: 'context', op: 'restore', ids: [told.items().at(-1)!.id]})).toEqual({
			accepted: true,
		});
		expect(context(told.items()).messages.map(({role}) => role)).toEqual([
			'user',
			'assistant',
			'tool',
			'assistant',
		]);
		expect(told.status()).toEqual({kind: 'idle', asks: [], queue: []});
	});

	it.each<[string, (told: TestPod) => {readonly op: 'drop' | 'pin' | 'restore'; readonly ids: string[]}, string]>([
		['an empty list', () => ({op: 'drop', ids: []}), 'empty'],
		['a missing item', told => ({op: 'drop', ids: [told.items()[1]!.id, 'nowhere']}), 'no_such_item'],
		['a thought', told => ({op: 'drop', ids: [ofType(told, 'reasoning')[0]!.id]}), 'no_such_item'],
		['the setup', told => ({op: 'pin', ids: [told.items()[0]!.id]}), 'no_such_item'],
		['a request', told => ({op: 'restore', ids: [ofType(told, 'request')[0]!.id]}), 'no_such_item'],
	])('refuses %s without a trace', async (_name, change, code) => {
		const told = await spoken();
		const before = told.items();
		expect(await told.pod.send({method: 'context', ...change(told)})).toEqual({
			accepted: false,
			code,
			sentence: expect.stringMatching(/^[A-Z].*\.$/) as string,
		});
		expect(told.items()).toEqual(before);
	});

	it('drops a waiting call while paused, so that it does not run and the turn continues', async () => {
		const told = await testPod(await tempProject({'.env': 'A=1\n'}), {
			model: eventModel(answer(calls('c1', 'read_file', {path: '.env'})), answer(says('Without it.'))),
		});
		void told.run('go');
		await told.until(() => told.status().asks.length > 0);
		await told.pod.send({method: 'pause'});
		const [call] = unansweredCalls(told.items());
		expect(await told.pod.send({method: 'context', op: 'drop', ids: [call!.id]})).toEqual({accepted: true});
		expect([told.status().kind, told.items().at(-2)]).toMatchObject([
			'paused',
			{type: 'tool_result', callId: 'c1', summary: '[Dropped from the context before it ran]'},
		]);
		expect(await told.pod.send({method: 'resume'})).toEqual({accepted: true});
		await told.rest();
		expect(ofType(told, 'tool_result')).toHaveLength(1);
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it('leaves an interrupted turn paused when it undoes a rewind, even after a restart', async () => {
		const project = await tempProject({'.env': 'A=1\n'});
		const told = await testPod(project, {
			model: eventModel(answer(says('Hello.')), answer(calls('c1', 'read_file', {path: '.env'}))),
		});
		await told.run('hi');
		await told.rest();
		const to = told.items().at(-1)!.id;
		void told.run('go');
		await told.until(() => told.status().asks.length > 0);
		await told.pod.send({method: 'shutdown'});
		const session = await reopened(told);
		await session.log.write([{id: 'back', at: '2026-01-01T00:00:00.000Z', type: 'rewind', to}]);
		await session.close();
		const again = await testPod(project, {model: eventModel(), session: await reopened(told)});
		expect(again.status().kind).toBe('idle');
		expect(await again.pod.send({method: 'context', op: 'restore', ids: ['back']})).toEqual({accepted: true});
		expect(again.status().kind).toBe('paused');
		await again.pod.send({method: 'shutdown'});
		expect((await testPod(project, {model: eventModel(), session: await reopened(again)})).status().kind).toBe(
			'paused',
		);
	});
});
