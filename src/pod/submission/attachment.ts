import type {Draft} from '../../worker/index.ts';
import type {RefFailure} from '../protocol.ts';

/** A ref's attachment before its size is limited. `bytes` is its full size. */
export type Attachment = {
	readonly ok: true;
	readonly bytes: number;
	/** Returns the draft of the system item, cut to `maxBytes`. Returns `undefined` if it cannot be so short. */
	within(maxBytes: number): Draft<'message'> | undefined;
};
export type AttachmentFailed = {
	readonly ok: false;
	readonly reason: RefFailure;
	readonly totalLines?: number;
	readonly totalBytes?: number;
	readonly lineless?: boolean;
	/** The path that the confirmation of a `denied` ref must contain. */
	readonly real?: string;
	readonly cause?: unknown;
};
