import type {RequestPermissionRequest, RequestPermissionOutcome, SessionUpdate} from '@agentclientprotocol/sdk';

/** The functions of an editor that a session needs. All calls are for this session. */
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
	/** Returns the text of an editor's buffer. Absent if the editor does not share its buffers. */
	readonly readBuffer?: (path: string, signal: AbortSignal) => Promise<string | undefined>;
	/** Aborts when the editor is gone. */
	readonly gone: AbortSignal;
};
