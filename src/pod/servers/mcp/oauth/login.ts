import {networkOf} from '../../../ground/env/env.ts';
import type {KeychainOptions} from '../../../platform/keychain.ts';
import {ownersOf, type OwnersOptions} from '../../../scope/owners.ts';
import {unlimitedFetch} from '../flood-meter.ts';
import {loadMcpConfig} from '../config.ts';
import {findMcpFiles} from '../config-files.ts';
import {inertLine} from '../scrubber.ts';
import type {McpEntry} from '../entry.ts';
import {createTrust, type TrustOptions} from '../../../permissions/trust/trust.ts';
import {openTrustStore} from '../../../permissions/trust/store.ts';
import {trustRequestOf} from '../trust-request.ts';
import {createLoginProvider} from './login-provider.ts';
import {createLoginStore} from './login-store.ts';
import {isSafeAddress, oauthFetch} from './login-provider.ts';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {t} from '../../../../language/index.ts';

type RemoteOptions = KeychainOptions & {readonly place?: OwnersOptions['place']};

export type McpLoginOptions = RemoteOptions & {
	readonly signal: AbortSignal;
	/** Decides about an entry of the project. If `ask` is absent, entries that are not trusted yet are refused. */
	readonly trust: Omit<TrustOptions, 'store'>;
	/** Shows the web address at which the user logs in, and opens the browser if the user wants that. */
	readonly onAddress: (address: URL) => void;
	/** The number of milliseconds after which the login fails if the user does not act. Tests set a shorter time. */
	readonly timeoutMs?: number;
};

type McpLoginResult =
	| {readonly ok: true; readonly sentence: string}
	/** `isUntrusted`: the project's entry was not trusted, so inkpod did not connect to the server. */
	| {readonly ok: false; readonly sentence: string; readonly isUntrusted?: true};

/**
Logs in to an MCP server with OAuth: finds its authorization server, registers inkpod there if necessary, and waits
until the user has logged in with the browser. Then the function stores the tokens, which inkpod sends only to this
server.
*/
export async function logInToMcp(name: string, options: McpLoginOptions): Promise<McpLoginResult> {
	const found = await findRemote(name, options);
	if (typeof found === 'string') return {ok: false, sentence: found};
	const {entry, start} = found;
	const distrust = await distrustOf(entry, options);
	if (distrust !== undefined) return {ok: false, sentence: distrust, isUntrusted: true};
	const {url, oauth = {}} = start;
	const {auth, reasonOf} = await import('../connection.ts');
	const listener = await listenForRedirect(options.signal, options.timeoutMs);
	try {
		let address: URL | undefined;
		const provider = createLoginProvider({
			url,
			store: createLoginStore(options),
			login: undefined,
			begin: {
				redirectUrl: listener.redirectUrl,
				clientId: oauth.clientId,
				scope: oauth.scope,
				onAddress: given => void (address = given),
			},
		});
		const fetchFn = oauthFetch(unlimitedFetch(networkOf(options.env)));
		const given = {serverUrl: url, fetchFn};
		await auth(provider, given);
		if (address === undefined) return {ok: false, sentence: oauthTexts.noPage(name)};
		if (!isSafeAddress(address)) return {ok: false, sentence: oauthTexts.unsafePage};
		const state = address.searchParams.get('state') ?? undefined;
		const redirected = listener.redirected(() => state);
		options.onAddress(address);
		const back = await redirected;
		if (back.kind === 'timeout') return {ok: false, sentence: oauthTexts.late};
		if (back.kind === 'refused')
			return {ok: false, sentence: oauthTexts.refused(name, inertLine(back.error, maxError))};
		await auth(provider, {
			...given,
			authorizationCode: back.code,
			callbackState: back.state,
			callbackIssuer: back.issuer,
		});
		return {ok: true, sentence: oauthTexts.done(name)};
	} catch (error) {
		return {ok: false, sentence: oauthTexts.failed(name, reasonOf(error).replace(/\.$/, ''))};
	} finally {
		listener.close();
	}
}

const maxError = 200;

/**
Asks the user about an entry of the project, because its address may belong to an attacker. Returns the reason if inkpod
must not use the entry.
*/
async function distrustOf(entry: McpEntry, {env, pwd, trust, signal}: McpLoginOptions): Promise<string | undefined> {
	if (entry.source === 'user') return undefined;
	const projectTrust = createTrust({...trust, store: async () => openTrustStore(env, pwd)});
	const verdict = await projectTrust.check(trustRequestOf(entry), signal);
	if (verdict === 'trusted') return undefined;
	return verdict === 'unattended' ? oauthTexts.unattended(entry.name) : oauthTexts.untrusted(entry.name);
}

/** Removes the stored login of an MCP server. */
export async function logOutOfMcp(name: string, options: RemoteOptions): Promise<McpLoginResult> {
	const found = await findRemote(name, options);
	if (typeof found === 'string') return {ok: false, sentence: found};
	const {from, problem} = await createLoginStore(options).remove(found.start.url);
	if (problem !== undefined) return {ok: false, sentence: problem};
	return {ok: true, sentence: from.length > 0 ? oauthTexts.removed(name) : oauthTexts.none(name)};
}

