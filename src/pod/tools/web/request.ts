import {en} from '../../../language/index.ts';
import http from 'node:http';
import type {IncomingMessage} from 'node:http';
import https from 'node:https';
import {isIP, type LookupFunction} from 'node:net';
import {loadWebParts, type Proxy} from '../../../worker/index.ts';
import {isSameAddress} from './addresses.ts';
import {FetchError} from './failure.ts';
import {lookup} from 'node:dns/promises';
import {hostOf} from '../../ground/text/web-url.ts';

/** One request of a fetch. It goes to one of the checked addresses, or through a proxy. */
type Hop = {
	readonly url: URL;
	/** The checked addresses of the host. If there is no proxy, inkpod connects only to these addresses. */
	readonly addresses: readonly string[];
	readonly proxy?: Proxy | undefined;
	/** The maximum time without a byte from the server, in milliseconds. */
	readonly stallMs: number;
	readonly signal: AbortSignal;
};

/**
Sends a request without cookies, keys or a referrer, and resolves with the beginning of the answer. The name in the
request and in the check of the certificate is that of the URL. Rejects with a `FetchError`, or with the signal's
reason.
*/
export async function requestHop(hop: Hop): Promise<IncomingMessage> {
	const {url, addresses, proxy, stallMs, signal} = hop;
	signal.throwIfAborted();
	const route = proxy === undefined ? directRoute(hop) : await proxyRoute(url, proxy);
	const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
	const {request} = route.isSecure ? https : http;
	const sent = request(url, {...route.options, headers: {...headers, ...route.headers}, maxHeaderSize, signal});
	let begun: IncomingMessage | undefined;
	sent.on('response', answer => {
		begun = answer;
		resolve(answer);
	});
	sent.on('error', error => reject(signal.aborted ? signal.reason : route.failure(error)));
	// A server that switches protocols has no page, and Node then reports neither an answer nor an error.
	sent.on('upgrade', (_, socket) => {
		socket.destroy();
		reject(new FetchError('connection', en`the server switched to another protocol`));
	});
	sent.on('close', () => reject(signal.aborted ? signal.reason : new FetchError('connection', en`it was closed`)));
	sent.setTimeout(stallMs, () => (begun ?? sent).destroy(new FetchError('stalled', `${stallMs / 1000} s`)));
	sent.end();
	const answer = await promise;
	const remote = answer.socket.remoteAddress;
	if (proxy === undefined && !addresses.some(address => isSameAddress(address, remote ?? ''))) {
		answer.destroy();
		throw new FetchError('private', remote ?? '');
	}
	if (proxy !== undefined && answer.statusCode === 407) {
		answer.destroy();
		const {refusalOf} = await loadWebParts();
		throw new FetchError('proxy', refusalOf(proxy, 407, url.host).message);
	}
	return answer;
}

/** Resolves a name to all of its addresses. Rejects if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Asks the system, as connections do. */
export const systemResolve: Resolve = async name => {
	const found = await lookup(name, {all: true, order: 'verbatim'});
	return found.map(({address}) => address);
};

/**
Returns the addresses of a URL's host, or an empty list if the name has none. A look-up cannot be stopped, so after an
abort the promise rejects before the look-up ends.
*/
export async function addressesOf(url: URL, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
	const host = hostOf(url);
	if (isIP(host) !== 0) return [host];
	const stopped = Promise.withResolvers<never>();
	const stop = () => stopped.reject(signal.reason);
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	try {
		return await Promise.race([resolve(host).catch(() => []), stopped.promise]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

const headers = {
	accept: 'text/html, text/markdown;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5',
	'accept-encoding': 'gzip, deflate, br',
	'accept-language': 'en, *;q=0.5',
	connection: 'close',
	'user-agent': 'inkpod',
};

const maxHeaderSize = 32 * 1024;

type Route = {
	readonly isSecure: boolean;
	readonly options: https.RequestOptions;
	readonly headers?: Readonly<Record<string, string>>;
	readonly failure: (error: Error) => unknown;
};

function directRoute({url, addresses}: Hop): Route {
	return {
		isSecure: url.protocol === 'https:',
		options: {agent: false, lookup: pinnedTo(addresses)},
		failure: connectionFailure,
	};
}

/** Answers every look-up with the checked addresses, so that a connection cannot lead elsewhere. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
	const all = addresses.map(address => ({address, family: isIP(address)}));
	return (_, options, callback) => {
		const fitting = all.filter(({family}) => options.family === undefined || [0, family].includes(+options.family));
		const [first] = fitting;
		if (first === undefined) return callback(new Error('no checked address'), '');
		if (options.all === true) callback(null, fitting);
		else callback(null, first.address, first.family);
	};
}

/** HTTPS goes through a tunnel in the proxy. Plain HTTP requests are sent to the proxy with their whole URL. */
async function proxyRoute(url: URL, proxy: Proxy): Promise<Route> {
	const {TunnelAgent, proxyHeaders, ProxyError, unreachableProxy} = await loadWebParts();
	const failure = (error: Error) => {
		if (error instanceof ProxyError) return new FetchError('proxy', error.message);
		return url.protocol === 'https:' || error instanceof FetchError
			? connectionFailure(error)
			: new FetchError('proxy', unreachableProxy(proxy, error).message);
	};
	if (url.protocol === 'https:')
		return {isSecure: true, options: {agent: new TunnelAgent(proxy, {keepAlive: false})}, failure};
	const {isSecure, hostname, port} = proxy;
	const options = {
		protocol: isSecure ? 'https:' : 'http:',
		host: hostname,
		hostname,
		port,
		path: url.origin + url.pathname + url.search,
		agent: false as const,
	};
	return {isSecure, options, headers: {host: url.host, ...proxyHeaders(proxy)}, failure};
}

function connectionFailure(error: Error): FetchError {
	if (error instanceof FetchError) return error;
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	return new FetchError('connection', code === '' ? error.message : code);
}
