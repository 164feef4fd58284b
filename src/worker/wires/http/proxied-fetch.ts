import http, {type IncomingMessage} from 'node:http';
import https from 'node:https';
import {Readable} from 'node:stream';
import type {Proxies} from './network.ts';
import {proxyFor, type Proxy} from './proxy-choice.ts';
import {AnswerRefused} from './refusal.ts';
import {proxyHeaders, refusalOf, TunnelAgent, unreachableProxy} from './tunnel.ts';
import type {Undecoded} from './undecoded-fetch.ts';

/**
Returns a fetch that uses the user's proxies, for users that have any. Node's own fetch takes a proxy only from its
command line or from a copy of undici. Like `undecodedFetch`, this fetch decodes nothing, follows no redirects and has
no time limits. The answer is read only as fast as its body.
*/
export async function proxiedFetch(
	input: Parameters<typeof fetch>[0],
	init: RequestInit | undefined,
	proxies: Proxies,
): Promise<Undecoded> {
	const request = new Request(input, init);
	request.signal.throwIfAborted();
	const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
	try {
		return undecoded(await send(request, body, routeOf(new URL(request.url), proxies)));
	} catch (error) {
		if (request.signal.aborted) throw request.signal.reason;
		if (error instanceof AnswerRefused) throw error;
		// The form of the error that Node's fetch throws, which the provider packages know.
		throw new TypeError('fetch failed', {cause: error});
	}
}

/** The place to which a request is sent. */
type Route = {
	readonly url: URL;
	readonly options: https.RequestOptions;
	/** The headers for the proxy. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly proxy?: Proxy;
};

/** HTTPS passes a proxy through a tunnel. Plain HTTP is sent to the proxy with its whole URL. */
function routeOf(url: URL, proxies: Proxies): Route {
	const proxy = proxyFor(url, proxies);
	if (proxy === undefined) return {url, options: {agent: url.protocol === 'https:' ? direct.https : direct.http}};
	if (url.protocol === 'https:') return {url, options: {agent: tunnelsThrough(proxy)}};
	const {isSecure, hostname, port} = proxy;
	const options = {
		protocol: isSecure ? 'https:' : 'http:',
		host: hostname,
		hostname,
		port,
		path: url.origin + url.pathname + url.search,
		agent: isSecure ? direct.https : direct.http,
	};
	return {url, options, headers: {host: url.host, ...proxyHeaders(proxy)}, proxy};
}

/** Unused connections are closed before most servers would close them. */
const agentOptions = {keepAlive: true, timeout: 4000};
const direct = {http: new http.Agent(agentOptions), https: new https.Agent(agentOptions)};
const tunnels = new Map<string, TunnelAgent>();

function tunnelsThrough(proxy: Proxy): TunnelAgent {
	const id = JSON.stringify(proxy);
	const known = tunnels.get(id) ?? new TunnelAgent(proxy, agentOptions);
	tunnels.set(id, known);
	return known;
}

async function send(
	{method, headers, signal}: Request,
	body: Buffer | undefined,
	{url, options, headers: ofProxy, proxy}: Route,
): Promise<IncomingMessage> {
	const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
	const {request} = (options.protocol ?? url.protocol) === 'https:' ? https : http;
	const own = {...Object.fromEntries(headers), 'accept-encoding': 'identity'};
	const sent = request(url, {...options, method, signal, headers: {...own, ...ofProxy}});
	sent.on('response', resolve);
	sent.on('error', error =>
		reject(proxy === undefined || sent.reusedSocket ? error : unreachableProxy(proxy, error)),
	);
	sent.end(body);
	const answer = await promise;
	if (answer.statusCode === 407 && proxy !== undefined) {
		answer.destroy();
		throw refusalOf(proxy, 407, url.host);
	}
	return answer;
}

function undecoded(message: IncomingMessage): Undecoded {
	const status = message.statusCode ?? 0;
	if (status < 200 || status > 599) {
		message.destroy();
		throw new AnswerRefused('bad_status', String(status));
	}
	const headers = new Headers();
	for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
		const [name = '', value = ''] = message.rawHeaders.slice(at, at + 2);
		if (name.toLowerCase() !== 'content-encoding') headers.append(name, value);
	}
	const response = new Response(bodyOf(message, status), {status, statusText: message.statusMessage ?? '', headers});
	return {response, encodings: message.headers['content-encoding'] ?? '', onRead() {}};
}

function bodyOf(message: IncomingMessage, status: number): ReadableStream<Uint8Array> | null {
	if (![204, 205, 304].includes(status)) return Readable.toWeb(message) as ReadableStream<Uint8Array>;
	message.resume();
	return null;
}
