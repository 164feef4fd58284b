import {isAbsolute} from 'node:path';
import {
	agent,
	methods,
	RequestError,
	type AgentContext,
	type AuthMethod,
	type ClientCapabilities,
	type InitializeResponse,
	type McpServer,
	type NewSessionResponse,
	type Stream,
	type ListSessionsResponse,
} from '@agentclientprotocol/sdk';
import type {Host, StoredInfo} from './host.ts';
import type {Prompted} from './prompts.ts';
import {createAcpSession, type AcpSession} from './session.ts';
import {unknownOption} from './session-options.ts';
import {acpTexts} from './texts.ts';
import type {Editor} from './initialize.ts';

/** Serves an editor until its stream ends. Resolves when all sessions are closed. */
export async function serveEditor(stream: Stream, host: Host, signal: AbortSignal): Promise<void> {
	const gone = new AbortController();
	const server: Server = {host, gone: gone.signal, sessions: new Map(), capabilities: undefined};
	const connection = createAgent(server).connect(stream);
	const stop = () => connection.close();
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, {once: true});
	await connection.closed;
	gone.abort();
	await Promise.all([...server.sessions.values()].map(async session => session.close(true)));
}

type Server = {
	readonly host: Host;
	readonly gone: AbortSignal;
	readonly sessions: Map<string, AcpSession>;
	capabilities: ClientCapabilities | undefined;
};

type Agent = ReturnType<typeof agent>;

function createAgent(server: Server): Agent {
	const {session} = methods.agent;
	return agent({name: 'inkpod'})
		.onRequest(methods.agent.initialize, async ({params}) => {
			server.capabilities = params.clientCapabilities;
			return initialized(server);
		})
		.onRequest(methods.agent.authenticate, async ({params}) => {
			if (!(await loginMethods(server.host)).some(({id}) => id === params.methodId))
				throw RequestError.invalidParams(undefined, acpTexts.unknownMethod(params.methodId));
			return {};
		})
		.onRequest(session.new, async ({params, client}) => open(server, client, {...params, replays: false}))
		.onRequest(session.load, async ({params, client}) => {
			const {sessionId: _, ...opened} = await open(server, client, {...params, replays: true});
			return opened;
		})
		.onRequest(session.resume, async ({params, client}) => {
			const {sessionId: _, ...opened} = await open(server, client, {...params, replays: false});
			return opened;
		})
		.onRequest(session.list, async ({params}) =>
			pageOf(await server.host.list(params.cwd ?? undefined), params.cursor),
		)
		.onRequest(session.close, async ({params}) => {
			await closeIfOpen(server, params.sessionId);
			return {};
		})
		.onRequest(session.delete, async ({params}) => {
			await closeIfOpen(server, params.sessionId);
			const removed = await server.host.remove(params.sessionId);
			if (!removed.ok)
				throw removed.reason === 'unknown' ? notFound(params.sessionId) : failure(removed.sentence);
			return {};
		})
		.onRequest(session.setMode, async ({params: {sessionId, modeId}}) => {
			await setOption(sessionOf(server, sessionId), 'approval', modeId);
			return {};
		})
		.onRequest(session.setConfigOption, async ({params}) => {
			const opened = sessionOf(server, params.sessionId);
			await setOption(opened, params.configId, String(params.value));
			return {configOptions: opened.options.config()};
		})
		.onRequest(session.prompt, async ({params: {sessionId, prompt}, signal}) =>
			responseOf(await sessionOf(server, sessionId).prompt(prompt, cancelledBy(signal))),
		)
		.onNotification(session.cancel, async ({params}) => server.sessions.get(params.sessionId)?.cancel());
}

/**
Returns a signal that is aborted only if the editor cancels the request. The end of the connection also aborts requests,
but it must only pause turns.
*/
function cancelledBy(request: AbortSignal): AbortSignal {
	const cancelled = new AbortController();
	const look = () => {
		if (request.reason instanceof RequestError) cancelled.abort(request.reason);
	};
	if (request.aborted) look();
	request.addEventListener('abort', look, {once: true});
	return cancelled.signal;
}

async function initialized({host, capabilities}: Server): Promise<InitializeResponse> {
	return host.initialize(capabilities?.auth?.terminal === true ? await loginMethods(host) : []);
}

/**
Returns logins that the editor runs in a terminal. The editor appends the arguments to its own command for inkpod.
*/
async function loginMethods({providers}: Host): Promise<Array<Extract<AuthMethod, {type: 'terminal'}>>> {
	return (await providers()).map(provider => ({
		type: 'terminal',
		id: `login-${provider}`,
		name: acpTexts.logIn(provider),
		description: acpTexts.logInHow(provider),
		args: ['login', provider],
	}));
}

type Order = {
	readonly sessionId?: string;
	readonly cwd: string;
	readonly additionalDirectories?: readonly string[];
	readonly mcpServers?: readonly McpServer[];
	readonly replays: boolean;
};

