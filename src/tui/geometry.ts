import {layoutOf, rowsAbove, rowsBetween, type Layout} from './layout.ts';
import type {Row} from './text/row.ts';
import type {App} from './state/app.ts';
import type {Block} from './transcript/fold/block.ts';
import type {VisibleRow} from './transcript/viewport/visible-rows.ts';

/** A region of the screen, and the row in it. */
export type Hit = {
	readonly area: 'transcript' | 'page' | 'between' | 'card' | 'status' | 'above' | 'composer';
	readonly row: number;
};

/** What is at a row of the screen. */
export function areaAt(layout: Layout, y: number): Hit {
	const heights: ReadonlyArray<readonly [Hit['area'], number]> = [
		[layout.page === undefined ? 'transcript' : 'page', layout.transcriptHeight],
		['between', rowsBetween(layout).length],
		['card', layout.card?.rows.length ?? 0],
		['status', 1],
		['above', rowsAbove(layout).length],
	];
	let row = y;
	for (const [area, height] of heights) {
		if (row < height) return {area, row};
		row -= height;
	}
	return {area: 'composer', row};
}

/** What is under the mouse at a row of the screen. */
export function hitAt({state}: App, y: number): Hit {
	return areaAt(layoutOf(state), y);
}

/** How many rows the transcript has on the screen. */
export function transcriptHeightOf({state}: App): number {
	return layoutOf(state).transcriptHeight;
}

/** The rows of the transcript that are on the screen. */
export function visibleRowsOf({state}: App): readonly VisibleRow[] {
	return layoutOf(state).transcript.rows;
}

/** The blocks of these rows, from the top of the screen. */
export function visibleBlocksOf(app: App): readonly Block[] {
	return [...new Map(visibleRowsOf(app).map(({block}) => [block.id, block])).values()];
}

/** The block that you look at: while the view follows the end the last one that says something, else the top one. */
export function blockAtFocus(app: App): Block | undefined {
	const rows = visibleRowsOf(app);
	const speaks = ({block}: VisibleRow) => block.kind !== 'usage' && block.kind !== 'notice';
	const last = app.state.scroll.follow ? rows.findLast(speaks) : undefined;
	return (last ?? rows[0])?.block;
}

/** The rows of whatever the wheel can scroll: the transcript's, or the card's where that is higher. */
export function scrolledHeightOf({state}: App): number {
	return Math.max(layoutOf(state).transcriptHeight, layoutOf(state).card?.shown ?? 0);
}

/** A row between the transcript and the card: the pill, an alert or a queued message. */
export function rowBetween({state}: App, row: number): Row | undefined {
	return rowsBetween(layoutOf(state))[row];
}

/** The first visual line of the draft that is on the screen. */
export function composerTopOf({state}: App): Layout['composer']['top'] {
	return layoutOf(state).composer.top;
}

/** Whether the transcript is covered by a page. */
export function isCovered({state}: App): boolean {
	return state.page !== undefined;
}

/** The size of the screen at the last frame. */
export function screenSizeOf({state}: App): Layout['size'] {
	return state.size;
}
