import {lookup} from 'node:dns/promises';
import {isIP} from 'node:net';
import {hostOf} from '../../ground/text/web-url.ts';

/** Resolves a name to all of its addresses. Rejects if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Asks the system, as connections do. */
export const systemResolve: Resolve = async name => {
	const found = await lookup(name, {all: true, order: 'verbatim'});
	return found.map(({address}) => address);
};

/**
Returns the addresses of a URL's host, or an empty list if the name has none. A look-up cannot be stopped, so after an
abort the promise rejects without waiting for it.
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
