import {networkOf} from '../../../ground/env/network.ts';
import type {KeychainOptions} from '../../../platform/keychain.ts';
import {ownersOf, type OwnersOptions} from '../../../scope/owners.ts';
import {unlimitedFetch} from '../bounded-fetch.ts';
import {loadMcpConfig} from '../config.ts';
import {findMcpFiles} from '../config-files.ts';
import {inertLine} from '../inert-text.ts';
import type {McpEntry} from '../entry.ts';
import {createTrust, type TrustOptions} from '../../../permissions/trust/trust.ts';
import {openTrustStore} from '../../../permissions/trust/store.ts';
import {trustRequestOf} from '../trust-request.ts';
import {listenForRedirect} from './await-redirect.ts';
import {createLoginProvider} from './login-provider.ts';
import {createLoginStore} from './login-store.ts';
import {isSafeAddress, oauthFetch} from './oauth-fetch.ts';
import {oauthTexts} from './texts.ts';

type RemoteOptions = KeychainOptions & {readonly place?: OwnersOptions['place']};

export type McpLoginOptions = RemoteOptions & {
	readonly signal: AbortSignal;
	/** Decides about an entry of the project. Without `ask`, an entry that was not trusted before is refused. */
	readonly trust: Omit<TrustOptions, 'store'>;
	/** Shows the address at which the user logs in, and opens the browser if the user wants that. */
	readonly onAddress: (address: URL) => void;
	/** The milliseconds until the login ends without the user. Tests set less. */
	readonly timeoutMs?: number;
};

type McpLoginResult =
	| {readonly ok: true; readonly sentence: string}
	/** `isUntrusted`: the project's entry was not trusted, so nothing was connected to. */
	| {readonly ok: false; readonly sentence: string; readonly isUntrusted?: true};

/**
Logs in to an MCP server with OAuth: finds its authorization server, registers inkpod there if necessary, and waits
until the user has logged in with the browser. Then it stores the tokens, which go only to this server.
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
		if (address === undefined || !isSafeAddress(address)) return {ok: false, sentence: oauthTexts.unsafePage};
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

/** Asks about an entry of the project, because its address may be anybody's. Returns why it is not used. */
async function distrustOf(entry: McpEntry, {env, pwd, trust, signal}: McpLoginOptions): Promise<string | undefined> {
	if (entry.source === 'user') return undefined;
	const projectTrust = createTrust({...trust, store: async () => openTrustStore(env, pwd)});
	const verdict = await projectTrust.check(trustRequestOf(entry), signal);
	if (verdict === 'trusted') return undefined;
	return verdict === 'unattended' ? oauthTexts.unattended(entry.name) : oauthTexts.untrusted(entry.name);
}

/** Removes the stored login at an MCP server. */
export async function logOutOfMcp(name: string, options: RemoteOptions): Promise<McpLoginResult> {
	const found = await findRemote(name, options);
	if (typeof found === 'string') return {ok: false, sentence: found};
	const {from, problem} = await createLoginStore(options).remove(found.start.url);
	if (problem !== undefined) return {ok: false, sentence: problem};
	return {ok: true, sentence: from.length > 0 ? oauthTexts.removed(name) : oauthTexts.none(name)};
}

/** Returns a server to log in to, or the sentence why nobody logs in there. */
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
