import {flatten, type Segment} from '../../pod/protocol.ts';

/**
Converts a text from an external editor to segments. Chips of the draft that are unchanged in the text stay chips.
Changed ones become text, and file refs in them are parsed as if you typed them.
*/
export function withChips(text: string, draft: readonly Segment[]): Segment[] {
	const segments: Segment[] = [];
	let at = 0;
	for (const {from, to, chip} of findChips(text, draft).toSorted((one, other) => one.from - other.from)) {
		if (from > at) segments.push({type: 'text', text: text.slice(at, from)});
		segments.push(chip);
		at = to;
	}
	if (at < text.length) segments.push({type: 'text', text: text.slice(at)});
	return segments;
}

type Found = {readonly from: number; readonly to: number; readonly chip: Segment};

/** Longer chips come first, so that a chip's text inside a paste is not taken for another chip. */
function findChips(text: string, draft: readonly Segment[]): readonly Found[] {
	const chips = draft.filter(({type}) => type !== 'text').map(chip => ({chip, written: flatten([chip])}));
	const found: Found[] = [];
	for (const {chip, written} of chips.toSorted((one, other) => other.written.length - one.written.length)) {
		const place = freePlace(text, written, chip, found);
		if (place !== undefined) found.push({...place, chip});
	}
	return found;
}

function freePlace(
	text: string,
	written: string,
	chip: Segment,
	found: readonly Found[],
): {readonly from: number; readonly to: number} | undefined {
	for (let from = text.indexOf(written); from !== -1; from = text.indexOf(written, from + 1)) {
		const to = from + written.length;
		const taken = found.some(other => from < other.to && other.from < to);
		if (!taken && (chip.type === 'paste' || !goesOn.test(text.slice(to, to + 2)))) return {from, to};
	}
	return undefined;
}

/** Characters that would continue a path, so that the text names another file. */
const goesOn = /^[\p{L}\p{M}\p{N}_/\\~-]|^[.:#][\p{L}\p{N}]/u;
