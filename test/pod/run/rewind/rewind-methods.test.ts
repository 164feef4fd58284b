import {describe, expect, it} from 'vitest';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

/** Returns the id of the item before the nth user message. */
function before(told: TestPod, n: number): string {
	const items = told.items();
	const messages = items.flatMap((item, index) => (item.type === 'message' && item.role === 'user' ? [index] : []));
	return items[messages[n]! - 1]!.id;
}

const roles = (told: TestPod): string[] =>
	context(told.items()).messages.map(message => (message.role === 'user' ? message.text : message.role));

async function spoken(...words: readonly string[]): Promise<TestPod> {
	const told = await testPod(await tempProject(), {
		model: eventModel(
			...words.map(text => answer(says(`So: ${text}`))),
			answer(says('Again.')),
			answer(says('And again.')),
		),
	});
	for (const text of words) {
		await told.run(text);
		await told.rest();
	}
	return told;
}

describe('rewindTo', () => {
	it('commits one item, the next request continues from there, and a restore undoes it', async () => {
		const told = await spoken('one', 'two', 'three');
		const before2 = told.items();
		expect(await told.pod.send({method: 'rewind', to: before(told, 1)})).toEqual({accepted: true});
		expect(told.items().slice(before2.length)).toMatchObject([{type: 'rewind', to: before(told, 1)}]);
		expect(roles(told)).toEqual(['one', 'assistant']);
		expect(told.status()).toEqual({kind: 'idle', asks: [], queue: []});
		await told.run('other');
		await told.rest();
		expect(roles(told)).toEqual(['one', 'assistant', 'other', 'assistant']);
		const rewind = told.items().find(({type}) => type === 'rewind')!;
		expect(await told.pod.send({method: 'context', op: 'restore', ids: [rewind.id]})).toEqual({accepted: true});
		expect(roles(told)).toEqual([
			'one',
			'assistant',
			'two',
			'assistant',
			'three',
			'assistant',
			'other',
			'assistant',
		]);
		const read = await readSession(told.session.dir);
		expect(read.ok && verifySession(read.session)).toMatchObject({ok: true, findings: []});
	});

	it('keeps an earlier rewind when it goes to before a message after that rewind', async () => {
		const told = await spoken('one', 'two');
		await told.pod.send({method: 'rewind', to: before(told, 1)});
		await told.run('other');
		await told.rest();
		expect(await told.pod.send({method: 'rewind', to: before(told, 2)})).toEqual({accepted: true});
		expect(roles(told)).toEqual(['one', 'assistant']);
	});

	it.each<[string, (told: TestPod) => string, string]>([
		['a missing item', () => 'nowhere', 'no_such_item'],
		['the last item', told => told.items().at(-1)!.id, 'empty'],
	])('is refused without a trace: to %s', async (_name, to, code) => {
		const told = await spoken('one');
		const items = told.items();
		expect(await told.pod.send({method: 'rewind', to: to(told)})).toEqual({
			accepted: false,
			code,
			sentence: expect.stringMatching(/^[A-Z].*\.$/) as string,
		});
		expect(told.items()).toEqual(items);
	});

	it('is refused inside a batch of calls, because they would never be answered', async () => {
		const told = await testPod(await tempProject({'a.md': 'one\n'}), {
			model: eventModel(answer(calls('c1', 'read_file', {path: 'a.md'})), answer(says('Done.'))),
		});
		await told.run('go');
		await told.rest();
		const call = told.items().find(({type}) => type === 'tool_call')!;
		expect(await told.pod.send({method: 'rewind', to: call.id})).toMatchObject({
			accepted: false,
			code: 'no_such_item',
		});
		const result = told.items().find(({type}) => type === 'tool_result')!;
		expect(await told.pod.send({method: 'rewind', to: result.id})).toEqual({accepted: true});
	});

	it('removes an interrupted turn while paused, so that the session is idle and its call does not run', async () => {
		const project = await tempProject({'.env': 'A=1\n'});
		const told = await testPod(project, {
			model: eventModel(
				answer(says('Hello.')),
				answer(calls('c1', 'read_file', {path: '.env'})),
				answer(says('Instead.')),
			),
		});
		await told.run('hi');
		await told.rest();
		void told.run('go');
		await told.until(() => told.status().asks.length > 0);
		await told.pod.send({method: 'pause'});
		expect(told.status().kind).toBe('paused');
		expect(await told.pod.send({method: 'rewind', to: before(told, 1)})).toEqual({accepted: true});
		expect(told.status().kind).toBe('idle');
		expect(await told.pod.send({method: 'resume'})).toMatchObject({accepted: false, code: 'not_paused'});
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(project, {
			model: eventModel(answer(says('Instead.'))),
			session: await reopened(told),
		});
		expect(again.status().kind).toBe('idle');
		await again.run('rather this');
		await again.rest();
		expect(roles(again)).toEqual(['hi', 'assistant', 'rather this', 'assistant']);
		expect(again.items().filter(({type}) => type === 'tool_result')).toEqual([]);
		const read = await readSession(again.session.dir);
		expect(read.ok && verifySession(read.session).findings).toEqual([]);
	});
});
