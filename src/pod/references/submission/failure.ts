import {rangeSuffix, type FileRef, type RefFailure} from '../../protocol.ts';
import {notAttached, severalNotAttached, type FailureFacts} from './texts.ts';

/** The caller's facts about a failed ref. */
export type FailureDetail = Pick<
	FailureFacts,
	'limits' | 'totalLines' | 'totalBytes' | 'lineless' | 'isMedia' | 'detail'
> & {
	readonly nearest?: readonly string[];
	readonly cause?: unknown;
};

/** Returns a sentence about a file ref that was not attached. Shortens paths, and the screen sanitizes them. */
export function failureSentence(ref: FileRef, reason: RefFailure, detail: FailureDetail): string {
	const {nearest = [], cause, ...facts} = detail;
	return notAttached(`${shortened(ref.path)}${rangeSuffix(ref.range)}`, reason, {
		...facts,
		range: ref.range,
		nearest: nearest.map(shortened),
		cause: causeText(cause),
	});
}

/** A ref that was not attached, with its sentence. */
type FailedRef = {readonly ref: FileRef; readonly reason: RefFailure; readonly sentence: string};

/**
Returns the sentences of the alerts about failed refs: one for each failed ref, or a single sentence that lists the refs
by reason if there are many. The list is cut at a limit, but the transcript marks every failed ref.
*/
export function failureSentences(failed: readonly FailedRef[]): readonly string[] {
	if (failed.length <= maxSentences) return failed.map(({sentence}) => sentence);
	const named = failed.slice(0, maxNamed);
	const reasons = [...new Set(named.map(({reason}) => reason))];
	const groups = reasons.map(reason => ({
		reason,
		names: named.filter(ref => ref.reason === reason).map(({ref}) => shortName(ref)),
	}));
	return [severalNotAttached(groups, failed.length - named.length)];
}

const maxSentences = 3;
const maxNamed = 20;

/** Returns the end of a path, by which people recognise the file, and the range. */
function shortName({path, range}: FileRef): string {
	const characters = path.length <= maxNameLength ? [] : Array.from(path);
	const name = characters.length > maxNameLength ? `…${characters.slice(1 - maxNameLength).join('')}` : path;
	return `${name}${rangeSuffix(range)}`;
}

const maxNameLength = 40;

/** Returns the reason in words, such as `permission denied` for `EACCES: permission denied, open '/x'`. */
function causeText(cause: unknown): string {
	if (!(cause instanceof Error)) return '';
	return /^[A-Z0-9_]+: ([^,]+)/.exec(cause.message)?.[1] ?? cause.message;
}

/** Returns only the start and the end of a path that would fill the screen. */
function shortened(path: string): string {
	if (path.length <= maxPathLength) return path;
	const characters = Array.from(path);
	return characters.length <= maxPathLength
		? path
		: `${characters.slice(0, 40).join('')}…${characters.slice(-120).join('')}`;
}

const maxPathLength = 200;
