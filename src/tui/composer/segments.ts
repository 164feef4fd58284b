import {flatten} from '../../pod/protocol.ts';
import type {Range, Segment} from '../../pod/protocol.ts';
import type {Chip} from './chip.ts';
import {draftOf, emptyDraft, endOf, insert} from './draft.ts';
import type {Draft} from './draft.ts';

/** What the person meant. A range typed directly behind a file chip belongs to the chip. An empty draft has no segments. */
export function toSegments(draft: Draft): Segment[] {
	const segments: Segment[] = [];
	let text = '';
	const close = () => {
		const file = segments.at(-1);
		const typed = file?.type === 'file_ref' && file.range === undefined ? typedRange(text) : undefined;
		if (file?.type === 'file_ref' && typed !== undefined) segments[segments.length - 1] = {...file, range: typed.range};
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

/** A draft of segments that were sent or returned. Outcomes and confirmations of the earlier sending are gone. */
export function fromSegments(segments: readonly Segment[]): Draft {
	return segments.reduce<Draft>((draft, segment) => insert(draft, endOf(draft), pieceOf(segment)).draft, emptyDraft);
}

function pieceOf(segment: Segment): Draft {
	if (segment.type === 'paste') return [[segment]];
	if (segment.type === 'file_ref') return [[fileChip(segment.path, segment.range)]];
	return draftOf(flatten([segment]));
}

function fileChip(path: string, range: Range | undefined): Chip {
	return range === undefined ? {type: 'file_ref', path} : {type: 'file_ref', path, range};
}

/** `:10`, `:10-20`, `:10-`, `#L10`, `#L10-L20` at the start of a text. */
function typedRange(text: string): {readonly range: Range; readonly length: number} | undefined {
	const found = /^(?::(?<first>\d{1,9})(?<open>-(?<last>\d{1,9})?)?|#L(?<from>\d{1,9})(?:-L(?<to>\d{1,9}))?)(?![\w-])/.exec(text);
	if (found === null) return undefined;
	const groups = found.groups!;
	const first = Number(groups['first'] ?? groups['from']);
	const end = groups['last'] ?? groups['to'];
	const last = end === undefined ? (groups['open'] === undefined ? first : undefined) : Number(end);
	if (first < 1 || (last !== undefined && last < first)) return undefined;
	return {range: last === undefined ? {first} : {first, last}, length: found[0].length};
}
