import {layoutOf, rowsAbove, rowsBetween, type Layout} from '../view/layout.ts';
import type {Row} from '../spans/row.ts';
import type {App} from './app.ts';
import type {Block} from '../../transcript/block.ts';
import type {VisibleRow} from '../rows/viewport/viewport.ts';
import {flatten, type Segment} from '../../pod/protocol.ts';

/** A region of the screen and a row in it. */
type Hit = {
	readonly area: 'transcript' | 'page' | 'between' | 'card' | 'rule' | 'above' | 'composer' | 'status';
	readonly row: number;
};

/** Returns the region at a row of the screen. */
export function areaAt(layout: Layout, y: number): Hit {
	const heights: ReadonlyArray<readonly [Hit['area'], number]> = [
		[layout.page === undefined ? 'transcript' : 'page', layout.transcriptHeight],
		['between', rowsBetween(layout).length],
		['card', layout.card?.rows.length ?? 0],
		['rule', layout.rule.length],
		['above', rowsAbove(layout).length],
		['composer', layout.composer.rows.length],
	];
	let row = y;
	for (const [area, height] of heights) {
		if (row < height) return {area, row};
		row -= height;
	}
	return {area: 'status', row};
}

/** Returns the region under the mouse at a row of the screen. */
export function hitAt({state}: App, y: number): Hit {
	return areaAt(layoutOf(state), y);
}

/** Returns the number of rows that the transcript has on the screen. */
export function transcriptHeightOf({state}: App): number {
	return layoutOf(state).transcriptHeight;
}

/** Converts a row of the screen to an index in `visibleRowsOf`. The result is negative above the first visible row. */
export function visibleIndexAt({state}: App, y: number): number {
	return y - layoutOf(state).blankRows;
}

/** Returns the visible rows of the transcript. */
export function visibleRowsOf({state}: App): readonly VisibleRow[] {
	return layoutOf(state).transcript.rows;
}

/**
Returns the blocks of the visible rows, from top to bottom. For the row of a group, it returns all blocks of the group.
*/
export function visibleBlocksOf(app: App): readonly Block[] {
	const {store} = app.state.transcript;
	const blocks = visibleRowsOf(app).flatMap(({row, block}) =>
		row.role === 'group' ? (store?.groupOf(store.indexOf(block.id) ?? -1)?.blocks ?? [block]) : [block],
	);
	return [...new Map(blocks.map(block => [block.id, block])).values()];
}

/**
Returns the block in focus. While the view follows the end, the focus is on the last visible block that is not usage or
a notice. Otherwise it is on the block at the top of the screen.
*/
export function blockAtFocus(app: App): Block | undefined {
	const rows = visibleRowsOf(app);
	const speaks = ({block}: VisibleRow) => block.kind !== 'usage' && block.kind !== 'notice';
	const last = app.state.transcript.scroll.follow ? rows.findLast(speaks) : undefined;
	return (last ?? rows[0])?.block;
}

/**
Returns the height of the transcript or of the card's detail, whichever is greater. The result limits how far the wheel
scrolls.
*/
export function scrolledHeightOf({state}: App): number {
	return Math.max(layoutOf(state).transcriptHeight, layoutOf(state).card?.shown ?? 0);
}

/**
Returns a row between the transcript and the card. Such a row belongs to the pill that counts new blocks, an alert or a
queued message.
*/
export function rowBetween({state}: App, row: number): Row | undefined {
	return rowsBetween(layoutOf(state))[row];
}

/** Returns the first visible row of the draft. */
export function composerTopOf({state}: App): Layout['composer']['top'] {
	return layoutOf(state).composer.top;
}

/** Tells whether a page covers the transcript. */
export function isCovered({state}: App): boolean {
	return state.page !== undefined;
}

/** Returns the size of the screen at the last frame. */
export function screenSizeOf({state}: App): Layout['size'] {
	return state.terminal.size;
}

/**
Converts text from an external editor to segments. A chip of the draft stays a chip if its text is unchanged. Otherwise
the chip becomes text, in which file references are parsed as in typed text.
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

/**
Finds the unchanged chips in `text`. The search starts with the longest chips, so that text inside a paste is not
mistaken for another chip.
*/
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

/** Matches characters that would continue a path, so that the text would name another file. */
const goesOn = /^[\p{L}\p{M}\p{N}_/\\~-]|^[.:#][\p{L}\p{N}]/u;
