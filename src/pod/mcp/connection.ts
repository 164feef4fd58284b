import {createMCPClient, MCPClientError, type CallToolResult, type ListToolsResult, type MCPClient} from '@ai-sdk/mcp';
import {proxyErrorIn} from '../../worker/index.ts';
import type {Env} from '../env/env.ts';
import {networkOf} from '../env/network.ts';
import type {McpStart} from './entry.ts';
import {boundedFetch, endedWithout, maxMessageBytes, unlimitedFetch} from './bounded-fetch.ts';
import {createStdioTransport} from './stdio.ts';
import {inertLine} from './inert-text.ts';

/** A tool as a server lists it. */
export type ListedTool = ListToolsResult['tools'][number];

/** The listed tools. `isCut`: the server lists more tools than inkpod reads. */
export type Listed = {readonly tools: readonly ListedTool[]; readonly isCut: boolean};

/** A connection to a server that has answered. Only `list` and `call` throw, and `reasonOf` reads their errors. */
export type Connection = {
	list(signal: AbortSignal): Promise<Listed>;
	/** Whether the server declared that its list of tools may change. */
	readonly mayChange: boolean;
	call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult>;
	/** Resolves when the connection has ended, with the end of a sentence about the server. */
	readonly ended: Promise<string>;
	/** Returns the end of the server's stderr. Over HTTP it is empty. */
	stderrTail(): string;
	/** Closes the connection. Resolves when the server and every process that it started have ended. */
	close(): Promise<void>;
};

export type Connected =
	| {readonly ok: true; readonly connection: Connection}
	| {readonly ok: false; readonly reason: string; readonly stderrTail: string};

/** Starts a server or connects to it, and initializes the protocol. A failure leaves no process. */
export async function connect(
	start: McpStart,
	{signal, ...place}: {readonly pwd: string; readonly env: Env; readonly signal: AbortSignal},
): Promise<Connected> {
	const stdio = start.transport === 'stdio' ? createStdioTransport(start, place) : undefined;
	const ended = Promise.withResolvers<string>();
	void stdio?.ended.then(ended.resolve);
	const lost = (error: unknown) => {
		if (
			start.transport === 'sse' &&
			MCPClientError.isInstance(error) &&
			error.message.includes('Connection closed')
		)
			ended.resolve('the connection ended');
	};
	const stderrTail = () => stdio?.stderrTail() ?? '';
	try {
		const transport = stdio ?? {
			type: start.transport === 'sse' ? ('sse' as const) : ('http' as const),
			...remote(start),
			fetch: boundedFetch(maxMessageBytes, unlimitedFetch(networkOf(place.env))),
		};
		const client = await createMCPClient({
			transport,
			clientName: 'inkpod',
			initializationOptions: {signal},
			onUncaughtError: lost,
		});
		return {ok: true, connection: connectionOf(client, ended, stderrTail)};
	} catch (error) {
		const reason = stdio !== undefined && isClosed(error) ? await stdio.ended : reasonOf(error);
		await stdio?.close();
		return {ok: false, reason, stderrTail: stderrTail()};
	}
}

function remote(start: McpStart): {readonly url: string; readonly headers: Record<string, string>} {
	if (start.transport === 'stdio') throw new TypeError('A server of this machine has no address.');
	return {url: start.url, headers: {...start.headers}};
}

const maxPages = 32;
const maxListed = 512;

function connectionOf(client: MCPClient, ended: PromiseWithResolvers<string>, stderrTail: () => string): Connection {
	const gone = new AbortController();
	void ended.promise.then(reason => gone.abort(new Error(reason)));
	return {
		mayChange: client.initializeResult.capabilities.tools?.listChanged === true,
		async list(signal) {
			if (client.initializeResult.capabilities.tools === undefined) return {tools: [], isCut: false};
			const listed: ListedTool[] = [];
			let cursor: string | undefined;
			for (let page = 0; page < maxPages && listed.length <= maxListed; page++) {
				const {tools, nextCursor} = await client.listTools({
					...(cursor !== undefined && {params: {cursor}}),
					options: {signal},
				});
				listed.push(...tools);
				cursor = nextCursor;
				if (cursor === undefined) break;
			}
			return {tools: listed.slice(0, maxListed), isCut: cursor !== undefined || listed.length > maxListed};
		},
		async call(name, args, signal) {
			try {
				return await client.callTool({
					name,
					arguments: args,
					options: {signal: AbortSignal.any([signal, gone.signal])},
				});
			} catch (error) {
				if (isLost(error)) ended.resolve(reasonOf(error));
				if (isClosed(error)) throw new Error(await ended.promise, {cause: error});
				throw gone.signal.aborted ? gone.signal.reason : error;
			}
		},
		ended: ended.promise,
		stderrTail,
		async close() {
			await client.close().catch(() => {});
			ended.resolve('it was closed');
		},
	};
}

/**
The messages of the MCP client library about a transport that has ended. The transport itself gives a better reason.
*/
const closedWords: readonly string[] = ['Connection closed', 'Attempted to send a request from a closed client'];

function isClosed(error: unknown): boolean {
	return MCPClientError.isInstance(error) && closedWords.includes(error.message);
}

/** Tells whether inkpod needs a new connection, because the server has forgotten this one or does not answer. */
function isLost(error: unknown): boolean {
	if (MCPClientError.isInstance(error)) return error.statusCode === 404 || error.code === endedWithout;
	return error instanceof TypeError && error.message === 'fetch failed';
}

/** Returns the reason why a server failed, as the end of a sentence about it. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return inertLine(String(error), maxReason);
	if (MCPClientError.isInstance(error) && error.statusCode !== undefined)
		return `it answered with HTTP ${error.statusCode}`;
	const proxyError = proxyErrorIn(error);
	if (proxyError !== undefined) return proxyError.message.replace(/\.$/, '');
	if (error.message === 'fetch failed') return `it cannot be reached (${inertLine(causeOf(error.cause), 100)})`;
	if (error.message === 'Failed to parse server response') return 'its answer is none that the protocol knows';
	return inertLine(error.message, maxReason);
}

const maxReason = 500;

function causeOf(cause: unknown): string {
	if (!(cause instanceof Error)) return 'unknown reason';
	return 'code' in cause ? String(cause.code) : cause.message;
}
