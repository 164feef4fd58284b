import type {Draft} from '../../worker/index.ts';
import type {RefFailure} from '../protocol.ts';

/** What a ref becomes once the bytes left for it are known. `bytes` is what it needs. */
export type Attachment = {
	readonly ok: true;
	readonly bytes: number;
	/** The system item's draft, cut to `maxBytes`. `undefined`: it cannot be cut that short. */
	within(maxBytes: number): Draft<'message'> | undefined;
};
export type AttachmentFailed = {
	readonly ok: false;
	readonly reason: RefFailure;
	readonly totalLines?: number;
	readonly totalBytes?: number;
	readonly lineless?: boolean;
	/** Of a `denied` ref: the path that its confirmation has to contain. */
	readonly real?: string;
	readonly cause?: unknown;
};
