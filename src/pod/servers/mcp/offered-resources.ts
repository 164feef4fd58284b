import {hasUndrawn} from './scrubber.ts';
import type {Mcp} from './mcp.ts';
import type {AttachmentFailed} from '../../references/submission/attachment.ts';
import {resourceAttachment, type ResourceReader} from '../../references/submission/web-ref.ts';
import type {ResourceContent} from './shared-context.ts';
import {resourceProblems} from './texts.ts';

/**
Returns the resources that the completion popup offers for the text after `@`, as `server:uri`. Starts a server that the
text names, after the question about trust if it is necessary.
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

/** Reads resources from the servers of a session. */
export function resourceReader(mcp: Pick<Mcp, 'names' | 'serverNamed'>): ResourceReader {
	return {
		servers: async () => mcp.names(),
		async read({server: name, uri}, maxBytes, signal) {
			const failed = (detail: string): AttachmentFailed => ({ok: false, reason: 'resource', detail});
			const server = await mcp.serverNamed(name, signal);
			if (signal.aborted) return {ok: false, reason: 'aborted'};
			if (server === undefined) return failed(resourceProblems.noServer);
			try {
				const answer = await server.ask(async (shared, stop) => shared.readResource(uri, stop), signal);
				if (!answer.ok) return failed(answer.reason);
				const text = textOf(answer.value);
				if (text === undefined) return failed(resourceProblems.notText);
				return resourceAttachment({server: name, uri, mime: answer.value[0]?.mimeType, text}, maxBytes);
			} catch (error) {
				if (signal.aborted) return {ok: false, reason: 'aborted'};
				throw error;
			}
		},
	};
}

const maxLength = 2000;

/** Returns the texts of a resource, or `undefined` if one of them is not text. */
function textOf(contents: readonly ResourceContent[]): string | undefined {
	const texts = contents.map(content =>
		'text' in content && typeof content.text === 'string' ? content.text : undefined,
	);
	return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('\n').toWellFormed();
}
