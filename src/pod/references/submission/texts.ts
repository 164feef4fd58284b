import {en, enCount, endSentence, t} from '../../../language/index.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {maxMedia, type FileRefLimits} from '../../config/limits.ts';
import type {MediaProblem} from '../../../worker/index.ts';
import {maxMediaBytes} from '../../ground/files/media-type.ts';
import type {FileRef, RefFailure} from '../../protocol.ts';

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
	/** The cause of the failure, or an empty text. */
	readonly cause: string;
};

/** Returns a sentence about a file ref that was not attached. `ref` is its path and range. */
export function notAttached(ref: string, reason: RefFailure, facts: FailureFacts): string {
	return ended(en`${ref} was not attached: ${failures[reason](facts)}`);
}

const failures: Readonly<Record<RefFailure, (facts: FailureFacts) => string>> = {
	out_of_scope: () => en`it is outside the folders that this session may read`,
	not_found: ({nearest}) => noSuchFile(nearest),
	binary: () => en`it is binary, or not valid UTF-8 text`,
	not_a_file: () => en`it is neither a file nor a directory (a pipe, device or socket)`,
	too_large: tooLarge,
	bad_range: badRange,
	too_many: ({limits, isMedia}) =>
		isMedia === true
			? en`at most ${maxMedia} images and documents per message`
			: en`at most ${enCount(limits.maxFiles, 'file')} per message`,
	budget: ({limits}) => en`the files before it used up the message’s limit of ${sizeText(limits.maxTotalBytes)}`,
	denied: () => en`it looks like a secret and was not confirmed`,
	model: () => en`the model does not accept it`,
	fetch: ({detail = en`it could not be fetched`}) => detail,
	resource: ({detail = en`it could not be read`}) => detail,
	aborted: () => en`reading it was cancelled`,
	io: ({cause}) => (cause === '' ? en`it could not be read` : en`it could not be read (${cause})`),
};

function noSuchFile(nearest: readonly string[]): string {
	const others = nearest.slice(0, -1).join(', ');
	const last = nearest.at(-1);
	if (last === undefined) return en`there is no such file`;
	return others === ''
		? en`there is no such file; did you mean ${last}?`
		: en`there is no such file; did you mean ${others} or ${last}?`;
}

function tooLarge({totalBytes, limits, isMedia}: FailureFacts): string {
	const limit = sizeText(isMedia === true ? maxMediaBytes : limits.maxScanBytes);
	return totalBytes === undefined
		? en`it is too large; the limit is ${limit}`
		: en`it is too large (${sizeText(totalBytes)}); the limit is ${limit}`;
}

function ended(sentence: string): string {
	return sentence.endsWith('?') ? sentence : `${sentence}.`;
}

/** Returns one sentence about several files that were not attached. `more` counts those that are not named. */
export function severalNotAttached(
	groups: ReadonlyArray<{readonly reason: RefFailure; readonly names: readonly string[]}>,
	more: number,
): string {
	const count = groups.reduce((sum, {names}) => sum + names.length, more);
	const parts = groups.map(({reason, names}) => `${names.join(', ')} (${shortFailures[reason]})`);
	return t`${count} files were not attached: ${parts.join('; ')}${more === 0 ? '' : t`; and ${more} more`}.`;
}

/** The reasons, in the same words as in the transcript. */
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
	if (isMedia === true) return en`it is an image or document, which has no lines`;
	if (lineless === true) return en`it is a directory, which has no lines`;
	if (range === undefined) return en`line numbers start at 1`;
	if (range.last !== undefined && range.last < range.first) return en`the range ends before it begins`;
	if (totalLines === undefined) return en`it has no such lines`;
	return en`it has only ${enCount(totalLines, 'line')}`;
}

/** Returns the header of an image or document. The model reads the header before the bytes. */
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

/** Returns a sentence about a command or workflow that does not exist. `near` are similar slugs. */
export function noSuchWorkflow(slug: string, near: readonly string[]): string {
	return endSentence(t`Unknown command /${slug}${didYouMean(near.map(name => `/${name}`))}`);
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

/** Returns a sentence about an image or document that a model does not accept. */
export function mediaRefused(path: string, model: string, problem: MediaProblem): string {
	return t`${path} was not sent: ${mediaProblem(model, problem)}.`;
}

function mediaProblem(model: string, problem: MediaProblem): string {
	const [max, type] = ['max' in problem ? problem.max : 0, 'mime' in problem ? problem.mime : ''];
	const sentences: Readonly<Record<MediaProblem['reason'], string>> = {
		no_images: t`${model} does not read images`,
		no_documents: t`inkpod cannot send PDF documents to ${model}; attach the text instead`,
		type: t`${model} does not read this format (${type})`,
		bytes: t`it is larger than ${sizeText(max)}, the limit of ${model}`,
		side: t`it is more than ${max} pixels wide or high, the limit of ${model}`,
		count: t`a request to ${model} may contain at most ${max} images and documents`,
		total: t`the images and documents of a request to ${model} may have at most ${sizeText(max)} in all`,
	};
	return sentences[problem.reason];
}
