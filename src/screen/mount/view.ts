import type {StoreApi} from 'zustand/vanilla';
import {type Layout, rowsAbove, rowsBetween} from '../view/layout.ts';
import type {Size} from '../model/terminal-state.ts';
import type {Painter, ScreenStreams} from '../terminal/compositor/compositor.ts';
import type {Theme} from '../spans/theme.ts';
import type {Picture} from '../terminal/compositor/compositor.ts';
import {paintRow, type Mark} from '../spans/paint-row.ts';
import {blankRow, type Row} from '../spans/row.ts';

/** The minimum contents of a frame. `cursor` is in cells from the upper left corner. */
export type Frame = {readonly size: Size; readonly cursor: {readonly x: number; readonly y: number}};

/** Shows frames on a terminal between `start` and `stop`. At any other time it writes nothing. */
export type View<Of extends Frame = Layout> = {
	readonly start: () => void;
	readonly stop: () => void;
	/** Closes the view permanently. */
	readonly close: () => void;
	readonly show: (frame: Of) => void;
	/** Forgets the contents of the terminal, so that the next frame is written as a whole. */
	readonly forget: () => void;
};

export type ViewOptions = ScreenStreams & {
	readonly theme: Theme;
	/** Called with the errors of components, and with errors during loading. */
	readonly onError: (error: Error) => void;
};

/** The props of a screen's component. The component gets the frames from the store `shown`. */
export type ScreenProps<Of extends Frame = Layout> = Pick<ViewOptions, 'theme' | 'onError'> & {
	readonly shown: StoreApi<Of>;
};

export type CreateView<Of extends Frame = Layout> = (options: ViewOptions) => View<Of>;

/** Creates the views of a screen. `inline` and `spoken` load Ink immediately. */
export type Views<Of extends Frame = Layout> = {
	readonly full: (painter: Painter, options: ViewOptions) => View<Of>;
	readonly inline: () => Promise<CreateView<Of>>;
	readonly spoken: () => Promise<CreateView<Of>>;
};

/** A tree that Ink renders, from its first frame until it is unmounted. */
export type Mounted<Of extends Frame = Layout> = {
	readonly show: (frame: Of) => void;
	/** Draws the last frame again. Called if the contents of the terminal are unknown. */
	readonly redraw: () => void;
	/** `isCleared`: the frame is erased from the terminal. */
	readonly unmount: (isCleared?: boolean) => void;
};

export type MountOptions<Of extends Frame = Layout> = ViewOptions & {readonly frame: Of};

/** Paints the rows of a frame while Ink is not loaded yet. Ink draws the same rows later. */
export function firstPicture(frame: Layout, theme: Theme): Picture {
	return pictureOf(rowsOf(frame), frame, theme.on(frame.state.terminal.ground, frame.state.display.theme));
}

/** Paints rows, beginning at the top of the screen. */
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

/** Returns the first `count` rows, with blank rows at the end if there are not enough. */
function filled(rows: readonly ShownRow[], count: number): ShownRow[] {
	const all = rows.slice(0, count);
	while (all.length < count) all.push(blank);
	return all;
}

const blank: ShownRow = {row: blankRow};
