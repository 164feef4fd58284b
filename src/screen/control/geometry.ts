import {layoutOf, rowsAbove, rowsBetween, type Layout} from '../view/layout.ts';
import type {Row} from '../spans/row.ts';
import type {App} from './app.ts';
import type {Block} from '../../transcript/block.ts';
import type {VisibleRow} from '../rows/viewport/visible-rows.ts';

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

/** Returns the index of the visible row at a row of the screen. It is negative above the first one. */
export function visibleIndexAt({state}: App, y: number): number {
	return y - layoutOf(state).blankRows;
}

/** Returns the visible rows of the transcript. */
export function visibleRowsOf({state}: App): readonly VisibleRow[] {
	return layoutOf(state).transcript.rows;
}

/** Returns the blocks of the visible rows, from top to bottom, with those that the row of a group stands for. */
export function visibleBlocksOf(app: App): readonly Block[] {
	const {store} = app.state.transcript;
	const blocks = visibleRowsOf(app).flatMap(({row, block}) =>
		row.role === 'group' ? (store?.groupOf(store.indexOf(block.id) ?? -1)?.blocks ?? [block]) : [block],
	);
	return [...new Map(blocks.map(block => [block.id, block])).values()];
}

/**
Returns the block in focus. It is the last block with text while the view follows the end, otherwise the top one.
*/
export function blockAtFocus(app: App): Block | undefined {
	const rows = visibleRowsOf(app);
	const speaks = ({block}: VisibleRow) => block.kind !== 'usage' && block.kind !== 'notice';
	const last = app.state.transcript.scroll.follow ? rows.findLast(speaks) : undefined;
	return (last ?? rows[0])?.block;
}

/**
Returns the number of rows that the wheel can scroll: those of the transcript, or those of the card if these are more.
*/
export function scrolledHeightOf({state}: App): number {
	return Math.max(layoutOf(state).transcriptHeight, layoutOf(state).card?.shown ?? 0);
}

/** Returns a row between the transcript and the card: the pill, an alert or a queued message. */
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
