import {chmod, mkdtemp, rm} from 'node:fs/promises';
import {createConnection, createServer, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {connectPod, type AttachedPod} from '../../src/pod/remote/attach/client.ts';
import {lineOf} from '../../src/pod/ground/text/lines.ts';
import {connectionLimits, type ConnectionLimits} from '../../src/pod/remote/attach/connection.ts';
import {listen, type Listening} from '../../src/pod/remote/attach/server.ts';
import type {Timer} from '../../src/pod/ground/values/is-record.ts';
import {createHub, type Hub} from '../../src/pod/run/status/hub.ts';
import type {Event, Item, Method, PodClient, Receipt} from '../../src/pod/protocol.ts';
import {createHistory, memoryLog, type History} from '../../src/worker/index.ts';
import {emptyAnswers} from './empty-answers.ts';

/** A pod without a model: the test decides what it sends. */
export type HandPod = {
	readonly client: PodClient;
	readonly hub: Hub;
	readonly history: History;
	readonly sent: Method[];
};

export const sessionId = '01JDAAAAAAAAAAAAAAAAAAAAAA';

export function handPod(stored: readonly Item[] = [], answers: Partial<Omit<PodClient, 'subscribe'>> = {}): HandPod {
	const history = createHistory(memoryLog, stored);
	const hub = createHub(
		history,
		() => ({id: sessionId, model: 'a/b', scope: {pwd: '/p', writable: true, readRoots: []}}),
		{kind: 'idle', asks: [], queue: []},
	);
	const sent: Method[] = [];
	const client: PodClient = {
		subscribe: listener => hub.subscribe(listener),
		async send(method): Promise<Receipt> {
			sent.push(method);
			return {accepted: true};
		},
		...emptyAnswers,
		preflight: async segments => ({segments, refs: [], tokens: 1}),
		...answers,
	};
	return {client, hub, history, sent};
}

/** Creates a folder for sockets with a short path, because socket paths have a length limit. */
export async function socketDir(): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-s-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true}));
	return dir;
}

type ServedOptions = {readonly folder?: string; readonly limits?: Partial<ConnectionLimits>; readonly timer?: Timer};

export async function served(client: PodClient, options: ServedOptions = {}): Promise<Extract<Listening, {ok: true}>> {
	const {folder = await socketDir(), limits, timer} = options;
	const at = {folder, session: sessionId, pwd: '/p'};
	const listening = await listen(client, {...at, limits: {...connectionLimits, ...limits}, ...(timer && {timer})});
	if (!listening.ok) throw new Error(listening.sentence);
	onTestFinished(() => listening.close());
	return listening;
}

export async function attached(path: string): Promise<AttachedPod> {
	const connected = await connectPod(path);
	if (!connected.ok) throw new Error(connected.sentence);
	onTestFinished(async () => void (await connected.pod.send({method: 'shutdown'})));
	return connected.pod;
}

/** Returns every event that a subscriber gets. */
export function heard(client: PodClient): Event[] {
	const events: Event[] = [];
	client.subscribe(event => events.push(event));
	return events;
}

/** Opens a raw connection, and records everything that it receives until its end. */
export function rawClient(
	path: string,
	{allowHalfOpen = false} = {},
): {readonly socket: Socket; readonly ended: Promise<string>; readonly text: () => string} {
	const socket = createConnection({path, allowHalfOpen});
	let text = '';
	socket.on('data', bytes => (text += bytes.toString()));
	socket.on('error', () => {});
	onTestFinished(() => void socket.destroy());
	return {socket, text: () => text, ended: new Promise(resolve => socket.on('close', () => resolve(text)))};
}

/** Creates a socket at the path of a session, on which a program other than inkpod listens. */
export async function rawServer(onConnection: (socket: Socket) => void): Promise<string> {
	const path = join(await socketDir(), `${sessionId}.sock`);
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => {});
		onConnection(socket);
	});
	await new Promise<void>(resolve => void server.listen(path, resolve));
	await chmod(path, 0o600);
	onTestFinished(() => {
		server.close();
		for (const socket of sockets) socket.destroy();
	});
	return path;
}

/** Returns the first lines of a server: its greeting and a snapshot. */
export function greetingLine(more: object = {}): string {
	return lineOf({inkpod: 2, session: sessionId, pwd: '/p', pid: 1, ...more});
}

export function snapshotLine(more: object = {}): string {
	const session = {id: sessionId, model: 'a/b', scope: {pwd: '/p', writable: true, readRoots: []}};
	const status = {kind: 'idle', asks: [], queue: []};
	return lineOf({type: 'snapshot', session, tail: [], status, count: 0, ...more});
}

export function textItem(id: string, text: string, role: 'user' | 'assistant' | 'system' = 'assistant'): Item {
	return {id, at: '2026-01-01T00:00:00.000Z', type: 'message', role, text};
}
