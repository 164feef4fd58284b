import type {Segment, SegmentOf} from '../../pod/protocol.ts';
import {isOpenSize, makePaste, type Chip} from './chip.ts';
import {rangeAtStart} from './chip-range.ts';
import {draftOf, emptyDraft, endOf, insert, type Draft} from './draft.ts';
import {openPaste} from './open-paste.ts';

/**
Converts a draft to segments. A range directly after a file chip becomes part of the chip's segment. The graphemes of an
expanded paste and the newlines between them become one paste segment. An empty draft has no segments.
*/
export function toSegments(draft: Draft): Segment[] {
	const segments: Segment[] = [];
	let text = '';
	/** The expanded paste that is being collected. `breaks` is the number of newlines after its last grapheme. */
	let paste: {readonly id: string; content: string; breaks: number} | undefined;
	const closePaste = () => {
		if (paste === undefined) return;
		segments.push(makePaste(paste.id, paste.content));
		text = '\n'.repeat(paste.breaks);
		paste = undefined;
	};
	const close = () => {
		closePaste();
		pushText(segments, text);
		text = '';
	};
	for (const [index, line] of draft.entries()) {
		if (index > 0 && paste !== undefined) paste.breaks++;
		else if (index > 0) text += '\n';
		for (const atom of line) {
			if (typeof atom === 'string') {
				closePaste();
				text += atom;
			} else if (atom.type !== 'pasted') {
				close();
				segments.push(atom);
			} else if (paste?.id === atom.id) {
				paste.content += '\n'.repeat(paste.breaks) + atom.text;
				paste.breaks = 0;
			} else {
				close();
				paste = {id: atom.id, content: atom.text, breaks: 0};
			}
		}
	}
	close();
	return segments;
}

/** Adds a text. A range at the start of the text becomes part of the file chip before the text. */
function pushText(segments: Segment[], text: string): void {
	const file = segments.at(-1);
	const typed = file?.type === 'file_ref' && file.range === undefined ? rangeAtStart(text) : undefined;
	if (file?.type === 'file_ref' && typed !== undefined) segments[segments.length - 1] = {...file, range: typed.range};
	const rest = text.slice(typed?.length ?? 0);
	if (rest !== '') segments.push({type: 'text', text: rest});
}

/** Converts sent or returned segments to a draft. Outcomes and confirmations of file references are left out. */
export function fromSegments(segments: readonly Segment[]): Draft {
	return segments.reduce<Draft>((draft, segment) => insert(draft, endOf(draft), pieceOf(segment)).draft, emptyDraft);
}

function pieceOf(segment: Segment): Draft {
	if (segment.type === 'text') return draftOf(segment.text);
	if (segment.type === 'paste' && isOpenSize(segment.content)) return openPaste(segment.id, segment.content);
	return [[chipOf(segment)]];
}

function chipOf<Type extends Chip['type']>(segment: ChippedOf<Type>): Chip {
	const type: Type = segment.type;
	return chips[type](segment);
}

type ChippedOf<Type extends Chip['type']> = {readonly [Each in Type]: SegmentOf<Each> & {readonly type: Each}}[Type];

const chips: {readonly [Type in Chip['type']]: (segment: ChippedOf<Type>) => Chip} = {
	paste: paste => paste,
	file_ref: ({path, range, pasted}) => ({
		type: 'file_ref',
		path,
		range,
		pasted,
	}),
	workflow: workflow => workflow,
};
