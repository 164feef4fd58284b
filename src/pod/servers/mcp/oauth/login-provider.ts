import {en} from '../../../../language/index.ts';
import {randomBytes} from 'node:crypto';
import type {auth} from '@ai-sdk/mcp';
import type {LoginStore, McpLogin} from './login-store.ts';

/** The callbacks of the MCP client library for a login. */
export type LoginProvider = Parameters<typeof auth>[0];

/** The error if the server requires a new login, which only the user can begin. */
export class LoginNeeded extends Error {}

type ProviderOptions = {
	readonly url: string;
	readonly store: LoginStore;
	/** The stored login. */
	readonly login: McpLogin | undefined;
	/** The options of a new login. If absent, the provider only uses and renews stored tokens. */
	readonly begin?: {
		readonly redirectUrl: string;
		/** The id of an OAuth client that the user has registered. If absent, inkpod registers a client. */
		readonly clientId?: string | undefined;
		readonly scope?: string | undefined;
		/** Called with the web address at which the user logs in. */
		readonly onAddress: (address: URL) => void;
	};
};

/**
Creates the provider of tokens for one server. The tokens are sent only to this server. Renewed tokens are stored.
Several sessions may renew tokens at the same time. So after the server refused a token, the provider first uses another
token if a session has stored one meanwhile.
*/
export function createLoginProvider({url, store, login, begin}: ProviderOptions): LoginProvider {
	let current: McpLogin = login ?? {url};
	let verifier = '';
	let state: string | undefined;
	const keep = async (next: Partial<McpLogin>) => {
		current = {...current, ...next};
		// A new login is stored only when it is complete.
		if (current.tokens === undefined) return;
		const problem = await store.write(current);
		if (problem !== undefined && begin !== undefined) throw new Error(problem);
	};
	const redirectUrl = begin?.redirectUrl ?? 'http://127.0.0.1/callback';
	return {
		redirectUrl,
		clientMetadata: {
			client_name: 'inkpod',
			redirect_uris: [redirectUrl],
			application_type: 'native',
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			token_endpoint_auth_method: 'none',
			...(begin?.scope !== undefined && {scope: begin.scope}),
		},
		tokens: () => current.tokens,
		saveTokens: async tokens => keep({tokens}),
		clientInformation: () =>
			current.client ?? (begin?.clientId === undefined ? undefined : {client_id: begin.clientId}),
		saveClientInformation: async client => keep({client}),
		isClientInformationDynamicallyRegistered: () => begin?.clientId === undefined,
		authorizationServerInformation: () => current.server,
		saveAuthorizationServerInformation: async server => keep({server}),
		state: () => randomBytes(24).toString('base64url'),
		saveState: given => void (state = given),
		storedState: () => state,
		saveCodeVerifier: given => void (verifier = given),
		codeVerifier: () => verifier,
		redirectToAuthorization(address) {
			if (begin === undefined) throw new LoginNeeded(en`the login has already ended`);
			begin.onAddress(address);
		},
		async invalidateCredentials(what, context) {
			if (what === 'verifier') return;
			const stored = await store.read(url);
			const refused = context?.tokens.refresh_token ?? current.tokens?.refresh_token;
			if (begin === undefined && stored?.tokens !== undefined && stored.tokens.refresh_token !== refused) {
				current = stored;
				return;
			}
			const {tokens: _, client, ...rest} = current;
			current = {...rest, ...(what === 'tokens' && client !== undefined && {client})};
		},
	};
}

/** Tells whether a login may use an address: it must have https, or http on this machine. */
export function isSafeAddress(address: string | URL): boolean {
	const url = URL.parse(String(address));
	if (url === null || url.username !== '' || url.password !== '') return false;
	return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/**
Creates the `fetch` for logins. It sends requests only to safe addresses and follows no redirect, so that no server can
lead a request to another host. An answer may have at most `maxAnswer` bytes and take at most `maxMs` milliseconds.
*/
export function oauthFetch(base: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const address = input instanceof Request ? input.url : input;
		if (!isSafeAddress(address))
			throw new Error(en`${originOf(address)} does not use https and is not on this machine`);
		const late = AbortSignal.timeout(maxMs);
		const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
		const response = await base(input, {...init, redirect: 'manual', signal});
		if (response.status >= 300 && response.status < 400)
			throw new Error(
				en`${originOf(address)} redirects to another address, and inkpod does not follow redirects here`,
			);
		const body = await readBounded(response);
		return new Response(isEmpty(response.status) ? null : body, {
			status: response.status,
			statusText: response.statusText,
			headers: withoutLength(response.headers),
		});
	};
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The maximum size of an answer of the login server, in bytes. */
const maxAnswer = 1024 * 1024;

const maxMs = 30_000;

function isEmpty(status: number): boolean {
	return status === 204 || status === 205 || status === 304;
}

function withoutLength(headers: Headers): Headers {
	const kept = new Headers(headers);
	for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name);
	return kept;
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of response.body ?? []) {
		size += piece.length;
		if (size > maxAnswer) throw new Error(en`an answer of the login server has more than ${maxAnswer} bytes`);
		pieces.push(piece);
	}
	return new Uint8Array(Buffer.concat(pieces));
}

function originOf(address: string | URL): string {
	return URL.parse(String(address))?.origin ?? 'an address';
}
