import {spawnSync} from 'node:child_process';
import {chmod, lstat, readdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {connectPod} from '../../../../src/pod/remote/attach/client.ts';
import {listen} from '../../../../src/pod/remote/attach/server.ts';
import type {ChangedFile, Ledger, Receipt} from '../../../../src/pod/protocol.ts';
import {
	attached,
	handPod,
	heard,
	rawClient,
	served,
	sessionId,
	socketDir,
	textItem,
} from '../../../helpers/socket-pod.ts';

const at = {session: sessionId, pwd: '/p'};
const until = async (condition: () => boolean) =>
	vi.waitFor(() => expect(condition()).toBe(true), {timeout: 20_000, interval: 2});

describe('the socket of a pod', () => {
	it('has mode 0600, and is removed when the pod is closed', async () => {
		const {client, hub} = handPod();
		const folder = await socketDir();
		const {path} = await served(client, {folder});
		const stats = await lstat(path);
		expect([stats.isSocket(), stats.mode & 0o777]).toEqual([true, 0o600]);
		hub.close();
		expect(await readdir(folder)).toEqual([]);
	});

	it('replaces the socket of a dead process, but not of a live one', async () => {
		const {client} = handPod();
		const folder = await socketDir();
		await served(client, {folder});
		expect(await listen(handPod().client, {folder, ...at})).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('in use'),
		});
		const dead = await socketDir();
		const left = join(dead, `${sessionId}.sock`);
		spawnSync(process.execPath, [
			'-e',
			`const path = ${JSON.stringify(left)};
require('net').createServer().listen(path, () => {
	require('fs').chmodSync(path, 0o600);
	process.kill(process.pid, 'SIGKILL');
})`,
		]);
		expect((await lstat(left)).isSocket()).toBe(true);
		const {path} = await served(client, {folder: dead});
		expect((await attached(path)).hello).toEqual({inkpod: 2, ...at, pid: process.pid, state: 'idle'});
	});

	it('is not created in a folder that is open, foreign, a link or a file', async () => {
		const {client} = handPod();
		const open = await socketDir();
		await chmod(open, 0o750);
		const real = await socketDir();
		const link = join(await socketDir(), 'link');
		await symlink(real, link);
		const file = join(await socketDir(), 'file');
		await writeFile(file, '');
		for (const folder of [open, link, file]) {
			expect(await listen(client, {folder, ...at})).toMatchObject({
				ok: false,
				sentence: expect.stringMatching(/^No other terminal can attach/),
			});
			expect(await connectPod(join(folder, `${sessionId}.sock`))).toMatchObject({ok: false, reason: 'untrusted'});
		}
		const taken = await socketDir();
		await writeFile(join(taken, `${sessionId}.sock`), 'mine');
		expect(await listen(client, {folder: taken, ...at})).toMatchObject({ok: false});
		expect(await lstat(join(taken, `${sessionId}.sock`))).toMatchObject({size: 4});
	});
});

