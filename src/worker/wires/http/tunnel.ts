import http from 'node:http';
import https from 'node:https';
import type {Duplex} from 'node:stream';
import {isLoopback} from './loopback.ts';
import type {Proxy} from './proxy-choice.ts';
import {ProxyError} from './proxy-error.ts';

/** An agent for connections to HTTPS servers through one proxy. The proxy sees only the name of the server. */
export class TunnelAgent extends https.Agent {
	readonly #proxy: Proxy;

	constructor(proxy: Proxy, options: https.AgentOptions) {
		super(options);
		this.#proxy = proxy;
	}

	override createConnection(
		options: https.RequestOptions,
		callback: (error: Error | null, stream: Duplex) => void = () => {},
	): undefined {
		openTunnel(this.#proxy, options).then(
			socket => callback(null, this.#secured({...options, socket})),
			// Node ignores the stream if there is an error, but the type requires a stream.
			(error: Error) => Reflect.apply(callback, undefined, [error]),
		);
		return undefined;
	}

	/** Adds TLS to a socket. The type of Node's options lacks `socket`, which `tls.connect` documents. */
	#secured(options: https.RequestOptions & {readonly socket: Duplex}): Duplex {
		const socket = super.createConnection(options);
		if (socket === null || socket === undefined) throw new TypeError('Node made no connection.');
		return socket;
	}
}

/** Asks the proxy for a connection to a server. Rejects with a `ProxyError`. */
async function openTunnel(proxy: Proxy, {host, port}: https.RequestOptions): Promise<Duplex> {
	const target = `${host?.includes(':') === true ? `[${host}]` : host}:${port}`;
	const {promise, resolve, reject} = Promise.withResolvers<Duplex>();
	const request = (proxy.isSecure ? https : http).request({
		method: 'CONNECT',
		host: proxy.hostname,
		port: proxy.port,
		path: target,
		headers: {host: target, ...proxyHeaders(proxy)},
		agent: false,
		timeout: maxConnectMs,
	});
	request.on('connect', (response, socket, head) => {
		if (response.statusCode === 200 && head.length === 0) return resolve(socket.setTimeout(0));
		socket.destroy();
		reject(refusalOf(proxy, response.statusCode ?? 0, target));
	});
	// A proxy that does not know CONNECT answers as it would to any other request.
	request.on('response', response => {
		response.destroy();
		reject(refusalOf(proxy, response.statusCode ?? 0, target));
	});
	request.on('timeout', () => request.destroy(Object.assign(new Error('timeout'), {code: 'ETIMEDOUT'})));
	request.on('error', error => reject(unreachableProxy(proxy, error)));
	request.end();
	return promise;
}

const maxConnectMs = 30_000;

/** The headers that only the proxy reads. */
export function proxyHeaders({authorization}: Proxy): {readonly 'proxy-authorization'?: string} {
	return authorization === undefined ? {} : {'proxy-authorization': authorization};
}

/** Returns the error for a status that a proxy sent instead of a connection. */
export function refusalOf({variable, host, authorization}: Proxy, status: number, target: string): ProxyError {
	if (status === 407)
		return new ProxyError({reason: 'login', proxy: host, hasLogin: authorization !== undefined}, variable);
	return new ProxyError({reason: 'refused', proxy: host, target, status}, variable);
}

/** Returns the error for a failed connection to the proxy. */
export function unreachableProxy({variable, host, hostname}: Proxy, error: Error): ProxyError {
	const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
	const isLocal = isLoopback({hostname: hostname.includes(':') ? `[${hostname}]` : hostname});
	return new ProxyError({reason: 'unreachable', proxy: host, code, isLocal}, variable);
}
