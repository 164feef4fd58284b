import {en} from '../../../../language/index.ts';
import {randomBytes} from 'node:crypto';
import type {auth} from '@ai-sdk/mcp';
import type {LoginStore, McpLogin} from './login-store.ts';

/** What the MCP client library asks about a login. */
export type LoginProvider = Parameters<typeof auth>[0];

/** The server wants a new login, and the user must begin it. */
export class LoginNeeded extends Error {}

type ProviderOptions = {
	readonly url: string;
	readonly store: LoginStore;
	/** The login that is stored now. */
	readonly login: McpLogin | undefined;
	/** A new login of the user. Without it, only stored tokens are used and renewed. */
	readonly begin?: {
		readonly redirectUrl: string;
		/** The id of a client that the user has registered. Otherwise inkpod registers one. */
		readonly clientId?: string | undefined;
		readonly scope?: string | undefined;
		/** Gets the address at which the user logs in. */
		readonly onAddress: (address: URL) => void;
	};
};

/**
Creates the provider of tokens for one server. Its tokens are sent to this server only, and renewed tokens are stored.
Several sessions may renew at the same time: a refused token is forgotten only if nobody has stored another one.
*/
export function createLoginProvider({url, store, login, begin}: ProviderOptions): LoginProvider {
	let current: McpLogin = login ?? {url};
	let verifier = '';
	let state: string | undefined;
	const keep = async (next: Partial<McpLogin>) => {
		current = {...current, ...next};
		// A new login is stored when it is complete.
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
			if (begin === undefined) throw new LoginNeeded(en`the login has ended`);
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
