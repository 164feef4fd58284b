import {methods, type AgentContext, type ClientCapabilities} from '@agentclientprotocol/sdk';
import type {Editor} from './client.ts';

/** Returns the view of an editor that one session has. */
export function editorOf(
	client: AgentContext,
	sessionId: string,
	{gone, capabilities}: {readonly gone: AbortSignal; readonly capabilities: ClientCapabilities | undefined},
): Editor {
	return {
		gone,
		update: update => void client.notify(methods.client.session.update, {sessionId, update}).catch(() => {}),
		async ask(question, signal) {
			const how = {cancellationSignal: signal, stopWaitingOnCancel: true};
			try {
				const {outcome} = await client.request(
					methods.client.session.requestPermission,
					{sessionId, ...question},
					how,
				);
				return outcome;
			} catch {
				return undefined;
			}
		},
		...(capabilities?.fs?.readTextFile === true && {
			async readBuffer(path: string, signal: AbortSignal) {
				const limit = AbortSignal.any([signal, AbortSignal.timeout(bufferMs)]);
				const how = {cancellationSignal: limit, stopWaitingOnCancel: true};
				try {
					const {content} = await client.request(methods.client.fs.readTextFile, {sessionId, path}, how);
					return content;
				} catch {
					return undefined;
				}
			},
		}),
	};
}

/** How long a prompt waits for a buffer. After that, the file is read. */
const bufferMs = 2000;
