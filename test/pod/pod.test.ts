import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {HistoryError, scriptedModel} from '../../src/worker/index.ts';
import type {Event, Item, SegmentOf} from '../../src/pod/protocol.ts';
import {reopened, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {answer, says, sent, eventModel} from '../helpers/event-model.ts';

const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
const slow = (text: string) =>
	scriptedModel([[{type: 'text', text, chunk: 1, delayMs: 5}], [{type: 'text', text: 'after'}]]);

describe('a submission', () => {
	it('commits the message and then its file, and the model reads both as they are in history', async () => {
		const project = await tempProject({'a.md': 'one\ntwo\n'});
		const model = eventModel(answer(says('ok')));
		const {run, rest, items} = await testPod(project, {model});
		expect(await run('see @a.md')).toEqual({accepted: true});
		await rest();
		expect(kinds(items())).toEqual(['setup', 'submit', 'file', 'request', 'assistant', 'request_end', 'run_end']);
		expect(model.requests[0]!.messages).toEqual([
			{role: 'user', text: 'see @a.md'},
			{role: 'user', text: '[File: a.md]\none\ntwo\n'},
		]);
	});

	it('alerts once about a failed reference, records the failure on the segment, and continues', async () => {
		const project = await tempProject({'a.md': 'x'});
		const model = eventModel(answer(says('ok')));
		const first = await testPod(project, {model});
		await first.run('see @./missing.md');
		await first.rest();
		expect(first.events.filter(event => event.type === 'alert')).toHaveLength(1);
		expect(model.requests[0]!.messages[0]).toMatchObject({text: 'see [unresolved file ref: ./missing.md]'});
		await first.pod.send({method: 'shutdown'});
		const second = await testPod(project, {model, session: await reopened(first)});
		const user = second.items().find(item => item.type === 'message' && item.role === 'user') as unknown as {
			origin: {segments: SegmentOf<'file_ref'>[]};
		};
		expect(user.origin.segments.find(segment => segment.type === 'file_ref')!.outcome).toEqual({
			failed: 'not_found',
		});
		expect(second.events.filter(event => event.type === 'alert')).toEqual([]);
	});

	it('leaves history.json byte-identical when it is refused, and creates no file for a new session', async () => {
		const project = await tempProject();
		const hook = async ({text}: {text: string}) =>
			text.includes('secret')
				? ({type: 'cancel', reason: 'No secrets.'} as const)
				: ({type: 'continue'} as const);
		const {run, rest, file, status} = await testPod(project, {model: eventModel(answer(says('ok'))), hook});
		expect(await run('a secret')).toMatchObject({accepted: false, code: 'hook', sentence: 'No secrets.'});
		await expect(readFile(file)).rejects.toThrow(/ENOENT/);
		expect(await run('fine')).toEqual({accepted: true});
		await rest();
		const before = await readFile(file);
		expect(await run('a secret again')).toMatchObject({accepted: false, code: 'hook'});
		expect(await run('/nope')).toMatchObject({
			accepted: false,
			code: 'workflow',
			sentence: 'Unknown command /nope.',
		});
		expect(await run('  \n')).toMatchObject({accepted: false, code: 'empty'});
		expect(await readFile(file)).toEqual(before);
		expect(status()).toMatchObject({kind: 'idle'});
	});

	it('is refused as aborted, without a run, when it is stopped while files are read', async () => {
		const project = await tempProject();
		const reached = Promise.withResolvers<void>();
		const {run, pod, items, status} = await testPod(project, {
			model: eventModel(),
			hook: async (_prompt, signal) => {
				reached.resolve();
				await new Promise(resolve => signal.addEventListener('abort', resolve));
				return {type: 'continue'};
			},
		});
		const receipt = run('hello');
		await reached.promise;
		await pod.send({method: 'pause'});
		expect(await receipt).toMatchObject({accepted: false, code: 'aborted'});
		expect(items()).toEqual([]);
		expect(status().kind).toBe('idle');
	});
});

describe('an interrupted run', () => {
	async function interrupted(method: 'pause' | 'cancel') {
		const project = await tempProject();
		const told = await testPod(project, {model: slow('a rather long answer')});
		await told.run('go');
		await told.until(events => events.some(event => event.type === 'delta' && event.text !== ''));
		await told.pod.send({method});
		return {project, ...told};
	}

	it('is closed by one note before the next message', async () => {
		const {run, rest, items} = await interrupted('pause');
		await run('something else');
		await rest();
		expect(kinds(items())).toEqual([
			'setup',
			'submit',
			'request',
			'assistant',
			'request_end',
			'run_end',
			'interrupt',
			'submit',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect(items()[3]).toMatchObject({stop: 'aborted'});
	});

	it('continues without that note when it is resumed', async () => {
		const {pod, rest, items} = await interrupted('pause');
		expect(await pod.send({method: 'resume'})).toEqual({accepted: true});
		await rest();
		expect(kinds(items()).slice(6)).toEqual(['notice', 'request', 'assistant', 'request_end', 'run_end']);
	});

	it('is idle after a cancel, even after a restart, and cannot be resumed', async () => {
		const told = await interrupted('cancel');
		expect(told.status().kind).toBe('idle');
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(told.project, {model: eventModel(), session: await reopened(told)});
		expect(again.status().kind).toBe('idle');
		expect(await again.pod.send({method: 'resume'})).toMatchObject({accepted: false, code: 'not_paused'});
	});

	it('is paused after a pause and a restart, and is abandoned when it is cancelled then', async () => {
		const told = await interrupted('pause');
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(told.project, {model: eventModel(), session: await reopened(told)});
		expect(again.status().kind).toBe('paused');
		expect(await again.pod.send({method: 'cancel'})).toEqual({accepted: true});
		expect(again.status().kind).toBe('idle');
		expect(again.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'cancelled'});
	});
});

describe('the clients of a pod', () => {
	it('get a snapshot with the tail and every later event once when they subscribe during an answer', async () => {
		const project = await tempProject();
		const {pod, run, until, rest, items} = await testPod(project, {model: slow('abcdefghij')});
		await run('go');
		await until(events => events.some(event => event.type === 'delta' && event.text !== ''));
		const late: Event[] = [];
		pod.subscribe(event => late.push(event));
		await rest();
		const [snapshot] = late;
		expect(snapshot).toMatchObject({
			type: 'snapshot',
			status: {kind: 'running'},
			tail: [{type: 'message', role: 'assistant'}],
		});
		if (snapshot?.type !== 'snapshot') return;
		const streamed =
			(snapshot.tail[0] as {text: string}).text +
			late.map(event => (event.type === 'delta' ? event.text : '')).join('');
		expect(streamed).toBe('abcdefghij');
		expect([...snapshot.items, ...late.flatMap(event => (event.type === 'item' ? [event.item] : []))]).toEqual(
			items(),
		);
	});

	it('are informed of a shutdown, after which every method is refused', async () => {
		const {pod, events, run} = await testPod(await tempProject(), {model: eventModel()});
		await pod.send({method: 'shutdown'});
		expect(events.at(-1)).toEqual({type: 'closed'});
		expect(await run('hi')).toMatchObject({accepted: false, code: 'closed'});
	});
});

it('a file that looks like a secret needs approval, and a denial is an error result that the model reads', async () => {
	const project = await tempProject({'.env': 'KEY=1\n'});
	const model = scriptedModel([
		[{type: 'tool_call', name: 'read_file', arguments: {path: '.env'}}],
		[{type: 'text', text: 'I may not.'}],
	]);
	const {pod, run, until, rest, items, status} = await testPod(project, {model});
	await run('read it');
	await until(() => status().asks.length > 0);
	const [ask] = status().asks;
	expect(ask).toMatchObject({detail: '.env'});
	expect(await pod.send({method: 'answer', askId: 'other', choice: 'allow'})).toMatchObject({
		accepted: false,
		code: 'no_such_ask',
	});
	expect(await pod.send({method: 'answer', askId: ask!.id, choice: 'deny'})).toEqual({accepted: true});
	await rest();
	expect(items().find(item => item.type === 'tool_result')).toMatchObject({isError: true});
	expect(JSON.stringify(items())).not.toContain('KEY=1');
	expect(status().asks).toEqual([]);
});

it('a full disk ends the run with an error, reports nothing as saved, and returns an uncommitted message', async () => {
	const project = await tempProject();
	const log = {
		write: () => Promise.reject(new HistoryError('no_space', 'The disk is full. The last step was not saved.')),
	};
	const session = {
		id: 'S',
		dir: project.dir,
		cwd: project.dir,
		created: '',
		items: [],
		log,
		isMine: async () => true,
		close: async () => {},
	};
	const {run, items, status, events} = await testPod(project, {model: eventModel([sent]), session});
	expect(await run('hello')).toMatchObject({
		accepted: false,
		code: 'io',
		sentence: expect.stringContaining('disk is full') as unknown,
	});
	expect(items()).toEqual([]);
	expect(status().kind).toBe('idle');
	expect(events.filter(event => event.type === 'alert')).toEqual([]);
});

it('a disk that fills up during a run drops the tail and stops other tools, and the next run says why', async () => {
	const project = await tempProject({'a.md': 'a', 'b.md': 'b'});
	let full = false;
	const written: Item[] = [];
	const log = {
		async write(items: readonly Item[]) {
			if (full) throw new HistoryError('no_space', 'The disk is full. The last step was not saved.');
			written.push(...items);
		},
	};
	const session = {
		id: 'S',
		dir: project.dir,
		cwd: project.dir,
		created: '',
		items: [],
		log,
		isMine: async () => true,
		close: async () => {},
	};
	const model = scriptedModel([
		[{type: 'text', text: 'lost words', chunk: 2, delayMs: 1}],
		[{type: 'text', text: 'after'}],
	]);
	const {run, rest, items, status, events, until, pod} = await testPod(project, {model, session});
	await run('go');
	await until(all => all.some(event => event.type === 'delta'));
	full = true;
	await until(() => status().kind === 'paused');
	const late: Event[] = [];
	pod.subscribe(event => late.push(event));
	expect(late[0]).toMatchObject({type: 'snapshot', tail: []});
	expect(events.filter(event => event.type === 'alert').map(event => event.alert.text)).toEqual([
		'The disk is full. The last step was not saved.',
	]);
	full = false;
	await run('again');
	await rest();
	expect(written.find(item => item.type === 'run_end')).toMatchObject({
		outcome: 'error',
		cause: expect.stringContaining('disk is full') as unknown,
	});
	expect(kinds(written).filter(kind => kind === 'interrupt')).toHaveLength(1);
	expect(items().at(-1)).toMatchObject({outcome: 'finished'});
});

it('a failed first append after an interrupted run leaves no note', async () => {
	const project = await tempProject();
	const batches: string[][] = [];
	let full = false;
	const log = {
		async write(batch: readonly Item[]) {
			if (full) throw new HistoryError('no_space', 'The disk is full.');
			batches.push(kinds(batch));
		},
	};
	const session = {
		id: 'S',
		dir: project.dir,
		cwd: project.dir,
		created: '',
		items: [],
		log,
		isMine: async () => true,
		close: async () => {},
	};
	const {run, pod, until, rest, items} = await testPod(project, {model: slow('a long answer'), session});
	await run('go');
	await until(all => all.filter(event => event.type === 'delta').length > 3);
	await pod.send({method: 'pause'});
	full = true;
	expect(await run('more')).toMatchObject({accepted: false, code: 'io'});
	expect(await run('more')).toMatchObject({accepted: false, code: 'io'});
	full = false;
	await run('more');
	await rest();
	expect(kinds(items()).filter(kind => kind === 'interrupt')).toHaveLength(1);
	expect(batches.find(batch => batch.includes('interrupt'))).toEqual(['interrupt', 'submit']);
});
