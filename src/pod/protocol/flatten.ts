import type {Range, Segment, SegmentOf} from './segment.ts';

/** What the model reads as the person's words. */
export function flatten(segments: readonly Segment[]): string {
	return segments.map(segment => flat[segment.type](segment as never)).join('');
}

const flat: {[Type in Segment['type']]: (segment: SegmentOf<Type>) => string} = {
	text: ({text}) => text,
	paste: ({content}) => content,
	file_ref: ref =>
		ref.outcome !== undefined && 'failed' in ref.outcome
			? `[unresolved file ref: ${ref.path}${rangeSuffix(ref.range)}]`
			: `@${quoted(ref.path)}${rangeSuffix(ref.range)}`,
	workflow: ({slug, arguments: args}) => `/${slug}${args === undefined || args === '' ? '' : ` ${args}`}`,
};

/** `:10-20`, `:10`, `:10-`, or nothing for a whole file. */
export function rangeSuffix(range: Range | undefined): string {
	if (range === undefined) return '';
	if (range.last === undefined) return `:${range.first}-`;
	return range.last === range.first ? `:${range.first}` : `:${range.first}-${range.last}`;
}

/**
Quotes a path where bare it would end early or be cut: white space, quotes, backticks, CJK punctuation, trailing
punctuation.
*/
export function quoted(path: string): string {
	return /[\s"'`\\、。，！？：；）」』】〉》]|[.,;:!?)\]}]$/u.test(path)
		? `"${path.replaceAll(/["\\]/g, '\\$&')}"`
		: path;
}