/** The texts that a user reads about logins to MCP servers. They contain no token. */
export const oauthTexts = {
	noServer: (name: string) => t`There is no MCP server ${name}. List them with: inkpod mcp list`,
	notRemote: (name: string) => t`${name} is a program on this machine and needs no login.`,
	hasHeader: (name: string) => t`${name} has an Authorization header of its own. Remove it to log in.`,
	unattended: (name: string) =>
		t`${name} is a server of the project, and the project’s entry is not trusted, so inkpod did not connect to it.
			To trust the current entry, use --trust.`,
	untrusted: (name: string) => t`${name} is not trusted, so inkpod did not connect to it.`,
	unsafe: (host: string) =>
		t`${host} does not use https and is not on this machine, so inkpod does not log in there.`,
	noPage: (name: string) => t`${name} did not name a login page. Check the URL of the server.`,
	unsafePage: t`The login page was not opened: it does not use https and is not on this machine.
		Check the URL of the server.`,
	open: (address: string) => t`Log in with your browser. If no page opens, go to:\n${address}`,
	goTo: (address: string) => t`Log in at:\n${address}`,
	done: (name: string) => t`Logged in to ${name}.`,
	notStored: (sentence: string) => t`The login was not stored. ${sentence}`,
	refused: (name: string, error: string) => t`${name} refused the login: ${error}`,
	late: t`Nobody logged in within 5 minutes. Try again.`,
	failed: (name: string, reason: string) => t`The login to ${name} failed: ${reason}.`,
	removed: (name: string) => t`The stored login for ${name} is removed.`,
	none: (name: string) => t`No login for ${name} is stored.`,
	pageDone: t`You are logged in. You can close this page and return to the terminal.`,
	pageRefused: t`The login was refused. You can close this page and return to the terminal.`,
} as const;

/** Returns a server to log in to, or a sentence with the reason why a login is not possible. */
async function findRemote(name: string, {env, pwd, place}: RemoteOptions): Promise<Remote | string> {
	const owners = ownersOf(env, [], {place});
	const {entries} = await loadMcpConfig(await findMcpFiles({pwd, env, owners}), env, owners);
	const entry = entries.find(each => each.name === name);
	if (entry === undefined) return oauthTexts.noServer(inertLine(name, 64));
	const {start} = entry;
	if (start.transport === 'stdio') return oauthTexts.notRemote(name);
	if (Object.keys(start.headers).some(header => header.toLowerCase() === 'authorization'))
		return oauthTexts.hasHeader(name);
	return isSafeAddress(start.url) ? {entry, start} : oauthTexts.unsafe(new URL(start.url).host);
}

type Remote = {readonly entry: McpEntry; readonly start: Extract<McpEntry['start'], {transport: 'http' | 'sse'}>};

/** The result of the login in the browser. `error` comes from the server and is untrusted. */
type Redirected =
	| {readonly kind: 'code'; readonly code: string; readonly state: string; readonly issuer: string | undefined}
	| {readonly kind: 'refused'; readonly error: string}
	| {readonly kind: 'timeout'};

type RedirectListener = {
	/** The address to which the authorization server redirects the browser. */
	readonly redirectUrl: string;
	/** Resolves with the first request that has this state. */
	redirected(state: () => string | undefined): Promise<Redirected>;
	close(): void;
};

/** Listens on a random local port for the redirected request of the browser. Other requests get a 404 answer. */
async function listenForRedirect(signal: AbortSignal, timeoutMs = 5 * 60_000): Promise<RedirectListener> {
	const {promise, resolve} = Promise.withResolvers<Redirected>();
	let expected = (): string | undefined => undefined;
	const server = createServer((request, response) => {
		const found = read(request, port, expected());
		if (found === undefined) return answer(response, 404, '');
		answer(response, 200, found.kind === 'code' ? oauthTexts.pageDone : oauthTexts.pageRefused);
		resolve(found);
	});
	server.headersTimeout = 10_000;
	await new Promise<void>((done, failed) => {
		server.once('error', failed);
		server.listen(0, '127.0.0.1', done);
	});
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	const timer = setTimeout(() => resolve({kind: 'timeout'}), timeoutMs);
	signal.addEventListener('abort', () => resolve({kind: 'timeout'}), {once: true});
	return {
		redirectUrl: `http://127.0.0.1:${port}/callback`,
		async redirected(state) {
			expected = state;
			return promise;
		},
		close() {
			clearTimeout(timer);
			server.close();
			server.closeAllConnections();
		},
	};
}

/**
Reads the redirected request. Ignores a request without the right state, because any web page in the browser can send
requests.
*/
function read({method, url = '', headers}: IncomingMessage, port: number, state: string | undefined) {
	if (method !== 'GET' || headers.host !== `127.0.0.1:${port}` || url.length > maxAddress) return undefined;
	const {pathname, searchParams} = new URL(url, `http://127.0.0.1:${port}`);
	const given = searchParams.get('state');
	if (pathname !== '/callback' || state === undefined || given !== state) return undefined;
	const [code, error, issuer] = ['code', 'error', 'iss'].map(name => searchParams.get(name) ?? undefined);
	if (error !== undefined) return {kind: 'refused', error} as const;
	return code === undefined ? undefined : ({kind: 'code', code, state: given, issuer} as const);
}

const maxAddress = 16 * 1024;

function answer(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'content-type': 'text/plain; charset=utf-8',
		'cache-control': 'no-store',
		'content-security-policy': "default-src 'none'",
		connection: 'close',
	});
	response.end(text);
}
