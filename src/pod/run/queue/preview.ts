import type {Segment} from '../../protocol.ts';

/** Returns the beginning of a message, as much as a row can show. Pastes have no content. */
export function previewOf(segments: readonly Segment[]): Segment[] {
	const preview: Segment[] = [];
	let left = maxLength;
	for (const segment of segments) {
		if (left <= 0) break;
		const short = shortened(segment, left);
		preview.push(short);
		left -= lengthOf(short);
	}
	return preview;
}

/** The maximum length of a preview, in UTF-16 code units. The widest terminals have about 1,000 columns. */
const maxLength = 2000;

function shortened(segment: Segment, length: number): Segment {
	if (segment.type === 'text') return {...segment, text: cut(segment.text, length)};
	if (segment.type === 'paste') return {...segment, content: ''};
	if (segment.type === 'file_ref') return {type: 'file_ref', path: cut(segment.path, length)};
	return {type: 'workflow', slug: cut(segment.slug, length)};
}

function cut(text: string, length: number): string {
	return text.length <= length ? text : text.slice(0, length).toWellFormed();
}

function lengthOf(segment: Segment): number {
	if (segment.type === 'text') return segment.text.length;
	return segment.type === 'file_ref' ? segment.path.length : 20;
}
