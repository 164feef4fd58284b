import {endSentence, inLanguage, t} from '../../language/index.ts';
import {onOneLine} from '../text/one-line.ts';
import {maxMedia, type FileRefLimits} from '../config/limits.ts';
import type {MediaProblem} from '../../worker/index.ts';
import {maxMediaBytes} from '../files/media-type.ts';
import type {FileRef, RefFailure} from '../protocol.ts';

/** The facts about a failed ref in addition to its reason. Paths are ready to show. */
export type FailureFacts = {
	readonly range: FileRef['range'];
	readonly limits: FileRefLimits;
	readonly totalLines?: number | undefined;
	readonly totalBytes?: number | undefined;
	/** Whether the ref is a directory, which has no lines. */
	readonly lineless?: boolean | undefined;
	/** Whether the ref is an image or document. */
	readonly isMedia?: boolean | undefined;
	readonly nearest: readonly string[];
	/** The reason why a web page was not fetched. */
	readonly detail?: string | undefined;
	/** The cause in parentheses, or an empty text. */
	readonly cause: string;
};

/** Returns a sentence about a file ref that was not attached. `ref` is its path and range. */
export function notAttached(ref: string, reason: RefFailure, facts: FailureFacts): string {
	return endSentence(t`${ref} was not attached: ${failures[reason](facts)}`);
}

const failures: Readonly<Record<RefFailure, (facts: FailureFacts) => string>> = {
	out_of_scope: () => t`it is outside the folders that this session may read`,
	not_found: ({nearest}) => t`there is no such file${didYouMean(nearest)}`,
	binary: () => t`it is binary, or not valid UTF-8 text`,
	not_a_file: () => t`it is neither a file nor a directory (a pipe, device or socket)`,
	too_large: ({totalBytes, limits, isMedia}) =>
		t`it is too large${totalBytes === undefined ? '' : ` (${sizeText(totalBytes)})`};
			the limit is ${sizeText(isMedia === true ? maxMediaBytes : limits.maxScanBytes)}`,
	bad_range: badRange,
	too_many: ({limits, isMedia}) =>
		isMedia === true
			? t`at most ${maxMedia} images and documents per message`
			: t`at most ${limits.maxFiles} ${limits.maxFiles === 1 ? t`file` : t`files`} per message`,
	budget: ({limits}) => t`the files before it used up the message’s limit of ${sizeText(limits.maxTotalBytes)}`,
	denied: () => t`it looks like a secret and was not confirmed`,
	model: () => t`the model does not take it`,
	fetch: ({detail}) => (detail === undefined ? t`it could not be fetched` : inLanguage(detail)),
	resource: ({detail}) => (detail === undefined ? t`it could not be read` : inLanguage(detail)),
	aborted: () => t`reading it was cancelled`,
	io: ({cause}) => t`it could not be read${cause}`,
};

/** Returns one sentence about several files that were not attached. `more` counts those that are not named. */
export function severalNotAttached(
	groups: ReadonlyArray<{readonly reason: RefFailure; readonly names: readonly string[]}>,
	more: number,
): string {
	const count = groups.reduce((sum, {names}) => sum + names.length, more);
	const parts = groups.map(({reason, names}) => `${names.join(', ')} (${shortFailures[reason]})`);
	return t`${count} files were not attached: ${parts.join('; ')}${more === 0 ? '' : t`; and ${more} more`}.`;
}

/** The same words as in the transcript. */
const shortFailures: Readonly<Record<RefFailure, string>> = {
	out_of_scope: t`outside the scope`,
	not_found: t`not found`,
	binary: t`not a text file`,
	not_a_file: t`not a file`,
	too_large: t`too large`,
	bad_range: t`no such lines`,
	too_many: t`too many files`,
	budget: t`over the size limit`,
	denied: t`looks like a secret`,
	model: t`not for this model`,
	fetch: t`could not be fetched`,
	resource: t`could not be read`,
	aborted: t`cancelled`,
	io: t`could not be read`,
};

function badRange({totalLines, lineless, isMedia, range}: FailureFacts): string {
	if (isMedia === true) return t`it is an image or document, which has no lines`;
	if (lineless === true) return t`it is a directory, which has no lines`;
	if (range === undefined) return t`line numbers start at 1`;
	if (range.last !== undefined && range.last < range.first) return t`the range ends before it begins`;
	if (totalLines === undefined) return t`it has no such lines`;
	return totalLines === 1 ? t`it has only 1 line` : t`it has only ${totalLines} lines`;
}

/** Returns the text of an image or document. The model reads it before the bytes. */
export function mediaHeader(path: string, media: MediaFacts): string {
	if (media.kind === 'document') return `[Document: ${onOneLine(path)}, PDF, ${sizeText(media.bytes)}]`;
	return `[Image: ${onOneLine(path)}, ${media.width}x${media.height}, ${sizeText(media.bytes)}]`;
}

type MediaFacts =
	| {readonly kind: 'image'; readonly bytes: number; readonly width: number; readonly height: number}
	| {readonly kind: 'document'; readonly bytes: number};

/** Returns a size as the screen shows it, in units of 1024 and with three digits. */
function sizeText(bytes: number): string {
	const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
	return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power] ?? ''}`;
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Returns a sentence about a workflow that does not exist. `near` are similar slugs. */
export function noSuchWorkflow(slug: string, near: readonly string[]): string {
	return endSentence(t`There is no workflow /${slug}${didYouMean(near.map(name => `/${name}`))}`);
}

function didYouMean(names: readonly string[]): string {
	if (names.length === 0) return '';
	const others = names.slice(0, -1).join(', ');
	return t`; did you mean ${others === '' ? '' : t`${others} or `}${names.at(-1) ?? ''}?`;
}

export const submitTexts = {
	empty: t`The message is empty.`,
	aborted: t`The message was cancelled before it was sent.`,
	incomplete: t`The message contains too many paths to look up; the rest of it was sent as plain text.`,
} as const;

/** Returns a sentence about an image or document that a model does not take. */
export function mediaRefused(path: string, model: string, problem: MediaProblem): string {
	return t`${path} was not sent: ${mediaProblem(model, problem)}.`;
}

function mediaProblem(model: string, problem: MediaProblem): string {
	const [max, type] = ['max' in problem ? problem.max : 0, 'mime' in problem ? problem.mime : ''];
	const sentences: Readonly<Record<MediaProblem['reason'], string>> = {
		no_images: t`${model} does not read images`,
		no_documents: t`${model} does not read PDF documents in the form that inkpod sends`,
		type: t`${model} does not read this format (${type})`,
		bytes: t`it is larger than ${sizeText(max)}, the limit of ${model}`,
		side: t`it has more than ${max} pixels in one direction, the limit of ${model}`,
		count: t`a request to ${model} has at most ${max} of them`,
		total: t`the images and documents of a request to ${model} have at most ${sizeText(max)} together`,
	};
	return sentences[problem.reason];
}
