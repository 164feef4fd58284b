import {en} from '../../../language/index.ts';
import {resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {validateJSONRPCMessage, type JSONRPCMessage, type MCPTransport} from '@ai-sdk/mcp';
import {createLineReader, lineOf, type LineWeight} from '../../ground/text/lines.ts';
import {childEnv} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {resolveLinks} from '../../scope/locate.ts';
import type {McpStart} from './entry.ts';
import {createFloodMeter, maxValues, type FloodMeter, type Received} from './flood-meter.ts';
import {maxMessageBytes} from './flood-meter.ts';
import {changedList, type ListName} from './link-targets.ts';
import {linkTargetsOf} from './link-targets.ts';
import {startProcess, type ServerProcess} from './process.ts';
import {inertLine} from './scrubber.ts';

/** The transport of a local server. Each message is a line on the server's stdin or stdout. */
type StdioTransport = MCPTransport & {
	/**
	Resolves when the process has ended or could not be started. The value is the end of a sentence about the server.
	*/
	readonly ended: Promise<string>;
	/** Returns the last output of the server's stderr. */
	readonly stderrTail: () => string;
};

type StdioStart = Extract<McpStart, {transport: 'stdio'}>;
type Surroundings = {readonly pwd: string; readonly env: Env};

const movedReason = en`a link in its entry led elsewhere after you were asked (changed)`;

/**
Creates a transport whose `start` starts the server. The server gets the user's environment without model API keys, and
the variables of the entry. `start` rejects if a symbolic link of the entry has another target than at the time of the
user's approval. `close` resolves when the server has ended.
*/
export function createStdioTransport(
	entry: StdioStart,
	surroundings: Surroundings,
	onListChanged: (list: ListName) => void = () => {},
): StdioTransport {
	const pipes: Pipes = {
		ended: Promise.withResolvers(),
		openRequests: new Set(),
		flood: createFloodMeter(),
		server: undefined,
		isClosed: false,
		onListChanged,
	};
	let begun: Promise<void> | undefined;
	const transport: StdioTransport = {
		ended: pipes.ended.promise,
		stderrTail: () => pipes.server?.stderrTail() ?? '',
		start: async () => (begun = begin(entry, surroundings, pipes, transport)),
		send: async (message, {signal} = {}) => send(pipes, message, signal),
		async close() {
			pipes.isClosed = true;
			await begun?.catch(() => {});
			if (pipes.server === undefined) pipes.ended.resolve(en`it was not started`);
			await pipes.server?.stop();
		},
	};
	return transport;
}

type Pipes = {
	readonly ended: PromiseWithResolvers<string>;
	/** The ids of requests that have no answer yet. */
	readonly openRequests: Set<unknown>;
	readonly flood: FloodMeter;
	server: ServerProcess | undefined;
	isClosed: boolean;
	readonly onListChanged: (list: ListName) => void;
};

async function begin(
	entry: StdioStart,
	{pwd, env}: Surroundings,
	pipes: Pipes,
	transport: StdioTransport,
): Promise<void> {
	const {command, args, cwd = '.', linkTargets = []} = entry;
	const folder = await resolveLinks(resolve(pwd, cwd));
	if (!isDeepStrictEqual(await linkTargetsOf(entry, pwd), linkTargets)) return refuse(pipes, movedReason);
	if (!(await pathExists(folder))) return refuse(pipes, en`there is no folder ${inertLine(folder, 300)}`);
	if (pipes.isClosed) return refuse(pipes, en`it was closed before it was started`);
	const onOutput = outputReader(pipes, transport);
	const started = await startProcess(command, args, {folder, env: {...childEnv(env), ...entry.env}, onOutput});
	if (!started.ok) return refuse(pipes, started.reason);
	pipes.server = started.process;
	void started.process.ended.then(why => {
		pipes.ended.resolve(why);
		transport.onclose?.();
	});
}

function refuse({ended}: Pipes, why: string): never {
	ended.resolve(why);
	throw new Error(why);
}

/** Returns a reader for the output of a server. The reader kills a server that sends too much. */
function outputReader(pipes: Pipes, transport: StdioTransport): (bytes: Buffer) => void {
	const take = (value: unknown, {values}: LineWeight) =>
		!isFlood(pipes, {values: Math.max(0, values - smallMessage)}) && receive(value, pipes, transport);
	const reader = createLineReader(maxMessageBytes, take, {
		onStray: () => !isFlood(pipes, {unasked: 1}),
		shape: {maxDepth, maxValues},
	});
	return bytes => {
		if (isFlood(pipes, {bytes: bytes.length})) return;
		const bad = reader.push(bytes);
		if (bad !== undefined) pipes.server?.kill(bad === 'too_long' ? tooLong : tooComplex);
	};
}

const maxDepth = 1000;
/**
The maximum number of values of a small message. The flood meter does not count the values of small messages, only the
messages.
*/
const smallMessage = 16;
const tooLong = en`it sent a message of more than ${maxMessageBytes} bytes, so inkpod ended the connection`;
const tooComplex = en`it sent a message of more than ${maxValues} JSON values or ${maxDepth} levels, so inkpod ended the
	connection`;

/** Handles a message. Returns whether to continue reading. */
function receive(value: unknown, pipes: Pipes, transport: StdioTransport): boolean {
	try {
		const message = validateJSONRPCMessage(value);
		const isAnswer = 'id' in message && !('method' in message) && pipes.openRequests.delete(message.id);
		if (!isAnswer && isFlood(pipes, {unasked: 1})) return false;
		const changed = 'method' in message ? changedList(message.method) : undefined;
		if (changed !== undefined) pipes.onListChanged(changed);
		transport.onmessage?.(withForm(message));
	} catch (error) {
		// The line is not a valid message, or it answers an unknown request.
		if (isFlood(pipes, {unasked: 1})) return false;
		transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
	}
	return true;
}

/** Adds an empty form to a request to open an address, because the client library requires a form. */
function withForm(message: JSONRPCMessage): JSONRPCMessage {
	if (!('method' in message) || message.method !== 'elicitation/create' || message.params === undefined)
		return message;
	return {...message, params: {requestedSchema: {}, ...message.params}};
}

function isFlood({flood, server}: Pipes, what: Received): boolean {
	const why = flood.count(what);
	if (why !== undefined) server?.kill(why);
	return why !== undefined;
}

function send(pipes: Pipes, message: JSONRPCMessage, signal: AbortSignal | undefined): void {
	write(pipes, message);
	if (!('id' in message && 'method' in message)) return;
	const {id} = message;
	pipes.openRequests.add(id);
	const cancel = () => {
		if (pipes.openRequests.delete(id))
			write(pipes, {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: id}});
	};
	signal?.addEventListener('abort', cancel, {once: true});
}

function write({server}: Pipes, message: JSONRPCMessage): void {
	server?.write(lineOf(message));
}
