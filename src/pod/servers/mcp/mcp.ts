import type {Tool} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import type {McpAction, McpServerInfo} from '../../protocol/lists.ts';
import type {Owners} from '../../scope/scope.ts';
import type {Trust} from '../../permissions/trust/trust.ts';
import {trustRequestOf, entryKey} from './trust-request.ts';
import type {McpConfig} from './config.ts';
import {readEditorServers, type EditorServers} from './editor-servers.ts';
import type {McpEntry} from './entry.ts';
import {findMcpFiles} from './config-files.ts';
import {withLinkTargets} from './link-targets.ts';
import type {AskUser} from './elicitation.ts';
import {createMcpServer, type McpServer, type McpTimes} from './server.ts';
import {mcpTool} from './mcp-tool.ts';
import {inertLine} from './scrubber.ts';
import {
	distrustSentence,
	noSuchServer,
	notStarted,
	startsAfterQuestion,
	trustAllTitle,
	type Distrust,
} from './texts.ts';
import {offeredNames, type UsableTool} from './tool-filter.ts';
import {elementAt} from '../../ground/values/is-record.ts';

type McpOptions = {
	/** The real path of the scope's `pwd`. */
	readonly pwd: string;
	readonly env: Env;
	/** The users whose `.mcp.json` inkpod uses. */
	readonly owners?: Owners | undefined;
	readonly trust: Pick<Trust, 'checkAll'>;
	/** The servers that the editor passed with the session. They need no trust. */
	readonly editorServers?: EditorServers | undefined;
	/**
	Whether a user is present and can try again. Otherwise, a run waits for a slow server until the time limit for the
	server's start.
	*/
	readonly attended: boolean;
	/** Shows a card of a server. Absent if no user can answer. */
	readonly ask?: AskUser | undefined;
	/** Called before servers start. */
	readonly onStart: () => void;
	readonly onWarning: (sentence: string) => void;
	readonly times?: Partial<McpTimes>;
};

/** The MCP servers of a session. No server starts before the first run. */
export type Mcp = {
	/**
	Prepares a run: reads the current files, asks for trust, starts servers that are not running, and updates the result
	of `tools`. Resolves early if the signal is aborted, so the caller must check the signal.
	*/
	prepare(signal: AbortSignal): Promise<void>;
	/**
	Asks the user about all servers of the project that are not trusted yet, on one card. Does not start a server.
	*/
	askTrust(signal: AbortSignal): Promise<void>;
	/** Reads the tool lists again of the servers that announced a change. Returns whether the tools have changed. */
	renew(signal: AbortSignal): Promise<boolean>;
	/**
	Changes a server: disables it for this session, enables it again from the next turn on, or reconnects to it.
	Resolves with a sentence if there is no such server.
	*/
	change(name: string, action: McpAction, signal: AbortSignal): Promise<string | undefined>;
	/** Returns the names of the servers in the form that messages use, without spaces and colons. */
	names(): Promise<ReadonlySet<string>>;
	/**
	Returns the server with this name. Starts the server if necessary. If the server belongs to the project and is not
	trusted yet, asks the user first.
	*/
	serverNamed(name: string, signal: AbortSignal): Promise<McpServer | undefined>;
	/** Returns the servers that have been started, by the names that messages use. */
	running(): ReadonlyMap<string, McpServer>;
	/** Returns the tools for the next request. */
	tools(): readonly Tool[];
	/** Returns all servers that the files define, including broken entries. Does not start a server or ask the user. */
	list(): Promise<readonly McpServerInfo[]>;
	/** Resolves when all servers have ended. */
	close(): Promise<void>;
};

/**
The default time limits in milliseconds. The first start may take long if a package manager has to install the server.
*/
const mcpTimes: McpTimes = {patience: 10_000, listPatience: 2000, start: 60_000, call: 120_000};

