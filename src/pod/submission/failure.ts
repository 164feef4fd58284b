import {rangeSuffix, type FileRef, type RefFailure} from '../protocol.ts';
import {notAttached, type FailureFacts} from './texts.ts';

/** The caller's facts about a failed ref. */
export type FailureDetail = Pick<FailureFacts, 'limits' | 'totalLines' | 'totalBytes' | 'lineless'> & {
	readonly nearest?: readonly string[];
	readonly cause?: unknown;
};

/** Returns a sentence about a file ref that was not attached. It shortens paths, and the screen sanitizes them. */
export function failureSentence(ref: FileRef, reason: RefFailure, detail: FailureDetail): string {
	const {nearest = [], cause, ...facts} = detail;
	return notAttached(`${shortened(ref.path)}${rangeSuffix(ref.range)}`, reason, {
		...facts,
		range: ref.range,
		nearest: nearest.map(shortened),
		cause: causeText(cause),
	});
}

/** Returns `permission denied` for `EACCES: permission denied, open '/x'`. */
function causeText(cause: unknown): string {
	if (!(cause instanceof Error)) return '';
	return ` (${/^[A-Z0-9_]+: ([^,]+)/.exec(cause.message)?.[1] ?? cause.message})`;
}

/** Returns the start and the end of a path that would fill the screen. */
function shortened(path: string): string {
	if (path.length <= maxPathLength) return path;
	const characters = Array.from(path);
	return characters.length <= maxPathLength
		? path
		: `${characters.slice(0, 40).join('')}…${characters.slice(-120).join('')}`;
}

const maxPathLength = 200;
