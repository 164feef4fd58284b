import {createHash} from 'node:crypto';
import {z} from 'zod';
import type {KeychainOptions} from '../../../platform/keychain.ts';
import {lookUpKey, removeKey, storeKey, type Removed} from '../../../models/keys/stored-keys.ts';
import {loadStoredKeys} from '../../../models/keys/load-stored.ts';
import {en} from '../../../../language/index.ts';

const bound = {
	issuer: z.string().optional(),
	authorization_server: z.string().optional(),
	token_endpoint: z.string().optional(),
};

/** A stored login at a server: the tokens, and the OAuth client and the authorization server that they belong to. */
const loginSchema = z.object({
	/** The address of the MCP server. inkpod sends the tokens only to this address. */
	url: z.string(),
	tokens: z
		.object({
			access_token: z.string(),
			token_type: z.string(),
			expires_in: z.number().optional(),
			scope: z.string().optional(),
			refresh_token: z.string().optional(),
			...bound,
		})
		.optional(),
	client: z.object({client_id: z.string(), client_secret: z.string().optional(), ...bound}).optional(),
	server: z
		.object({issuer: z.string().optional(), authorizationServerUrl: z.string(), tokenEndpoint: z.string()})
		.optional(),
});

export type McpLogin = z.infer<typeof loginSchema>;

/** Stores the logins of MCP servers in the same place as API keys: in the keychain or in a private file. */
export type LoginStore = {
	/** Returns the login at exactly this address. */
	read(url: string): Promise<McpLogin | undefined>;
	/** Resolves with a sentence if the login could not be stored. */
	write(login: McpLogin): Promise<string | undefined>;
	remove(url: string): Promise<Removed>;
};

export function createLoginStore(options: KeychainOptions): LoginStore {
	return {
		async read(url) {
			const name = nameFor(url);
			const {stored} = await loadStoredKeys(options.env);
			if (!stored.has(name)) return undefined;
			const found = await lookUpKey(name, options);
			const login = found.ok ? parsed(found.key) : undefined;
			return login?.url === url ? login : undefined;
		},
		async write(login) {
			const text = Buffer.from(JSON.stringify(login)).toString('base64url');
			if (text.length > maxLength) return undefined;
			const stored = await storeKey(nameFor(login.url), text, options);
			return stored.ok ? undefined : stored.sentence;
		},
		remove: async url => removeKey(nameFor(url), options),
	};
}

/** The reason why a connection failed if the server requires a login. */
export const wantsLogin = en`it requires a login`;

/** The maximum length of a stored value. inkpod does not pass longer values to the keychain's program. */
const maxLength = 15 * 1024;

const prefix = 'mcp-login-';

function nameFor(url: string): string {
	return `${prefix}${createHash('sha256').update(url).digest('hex').slice(0, 32)}`;
}

function parsed(text: string): McpLogin | undefined {
	try {
		return loginSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
	} catch {
		return undefined;
	}
}