export function createMcp(options: McpOptions): Mcp {
	const {attended, onStart, onWarning} = options;
	const times = {...mcpTimes, ...options.times};
	const session: Session = {
		...options,
		times: attended ? times : {...times, patience: times.start},
		servers: new Map(),
		refused: new Map(),
		disabled: new Set(),
		asking: Promise.resolve(),
		warned: new Set(),
		tools: [],
		isClosed: false,
	};
	const {servers} = session;
	return {
		async prepare(signal) {
			if (session.isClosed) return;
			const {entries, broken, problems, remarks} = await loadConfig(session);
			warnOnce(session, [...problems, ...broken.map(({sentence}) => sentence), ...remarks]);
			await closeOthers(session, entries);
			const enabled = entries.filter(({name}) => !session.disabled.has(name));
			if (enabled.length > 0) onStart();
			await startServers(session, enabled, signal);
			offerTools(session);
		},
		async askTrust(signal) {
			const {entries} = await loadConfig(session);
			if (entries.some(({source}) => source === 'project')) await trustedOf(session, entries, signal);
		},
		async renew(signal) {
			const changed = [...servers.values()].filter(server => server.hasNews('tools'));
			if (changed.length === 0) return false;
			await Promise.all(changed.map(async server => server.prepare(signal)));
			const before = JSON.stringify(session.tools.map(({definition}) => definition));
			offerTools(session);
			return JSON.stringify(session.tools.map(({definition}) => definition)) !== before;
		},
		async names() {
			const {entries} = await loadConfig(session);
			return new Set(entries.filter(({name}) => !session.disabled.has(name)).map(({name}) => writtenName(name)));
		},
		async serverNamed(name, signal) {
			const {entries} = await loadConfig(session);
			const entry = entries.find(each => writtenName(each.name) === name && !session.disabled.has(each.name));
			if (entry === undefined || session.isClosed) return undefined;
			if (servers.get(entryKey(entry))?.state().state !== 'ready') await startServers(session, [entry], signal);
			return servers.get(entryKey(entry));
		},
		running: () => new Map([...servers.values()].map(server => [writtenName(server.entry.name), server])),
		change: async (name, action, signal) => changeServer(session, {name, action}, signal),
		tools: () => session.tools,
		async list() {
			const config = await loadConfig(session);
			for (const sentence of config.problems) onWarning(sentence);
			return infosOf(config, session);
		},
		async close() {
			session.isClosed = true;
			await Promise.all([...servers.values()].map(async server => server.close()));
		},
	};
}

/** Returns the name of a server in the form that a message uses before `:`. */
function writtenName(name: string): string {
	return name.replaceAll(/[\s:]/g, '_');
}

type Session = Omit<McpOptions, 'times'> & {
	readonly times: McpTimes;
	/** The servers, by the keys of their entries. */
	readonly servers: Map<string, McpServer>;
	/** The reasons why servers were refused, by the keys of their entries. */
	readonly refused: Map<string, Distrust>;
	/** The names of the servers that the user disabled. */
	readonly disabled: Set<string>;
	readonly warned: Set<string>;
	/** Resolves when the user has answered the last question about trust. */
	asking: Promise<unknown>;
	tools: readonly Tool[];
	isClosed: boolean;
};

/**
Reads the current configuration of the servers. The module that reads the files is loaded only if a file exists, because
most sessions have none.
*/
async function loadConfig({pwd, env, owners, editorServers}: Session): Promise<McpConfig> {
	const files = await findMcpFiles({pwd, env, owners});
	const own = editorServers === undefined ? noConfig : readEditorServers(editorServers, env);
	if (Object.keys(files).length === 0) return own;
	const {loadMcpConfig} = await import('./config.ts');
	const config = await loadMcpConfig(files, env, owners);
	const entries = await Promise.all(config.entries.map(async entry => withLinkTargets(entry, pwd)));
	return {...config, entries: [...own.entries, ...entries], broken: [...own.broken, ...config.broken]};
}

const noConfig: McpConfig = {entries: [], broken: [], problems: [], remarks: []};

function warnOnce({warned, onWarning}: Session, sentences: readonly string[]): void {
	for (const sentence of sentences) if (!warned.has(sentence)) onWarning(sentence);
	for (const sentence of sentences) warned.add(sentence);
}

/** Ends the servers whose entries have changed or no longer exist. */
async function closeOthers({servers}: Session, entries: readonly McpEntry[]): Promise<void> {
	const keys = new Set(entries.map(entryKey));
	const others = [...servers].filter(([key]) => !keys.has(key));
	for (const [key] of others) servers.delete(key);
	await Promise.all(others.map(async ([, server]) => server.close()));
}

/** Starts the servers. Trusted servers start immediately, while inkpod asks the user about the other servers. */
async function startServers(session: Session, entries: readonly McpEntry[], signal: AbortSignal): Promise<void> {
	const {servers} = session;
	const begun: Array<Promise<void>> = [];
	const begin = (entry: McpEntry) => {
		if (signal.aborted || session.isClosed) return;
		const server = servers.get(entryKey(entry)) ?? createMcpServer(entry, session);
		servers.set(entryKey(entry), server);
		begun.push(server.prepare(signal));
	};
	const isKnown = (entry: McpEntry) => entry.source !== 'project' || servers.has(entryKey(entry));
	entries.filter(isKnown).forEach(begin);
	const others = entries.filter(entry => !isKnown(entry));
	(await trustedOf(session, others, signal)).forEach(begin);
	await Promise.all(begun);
}

