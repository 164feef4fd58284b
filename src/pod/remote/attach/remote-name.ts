/** A session on another machine, as in `inkpod attach HOST:ID`. `id` is the beginning of a session's id. */
export type RemoteName = {readonly host: string; readonly id: string};

/**
Parses `HOST:ID`. HOST is a host in a form that ssh accepts: a name, an address, or an alias of the ssh configuration,
with an optional user. A host must not begin with `-`, because ssh would take it for an option.
*/
export function parseRemoteName(text: string): RemoteName | undefined {
	const [, host, id] = /^(.+):([0-9A-Za-z]{4,26})$/.exec(text) ?? [];
	if (host === undefined || id === undefined) return undefined;
	return hostPattern.test(host) && ulidPrefix.test(id) ? {host, id: id.toUpperCase()} : undefined;
}

const hostPattern = /^[A-Za-z0-9._@:[\]][A-Za-z0-9._@:[\]-]{0,254}$/;
const ulidPrefix = /^[0-9A-HJKMNP-TV-Z]+$/i;
