import {en, endSentence} from '../../../language/index.ts';
import type {Env} from '../../ground/env/env.ts';
import type {McpServerInfo} from '../../protocol/queries.ts';
import type {CallToolResult} from '@ai-sdk/mcp';
import {createElicitation, type AskUser} from './elicitation.ts';
import type {Connected, Connection} from './connection.ts';
import type {ListName} from './link-targets.ts';
import type {McpEntry} from './entry.ts';
import {createScrubber} from './scrubber.ts';
import {inertLine} from './scrubber.ts';
import type {ListedPrompt, ListedResource, SharedContext} from './shared-context.ts';
import type {LoginProvider} from './oauth/login-provider.ts';
import {wantsLogin} from './oauth/login-store.ts';
import {loginWanted, noAnswerWithin, sentence, serverFailed, serverIsSlow, type ServerEvent} from './texts.ts';
import {filterTools, type UsableTool} from './tool-filter.ts';

/** The time limits of a server in milliseconds. */
export type McpTimes = {
	/**
	`patience`: how long a run waits for a starting server. `listPatience`: how long it waits for a new tool list of a
	running server.
	*/
	readonly patience: number;
	readonly listPatience: number;
	/** The time limits for the start of a server and for a call. */
	readonly start: number;
	readonly call: number;
};

type CallAnswer =
	| {readonly ok: true; readonly result: CallToolResult}
	| {readonly ok: false; readonly sentence: string};

/** An answer of a server. `reason` is the end of a sentence. */
type Answered<Value> = {readonly ok: true; readonly value: Value} | {readonly ok: false; readonly reason: string};

/** One configured server, from its first start to its end. */
export type McpServer = {
	readonly entry: McpEntry;
	state(): {readonly state: Exclude<McpServerInfo['state'], 'untrusted'>; readonly sentence?: string};
	/**
	Starts the server unless it is running, and waits for a limited time. The run continues without a slow server. Never
	rejects.
	*/
	prepare(signal: AbortSignal): Promise<void>;
	/** Tells whether the server has announced a change of this list that inkpod has not read yet. */
	hasNews(list: ListName): boolean;
	/** Returns the tools. The result is empty unless the server is ready. */
	tools(): readonly UsableTool[];
	/** Calls a tool. Rejects only with the signal's reason. */
	call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallAnswer>;
	/**
	Returns the resources or prompts. The result is empty if the server is not ready or fails. Rejects only with the
	signal's reason.
	*/
	resources(signal: AbortSignal): Promise<readonly ListedResource[]>;
	prompts(signal: AbortSignal): Promise<readonly ListedPrompt[]>;
	/** Requests a resource or a prompt. Rejects only with the signal's reason. */
	ask<Value>(
		work: (shared: SharedContext, signal: AbortSignal) => Promise<Value>,
		signal: AbortSignal,
	): Promise<Answered<Value>>;
	/** Closes the server. Resolves when its processes have ended. */
	close(): Promise<void>;
};

type McpServerOptions = {
	readonly pwd: string;
	readonly env: Env;
	readonly times: McpTimes;
	readonly onWarning: (sentence: string) => void;
	/** Shows a card of the server. Absent if no user can answer. */
	readonly ask?: AskUser | undefined;
};

export function createMcpServer(entry: McpEntry, options: McpServerOptions): McpServer {
	const server: Server = {
		...options,
		entry,
		name: en`The MCP server ${entry.name}`,
		scrub: createScrubber(entry.start),
		closing: new AbortController(),
		state: {state: 'idle'},
		isSlow: false,
		isAsking: false,
		news: new Set(),
		starting: Promise.resolve(),
	};
	return {
		entry,
		state: () => ({state: server.state.state, ...sentencesOf(server)}),
		prepare: async signal => prepare(server, signal),
		hasNews: list => server.news.has(list),
		tools: () => (server.state.state === 'ready' ? server.state.tools : []),
		async call(tool, args, signal) {
			if (server.state.state !== 'ready') return {ok: false, sentence: en`${server.name} is not running.`};
			return callTool(server, server.state.connection, {tool, args, signal});
		},
		resources: async signal => listOf(server, async shared => shared.listResources(signal), signal),
		prompts: async signal => listOf(server, async shared => shared.listPrompts(signal), signal),
		ask: async (work, signal) => askShared(server, work, signal),
		async close() {
			server.closing.abort(new Error(en`the session is closed`));
			await server.starting;
			if (server.state.state === 'ready') await server.state.connection.close();
		},
	};
}

