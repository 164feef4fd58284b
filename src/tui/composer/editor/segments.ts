import type {Segment, SegmentOf} from '../../../pod/protocol.ts';
import type {Chip} from './chip.ts';
import {rangeAtStart} from './chip-range.ts';
import {draftOf, emptyDraft, endOf, insert, type Draft} from './draft.ts';

/**
Converts a draft to segments. A range right after a file chip belongs to the chip. An empty draft has no segments.
*/
export function toSegments(draft: Draft): Segment[] {
	const segments: Segment[] = [];
	let text = '';
	const close = () => {
		const file = segments.at(-1);
		const typed = file?.type === 'file_ref' && file.range === undefined ? rangeAtStart(text) : undefined;
		if (file?.type === 'file_ref' && typed !== undefined)
			segments[segments.length - 1] = {...file, range: typed.range};
		const rest = text.slice(typed?.length ?? 0);
		if (rest !== '') segments.push({type: 'text', text: rest});
		text = '';
	};
	for (const [index, line] of draft.entries()) {
		if (index > 0) text += '\n';
		for (const atom of line) {
			if (typeof atom === 'string') text += atom;
			else {
				close();
				segments.push(atom);
			}
		}
	}
	close();
	return segments;
}

/** Converts sent or returned segments to a draft, without their earlier outcomes and confirmations. */
export function fromSegments(segments: readonly Segment[]): Draft {
	return segments.reduce<Draft>((draft, segment) => insert(draft, endOf(draft), pieceOf(segment)).draft, emptyDraft);
}

function pieceOf(segment: Segment): Draft {
	return segment.type === 'text' ? draftOf(segment.text) : [[chipOf(segment)]];
}

function chipOf<Type extends Chip['type']>(segment: ChippedOf<Type>): Chip {
	const type: Type = segment.type;
	return chips[type](segment);
}

type ChippedOf<Type extends Chip['type']> = {readonly [Each in Type]: SegmentOf<Each> & {readonly type: Each}}[Type];

const chips: {readonly [Type in Chip['type']]: (segment: ChippedOf<Type>) => Chip} = {
	paste: paste => paste,
	file_ref: ({path, range}) => ({type: 'file_ref', path, ...(range !== undefined && {range})}),
	workflow: workflow => workflow,
};
