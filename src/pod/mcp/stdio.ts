import {resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {validateJSONRPCMessage, type JSONRPCMessage, type MCPTransport} from '@ai-sdk/mcp';
import {createLineReader, lineOf} from '../attach/lines.ts';
import {childEnv} from '../env/child-env.ts';
import type {Env} from '../env/env.ts';
import {pathExists} from '../files/path-exists.ts';
import {resolveLinks} from '../scope/locate.ts';
import type {McpStart} from './entry.ts';
import {createFloodMeter, type FloodMeter} from './flood-meter.ts';
import {maxMessageBytes} from './bounded-fetch.ts';
import {linkTargetsOf} from './link-targets.ts';
import {startProcess, type ServerProcess} from './process.ts';
import {inertLine} from './inert-text.ts';

/** A server that runs here, with its messages one a line on its two pipes. */
export type StdioTransport = MCPTransport & {
	/** Settles with the end of a sentence about the server when there is no process (any more). */
	readonly ended: Promise<string>;
	/** The last of what it wrote to its stderr. */
	readonly stderrTail: () => string;
};

type StdioStart = Extract<McpStart, {transport: 'stdio'}>;

const movedReason = 'a link that it names leads elsewhere since you were asked (changed)';

/**
A transport that starts the server with `start`: with the person's environment without the keys of models, and the
entry's on top.
Nothing is started where a link of the entry leads elsewhere than when it was judged. `close` resolves when it is gone.
*/
export function createStdioTransport(
	entry: StdioStart,
	{pwd, env}: {readonly pwd: string; readonly env: Env},
): StdioTransport {
	const {command, args, env: own, cwd = '.', linkTargets = []} = entry;
	const ended = Promise.withResolvers<string>();
	/** Ids of requests that wait for their answers. */
	const open = new Set<unknown>();
	let server: ServerProcess | undefined;
	let begun: Promise<void> | undefined;
	let isClosed = false;
	const flood = createFloodMeter();

	function isFlood(what: Parameters<FloodMeter['count']>[0]): boolean {
		const why = flood.count(what);
		if (why !== undefined) server?.kill(why);
		return why !== undefined;
	}

	function take(value: unknown): boolean {
		try {
			const message = validateJSONRPCMessage(value);
			const isAnswer = 'id' in message && !('method' in message) && open.delete(message.id);
			if (!isAnswer && isFlood({unasked: 1})) return false;
			transport.onmessage?.(message);
		} catch (error) {
			// A line that is no message, or an answer to nothing that was asked.
			if (isFlood({unasked: 1})) return false;
			transport.onerror?.(error as Error);
		}
		return true;
	}

	async function begin(): Promise<void> {
		const folder = await resolveLinks(resolve(pwd, cwd));
		if (!isDeepStrictEqual(await linkTargetsOf(entry, pwd), linkTargets)) return refuse(movedReason);
		if (!(await pathExists(folder))) return refuse(`there is no folder ${inertLine(folder, 300)}`);
		if (isClosed) return refuse('it was closed before it was started');
		const reader = createLineReader(maxMessageBytes, take, {onStray: () => !isFlood({unasked: 1})});
		const onOutput = (bytes: Buffer) => {
			if (isFlood({bytes: bytes.length})) return;
			if (reader.push(bytes) !== undefined)
				server?.kill(`it sent a message of more than ${maxMessageBytes} bytes and was stopped`);
		};
		const started = await startProcess(command, args, {folder, env: {...childEnv(env), ...own}, onOutput});
		if (!started.ok) return refuse(started.reason);
		server = started.process;
		void server.ended.then(why => {
			ended.resolve(why);
			transport.onclose?.();
		});
	}

	function refuse(why: string): never {
		ended.resolve(why);
		throw new Error(why);
	}

	const send = (message: JSONRPCMessage) => server?.write(lineOf(message));
	const transport: StdioTransport = {
		ended: ended.promise,
		stderrTail: () => server?.stderrTail() ?? '',
		start: async () => (begun = begin()),
		async send(message, {signal} = {}) {
			send(message);
			if (!('id' in message && 'method' in message)) return;
			const {id} = message;
			open.add(id);
			signal?.addEventListener(
				'abort',
				() => {
					if (open.delete(id))
						send({jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: id}});
				},
				{once: true},
			);
		},
		async close() {
			isClosed = true;
			await begun?.catch(() => {});
			if (server === undefined) ended.resolve('it was not started');
			await server?.stop();
		},
	};
	return transport;
}
