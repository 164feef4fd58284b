import {en} from '../../../language/index.ts';
import {
	createMCPClient,
	ElicitationRequestSchema,
	MCPClientError,
	type CallToolResult,
	type ListToolsResult,
	type MCPClient,
} from '@ai-sdk/mcp';
import {proxyErrorIn} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import {networkOf} from '../../ground/env/env.ts';
import type {McpStart} from './entry.ts';
import type {ListName} from './link-targets.ts';
import {wantsLogin} from './oauth/login-store.ts';
import {oauthFetch} from './oauth/login-provider.ts';
import {LoginNeeded, type LoginProvider} from './oauth/login-provider.ts';
import {boundedFetch, endedWithout, maxMessageBytes, unlimitedFetch} from './flood-meter.ts';
import type {Elicited, ElicitResult} from './elicitation.ts';
import {sharedContext, type SharedContext} from './shared-context.ts';
import {createStdioTransport} from './stdio.ts';
import {inertLine} from './scrubber.ts';

/** Logs in with OAuth. This module exports the function because the client library is loaded as one chunk. */
export {auth} from '@ai-sdk/mcp';

/** A tool in the list of a server. */
type ListedTool = ListToolsResult['tools'][number];

/** The listed tools. `isCut`: the server lists more tools than inkpod reads. */
export type Listed = {readonly tools: readonly ListedTool[]; readonly isCut: boolean};

/** A connection to a server that has answered. `list` and `call` may reject. `reasonOf` describes their errors. */
export type Connection = {
	list(signal: AbortSignal): Promise<Listed>;
	/** Whether the server declared that its list of tools may change. */
	readonly mayChange: boolean;
	call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult>;
	/** The resources and prompts of the server. */
	readonly shared: SharedContext;
	/** Resolves when the connection has ended. The value is the end of a sentence about the server. */
	readonly ended: Promise<string>;
	/** Returns the last output of the server's stderr. It is empty for a server that inkpod reaches over HTTP. */
	stderrTail(): string;
	/** Closes the connection. Resolves when the server and every process that it started have ended. */
	close(): Promise<void>;
};

export type Connected =
	| {readonly ok: true; readonly connection: Connection}
	| {
			readonly ok: false;
			readonly reason: string;
			readonly stderrTail: string;
	  };

type ConnectOptions = {
	readonly pwd: string;
	readonly env: Env;
	readonly signal: AbortSignal;
	/** The stored login at the server. */
	readonly login?: LoginProvider | undefined;
	/** Asks the user a question of the server. Absent if no user can answer. */
	readonly elicit?: ((request: Elicited) => Promise<ElicitResult>) | undefined;
	/** Called when the server announces that a list has changed. */
	readonly onListChanged?: (list: ListName) => void;
};

/**
Starts a server or connects to it, and initializes the protocol. After a failure, no process of the server is left.
*/
export async function connect(
	start: McpStart,
	{signal, login, elicit, onListChanged, ...place}: ConnectOptions,
): Promise<Connected> {
	const stdio = start.transport === 'stdio' ? createStdioTransport(start, place, onListChanged) : undefined;
	const ended = Promise.withResolvers<string>();
	void stdio?.ended.then(ended.resolve);
	const lost = (error: unknown) => {
		if (
			start.transport === 'sse' &&
			MCPClientError.isInstance(error) &&
			error.message.includes('Connection closed')
		)
			ended.resolve(en`the connection ended`);
	};
	const stderrTail = () => stdio?.stderrTail() ?? '';
	try {
		const transport = stdio ?? {
			type: start.transport === 'sse' ? ('sse' as const) : ('http' as const),
			...remote(start),
			fetch: fetchOf(start, place.env, onListChanged),
			authProvider: login,
		};
		const client = await createMCPClient({
			transport,
			clientName: 'inkpod',
			initializationOptions: {signal},
			onUncaughtError: lost,
			...(elicit !== undefined && {capabilities: {elicitation: elicitationOf(stdio !== undefined)}}),
		});
		if (elicit !== undefined)
			client.onElicitationRequest(ElicitationRequestSchema, async ({params}) => elicit(params));
		return {ok: true, connection: connectionOf(client, ended, stderrTail)};
	} catch (error) {
		const known = needsLogin(error) ? wantsLogin : reasonOf(error);
		const reason = stdio !== undefined && isClosed(error) ? await stdio.ended : known;
		await stdio?.close();
		return {ok: false, reason, stderrTail: stderrTail()};
	}
}

