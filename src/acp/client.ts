import type {RequestPermissionRequest, RequestPermissionOutcome, SessionUpdate} from '@agentclientprotocol/sdk';

/** What a session needs from its editor. All calls are for this session. */
export type Editor = {
	/** Sends an update. Updates and responses arrive in the order of the calls. */
	update(update: SessionUpdate): void;
	/**
	Asks the user. It resolves with `undefined` if the editor cannot ask, or if the signal is aborted first.
	*/
	ask(
		question: Omit<RequestPermissionRequest, 'sessionId'>,
		signal: AbortSignal,
	): Promise<RequestPermissionOutcome | undefined>;
	/** Returns the text of an editor's buffer. It is absent if the editor does not offer its buffers. */
	readonly readBuffer?: (path: string, signal: AbortSignal) => Promise<string | undefined>;
	/** It is aborted when the editor is gone. */
	readonly gone: AbortSignal;
};
