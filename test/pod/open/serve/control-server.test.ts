import {chmod, lstat, mkdir} from 'node:fs/promises';
import {createConnection, createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {askServer} from '../../../../src/pod/open/serve/control-server.ts';
import {listenForTerminals} from '../../../../src/pod/open/serve/control-server.ts';
import {serverSocket} from '../../../../src/pod/open/serve/control-server.ts';
import type {Transfer} from '../../../../src/pod/open/serve/transfer.ts';
import type {BackgroundHost} from '../../../../src/pod/open/serve/background-host.ts';
import {socketDir} from '../../../helpers/socket-pod.ts';

const order: Transfer = {cwd: '/p', session: {kind: 'new'}, readOnly: false, addDirs: [], prompt: 'go'};

async function listening(answers: Partial<BackgroundHost> = {}) {
	const env = {HOME: '/nowhere', XDG_RUNTIME_DIR: await socketDir()};
	const path = serverSocket(env)!;
	const orders: Transfer[] = [];
	const host: BackgroundHost = {
		check: async () => undefined,
		async open(given) {
			orders.push(given);
			return {ok: true, id: '01JDAAAAAAAAAAAAAAAAAAAAAA'};
		},
		restore: async () => {},
		close: async () => {},
		...answers,
	};
	const controlled = await listenForTerminals(path, host);
	if (!controlled.ok) throw new Error(controlled.sentence);
	onTestFinished(controlled.close);
	return {env, path, orders, host};
}

/** Sends bytes and returns everything that comes back until the end. */
async function sendRaw(path: string, bytes: string | Buffer): Promise<string> {
	return new Promise(resolve => {
		let all = '';
		const socket = createConnection(path);
		socket.setEncoding('utf8').on('data', (text: string) => (all += text));
		socket.on('error', () => {});
		socket.on('close', () => resolve(all));
		socket.end(bytes);
	});
}

describe('the socket of the server', () => {
	it('takes an order as it was given, and answers with the session', async () => {
		const {env, orders, path} = await listening();
		expect(await askServer(env, {open: order})).toEqual({ok: true, session: '01JDAAAAAAAAAAAAAAAAAAAAAA'});
		expect(await askServer(env, {check: order})).toEqual({ok: true});
		expect(orders).toEqual([order]);
		expect((await lstat(path)).mode & 0o777).toBe(0o600);
	});

	it('belongs to one state folder', async () => {
		const {env} = await listening();
		expect(await askServer({...env, INKPOD_HOME: '/elsewhere'}, {open: order})).toMatchObject({reason: 'absent'});
	});

	it('passes on why an order was refused', async () => {
		const {env} = await listening({open: async () => ({ok: false, sentence: 'No key.'})});
		expect(await askServer(env, {open: order})).toEqual({ok: false, reason: 'refused', sentence: 'No key.'});
	});

	it('is refused to a second server, and free again after the first', async () => {
		const {path, host} = await listening();
		expect(await listenForTerminals(path, host)).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('running already') as unknown,
		});
	});

	it('is not used if others could have made it', async () => {
		const {env, path} = await listening();
		await chmod(path, 0o666);
		expect(await askServer(env, {open: order})).toMatchObject({reason: 'untrusted'});
	});

	it.each<[string, string | Buffer]>([
		['nothing', ''],
		['no JSON', 'hello\n'],
		['another message', '{"method":"shutdown"}\n'],
		['an order without a folder', '{"open":{"session":{"kind":"new"}}}\n'],
		['a mode that does not exist', `${JSON.stringify({open: {...order, approval: 'yes'}})}\n`],
		['a rule that denies', `${JSON.stringify({open: {...order, rules: [{tool: 'a', action: 'deny'}]}})}\n`],
		['a line of 5 MB', Buffer.alloc(5_000_000, 'x')],
		['deep JSON', `${'['.repeat(100_000)}\n`],
	])('opens nothing for %s', async (_name, bytes) => {
		const {path, orders} = await listening();
		const answer = await sendRaw(path, bytes);
		expect(answer.split('\n').slice(1).join('')).toMatch(/^(?:\{"problem":"[^"]+"\})?$/);
		expect(orders).toEqual([]);
	});

	it('takes one order from a connection', async () => {
		const {path, orders} = await listening();
		const line = `${JSON.stringify({open: order})}\n`;
		await sendRaw(path, line + line + line);
		expect(orders).toHaveLength(1);
	});
});

describe('a hostile server', () => {
	it.each<[string, string, string]>([
		['greets with garbage', 'x\n', 'refused'],
		['is another version', '{"serve":9,"pid":1}\n', 'refused'],
		['hangs up', '', 'lost'],
		['answers with garbage', '{"serve":1,"pid":1}\n{"session":5}\n', 'refused'],
		['sends a long line', 'x'.repeat(5_000_000), 'refused'],
	])('that %s is left with one sentence', async (_name, bytes, reason) => {
		const runtime = await socketDir();
		const env = {HOME: '/nowhere', XDG_RUNTIME_DIR: runtime};
		const path = serverSocket(env)!;
		const own = createServer(socket => {
			socket.on('error', () => {});
			socket.end(bytes);
		});
		await mkdir(join(runtime, 'inkpod'), {mode: 0o700});
		await new Promise<void>(resolve => void own.listen(path, resolve));
		await chmod(path, 0o600);
		onTestFinished(() => void own.close());
		expect(await askServer(env, {open: order})).toMatchObject({
			ok: false,
			reason,
			sentence: expect.stringMatching(/^[^\n]{10,120}$/) as unknown,
		});
	});
});