function remote(start: McpStart): {readonly url: string; readonly headers: Record<string, string>} {
	if (start.transport === 'stdio') throw new TypeError('A server of this machine has no address.');
	return {url: start.url, headers: {...start.headers}};
}

/**
Returns the `fetch` for a server on the network. Requests of a login to other addresses have separate limits. The result
follows no redirect, so that only the server gets its token.
*/
function fetchOf(start: McpStart, env: Env, onListChanged?: (list: ListName) => void): typeof globalThis.fetch {
	const own = start.transport === 'stdio' ? undefined : new URL(start.url);
	const base = unlimitedFetch(networkOf(env));
	const [bounded, login] = [boundedFetch(maxMessageBytes, base, onListChanged), oauthFetch(base)];
	return async (input, init) => {
		const url = new URL(input instanceof Request ? input.url : input);
		const isOwn = url.origin === own?.origin && !url.pathname.startsWith('/.well-known/');
		return isOwn ? bounded(input, {redirect: 'error', ...init}) : login(input, init);
	};
}

/**
Returns the kinds of questions that the server may ask. Over HTTP, the client library refuses requests to open an
address before inkpod gets them.
*/
function elicitationOf(isLocal: boolean): Readonly<Record<string, object>> {
	return {form: {}, ...(isLocal && {url: {}})};
}

const maxPages = 32;
const maxListed = 1024;

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
				if (needsLogin(error)) ended.resolve(wantsLogin);
				if (isLost(error)) ended.resolve(reasonOf(error));
				if (isClosed(error)) throw new Error(await ended.promise, {cause: error});
				throw gone.signal.aborted ? gone.signal.reason : error;
			}
		},
		shared: sharedContext(client),
		ended: ended.promise,
		stderrTail,
		async close() {
			await client.close().catch(() => {});
			ended.resolve(en`it was closed`);
		},
	};
}

/**
The messages of the MCP client library about a transport that has ended. inkpod shows the reason of the transport
instead.
*/
const closedWords: readonly string[] = ['Connection closed', 'Attempted to send a request from a closed client'];

function isClosed(error: unknown): boolean {
	return MCPClientError.isInstance(error) && closedWords.includes(error.message);
}

/**
Tells whether inkpod needs a new connection, because the server no longer knows this connection or does not answer.
*/
function isLost(error: unknown): boolean {
	if (MCPClientError.isInstance(error)) return error.statusCode === 404 || error.code === endedWithout;
	return error instanceof TypeError && error.message === 'fetch failed';
}

/** Tells whether a server refused a request because the user is not logged in. */
export function needsLogin(error: unknown): boolean {
	if (error instanceof LoginNeeded || (error instanceof Error && error.cause instanceof LoginNeeded)) return true;
	return MCPClientError.isInstance(error) && error.statusCode === 401;
}

/** Returns the reason why a server failed, as the end of a sentence about the server. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return inertLine(String(error), maxReason);
	if (MCPClientError.isInstance(error) && error.statusCode !== undefined)
		return en`it answered with HTTP ${error.statusCode}`;
	const proxyError = proxyErrorIn(error);
	if (proxyError !== undefined) return proxyError.message.replace(/\.$/, '');
	if (error.message === 'fetch failed') return en`it cannot be reached (${inertLine(causeOf(error.cause), 100)})`;
	if (error.message === 'Failed to parse server response') return en`its answer does not follow the protocol`;
	return inertLine(error.message, maxReason);
}

const maxReason = 500;

function causeOf(cause: unknown): string {
	if (!(cause instanceof Error)) return en`unknown reason`;
	return 'code' in cause ? String(cause.code) : cause.message;
}
