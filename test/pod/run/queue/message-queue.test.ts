import {chmod, mkdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import type {PromptHook} from '../../../../src/pod/references/submission/submission.ts';
import {reopened} from '../../../helpers/pod.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';
import {words} from '../turn/steering-stage.ts';
import {holding, queuePod, storedIn, text, type QueuePod} from './queue-stage.ts';

const yes = {accepted: true};
const gone = expect.objectContaining({accepted: false, code: 'no_such_message'});

/** Returns a pod whose first answer ends when `release` is called. */
async function running(answers = 6): Promise<QueuePod & {readonly release: () => void}> {
	const rest = Array.from({length: answers}, (_, index) => answer(says(`answer ${index}`)));
	const {model, release} = holding(answer(says('done')), ...rest);
	const told = await queuePod({model});
	await told.run('go');
	return {...told, release};
}

async function idle(told: QueuePod): Promise<void> {
	await told.until(() => told.status().kind === 'idle' && told.status().queue.length === 0);
}

describe('the queue', () => {
	it('sends each message after the end of the previous run, in order, and then forgets it', async () => {
		const told = await running();
		await Promise.all([told.queue('one'), told.queue('two', {command: 'echo two'}), told.queue('three')]);
		expect(told.rows()).toEqual(['queued one', 'queued two', 'queued three']);
		told.release();
		await idle(told);
		await told.send({method: 'shutdown'});
		expect(words(told.items())).toEqual(['go', 'one', 'three']);
		expect(told.items().flatMap(item => (item.type === 'message' && item.origin?.['id']) || [])).toEqual([
			'one',
			'two',
			'three',
		]);
		expect(told.stored()).toEqual([]);
	});

	it('has a message on disk, in a private file, before any status shows it', async () => {
		const told = await running();
		const early: string[] = [];
		told.pod.subscribe(event => {
			if (event.type !== 'status') return;
			const stored = new Set(storedIn(told.session.dir).map(({id}) => id));
			early.push(...event.status.queue.filter(({id}) => !stored.has(id)).map(({id}) => id));
		});
		for (const name of ['one', 'two', 'three']) expect(await told.queue(name)).toEqual(yes);
		expect([early, told.rows().length]).toEqual([[], 3]);
		expect((await stat(join(told.session.dir, 'queue.json'))).mode & 0o777).toBe(0o600);
	});

	it('keeps two messages with the same words apart, and adds a known id only once', async () => {
		const told = await running();
		const add = async (message: string) => told.send({method: 'queue', message, segments: text('same')});
		expect(await Promise.all([add('a'), add('b'), add('a')])).toEqual([yes, yes, yes]);
		expect(told.rows()).toEqual(['queued same', 'queued same']);
		told.release();
		await idle(told);
		expect(words(told.items())).toEqual(['go', 'same', 'same']);
		expect(await add('b')).toEqual(yes);
		await told.rest();
		expect(words(told.items())).toEqual(['go', 'same', 'same']);
	});

	it('sends a message at once when nothing runs', async () => {
		const told = await running();
		told.release();
		await told.rest();
		expect(await told.queue('late')).toEqual(yes);
		await told.until(() => words(told.items()).length === 2);
		await idle(told);
		expect(words(told.items())).toEqual(['go', 'late']);
	});

	it('is reordered by ids, and the last change wins', async () => {
		const told = await running();
		for (const name of ['one', 'two', 'three']) await told.queue(name);
		const moves = [
			told.send({method: 'move_queued', message: 'three', before: 'one'}),
			told.send({method: 'move_queued', message: 'one'}),
			told.send({method: 'move_queued', message: 'nope', before: 'one'}),
			told.send({method: 'move_queued', message: 'two', before: 'two'}),
		];
		expect(await Promise.all(moves)).toEqual([yes, yes, gone, yes]);
		expect(told.rows()).toEqual(['queued three', 'queued two', 'queued one']);
		expect(told.stored().map(({id}) => id)).toEqual(['three', 'two', 'one']);
	});

	it('waits when the run is paused, and continues after the resumed run', async () => {
		const told = await running();
		await told.queue('later');
		await told.send({method: 'pause'});
		expect([told.status().kind, told.rows()]).toEqual(['paused', ['queued later']]);
		await told.send({method: 'resume'});
		await idle(told);
		expect(words(told.items())).toEqual(['go', 'later']);
	});

	it('keeps a message whose run was refused, with the reason, and stops', async () => {
		const told = await running();
		for (const name of ['/nope', 'next']) await told.queue(name);
		told.release();
		await told.until(() => told.rows().includes('refused /nope'));
		expect(told.status()).toMatchObject({kind: 'idle', queue: [{refusal: {code: 'workflow'}}, {state: 'queued'}]});
		expect(await told.send({method: 'send_queued'})).toEqual(yes);
		await told.rest();
		expect([words(told.items()), told.rows()]).toEqual([['go', 'next'], ['refused /nope']]);
	});

	it('keeps a message that is stopped while it is being sent', async () => {
		const asked = Promise.withResolvers<void>();
		const hook: PromptHook = async ({text: prompt}, signal) => {
			if (prompt === 'one') {
				asked.resolve();
				await new Promise(resolve => signal.addEventListener('abort', resolve));
			}
			return {type: 'continue'};
		};
		const {model, release} = holding(answer(says('done')));
		const told = await queuePod({model, hook});
		await told.run('go');
		await told.queue('one');
		release();
		await asked.promise;
		expect(told.rows()).toEqual(['sending one']);
		await told.send({method: 'pause'});
		expect([told.status().kind, told.rows(), words(told.items())]).toEqual(['idle', ['queued one'], ['go']]);
	});

	it('refuses a message of a first run that leaves no session', async () => {
		const hook: PromptHook = async (_, signal) => {
			await new Promise(resolve => signal.addEventListener('abort', resolve));
			return {type: 'continue'};
		};
		const told = await queuePod({model: eventModel(), hook});
		const receipts = [told.run('go'), told.queue('one')];
		await told.until(() => told.status().step === 'resolving');
		await told.send({method: 'cancel'});
		expect(await Promise.all(receipts)).toEqual([
			expect.objectContaining({code: 'aborted'}),
			expect.objectContaining({code: 'aborted'}),
		]);
		expect([told.rows(), told.stored()]).toEqual([[], []]);
	});

	it('does not send anything by itself where no user can approve', async () => {
		const told = await running();
		await told.queue('waits');
		await told.send({method: 'shutdown'});
		const model = eventModel(answer(says('ok')), answer(says('no')));
		const again = await queuePod({model, session: await reopened(told), attended: false}, told.project);
		await again.run('from print mode');
		await again.rest();
		expect([words(again.items()), again.rows()]).toEqual([['go', 'from print mode'], ['queued waits']]);
	});
});

describe('a steered message', () => {
	it('is saved, and is in the next request', async () => {
		const {model, release} = holding(answer(calls('1', 'read_file', {path: 'a.md'})), answer(says('ok')));
		const told = await queuePod({model});
		await told.run('go');
		expect(await told.queue('now', {steer: true})).toEqual(yes);
		expect([told.rows(), told.stored().length]).toEqual([['steering now'], 1]);
		release();
		await idle(told);
		expect([model.requests.length, words(told.items())]).toEqual([2, ['go', 'now']]);
	});

	it.each([
		['paused', 'pause', ['queued now', 'queued later']],
		['idle', 'cancel', ['queued now', 'queued later']],
	] as const)('waits in the queue when the run is %s before it is delivered', async (kind, method, rows) => {
		const told = await running();
		await told.queue('now');
		await told.queue('later');
		expect(await told.send({method: 'steer_queued', message: 'now'})).toEqual(yes);
		expect(told.rows()).toEqual(['steering now', 'queued later']);
		await told.send({method});
		expect([told.status().kind, told.rows()]).toEqual([kind, rows]);
	});

	it('is not a shell command, and not a message that was sent', async () => {
		const told = await running();
		await told.queue('list', {command: 'ls', steer: true});
		expect(told.rows()).toEqual(['queued list']);
		expect(await told.send({method: 'steer_queued', message: 'list'})).toEqual(gone);
		expect(await told.send({method: 'steer_queued', message: 'nope'})).toEqual(gone);
	});
});

describe('a message that a client takes', () => {
	it('is returned to one client, is on disk until it is released, and is never sent', async () => {
		const told = await running();
		for (const name of ['one', 'two']) await told.queue(name);
		const take = async () => told.send({method: 'take_queued', messages: ['two']});
		expect(await Promise.all([take(), take()])).toEqual([
			{accepted: true, returned: [{id: 'two', segments: text('two')}]},
			{accepted: true, returned: []},
		]);
		expect(told.stored()).toHaveLength(2);
		expect(await told.send({method: 'release_queued', message: 'two'})).toEqual(yes);
		expect(told.stored()).toHaveLength(1);
		told.release();
		await idle(told);
		expect(words(told.items())).toEqual(['go', 'one']);
	});

	it('comes with the receipt of a cancel, in order, steered ones too', async () => {
		const told = await running();
		for (const name of ['one', 'two', 'three']) await told.queue(name);
		await told.send({method: 'steer_queued', message: 'one'});
		const receipt = await told.send({method: 'cancel', take: true});
		expect(receipt).toMatchObject({accepted: true, returned: [{id: 'one'}, {id: 'two'}, {id: 'three'}]});
		expect(await told.send({method: 'cancel', take: true})).toMatchObject({accepted: false});
		expect([told.status().kind, words(told.items())]).toEqual(['idle', ['go']]);
	});

	it('is released as often as asked, unless it waits again or history contains it', async () => {
		const told = await running();
		for (const name of ['one', 'two']) await told.queue(name);
		const release = async (message: string) => told.send({method: 'release_queued', message});
		await told.send({method: 'take_queued', messages: ['two']});
		expect([await release('two'), await release('two'), await release('new')]).toEqual([yes, yes, yes]);
		await told.send({method: 'take_queued'});
		await told.send({method: 'requeue', messages: ['one']});
		expect([await release('one'), told.rows()]).toEqual([gone, ['queued one']]);
		told.release();
		await idle(told);
		expect(await release('one')).toEqual(gone);
	});

	it('is queued again when its removal cannot be saved, and a new one is refused', async () => {
		const told = await running();
		await told.queue('one');
		await told.send({method: 'take_queued'});
		await rm(join(told.session.dir, 'lock'));
		expect(await told.send({method: 'release_queued', message: 'one'})).toMatchObject({code: 'io'});
		expect(await told.queue('two')).toMatchObject({accepted: false, code: 'io'});
		expect([told.rows(), told.stored().map(({id}) => id)]).toEqual([['queued one'], ['one']]);
	});
});

describe('the queue of an ended process', () => {
	/** Leaves a session with this queue.json. */
	async function left(contents: string | undefined, more?: (file: string) => Promise<void>): Promise<QueuePod> {
		const told = await running();
		told.release();
		await told.rest();
		await told.send({method: 'shutdown'});
		const file = join(told.session.dir, 'queue.json');
		if (contents !== undefined) await writeFile(file, contents);
		await more?.(file);
		const model = eventModel(...Array.from({length: 5}, () => answer(says('ok'))));
		return queuePod({model, session: await reopened(told)}, told.project);
	}
	const file = (messages: readonly unknown[]) => JSON.stringify({format: 'inkpod.queue/1', messages});

	it('waits until the user sends it', async () => {
		const told = await running();
		for (const name of ['one', 'two']) await told.queue(name);
		await told.send({method: 'take_queued', messages: ['two']});
		await told.send({method: 'shutdown'});
		const model = eventModel(...Array.from({length: 5}, () => answer(says('ok'))));
		const again = await queuePod({model, session: await reopened(told)}, told.project);
		expect([again.status().kind, again.rows()]).toEqual(['paused', ['queued one', 'queued two']]);
		await again.send({method: 'send_queued'});
		await idle(again);
		expect(words(again.items())).toEqual(['go', 'one', 'two']);
	});

	it('does not contain a message of the history', async () => {
		const told = await running();
		await told.queue('one');
		told.release();
		await idle(told);
		await told.send({method: 'shutdown'});
		const messages = ['one', 'two'].map(id => ({id, segments: text(id)}));
		await writeFile(join(told.session.dir, 'queue.json'), file(messages));
		const again = await queuePod({model: eventModel(), session: await reopened(told)}, told.project);
		expect(again.rows()).toEqual(['queued two']);
	});

	const good = {id: 'good', segments: text('good')};
	it.each<readonly [string, string, readonly string[]]>([
		['is no JSON', '{"format":"inkpod.queue/1","messages":[{"id":"a","seg', []],
		['is empty', '', []],
		['has another format', file([good]).replace('/1', '/9'), []],
		['has bad messages', file([{id: 1}, good, null, {id: '', segments: []}, {id: 'x', segments: [{}]}]), ['good']],
		['has an id twice', file([good, {...good, segments: text('bad')}]), ['good']],
		['has too many messages', file(Array.from({length: 1001}, (_, id) => ({...good, id: `${id}`}))), []],
	])('is set aside with a warning when the file %s', async (_, contents, expected) => {
		const told = await left(contents);
		expect(told.rows()).toEqual(expected.map(name => `queued ${name}`));
		await told.until(events => events.some(event => event.type === 'alert'));
		const alert = told.events.find(event => event.type === 'alert')?.alert.text ?? '';
		const [, aside = ''] = /now (.*)\.$/.exec(alert) ?? [];
		expect(await readFile(aside, 'utf8')).toBe(contents);
	});

	it('stays on disk while a damaged file is set aside, and is intact afterwards', async () => {
		const told = await left(file([null, good]));
		expect(await readFile(join(told.session.dir, 'queue.json'), 'utf8')).toContain('good');
		await vi.waitFor(() => expect(told.stored()).toEqual([good]));
	});

	it('is not changed on disk by a session that can only be read', async () => {
		const told = await left(file([null, good]));
		await vi.waitFor(() => expect(told.stored()).toEqual([good]));
		await told.send({method: 'shutdown'});
		await writeFile(join(told.session.dir, 'queue.json'), file([null, good]));
		const session = {...(await reopened(told)), isReadOnly: true} as const;
		const again = await queuePod({model: eventModel(), session}, told.project);
		expect(again.rows()).toEqual(['queued good']);
		expect(await readFile(join(told.session.dir, 'queue.json'), 'utf8')).toBe(file([null, good]));
	});

	it.each<readonly [string, (path: string) => Promise<unknown>]>([
		['a folder', async path => mkdir(path)],
		['a link', async path => symlink('/etc/passwd', path)],
		['a file without permissions', async path => writeFile(path, 'x').then(async () => chmod(path, 0))],
	])('is not read when it is %s, and the session works', async (_, make) => {
		const told = await left(undefined, async path => void (await make(path)));
		expect(told.rows()).toEqual([]);
		expect(await told.run('on')).toEqual(yes);
		await told.rest();
	});
});
