import {hasUndrawn} from './inert-text.ts';
import type {Mcp} from './mcp.ts';

/**
Returns the resources that a popup offers for the text after `@`, as `server:uri`. A server that the text names is
started, unless the project's is not trusted.
*/
export async function offeredResources(
	mcp: Pick<Mcp, 'names' | 'running' | 'serverNamed'>,
	text: string,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const [, named] = /^([^\s/:]{1,64}):/.exec(text) ?? [];
	if (named !== undefined && !mcp.running().has(named) && (await mcp.names()).has(named))
		await mcp.serverNamed(named, signal);
	const lists = await Promise.all(
		[...mcp.running()].map(async ([name, server]) =>
			(await server.resources(signal)).map(({uri}) => `${name}:${uri}`),
		),
	);
	return lists
		.flat()
		.filter(path => path.length <= maxLength && !/\s/.test(path) && path.isWellFormed() && !hasUndrawn(path));
}

const maxLength = 2000;
