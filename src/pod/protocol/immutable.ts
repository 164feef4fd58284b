import type {Item} from '../../worker/index.ts';
import type {Range, Segment, SegmentOf} from './segment.ts';

/** An inferred type that is readonly at every depth. Items keep the worker's type. */
export type Immutable<Value> = Value extends Item
	? Value
	: Value extends ReadonlyArray<infer Element>
		? ReadonlyArray<Immutable<Element>>
		: Value extends object
			? {readonly [Key in keyof Value]: Immutable<Value[Key]>}
			: Value;

/** Returns the user's message as the model reads it. */
export function flatten(segments: readonly Segment[]): string {
	return segments.map(flatOf).join('');
}

/** Returns a queued message as the user wrote it. `command` is a command for the user's shell. */
export function waitingText({
	segments,
	command,
}: {
	readonly segments: readonly Segment[];
	readonly command?: string | undefined;
}): string {
	return command === undefined ? flatten(segments) : `!${command}`;
}

/**
Returns a message as the user wrote it, for titles. The placeholder of a file that could not be attached becomes `@path`
again.
*/
export function asWritten(text: string): string {
	return text.replaceAll(/\[unresolved file ref: ([^\]\n]*)\]/gu, '@$1');
}

/** Returns `:10-20`, `:10` or `:10-`, or nothing for a whole file. */
export function rangeSuffix(range: Range | undefined): string {
	if (range === undefined) return '';
	if (range.last === undefined) return `:${range.first}-`;
	return range.last === range.first ? `:${range.first}` : `:${range.first}-${range.last}`;
}

/**
Quotes a path that the parser of file references would otherwise cut. Such a path contains white space, a quote, a
backtick, a backslash or CJK punctuation, or ends in punctuation.
*/
export function quoted(path: string): string {
	return /[\s"'`\\、。，！？：；）」』】〉》]|[.,;:!?)\]}]$/u.test(path)
		? `"${path.replaceAll(/["\\]/g, '\\$&')}"`
		: path;
}

function flatOf(segment: Segment): string {
	if (segment.type === 'text') return segment.text;
	if (segment.type === 'paste') return segment.content;
	return segment.type === 'file_ref' ? flatRef(segment) : flatWorkflow(segment);
}

function flatRef({path, range, outcome}: SegmentOf<'file_ref'>): string {
	return outcome !== undefined && 'failed' in outcome
		? `[unresolved file ref: ${path}${rangeSuffix(range)}]`
		: `@${quoted(path)}${rangeSuffix(range)}`;
}

function flatWorkflow({slug, arguments: args}: SegmentOf<'workflow'>): string {
	return `/${slug}${args === undefined || args === '' ? '' : ` ${args}`}`;
}