/**
Returns the entries that may start, in their order. Asks the user about the project's unknown entries on one card.
*/
async function trustedOf(
	session: Session,
	entries: readonly McpEntry[],
	signal: AbortSignal,
): Promise<readonly McpEntry[]> {
	// If the question from the start of the session is still open, the run waits for its answer.
	await unlessAborted(session.asking, signal);
	if (signal.aborted) return [];
	const asking = askAbout(session, entries, signal);
	session.asking = asking.catch(() => {});
	const trusted = await asking;
	const isKnown = (entry: McpEntry) => entry.source !== 'project' || session.servers.has(entryKey(entry));
	return entries.filter(entry => isKnown(entry) || trusted.has(entry));
}

/**
Asks about the project's entries that are not decided yet, and returns those that the user trusts. Refused entries count
as decided.
*/
async function askAbout(
	{servers, refused, disabled, trust, onWarning}: Session,
	entries: readonly McpEntry[],
	signal: AbortSignal,
): Promise<ReadonlySet<McpEntry>> {
	const open = entries.filter(entry => {
		const isDecided = servers.has(entryKey(entry)) || refused.has(entryKey(entry)) || disabled.has(entry.name);
		return entry.source === 'project' && !isDecided;
	});
	const verdicts = open.length === 0 ? [] : await trust.checkAll(open.map(trustRequestOf), trustAllTitle, signal);
	for (const [index, entry] of open.entries()) {
		const verdict = verdicts[index];
		if (verdict !== 'denied' && verdict !== 'unattended') continue;
		refused.set(entryKey(entry), verdict);
		onWarning(notStarted(entry.name, quoteUntrusted(entry.file), verdict));
	}
	return new Set(open.filter((_, index) => verdicts[index] === 'trusted'));
}

/** Waits for some work, or until the signal is aborted. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const stop = () => resolve();
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	await Promise.race([work, promise]);
	signal.removeEventListener('abort', stop);
}

/** Updates the tools for the next request. They are the tools of the servers that are ready. */
function offerTools(session: Session): void {
	session.tools = named([...session.servers.values()]).map(({name, server, tool}) => mcpTool(name, server, tool));
}

async function changeServer(
	session: Session,
	{name, action}: {readonly name: string; readonly action: McpAction},
	signal: AbortSignal,
): Promise<string | undefined> {
	const {servers, disabled} = session;
	const {entries} = await loadConfig(session);
	const entry = entries.find(each => each.name === name);
	if (entry === undefined) return noSuchServer(inertLine(name, 64));
	if (action !== 'enable') {
		const server = servers.get(entryKey(entry));
		servers.delete(entryKey(entry));
		await server?.close();
	}
	if (action === 'disable') disabled.add(name);
	else disabled.delete(name);
	if (action === 'reconnect') {
		session.refused.delete(entryKey(entry));
		await startServers(session, [entry], signal);
	}
	// A running turn gets the new tools with its next request.
	offerTools(session);
	return undefined;
}

type Named = {readonly server: McpServer; readonly tool: UsableTool; readonly name: string};

/**
Returns all tools with their names for the model. The servers of the user's file come first, and then the servers are
sorted by name. So the setup does not depend on the order in which servers become ready. A project cannot take the name
of a tool of the user's servers.
*/
function named(servers: readonly McpServer[]): readonly Named[] {
	const inOrder = servers.toSorted(
		({entry: a}, {entry: b}) =>
			Number(b.source === 'user') - Number(a.source === 'user') ||
			Number(a.name > b.name) - Number(a.name < b.name),
	);
	const all = inOrder.flatMap(server => server.tools().map(tool => ({server, tool})));
	const names = offeredNames(all.map(({server, tool}) => ({server: server.entry.name, listed: tool.listed})));
	return all.map((one, index) => ({...one, name: elementAt(names, index)}));
}

function infosOf({entries, broken}: McpConfig, {servers, refused, disabled}: Session): readonly McpServerInfo[] {
	const all = named([...servers.values()]);
	const infos = entries.map((entry): McpServerInfo => {
		const {
			name,
			source,
			target,
			start: {transport},
		} = entry;
		const server = servers.get(entryKey(entry));
		const tools = all
			.filter(one => one.server === server)
			.map(one => ({name: one.name, description: one.tool.description}));
		return {
			name,
			source,
			transport: transport === 'stdio' ? 'stdio' : 'http',
			target,
			tools,
			...(disabled.has(name)
				? {state: 'disabled'}
				: (server?.state() ?? unstarted(entry, refused.get(entryKey(entry))))),
		};
	});
	return [
		...infos,
		...broken.map(({name, source, sentence}): McpServerInfo => ({
			name,
			source,
			transport: 'stdio',
			target: '',
			state: 'failed',
			tools: [],
			sentence,
		})),
	];
}

function unstarted({source}: McpEntry, verdict: Distrust | undefined): Pick<McpServerInfo, 'state' | 'sentence'> {
	if (verdict !== undefined)
		return {
			state: 'untrusted',
			sentence: distrustSentence(verdict),
		};
	return {
		state: 'idle',
		...(source === 'project' && {
			sentence: startsAfterQuestion,
		}),
	};
}
