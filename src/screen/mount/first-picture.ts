import {rowsAbove, rowsBetween, type Layout} from '../view/layout.ts';
import type {Picture} from '../terminal/compositor/compositor.ts';
import {paintRow, type Mark} from '../spans/paint-row.ts';
import {blankRow, type Row} from '../spans/row.ts';
import type {Theme} from '../spans/theme.ts';
import type {Frame} from './view.ts';

/** Paints the rows of a frame before Ink is loaded. Ink draws the same rows afterwards. */
export function firstPicture(frame: Layout, theme: Theme): Picture {
	return pictureOf(rowsOf(frame), frame, theme.on(frame.state.terminal.ground, frame.state.display.theme));
}

/** Paints rows from the top of a screen on. */
export function pictureOfRows(rows: readonly Row[], frame: Frame, theme: Theme): Picture {
	return pictureOf(rows.map(unmarked), frame, theme);
}

function pictureOf(all: readonly ShownRow[], {size: {columns, rows}, cursor}: Frame, theme: Theme): Picture {
	const painted = filled(all, rows).map(({row, marks}) => paintRow(row, theme, marks).trimEnd());
	return {columns, rows: painted, cursor: {x: cursor.x, y: Math.min(cursor.y, rows - 1)}};
}

type ShownRow = {readonly row: Row; readonly marks?: readonly Mark[]};

function rowsOf(layout: Layout): readonly ShownRow[] {
	const {transcript, transcriptHeight, blankRows, card, rule, status, page, welcome, composer} = layout;
	const below = [
		...rowsBetween(layout),
		...(card?.rows ?? []),
		...rule,
		...rowsAbove(layout),
		...composer.rows,
		...status,
	].map(unmarked);
	const cover = page ?? (transcript.rows.length === 0 ? welcome : undefined);
	if (cover !== undefined) return [...filled(cover.map(unmarked), transcriptHeight), ...below];
	return [...Array.from({length: blankRows}, () => blank), ...transcript.rows.slice(0, transcriptHeight), ...below];
}

function unmarked(row: Row): ShownRow {
	return {row};
}

/** Returns `count` rows of a list and fills up with blank rows. */
function filled(rows: readonly ShownRow[], count: number): ShownRow[] {
	const all = rows.slice(0, count);
	while (all.length < count) all.push(blank);
	return all;
}

const blank: ShownRow = {row: blankRow};
