import type {Draft} from '../../worker/index.ts';
import type {RefFailure} from '../protocol.ts';

/** What a ref may become, once it is known how many bytes are left for it. `bytes` is what it would take. */
export type Attachment = {
	readonly ok: true;
	readonly bytes: number;
	/** The system item's draft, cut to `maxBytes`; `undefined` where it cannot be cut so far. */
	within(maxBytes: number): Draft<'message'> | undefined;
};
export type AttachmentFailed = {
	readonly ok: false;
	readonly reason: RefFailure;
	readonly totalLines?: number;
	readonly totalBytes?: number;
	readonly lineless?: boolean;
	/** Of a `denied` one: the file that a confirmation has to name. */
	readonly real?: string;
	readonly cause?: unknown;
};
