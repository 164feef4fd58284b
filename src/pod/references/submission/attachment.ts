import type {Draft} from '../../../worker/index.ts';
import type {RefFailure} from '../../protocol.ts';
import type {Exists} from '../../scope/disk-path.ts';
import {maxPathBytes} from '../../scope/locate.ts';

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
	/** Whether the ref names an image or document. */
	readonly isMedia?: boolean;
	/** The path that the confirmation of a `denied` ref must contain. */
	readonly real?: string;
	readonly cause?: unknown;
	/** The reason why a web page was not fetched, as the end of a sentence. */
	readonly detail?: string;
};

/** Looks up paths on disk, each path once and up to a limit. */
export type Probe = {
	exists(path: string): Promise<boolean>;
	/** Counts other work towards the limit of look-ups. */
	spend(): void;
	exhausted(): boolean;
};

/** Creates a probe. After `maxProbes` look-ups it is exhausted, and every new path counts as missing. */
export function createProbe(exists: Exists, maxProbes: number): Probe {
	const known = new Map<string, boolean>();
	let left = maxProbes;
	let exhausted = false;
	const spend = (): void => {
		if (left === 0) exhausted = true;
		else left -= 1;
	};
	return {
		spend,
		async exists(path) {
			const answer =
				known.get(path) ??
				(path === '' || path.includes('\0') || Buffer.byteLength(path) > maxPathBytes ? false : undefined);
			if (answer !== undefined) return answer;
			spend();
			if (exhausted) return false;
			const found = await exists(path);
			known.set(path, found);
			return found;
		},
		exhausted: () => exhausted,
	};
}
