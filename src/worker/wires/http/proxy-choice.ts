import {BlockList, isIP} from 'node:net';
import {isLoopback} from './loopback.ts';
import type {Proxies, ProxySetting} from './network.ts';
import {ProxyError} from './proxy-error.ts';
import {authorizationOf, proxyURL} from './shown-url.ts';

/** A proxy whose setting is valid. */
export type Proxy = {
	readonly variable: string;
	readonly isSecure: boolean;
	/** The proxy's host name without brackets. */
	readonly hostname: string;
	readonly port: number;
	/** The proxy's host and port, for sentences. */
	readonly host: string;
	/** The value of the header that contains the user name and the password. */
	readonly authorization?: string;
};

/**
Returns the proxy for a URL, or `undefined` for a direct connection. Connections are direct to this machine, to hosts
that the user excluded, and for schemes without a proxy. Throws a `ProxyError` if the user's proxy cannot be used.
*/
export function proxyFor(url: URL, proxies: Proxies): Proxy | undefined {
	const setting = url.protocol === 'https:' ? proxies.https : proxies.http;
	if (setting === undefined || isLoopback(url) || isExcepted(url, proxies.exceptions)) return undefined;
	return proxyOf(setting);
}

/** Reads the user's setting for a proxy. Throws a `ProxyError` if the proxy cannot be used. */
export function proxyOf({variable, value}: ProxySetting): Proxy {
	const url = proxyURL(value);
	if (url === null) throw new ProxyError({reason: 'not_an_address'}, variable);
	const scheme = url.protocol.slice(0, -1);
	if (scheme !== 'http' && scheme !== 'https') throw new ProxyError({reason: 'unknown_scheme', scheme}, variable);
	const isSecure = scheme === 'https';
	const authorization = authorizationOf(url);
	const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
	return {
		variable,
		isSecure,
		hostname: withoutBrackets(url.hostname),
		port,
		host: `${url.hostname}:${port}`,
		authorization,
	};
}

/**
Tells whether a list of exceptions names the host. `example.com` and `.example.com` also name its subdomains, as in
curl. Other forms are `*`, `host:port`, an IP address, and a range of addresses like `10.0.0.0/8`.
*/
function isExcepted(url: URL, exceptions: string): boolean {
	const host = withoutBrackets(url.hostname).toLowerCase().replace(/\.$/, '');
	const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
	return exceptions
		.toLowerCase()
		.split(/[\s,]+/)
		.filter(entry => entry !== '')
		.some(entry => names(entry, host, port));
}

function names(entry: string, host: string, port: string): boolean {
	if (entry === '*') return true;
	if (entry.includes('/')) return isInRange(entry, host);
	const {name, ownPort} = partsOf(entry);
	if (ownPort !== undefined && ownPort !== port) return false;
	const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
	if (domain === '') return false;
	return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

/** Splits an entry into its name and its port. An IPv6 address can have a port only if it is in brackets. */
function partsOf(entry: string): {readonly name: string; readonly ownPort?: string} {
	if (isIP(entry) === 6) return {name: entry};
	const [, name = entry, ownPort] = /^(.*):(\d+)$/.exec(entry) ?? [];
	return {name: withoutBrackets(name), ownPort};
}

function isInRange(range: string, host: string): boolean {
	const [network = '', bits = ''] = range.split('/');
	const version = isIP(host);
	if (version === 0 || isIP(network) !== version || !/^\d{1,3}$/.test(bits)) return false;
	if (Number(bits) > (version === 4 ? 32 : 128)) return false;
	const family = version === 4 ? 'ipv4' : 'ipv6';
	const list = new BlockList();
	list.addSubnet(network, Number(bits), family);
	return list.check(host, family);
}

function withoutBrackets(hostname: string): string {
	return hostname.replace(/^\[(.*)\]$/, '$1');
}
