import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {backupHashes} from '../../../../src/pod/tools/files/changes.ts';
import {forkSession} from '../../../../src/pod/disk/conversations/fork.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const asked = (told: TestPod): string[] =>
	context(told.items()).messages.flatMap(message => (message.role === 'user' ? [message.text] : []));

async function sound(dir: string): Promise<void> {
	const read = await readSession(dir);
	expect(read.ok && verifySession(read.session)).toMatchObject({ok: true, findings: []});
}

describe('a rewind', () => {
	it('combines with an undone compaction and a fork: each request is valid and contains the right items', async () => {
		const project = await tempProject({'a.txt': 'one\n'});
		const words = ['first', 'second', 'third', 'fourth', 'fifth'];
		const plain = (text: string) => answer(says(`To ${text}.`));
		const model = () => eventModel(plain('it'), plain('it'), plain('it'));
		const changes = [
			answer(calls('r', 'read_file', {path: 'a.txt'})),
			answer(calls('e', 'edit_file', {path: 'a.txt', edits: [{old: 'one', new: 'two'}]})),
			plain('third'),
		];
		const told = await testPod(project, {
			model: eventModel(plain('first'), plain('second'), ...changes, plain('fourth')),
			approval: {mode: 'auto', rules: {user: [], project: []}},
		});
		for (const text of words.slice(0, 4)) {
			await told.run(text);
			await told.rest();
		}
		const ofPerson = told.items().filter(item => item.type === 'message' && item.role === 'user');
		await told.pod.send({method: 'shutdown'});

		const session = await reopened(told);
		await session.log.write([
			{
				id: 'comp',
				at: '2026-01-01T00:00:00.000Z',
				type: 'compaction',
				summary: 'First and second were said.',
				firstKept: ofPerson[2]!.id,
				keptIds: [],
				refs: [],
				refused: [],
				before: 90,
				after: 40,
				model: 'm',
				usage: {},
			},
		]);
		await session.close();
		const again = await testPod(project, {model: model(), session: await reopened(told)});
		await again.run('fifth');
		await again.rest();
		expect(asked(again)).toEqual([
			'[Summary of the conversation until here]\nFirst and second were said.',
			'third',
			'fourth',
			'fifth',
		]);
		await sound(again.session.dir);

		expect(await again.pod.send({method: 'context', op: 'restore', ids: ['comp']})).toEqual({accepted: true});
		expect(asked(again)).toEqual(words);
		await sound(again.session.dir);

		const items = again.items();
		const to = items[items.findIndex(({id}) => id === ofPerson[3]!.id) - 1]!.id;
		expect(await again.pod.send({method: 'rewind', to})).toEqual({accepted: true});
		expect(asked(again)).toEqual(['first', 'second', 'third']);
		await sound(again.session.dir);
		const beforeThird = items[items.findIndex(({id}) => id === ofPerson[2]!.id) - 1]!.id;
		expect(await again.pod.filesSince(to)).toEqual([]);
		const [file] = await again.pod.filesSince(beforeThird);
		expect(file).toMatchObject({path: 'a.txt', state: 'tools'});

		const bytes = await readFile(again.file);
		const forked = await forkSession(
			again.session.dir,
			{backupsOf: backupHashes, copyOutputs: async () => 0},
			systemClock(),
		);
		if (!forked.ok) throw new Error(forked.sentence);
		await sound(forked.dir);
		const opened = await openSession(forked.dir, systemClock());
		if (!opened.ok) throw new Error(opened.sentence);
		const other = await testPod(project, {model: model(), session: opened.session});
		expect(other.items()).toEqual(again.items());
		await other.run('elsewhere');
		await other.rest();
		expect(asked(other)).toEqual(['first', 'second', 'third', 'elsewhere']);
		expect(
			await other.pod.send({
				method: 'restore_files',
				to: beforeThird,
				files: [{real: file!.real, present: file!.present}],
			}),
		).toEqual({accepted: true});
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('one\n');
		await sound(other.session.dir);
		expect(await readFile(again.file)).toEqual(bytes);
	});
});
