import type {FileRefLimits} from '../limits.ts';
import {rangeSuffix, type FileRef, type RefFailure} from '../protocol.ts';

/** What is known of a failed ref besides its reason. */
export type FailureDetail = {
	readonly limits: FileRefLimits;
	readonly totalLines?: number;
	readonly totalBytes?: number;
	readonly nearest?: readonly string[];
	readonly cause?: unknown;
};

/** Why a file ref became no attachment, in one sentence for the person. Holds paths as they are: whoever draws it makes them inert. */
export function failureSentence(ref: FileRef, reason: RefFailure, detail: FailureDetail): string {
	return `${ref.path}${rangeSuffix(ref.range)} was not attached: ${why[reason](detail)}.`;
}

const why: Readonly<Record<RefFailure, (detail: FailureDetail) => string>> = {
	out_of_scope: () => 'it lies outside the folders that this session may read',
	not_found: ({nearest = []}) => `there is no such file${nearest.length === 0 ? '' : `; nearest: ${nearest.join(', ')}`}`,
	binary: () => 'it is binary, or not valid UTF-8 text',
	not_a_file: () => 'it is neither a file nor a directory (a pipe, device or socket)',
	too_large: ({totalBytes, limits}) => `it is too large${totalBytes === undefined ? '' : ` (${totalBytes} bytes)`} to be read; the limit is ${limits.maxScanBytes} bytes`,
	bad_range: ({totalLines}) => (totalLines === undefined ? 'it has no such lines' : `it has ${totalLines === 1 ? 'only 1 line' : `only ${totalLines} lines`}`),
	too_many: ({limits}) => `a message may name at most ${limits.maxFiles} files`,
	budget: ({limits}) => `the files before it used up the ${limits.maxTotalBytes} bytes of one message`,
	denied: () => 'it looks like a secret and was not confirmed',
	aborted: () => 'reading it was cancelled',
	io: ({cause}) => `it could not be read${causeText(cause)}`,
};

/** `permission denied` out of `EACCES: permission denied, open '/x'`. */
function causeText(cause: unknown): string {
	if (!(cause instanceof Error)) return '';
	return ` (${/^[A-Z0-9_]+: ([^,]+)/.exec(cause.message)?.[1] ?? cause.message})`;
}
