import {resolve} from 'node:path';
import {validateJSONRPCMessage, type JSONRPCMessage, type MCPTransport} from '@ai-sdk/mcp';
import {execa} from 'execa';
import {createLineReader, lineOf} from '../attach/lines.ts';
import {childEnv} from '../child-env.ts';
import type {Env} from '../home.ts';
import {isThere} from '../is-there.ts';
import type {McpStart} from './entry.ts';
import {maxMessageBytes} from './http.ts';
import {inertLine, saidText} from './text.ts';

/** A server that runs here, in a process group of its own, with its messages one a line on its two pipes. */
export type StdioTransport = MCPTransport & {
	/** Settles with the end of a sentence about the server when its process is gone. */
	readonly ended: Promise<string>;
	/** The last of what it wrote to its stderr. */
	readonly said: () => string;
};

/**
A transport that starts the server with `start`. Its environment is the person's without the keys of models, with the entry's on top.
`close` asks it to end by closing its input, then by SIGTERM, then kills the group, and resolves when it is gone.
*/
export function createStdioTransport({command, args, env: own, cwd = '.'}: Extract<McpStart, {transport: 'stdio'}>, {pwd, env}: {readonly pwd: string; readonly env: Env}): StdioTransport {
	const ended = Promise.withResolvers<string>();
	let child: ReturnType<typeof spawn> | undefined;
	let stopping: Promise<void> | undefined;
	let isClosed = false;
	let said: Buffer = Buffer.alloc(0);
	let fault: string | undefined;
	/** Ids of requests that wait for their answers. */
	const open = new Set<unknown>();

	const spawn = (folder: string) => execa(command, args, {cwd: folder, env: {...childEnv(env), ...own}, extendEnv: false, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', buffer: false, encoding: 'buffer', reject: false, detached: true});
	const send = (message: JSONRPCMessage) => void child?.stdin.write(lineOf(message));

	function take(value: unknown): boolean {
		try {
			const message = validateJSONRPCMessage(value);
			if ('id' in message && !('method' in message)) open.delete(message.id);
			transport.onmessage?.(message);
		} catch (error) {
			// A line that is no message, or an answer to nothing that was asked.
			transport.onerror?.(error as Error);
		}
		return true;
	}

	async function watch(started: ReturnType<typeof spawn>, group: number): Promise<void> {
		const kill = () => killGroup(group, 'SIGKILL');
		process.once('exit', kill);
		const {exitCode, signalCode} = await new Promise<{readonly exitCode: number | null; readonly signalCode: string | null}>(settle => started.nodeChildProcess.once('exit', (code, signal) => settle({exitCode: code, signalCode: signal})));
		kill();
		process.off('exit', kill);
		// What has left the group may hold them open.
		for (const stream of [started.stdin, started.stdout, started.stderr]) setTimeout(() => stream.destroy(), drainMs).unref();
		ended.resolve(fault ?? (signalCode === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signalCode}`));
		transport.onclose?.();
	}

	async function stop(group: number): Promise<void> {
		child?.stdin.end();
		const timers = [setTimeout(() => killGroup(group, 'SIGTERM'), politeMs), setTimeout(() => killGroup(group, 'SIGKILL'), killMs)];
		await ended.promise;
		for (const timer of timers) clearTimeout(timer);
	}

	const transport: StdioTransport = {
		ended: ended.promise,
		said: () => saidText(said),
		async start() {
			const folder = resolve(pwd, cwd);
			if (!(await isThere(folder))) throw notStarted(`there is no folder ${inertLine(folder, 300)}`);
			if (isClosed) throw notStarted('it was closed before it was started');
			const started = spawn(folder);
			child = started;
			const {pid} = started;
			if (pid === undefined) {
				const {code} = await started;
				throw notStarted(startFailures[code ?? ''] ?? `it could not be started (${code ?? 'unknown reason'})`);
			}
			const reader = createLineReader(maxMessageBytes, take, {skipStray: true});
			for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on('error', () => {});
			started.stdout.on('data', (bytes: Buffer) => {
				if (reader.push(bytes) === undefined) return;
				fault = `it sent a message of more than ${maxMessageBytes} bytes and was stopped`;
				killGroup(pid, 'SIGKILL');
			});
			started.stderr.on('data', (bytes: Buffer) => {
				said = lastBytes(Buffer.concat([said, lastBytes(bytes)]));
			});
			void watch(started, pid);
		},
		async send(message, {signal} = {}) {
			send(message);
			if (!('id' in message && 'method' in message)) return;
			const {id} = message;
			open.add(id);
			signal?.addEventListener('abort', () => {
				if (open.delete(id)) send({jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: id}});
			}, {once: true});
		},
		async close() {
			isClosed = true;
			if (child?.pid === undefined) ended.resolve('it was not started');
			else await (stopping ??= stop(child.pid));
		},
	};

	function notStarted(why: string): Error {
		ended.resolve(why);
		return new Error(why);
	}

	return transport;
}

/** How long a server has to end after its input was closed, and after SIGTERM, in milliseconds. */
const politeMs = 250;
const killMs = 1500;
const drainMs = 100;

const startFailures: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such program',
	EACCES: 'its program may not be executed',
	E2BIG: 'its arguments are too long',
	ENOTDIR: 'its folder is no directory',
	ERR_INVALID_ARG_VALUE: 'its command holds a NUL byte',
};

/** Of stderr that is kept. */
const maxSaid = 8192;

function lastBytes(bytes: Buffer): Buffer {
	return bytes.length <= maxSaid ? bytes : bytes.subarray(bytes.length - maxSaid);
}

function killGroup(group: number, name: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(-group, name);
	} catch {
		// It has ended.
	}
}
