import type {FileRefLimits} from '../config/limits.ts';
import type {FileRef, RefFailure} from '../protocol.ts';

/** The facts about a failed ref besides its reason. Paths are ready to show. */
export type FailureFacts = {
	readonly range: FileRef['range'];
	readonly limits: FileRefLimits;
	readonly totalLines?: number | undefined;
	readonly totalBytes?: number | undefined;
	/** Whether it is a directory, which has no lines. */
	readonly lineless?: boolean | undefined;
	readonly nearest: readonly string[];
	/** The cause in parentheses, or an empty text. */
	readonly cause: string;
};

/** Returns a sentence about a file ref that was not attached. `ref` is its path and range. */
export function notAttached(ref: string, reason: RefFailure, facts: FailureFacts): string {
	return endSentence(`${ref} was not attached: ${failures[reason](facts)}`);
}

const failures: Readonly<Record<RefFailure, (facts: FailureFacts) => string>> = {
	out_of_scope: () => 'it is outside the folders that this session may read',
	not_found: ({nearest}) => `there is no such file${didYouMean(nearest)}`,
	binary: () => 'it is binary, or not valid UTF-8 text',
	not_a_file: () => 'it is neither a file nor a directory (a pipe, device or socket)',
	too_large: ({totalBytes, limits}) =>
		`it is too large${totalBytes === undefined ? '' : ` (${sizeText(totalBytes)})`}; ` +
		`the limit is ${sizeText(limits.maxScanBytes)}`,
	bad_range: badRange,
	too_many: ({limits}) => `at most ${limits.maxFiles} ${limits.maxFiles === 1 ? 'file' : 'files'} per message`,
	budget: ({limits}) => `the files before it used up the ${sizeText(limits.maxTotalBytes)} of one message`,
	denied: () => 'it looks like a secret and was not confirmed',
	aborted: () => 'reading it was cancelled',
	io: ({cause}) => `it could not be read${cause}`,
};

function badRange({totalLines, lineless, range}: FailureFacts): string {
	if (lineless === true) return 'it is a directory, which has no lines';
	if (range === undefined) return 'line numbers start at 1';
	if (range.last !== undefined && range.last < range.first) return 'the range ends before it begins';
	if (totalLines === undefined) return 'it has no such lines';
	return totalLines === 1 ? 'it has only 1 line' : `it has only ${totalLines} lines`;
}

/** Returns a size as the screen shows it: in units of 1024, with three figures. */
function sizeText(bytes: number): string {
	const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power] ?? ''}`;
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Returns a sentence about a workflow that does not exist. `near` are similar slugs. */
export function noSuchWorkflow(slug: string, near: readonly string[]): string {
	return endSentence(`There is no workflow /${slug}${didYouMean(near.map(name => `/${name}`))}`);
}

function didYouMean(names: readonly string[]): string {
	if (names.length === 0) return '';
	const others = names.slice(0, -1).join(', ');
	return `; did you mean ${others === '' ? '' : `${others} or `}${names.at(-1) ?? ''}?`;
}

function endSentence(text: string): string {
	return text.endsWith('?') ? text : `${text}.`;
}

export const submitTexts = {
	empty: 'The message is empty.',
	aborted: 'The message was cancelled before it was sent.',
	incomplete: 'The message contains too many paths to look up; the rest of it was sent as plain text.',
} as const;
