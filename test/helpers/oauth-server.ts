import {createHash, randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';

/** What the server does wrong or differently. */
export type OAuthFaults = {
	/** The metadata of the authorization server redirects there. */
	readonly metadataRedirect?: string;
	readonly issuer?: string;
	readonly authorizationEndpoint?: string;
	/** The answer of the authorization endpoint: an error instead of a code. */
	readonly refusal?: string;
	/** The issuer that comes back with the code. */
	readonly returnedIssuer?: string;
	readonly endlessMetadata?: boolean;
};

/**
An MCP server that needs a login, with its own strict authorization server: PKCE with S256, one use of each code,
refresh tokens that rotate, the resource parameter, and a redirect to exactly the registered address.
*/
export async function oauthServer(faults: OAuthFaults = {}): Promise<OAuthServer> {
	const server = new OAuthServer(faults);
	const http = createServer((request, response) => void server.handle(request, response));
	http.listen(0, '127.0.0.1');
	await once(http, 'listening');
	onTestFinished(() => {
		http.close();
		http.closeAllConnections();
	});
	server.origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
	return server;
}

type Send = (status: number, value: unknown, headers?: Readonly<Record<string, string>>) => void;
type Fail = (problem: string, code?: string) => void;
type Code = {readonly client: string; readonly challenge: string; readonly redirect: string};

class OAuthServer {
	origin = '';
	readonly seen: string[] = [];
	readonly problems: string[] = [];
	readonly #faults: OAuthFaults;
	readonly #clients = new Map<string, string>();
	readonly #codes = new Map<string, Code>();
	readonly #access = new Set<string>();
	readonly #refresh = new Set<string>();

	constructor(faults: OAuthFaults) {
		this.#faults = faults;
	}

	get url(): string {
		return `${this.origin}/mcp`;
	}

	/** What a browser does: goes to the address, and back to inkpod. Returns the answer of the last page. */
	async browse(address: string | URL): Promise<Response> {
		const first = await fetch(address, {redirect: 'manual'});
		const location = first.headers.get('location');
		return location === null ? first : fetch(location);
	}

	/** Ends all access tokens, so that they must be renewed. */
	expire(): void {
		this.#access.clear();
	}

	revoke(): void {
		this.#access.clear();
		this.#refresh.clear();
	}

	tokens(): readonly string[] {
		return [...this.#access, ...this.#refresh];
	}

	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const {pathname, searchParams} = new URL(request.url ?? '', this.origin);
		const body = await textOf(request);
		this.seen.push(`${request.method} ${pathname}`);
		const send: Send = (status, value, headers = {}) => {
			response.writeHead(status, {'content-type': 'application/json', ...headers});
			response.end(JSON.stringify(value));
		};
		const fail: Fail = (problem, code = 'invalid_request') => {
			this.problems.push(problem);
			send(400, {error: code, error_description: problem});
		};
		if (pathname === '/mcp') return this.#mcp(request, body, send, response);
		if (pathname === '/.well-known/oauth-protected-resource/mcp')
			return send(200, {resource: this.url, authorization_servers: [this.origin]});
		if (pathname.startsWith('/.well-known/oauth-authorization-server')) return this.#metadata(send, response);
		if (pathname === '/register') return this.#register(body, send, fail);
		if (pathname === '/authorize') return this.#authorize(searchParams, fail, response);
		return pathname === '/token' ? this.#token(new URLSearchParams(body), fail, send) : send(404, {});
	}

	#metadata(send: Send, response: ServerResponse): void {
		const {metadataRedirect, endlessMetadata, issuer = this.origin, authorizationEndpoint} = this.#faults;
		if (metadataRedirect !== undefined) return send(302, {}, {location: metadataRedirect});
		if (endlessMetadata === true) {
			response.writeHead(200, {'content-type': 'application/json'});
			const timer = setInterval(() => response.write(' '.repeat(65_536)), 1);
			response.on('close', () => clearInterval(timer));
			return undefined;
		}
		return send(200, {
			issuer,
			authorization_endpoint: authorizationEndpoint ?? `${this.origin}/authorize`,
			token_endpoint: `${this.origin}/token`,
			registration_endpoint: `${this.origin}/register`,
			response_types_supported: ['code'],
			grant_types_supported: ['authorization_code', 'refresh_token'],
			code_challenge_methods_supported: ['S256'],
			token_endpoint_auth_methods_supported: ['none'],
		});
	}

	#register(body: string, send: Send, fail: Fail): void {
		const wanted = JSON.parse(body) as {readonly redirect_uris?: readonly string[]};
		const [redirect = ''] = wanted.redirect_uris ?? [];
		if (!/^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirect)) return fail(`redirect ${redirect}`);
		const id = `client-${randomUUID()}`;
		this.#clients.set(id, redirect);
		return send(201, {...wanted, client_id: id});
	}

	#authorize(given: URLSearchParams, fail: Fail, response: ServerResponse): void {
		const [redirect = '', client = ''] = ['redirect_uri', 'client_id'].map(name => given.get(name) ?? '');
		if (this.#clients.get(client) !== redirect) return fail('another redirect address');
		const challenge = given.get('code_challenge') ?? '';
		if (given.get('code_challenge_method') !== 'S256' || challenge.length < 43) return fail('no PKCE with S256');
		if ((given.get('state') ?? '').length < 16) return fail('no state');
		if (given.get('resource') !== this.url) return fail(`resource ${given.get('resource')}`);
		const {refusal, issuer = this.origin, returnedIssuer = issuer} = this.#faults;
		const back = new URL(redirect);
		back.searchParams.set('state', given.get('state')!);
		if (refusal === undefined) {
			const code = randomUUID();
			this.#codes.set(code, {client, challenge, redirect});
			back.searchParams.set('code', code);
			back.searchParams.set('iss', returnedIssuer);
		} else back.searchParams.set('error', refusal);
		response.writeHead(302, {location: back.href});
		return void response.end();
	}

	#token(given: URLSearchParams, fail: Fail, send: Send): void {
		if (given.get('resource') !== this.url) return fail(`resource ${given.get('resource')}`);
		if (given.get('grant_type') === 'refresh_token')
			return this.#refresh.delete(given.get('refresh_token') ?? '')
				? send(200, this.#issue())
				: fail('an old refresh token', 'invalid_grant');
		const code = this.#codes.get(given.get('code') ?? '');
		this.#codes.delete(given.get('code') ?? '');
		if (code === undefined) return fail('a code that was used or never given', 'invalid_grant');
		const verifier = given.get('code_verifier') ?? '';
		if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge)
			return fail('a wrong verifier', 'invalid_grant');
		if (given.get('client_id') !== code.client || given.get('redirect_uri') !== code.redirect)
			return fail('another client', 'invalid_grant');
		return send(200, this.#issue());
	}

	#issue() {
		const [token, next] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
		this.#access.add(token);
		this.#refresh.add(next);
		return {access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: next};
	}

	#mcp({headers, method}: IncomingMessage, body: string, send: Send, response: ServerResponse): void {
		if (!this.#access.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) {
			const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
			return send(401, {}, {'www-authenticate': `Bearer resource_metadata="${metadata}"`});
		}
		if (method !== 'POST') return void response.writeHead(405).end();
		const {id, method: called} = JSON.parse(body) as {readonly id?: number; readonly method: string};
		if (id === undefined) return void response.writeHead(202).end();
		const result = results[called];
		const error = {code: -32_601, message: 'unknown'};
		return send(200, {jsonrpc: '2.0', id, ...(result === undefined ? {error} : {result})});
	}
}

const results: Readonly<Record<string, unknown>> = {
	initialize: {
		protocolVersion: '2025-06-18',
		capabilities: {tools: {}},
		serverInfo: {name: 'secured', version: '1'},
	},
	'tools/list': {tools: [{name: 'whoami', description: 'd', inputSchema: {type: 'object', properties: {}}}]},
	'tools/call': {content: [{type: 'text', text: 'you are logged in'}]},
};

async function textOf(request: IncomingMessage): Promise<string> {
	let all = '';
	for await (const piece of request) all += String(piece);
	return all;
}
