import {en} from '../../../language/index.ts';
import {ConnectionProblem} from './connection-problem.ts';
import {Exchange, type Outgoing, type Undecoded} from './exchange.ts';
import type {Network} from './network.ts';
import {ProxyError} from './proxy-error.ts';
import {closeUnused, routeOf, type Route} from './route.ts';
import {unreachableProxy} from './tunnel.ts';
import {wrongSchemeOf} from './wrong-scheme.ts';

/**
Sends a request and resolves with the beginning of its answer. This is the only way in which inkpod sends requests to
models and MCP servers. Decodes nothing, follows no redirects, and limits only the time for opening a connection.

The server may have closed a reused connection without inkpod noticing it. If such a connection ends before the first
byte of an answer, the request is sent once more over a new connection. No other request is sent twice.
*/
export async function send(url: URL, outgoing: Outgoing = {}, network: Network = {}): Promise<Undecoded> {
	const {signal} = outgoing;
	signal?.throwIfAborted();
	if (!/^https?:$/.test(url.protocol)) throw new TypeError(en`The address begins with ${url.protocol}`);
	if (url.username !== '' || url.password !== '')
		throw new TypeError(en`The address contains a user name or a password`);
	try {
		return await answerOver(await routeOf(url, network), url, outgoing);
	} catch (error) {
		if (signal?.aborted === true) throw signal.reason;
		if (error instanceof ConnectionProblem) throw error;
		// The error has the same form as an error of fetch, because libraries expect that form.
		throw new TypeError('fetch failed', {cause: error});
	}
}

async function answerOver(route: Route, url: URL, outgoing: Outgoing): Promise<Undecoded> {
	for (let attempt = 1; ; attempt++) {
		outgoing.signal?.throwIfAborted();
		const exchange = new Exchange(route, url, outgoing);
		try {
			return await exchange.opened;
		} catch (error) {
			if (outgoing.signal?.aborted === true) throw error;
			if (attempt > 1 || !exchange.wasDead(error)) throw await explained(error, route, {url, outgoing, exchange});
			closeUnused(route.agent);
		}
	}
}

type Failed = {readonly url: URL; readonly outgoing: Outgoing; readonly exchange: Exchange};

/** Returns the most helpful error for a request that got no answer. */
async function explained(error: unknown, {proxy}: Route, {url, outgoing, exchange}: Failed): Promise<unknown> {
	if (error instanceof ProxyError || !(error instanceof Error)) return error;
	if (proxy !== undefined) return unreachableProxy(proxy, error);
	return (await wrongSchemeOf(error, url, {wasSilent: exchange.wasSilent(), signal: outgoing.signal})) ?? error;
}