type State =
	| {readonly state: 'idle'}
	| {readonly state: 'starting'; readonly begun: Promise<void>; readonly since: number}
	| {
			readonly state: 'ready';
			readonly connection: Connection;
			readonly tools: readonly UsableTool[];
			readonly remarks: readonly string[];
	  }
	| {readonly state: 'failed'; readonly sentence: string};

type Server = McpServerOptions & {
	readonly entry: McpEntry;
	/** The server's name as the subject of a sentence. */
	readonly name: string;
	/** Removes the entry's secrets from a text. */
	readonly scrub: (text: string) => string;
	readonly closing: AbortController;
	state: State;
	/**
	Whether a run has already waited too long for the start of the server. After that, no run waits for the server
	again.
	*/
	isSlow: boolean;
	/** Whether a card of the server is open. Meanwhile, calls have no time limit. */
	isAsking: boolean;
	/** The lists whose change the server has announced and that inkpod has not read again. */
	readonly news: Set<ListName>;
	starting: Promise<void>;
};

async function prepare(server: Server, signal: AbortSignal): Promise<void> {
	if (server.closing.signal.aborted) return;
	if (server.state.state === 'ready') return renewTools(server, server.state.connection, signal);
	const {begun, since} = server.state.state === 'starting' ? server.state : begin(server);
	const {patience} = server.times;
	await Promise.race([begun, passed(server.isSlow ? 0 : since + patience - performance.now(), begun, signal)]);
	if (server.state.state !== 'starting' || signal.aborted || server.isSlow) return;
	server.isSlow = true;
	server.onWarning(serverIsSlow(server.name, patience));
}

function begin(server: Server): Extract<State, {state: 'starting'}> {
	server.starting = start(server);
	const state = {state: 'starting', begun: server.starting, since: performance.now()} as const;
	server.state = state;
	return state;
}

async function start(server: Server): Promise<void> {
	const {entry, pwd, env, times} = server;
	const tooLong = AbortSignal.timeout(times.start);
	const signal = AbortSignal.any([server.closing.signal, tooLong]);
	const {connect, reasonOf} = await import('./connection.ts');
	const login = await loginOf(server);
	const connected: Connected = await connect(entry.start, {
		pwd,
		env,
		signal,
		login,
		elicit:
			server.ask &&
			createElicitation(entry.name, server.ask, server.closing.signal, isOpen => (server.isAsking = isOpen)),
		onListChanged: list => void server.news.add(list),
	});
	const reasonFor = (reason: string) => (tooLong.aborted ? noAnswerWithin(times.start) : reason);
	if (!connected.ok) return fail(server, 'start', {...connected, reason: reasonFor(connected.reason)});
	const {connection} = connected;
	try {
		setReady(server, connection, filterTools(await connection.list(signal)));
	} catch (error) {
		await connection.close();
		return fail(server, 'start', {reason: reasonFor(reasonOf(error)), stderrTail: connection.stderrTail()});
	}
	void connection.ended.then(async reason => {
		if (isConnected(server, connection)) fail(server, 'end', {reason, stderrTail: connection.stderrTail()});
		await connection.close();
	});
}

/**
Returns the stored login of a server on the network. Returns none if the entry has its own `Authorization` header.
*/
async function loginOf({entry: {start}, env, pwd}: Server): Promise<LoginProvider | undefined> {
	if (start.transport === 'stdio' || Object.keys(start.headers).some(name => /^authorization$/i.test(name)))
		return undefined;
	const {storedLogin} = await import('./oauth/stored-login.ts');
	return storedLogin(start.url, {env, pwd});
}

function fail(server: Server, event: ServerEvent, why: {readonly reason: string; readonly stderrTail: string}): void {
	if (server.closing.signal.aborted) return;
	const {name, scrub, onWarning} = server;
	const reason = why.reason === wantsLogin ? loginWanted(server.entry.name) : scrub(why.reason);
	const lastOutput = scrub(why.stderrTail);
	const lastLine = inertLine(lastOutput.split('\n').findLast(line => line.trim() !== '') ?? '', 300);
	server.state = {state: 'failed', sentence: serverFailed(name, event, {reason, lastOutput, isOneLine: false})};
	onWarning(serverFailed(name, event, {reason, lastOutput: lastLine, isOneLine: true}));
}

