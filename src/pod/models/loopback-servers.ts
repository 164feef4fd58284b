import type {ServerConfigs} from '../config/model-choice.ts';

/** Returns only the servers on this machine. */
export function loopbackServers(servers: ServerConfigs): ServerConfigs {
	return Object.fromEntries(
		Object.entries(servers).filter(([, server]) => server?.baseURL === undefined || isLoopback(server.baseURL)),
	);
}

/** Tells whether an address is on this machine. */
export function isLoopback(address: string): boolean {
	return URL.canParse(address) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
