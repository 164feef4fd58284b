import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isIntact, canVerify, signingPlace} from '../../helpers/verifiers.ts';
import {answer, eventModel, says} from '../../helpers/event-model.ts';
import {testPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';

async function openedWith(key: string | undefined) {
	const project = await tempProject();
	const env = {HOME: join(project.dir, '..', 'home'), PATH: process.env['PATH'] ?? ''};
	const model = eventModel(answer(says('one')), answer(says('two')));
	return testPod(project, {model, env, ...(key !== undefined && {signKey: key})});
}

async function countsIn(dir: string): Promise<unknown[]> {
	const lines = (await readFile(join(dir, 'signatures.jsonl'), 'utf8')).split('\n').slice(0, -1);
	return lines.map(line => (JSON.parse(line) as {count: unknown}).count);
}

describe.skipIf(!canVerify)('a session with a key', () => {
	it('is signed at the end of each run, and the last signature is written before it closes', async () => {
		const place = await signingPlace();
		const {pod, session, run, rest, items} = await openedWith(place.key);
		await run('first');
		await rest();
		const first = items().length;
		await run('second');
		await rest();
		const second = items().length;
		await pod.send({method: 'shutdown'});
		expect(await countsIn(session.dir)).toEqual([first, second]);
		expect(await isIntact(session.dir, place)).toBe(true);
	});

	it('warns once and asks for nothing if the key has a passphrase', async () => {
		const place = await signingPlace({passphrase: 'secret'});
		const {pod, session, run, rest, events} = await openedWith(place.key);
		for (const text of ['first', 'second']) {
			await run(text);
			await rest();
		}
		await pod.send({method: 'shutdown'});
		const alerts = events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
		expect(alerts).toEqual([expect.stringMatching(/^The session was not signed\. .*passphrase/)]);
		await expect(stat(join(session.dir, 'signatures.jsonl'))).rejects.toThrow('ENOENT');
	});

	it('is not signed without a key', async () => {
		const {pod, session, run, rest} = await openedWith(undefined);
		await run('first');
		await rest();
		await pod.send({method: 'shutdown'});
		await expect(stat(join(session.dir, 'signatures.jsonl'))).rejects.toThrow('ENOENT');
	});
});