function setReady(server: Server, connection: Connection, {tools, remarks}: ReturnType<typeof filterTools>): void {
	const known = server.state.state === 'ready' ? server.state.remarks : [];
	server.state = {state: 'ready', connection, tools, remarks};
	for (const remark of remarks)
		if (!known.includes(remark)) server.onWarning(endSentence(`${server.name}: ${remark}`));
}

async function renewTools(server: Server, connection: Connection, signal: AbortSignal): Promise<void> {
	if (!connection.mayChange) return;
	server.news.delete('tools');
	const patience = AbortSignal.timeout(server.times.listPatience);
	try {
		const listed = await connection.list(AbortSignal.any([signal, server.closing.signal, patience]));
		if (isConnected(server, connection)) setReady(server, connection, filterTools(listed));
	} catch {
		// The last list stays in use. If the server has ended, its connection reports the end.
	}
}

function isConnected({state}: Server, connection: Connection): boolean {
	return state.state === 'ready' && state.connection === connection;
}

type Call = {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly signal: AbortSignal;
};

async function callTool(server: Server, connection: Connection, {tool, args, signal}: Call): Promise<CallAnswer> {
	const {name, times, scrub} = server;
	const {signal: tooLong, clear} = patience(server);
	try {
		return {ok: true, result: await connection.call(tool, args, AbortSignal.any([signal, tooLong]))};
	} catch (error) {
		signal.throwIfAborted();
		const {needsLogin, reasonOf} = await import('./connection.ts');
		if (needsLogin(error))
			return {
				ok: false,
				sentence: en`${name} did not complete the call: the server requires a new login by the user.`,
			};
		const reason = tooLong.aborted ? en`there was no answer within ${times.call / 1000} s` : scrub(reasonOf(error));
		return {ok: false, sentence: en`${name} did not complete the call: ${reason}.`};
	} finally {
		clear();
	}
}

/**
Returns a signal that aborts a call after its time limit. If a card is open at that moment, the time starts again.
*/
function patience(server: Server): {readonly signal: AbortSignal; readonly clear: () => void} {
	const late = new AbortController();
	let timer: NodeJS.Timeout;
	const begin = () => {
		timer = setTimeout(() => (server.isAsking ? begin() : late.abort()), server.times.call);
	};
	begin();
	return {signal: late.signal, clear: () => clearTimeout(timer)};
}

/** Returns a list of the server, or an empty list if the server fails. */
async function listOf<Listed>(
	server: Server,
	read: (shared: SharedContext, signal: AbortSignal) => Promise<readonly Listed[]>,
	signal: AbortSignal,
): Promise<readonly Listed[]> {
	const answer = await askShared(server, read, signal);
	return answer.ok ? answer.value : [];
}

async function askShared<Value>(
	{state, times, scrub}: Server,
	work: (shared: SharedContext, signal: AbortSignal) => Promise<Value>,
	signal: AbortSignal,
): Promise<Answered<Value>> {
	if (state.state !== 'ready') return {ok: false, reason: en`its server is not running`};
	const tooLong = AbortSignal.timeout(times.call);
	try {
		return {ok: true, value: await work(state.connection.shared, AbortSignal.any([signal, tooLong]))};
	} catch (error) {
		signal.throwIfAborted();
		const {reasonOf} = await import('./connection.ts');
		return {ok: false, reason: tooLong.aborted ? noAnswerWithin(times.call) : scrub(reasonOf(error))};
	}
}

function sentencesOf({state, entry}: Server): {readonly sentence?: string} {
	const remarks = [...entry.remarks, ...(state.state === 'ready' ? state.remarks : [])].map(sentence);
	const lines = state.state === 'failed' ? [state.sentence, ...remarks] : remarks;
	return lines.length === 0 ? {} : {sentence: lines.join('\n')};
}

/** Resolves after `ms` milliseconds, when the signal is aborted, or when the start has ended. */
async function passed(ms: number, begun: Promise<void>, signal: AbortSignal): Promise<void> {
	if (ms <= 0 || signal.aborted) return;
	const {promise, resolve} = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, ms);
	signal.addEventListener('abort', () => resolve(), {once: true});
	void begun.then(resolve);
	await promise;
	clearTimeout(timer);
}
