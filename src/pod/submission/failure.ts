import type {FileRefLimits} from '../config/limits.ts';
import {rangeSuffix, type FileRef, type RefFailure} from '../protocol.ts';

/** What is known of a failed ref besides its reason. */
export type FailureDetail = {
	readonly limits: FileRefLimits;
	readonly totalLines?: number;
	readonly totalBytes?: number;
	/** It has no lines, as a directory has none. */
	readonly lineless?: boolean;
	readonly nearest?: readonly string[];
	readonly cause?: unknown;
};

/**
Why a file ref became no attachment, in one sentence for the person. Holds paths as they are, but for their length:
whoever draws it makes them inert.
*/
export function failureSentence(ref: FileRef, reason: RefFailure, detail: FailureDetail): string {
	return `${shortened(ref.path)}${rangeSuffix(ref.range)} was not attached: ${why[reason](detail, ref)}.`;
}

const why: Readonly<Record<RefFailure, (detail: FailureDetail, ref: FileRef) => string>> = {
	out_of_scope: () => 'it lies outside the folders that this session may read',
	not_found: ({nearest = []}) =>
		`there is no such file${nearest.length === 0 ? '' : `; nearest: ${nearest.map(shortened).join(', ')}`}`,
	binary: () => 'it is binary, or not valid UTF-8 text',
	not_a_file: () => 'it is neither a file nor a directory (a pipe, device or socket)',
	too_large: ({totalBytes, limits}) =>
		`it is too large${totalBytes === undefined ? '' : ` (${sizeText(totalBytes)})`} to be read; the limit is ${sizeText(limits.maxScanBytes)}`,
	bad_range: badRange,
	too_many: ({limits}) => `a message may name at most ${limits.maxFiles} ${limits.maxFiles === 1 ? 'file' : 'files'}`,
	budget: ({limits}) => `the files before it used up the ${sizeText(limits.maxTotalBytes)} of one message`,
	denied: () => 'it looks like a secret and was not confirmed',
	aborted: () => 'reading it was cancelled',
	io: ({cause}) => `it could not be read${causeText(cause)}`,
};

function badRange({totalLines, lineless}: FailureDetail, {range}: FileRef): string {
	if (lineless) return 'it is a directory, which has no lines';
	if (range === undefined) return 'its lines are counted from 1';
	if (range.last !== undefined && range.last < range.first) return 'that range ends before it begins';
	return totalLines === undefined
		? 'it has no such lines'
		: `it has ${totalLines === 1 ? 'only 1 line' : `only ${totalLines} lines`}`;
}

/** As the screen writes sizes: in units of 1024, to three figures. */
function sizeText(bytes: number): string {
	const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	return `${Number((bytes / 1024 ** unit).toPrecision(3))} ${units[unit]!}`;
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `permission denied` out of `EACCES: permission denied, open '/x'`. */
function causeText(cause: unknown): string {
	if (!(cause instanceof Error)) return '';
	return ` (${/^[A-Z0-9_]+: ([^,]+)/.exec(cause.message)?.[1] ?? cause.message})`;
}

/** The ends of a path that would fill the screen. */
function shortened(path: string): string {
	if (path.length <= maxShown) return path;
	const characters = Array.from(path);
	return characters.length <= maxShown
		? path
		: `${characters.slice(0, 40).join('')}…${characters.slice(-120).join('')}`;
}

const maxShown = 200;
