import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Event, Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile, sessionDir} from '../../src/pod/disk/paths.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {textOf} from '../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {systemClock} from '../../src/worker/index.ts';
import {builtProgram} from '../helpers/built.ts';
import {testPod} from '../helpers/pod.ts';
import {cleanEnvironment} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer} from '../helpers/wire-servers/index.ts';
import {modelAt, modelNames, testKey} from '../worker/wires/wire-model.ts';

const wire = 'openai-compatible';

/** Starts a server that reports the first request that it received, and never answers. */
async function silentServer() {
	const received = Promise.withResolvers<string>();
	const server = createServer(message => {
		const pieces: Buffer[] = [];
		message.on('data', (piece: Buffer) => pieces.push(piece));
		message.on('end', () => message.method === 'POST' && received.resolve(Buffer.concat(pieces).toString()));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		body: received.promise,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

/** Kills the program when its request has arrived. Returns the session's folder and the items on disk at that time. */
async function killedAfterSending() {
	const project = await tempProject();
	await using server = await silentServer();
	const environment = cleanEnvironment(join(project.dir, '..', 'home'));
	const args = ['-p', '--output-format', 'stream-json', '--model', `${wire}/${modelNames[wire]}`, 'Hello'];
	const child = spawn(process.execPath, [await builtProgram(), ...args], {
		cwd: project.dir,
		env: {
			...environment,
			OPENAI_COMPATIBLE_API_KEY: testKey,
			OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`,
		},
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	let out = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
	const closed = new Promise(resolve => child.on('close', resolve));
	const body = await server.body;
	child.kill('SIGKILL');
	await closed;
	const first = JSON.parse(out.split('\n')[0]!) as Extract<Event, {type: 'snapshot'}>;
	const root = join(environment['INKPOD_HOME']!, 'sessions');
	return {project, body, dir: sessionDir(root, project.dir, first.session.id)};
}

function rowsOf(event: Extract<Event, {type: 'snapshot'}>): string[] {
	const store = createTranscriptStore({columns: 120, view: 'normal'});
	store.dispatch(event);
	return Array.from({length: store.count()}, (_, index) => store.rows(index).map(textOf)).flat();
}

describe('a request', () => {
	it('is on disk before its first byte is sent, and counts as lost after a kill', {timeout: 60_000}, async () => {
		const {project, body, dir} = await killedAfterSending();
		const {items} = JSON.parse(readFileSync(historyFile(dir), 'utf8')) as {items: Item[]};
		expect(items.at(-1)).toMatchObject({
			type: 'request',
			requestHash: createHash('sha256').update(body).digest('hex'),
		});
		const read = await readSession(dir);
		if (!read.ok) throw new Error(read.sentence);
		const {ok, findings} = verifySession(read.session);
		expect([ok, findings.map(({about, level}) => [about, level])]).toEqual([true, [['pairing', 'note']]]);
		expect(await verifyRequests(items)).toMatchObject({same: 1, different: 0, unmade: 0});

		const opened = await openSession(dir, systemClock());
		if (!opened.ok) throw new Error(opened.sentence);
		await using server = await startServer(wire, [[{type: 'text', text: 'Here I am.'}]]);
		const model = await modelAt(wire, server);
		const told = await testPod(project, {model, session: opened.session});
		const snapshot = told.events.find(event => event.type === 'snapshot');
		if (snapshot?.type !== 'snapshot') throw new Error('no snapshot');
		expect(rowsOf(snapshot).join('\n')).toContain('request sent, answer lost');
		expect(await told.pod.send({method: 'resume'})).toEqual({accepted: true});
		await told.rest();
		expect([server.refusals, server.requests.length]).toEqual([[], 1]);
		expect(server.requests[0]!.json).toMatchObject({messages: (JSON.parse(body) as {messages: unknown}).messages});
		expect(await verifyRequests(told.items())).toMatchObject({same: 2, different: 0});
		const later = {...snapshot, items: told.items()};
		expect(rowsOf(later).join('\n')).toMatch(
			/request sent, answer lost · failed: inkpod ended during the run[^]*Here I am\./,
		);
	});
});
