import type {McpServer} from '@agentclientprotocol/sdk';

/** Returns the MCP servers of an editor by name, in the form of the entries of a configuration file. */
export function serverEntries(
	servers: readonly McpServer[] = [],
): ReadonlyArray<readonly [name: string, entry: unknown]> {
	return servers.map(server => [server.name, entryOf(server)]);
}

function entryOf(server: McpServer): unknown {
	if ('command' in server) return {command: server.command, args: server.args, env: recordOf(server.env)};
	return 'url' in server ? {type: server.type, url: server.url, headers: recordOf(server.headers)} : {};
}

function recordOf(
	pairs: ReadonlyArray<{readonly name: string; readonly value: string}>,
): Readonly<Record<string, string>> {
	return Object.fromEntries(pairs.map(({name, value}) => [name, value]));
}
