import type http from 'node:http';
import {readCertificate, type CertificateTexts} from './client-certificate.ts';
import {PlainAgent, SecureAgent, type EarlyAgent} from './early.ts';
import type {Network} from './network.ts';
import {proxyFor, type Proxy} from './proxy-choice.ts';
import {proxyHeaders, TunnelAgent} from './tunnel.ts';

/** How to connect to a server: directly, or through one of the user's proxies. */
export type Route = {
	/** Whether the connection to the server or to the proxy begins with TLS. */
	readonly isSecure: boolean;
	/** Whether the connection is to the server and not to a proxy. */
	readonly isDirect: boolean;
	readonly agent: EarlyAgent | TunnelAgent;
	/** Options that replace the options of the URL. */
	readonly options?: http.RequestOptions;
	/** The headers for the proxy. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The proxy that reads the request. Absent for a tunnel, because the proxy cannot read the request in it. */
	readonly proxy?: Proxy;
};

/**
Returns the route to a URL. A request over HTTPS uses a tunnel through the proxy. A request over HTTP is sent to the
proxy with its whole URL. Rejects with a `ProxyError` or a `ConnectionProblem`.
*/
export async function routeOf(url: URL, {proxies, clientCertificate}: Network): Promise<Route> {
	const proxy = proxies === undefined ? undefined : proxyFor(url, proxies);
	if (url.protocol === 'https:') {
		const certificate = clientCertificate === undefined ? undefined : await readCertificate(clientCertificate);
		return {isSecure: true, isDirect: proxy === undefined, agent: secureAgent(proxy, certificate)};
	}
	if (proxy === undefined) return {isSecure: false, isDirect: true, agent: plainAgent};
	const {isSecure, hostname, port} = proxy;
	return {
		isSecure,
		isDirect: false,
		agent: isSecure ? secureAgent() : plainAgent,
		options: {
			protocol: isSecure ? 'https:' : 'http:',
			host: hostname,
			hostname,
			port,
			path: url.origin + url.pathname + url.search,
		},
		headers: {host: url.host, ...proxyHeaders(proxy)},
		proxy,
	};
}

/**
Opens a connection for the next request to a URL. Opens no connection to a proxy, because a tunnel through a proxy leads
to one server only.
*/
export async function connect(url: URL, network: Network = {}): Promise<void> {
	const {agent, isDirect, isSecure} = await routeOf(url, network);
	if (!isDirect || agent instanceof TunnelAgent) return;
	const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
	agent.open({host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port});
}

/** Closes the unused connections of an agent, because one of them was dead. */
export function closeUnused({freeSockets}: http.Agent): void {
	for (const socket of Object.values(freeSockets).flatMap(sockets => sockets ?? [])) socket.destroy();
}

/**
An unused connection is closed before most servers would close it. Such a connection does not keep the process alive.
*/
const agentOptions = {keepAlive: true, timeout: 4000};
const plainAgent = new PlainAgent(agentOptions);
const secureAgents = new Map<string, SecureAgent | TunnelAgent>();

/** Returns the agent for TLS. Only requests with the same proxy and the same client certificate reuse a connection. */
function secureAgent(proxy?: Proxy, certificate?: CertificateTexts): SecureAgent | TunnelAgent {
	const id = JSON.stringify([proxy, certificate?.id]);
	const known = secureAgents.get(id);
	if (known !== undefined) return known;
	const options = {
		...agentOptions,
		...(certificate !== undefined && {cert: certificate.cert, key: certificate.key}),
	};
	const made = proxy === undefined ? new SecureAgent(options) : new TunnelAgent(proxy, options);
	secureAgents.set(id, made);
	return made;
}
