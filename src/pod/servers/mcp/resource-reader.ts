import type {AttachmentFailed} from '../../references/submission/attachment.ts';
import {resourceAttachment, type ResourceReader} from '../../references/submission/resource-ref.ts';
import type {Mcp} from './mcp.ts';
import type {ResourceContent} from './shared-context.ts';
import {resourceProblems} from './texts.ts';

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

/** Returns the texts of a resource, or `undefined` if one of them is not text. */
function textOf(contents: readonly ResourceContent[]): string | undefined {
	const texts = contents.map(content =>
		'text' in content && typeof content.text === 'string' ? content.text : undefined,
	);
	return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('\n').toWellFormed();
}