async function open(server: Server, client: AgentContext, order: Order): Promise<NewSessionResponse> {
	const {cwd, sessionId: wanted, additionalDirectories: addDirs = [], replays} = order;
	const relative = [cwd, ...addDirs].find(path => !isAbsolute(path));
	if (relative !== undefined) throw RequestError.invalidParams(undefined, acpTexts.relativePath(relative));
	if (wanted !== undefined) await closeBefore(server, wanted);
	const servers = serverEntries(order.mcpServers);
	const opened = await server.host.open({cwd, addDirs, servers, id: wanted});
	if (!opened.ok) throw failure(opened.sentence);
	const {id, pod, warnings} = opened;
	const {host, gone, capabilities, sessions} = server;
	if (gone.aborted) {
		await pod.send({method: 'shutdown'});
		throw failure(acpTexts.closed);
	}
	const editor = editorOf(client, id, {gone, capabilities});
	const session: AcpSession = createAcpSession({
		pod,
		editor,
		host,
		replays,
		warnings,
		hasServers: servers.length > 0,
		onClosed: () => sessions.get(id) === session && sessions.delete(id),
	});
	sessions.set(id, session);
	// The editor knows the session only after this response, which is written in the current turn of the event loop.
	setImmediate(() => session.announce());
	return {sessionId: id, configOptions: session.options.config(), modes: session.options.modes()};
}

/**
If this connection has the session open, closes the session so that it can be opened again. Throws if a turn of the
session is running.
*/
async function closeBefore(server: Server, id: string): Promise<void> {
	if (server.sessions.get(id)?.isBusy() === true) throw failure(acpTexts.busySession);
	await closeIfOpen(server, id);
}

async function closeIfOpen({sessions}: Server, id: string): Promise<void> {
	const session = sessions.get(id);
	if (session === undefined) return;
	await session.close();
	sessions.delete(id);
}

function sessionOf({sessions}: Server, id: string): AcpSession {
	const session = sessions.get(id);
	if (session === undefined) throw notFound(id);
	return session;
}

async function setOption({options}: AcpSession, id: string, value: string): Promise<void> {
	const problem = await options.set(id, value);
	if (problem === undefined) return;
	throw RequestError.invalidParams(undefined, problem === unknownOption ? acpTexts.unknownOption(id) : problem);
}

function responseOf(prompted: Prompted): Extract<Prompted, {ok: true}>['response'] {
	if (prompted.ok) return prompted.response;
	const {reason} = prompted;
	const sentence = prompted.sentence;
	if (reason === 'invalid') throw RequestError.invalidParams(undefined, sentence);
	if (reason === 'key') throw RequestError.authRequired(undefined, sentence);
	throw reason === 'refused' ? RequestError.invalidRequest(undefined, sentence) : failure(sentence);
}

function notFound(id: string): RequestError {
	return new RequestError(-32002, acpTexts.unknownSession(id));
}

function failure(sentence: string): RequestError {
	return new RequestError(-32603, sentence);
}

/** Returns one page of a list of sessions. The cursor is the id of the last session of the previous page. */
function pageOf(sessions: readonly StoredInfo[], cursor: string | null | undefined): ListSessionsResponse {
	const start = cursor === null || cursor === undefined ? 0 : sessions.findIndex(({id}) => id === cursor) + 1;
	const page = sessions.slice(start, start + pageSize);
	const last = page.at(-1);
	return {
		sessions: page.map(({id, cwd, title, changed}) => ({sessionId: id, cwd, title, updatedAt: changed})),
		...(last !== undefined && start + pageSize < sessions.length && {nextCursor: last.id}),
	};
}

const pageSize = 50;

/** Returns the MCP servers of an editor by name, in the form of the entries of a configuration file. */
export function serverEntries(
	servers: readonly McpServer[] = [],
): ReadonlyArray<readonly [name: string, entry: unknown]> {
	return servers.map(server => [server.name, entryOf(server)]);
}

function entryOf(server: McpServer): unknown {
	if ('command' in server) return {command: server.command, args: server.args, env: recordOf(server.env)};
	return 'url' in server ? {type: server.type, url: server.url, headers: recordOf(server.headers)} : {};
}

function recordOf(
	pairs: ReadonlyArray<{readonly name: string; readonly value: string}>,
): Readonly<Record<string, string>> {
	return Object.fromEntries(pairs.map(({name, value}) => [name, value]));
}

/** Returns the functions of an editor for one session. */
function editorOf(
	client: AgentContext,
	sessionId: string,
	{gone, capabilities}: {readonly gone: AbortSignal; readonly capabilities: ClientCapabilities | undefined},
): Editor {
	return {
		gone,
		update: update => void client.notify(methods.client.session.update, {sessionId, update}).catch(() => {}),
		async ask(question, signal) {
			const how = {cancellationSignal: signal, stopWaitingOnCancel: true};
			try {
				const {outcome} = await client.request(
					methods.client.session.requestPermission,
					{sessionId, ...question},
					how,
				);
				return outcome;
			} catch {
				return undefined;
			}
		},
		...(capabilities?.fs?.readTextFile === true && {
			async readBuffer(path: string, signal: AbortSignal) {
				const limit = AbortSignal.any([signal, AbortSignal.timeout(bufferMs)]);
				const how = {cancellationSignal: limit, stopWaitingOnCancel: true};
				try {
					const {content} = await client.request(methods.client.fs.readTextFile, {sessionId, path}, how);
					return content;
				} catch {
					return undefined;
				}
			},
		}),
	};
}

/** The time that a prompt waits for a buffer. After that, inkpod reads the file. */
const bufferMs = 2000;
