import type {Draft} from '../../../worker/index.ts';
import type {RefFailure} from '../../protocol.ts';

/** The attachment of a ref before its size is limited. `bytes` is its full size. */
export type Attachment = {
	readonly ok: true;
	readonly bytes: number;
	/** The bytes of an image or document. They are not part of `bytes`. */
	readonly media?: Buffer;
	/** Returns the draft of the system item, cut to `maxBytes`. Returns `undefined` if the item cannot be so short. */
	within(maxBytes: number): Draft<'message'> | undefined;
};
export type AttachmentFailed = {
	readonly ok: false;
	readonly reason: RefFailure;
	readonly totalLines?: number;
	readonly totalBytes?: number;
	readonly lineless?: boolean;
	/** Whether it is an image or document. */
	readonly isMedia?: boolean;
	/** The path that the confirmation of a `denied` ref must contain. */
	readonly real?: string;
	readonly cause?: unknown;
	/** The reason why a web page was not fetched, as the end of a sentence. */
	readonly detail?: string;
};