describe('a client', () => {
	it('receives the snapshot and then each event once when it attaches late', async () => {
		const {client, hub, history} = handPod([textItem('1', 'one')]);
		hub.delta({id: '2', text: 'tw', begin: textItem('2', '')});
		const {path} = await served(client);
		const pod = await attached(path);
		const events = heard(pod);
		hub.delta({id: '2', text: 'o'});
		await history.append([textItem('2', 'two')]);
		hub.alert({level: 'warn', text: 'careful'});
		hub.setStatus({kind: 'paused'});
		await until(() => events.length === 5);
		expect(events).toEqual([
			expect.objectContaining({type: 'snapshot', items: [textItem('1', 'one')], tail: [textItem('2', 'tw')]}),
			{type: 'delta', id: '2', text: 'o'},
			{type: 'item', item: textItem('2', 'two')},
			{type: 'alert', alert: {level: 'warn', text: 'careful'}},
			{type: 'status', status: {kind: 'paused', asks: [], queue: []}},
		]);
		expect(heard(pod)[0]).toEqual(heard(client)[0]);
	});

	it('receives each answer with its id, and refusals unchanged', async () => {
		const refusal: Receipt = {accepted: false, code: 'busy', sentence: 'Not now.'};
		const ledger: Ledger = {
			model: 'a/b',
			rows: [
				{
					id: 'f',
					kind: 'file',
					label: 'a.md',
					path: 'a.md',
					range: {first: 1, last: 2},
					body: {bytes: 3, totalBytes: 9},
					bytes: 12,
					tokens: 4,
					pinned: true,
					state: 'changed',
				},
			],
			totals: [{kind: 'file', rows: 1, bytes: 12, tokens: 4}],
			bytes: 12,
			tokens: 4,
			window: 200_000,
		};
		const file: ChangedFile = {
			state: 'others',
			real: '/p/a.md',
			path: 'a.md',
			present: 'f'.repeat(64),
			removes: true,
			diff: '-x',
			sentence: 'somebody else has changed it since',
		};
		const {client, sent} = handPod([], {
			send: async method => (method.method === 'resume' ? refusal : {accepted: true}),
			ledger: async () => ledger,
			filesSince: async to => (to === 'i1' ? [file] : []),
			async complete(query) {
				if (query.text === 'bad') throw new Error('broken index');
				return {
					query,
					matches: [{type: 'path', path: 'a.md', directory: false, ignored: false, marks: [0]}],
					indexing: true,
				};
			},
		});
		const {path} = await served(client);
		const pod = await attached(path);
		const query = {kind: 'path', text: 'a', limit: 5} as const;
		const [run, resume, found, looked] = await Promise.all([
			pod.send({method: 'run', segments: [{type: 'text', text: '\ud800日'}]}),
			pod.send({method: 'resume'}),
			pod.complete(query),
			pod.preflight([{type: 'text', text: 'x'}], new AbortController().signal),
		]);
		expect([run, resume]).toEqual([{accepted: true}, refusal]);
		expect(found).toEqual({
			query,
			matches: [{type: 'path', path: 'a.md', directory: false, ignored: false, marks: [0]}],
			indexing: true,
		});
		expect(looked).toEqual({segments: [{type: 'text', text: 'x'}], refs: [], tokens: 1});
		await expect(pod.complete({...query, text: 'bad'})).rejects.toThrow('broken index');
		expect(await pod.workflows()).toEqual([]);
		expect(await pod.ledger()).toEqual(ledger);
		expect([await pod.filesSince('i1'), await pod.filesSince('i2')]).toEqual([[file], []]);
		expect(sent).toEqual([]);
	});

	it('aborts a query at the pod', async () => {
		const stopped = Promise.withResolvers<void>();
		const asked = Promise.withResolvers<void>();
		const {client} = handPod([], {
			preflight: async (_segments, signal = new AbortController().signal) =>
				new Promise((_resolve, reject) => {
					asked.resolve();
					signal.addEventListener('abort', () => {
						stopped.resolve();
						reject(new Error('given up'));
					});
				}),
		});
		const {path} = await served(client);
		const pod = await attached(path);
		const abort = new AbortController();
		const answer = pod.preflight([], abort.signal);
		await asked.promise;
		abort.abort(new Error('edited'));
		await expect(answer).rejects.toThrow('edited');
		await stopped.promise;
		expect(await pod.send({method: 'pause'})).toEqual({accepted: true});
	});

	it('only disconnects itself when it asks for a shutdown', async () => {
		const {client, sent} = handPod();
		const {path} = await served(client);
		const [one, other] = [await attached(path), await attached(path)];
		const events = heard(one);
		expect(await one.send({method: 'shutdown'})).toEqual({accepted: true});
		expect(events.at(-1)).toEqual({type: 'closed'});
		expect(await other.send({method: 'pause'})).toEqual({accepted: true});
		const raw = rawClient(path);
		raw.socket.write('{"attach":2}\n{"id":1,"method":"shutdown"}\n');
		expect(await raw.ended).toContain('{"id":1,"receipt":{"accepted":true}}');
		expect(sent).toEqual([{method: 'pause'}]);
	});

	it('gets a reason for every open request when its server ends', async () => {
		const {client, hub} = handPod([], {
			send: async () => new Promise(() => {}),
			complete: async () => new Promise(() => {}),
		});
		const {path} = await served(client);
		const pod = await attached(path);
		const events = heard(pod);
		const run = pod.send({method: 'resume'});
		const found = pod.complete({kind: 'path', text: '', limit: 1});
		hub.close();
		expect(await run).toMatchObject({accepted: false, code: 'closed'});
		await expect(found).rejects.toThrow('lost');
		expect(await pod.closed).toContain('lost');
		expect(events.at(-1)).toMatchObject({type: 'closed', sentence: expect.stringContaining('lost')});
		expect(heard(pod).map(({type}) => type)).toEqual(['snapshot', 'closed']);
		expect(await pod.send({method: 'resume'})).toMatchObject({code: 'closed'});
		expect(await connectPod(path)).toMatchObject({ok: false, reason: 'absent'});
	});
});
