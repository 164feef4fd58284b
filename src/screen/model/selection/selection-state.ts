import type {TranscriptStore} from '../../rows/store.ts';
import type {Scroll} from '../../rows/viewport/viewport.ts';
import type {Caret} from './selection.ts';
import type {TranscriptState} from '../submission-state.ts';
import {lineAt, wordAt, type Point, type Selection} from './selection.ts';

/** The selection in the transcript, and the drag that creates it. */
export type SelectionState = {
	readonly shown: Shown | undefined;
	readonly drag: Drag | undefined;
	readonly clicks: Clicks;
	/** Set while a drag at the upper or lower edge scrolls the transcript. */
	readonly edge: Edge | undefined;
	/** Set while keys select text. */
	readonly caret: Caret | undefined;
};

/** A selection, with the layout of the rows that its points refer to. */
type Shown = {readonly selection: Selection; readonly layout: number; readonly epoch: number};

/**
A drag with the left button, from the press to the release. `mayRise`: the mouse has been below the first row, so the
drag may scroll up at the first row. Otherwise a drag that begins in the first row would scroll immediately.
*/
type Drag = {
	readonly anchor: Point;
	readonly hasMoved: boolean;
	/** Whether the view followed the end of the transcript when the button was pressed. */
	readonly followed: boolean;
	readonly hasScrolled: boolean;
	readonly mayRise: boolean;
};

/** The last click, and the number of clicks at this place. */
type Clicks = {readonly at: number; readonly x: number; readonly y: number; readonly count: number};

/** The column of the mouse, and the number of rows that one step scrolls. A negative number scrolls up. */
export type Edge = {readonly x: number; readonly rows: number};

export const noSelection: SelectionState = {
	shown: undefined,
	drag: undefined,
	clicks: {at: Number.NEGATIVE_INFINITY, x: -1, y: -1, count: 0},
	edge: undefined,
	caret: undefined,
};

export type SelectionAction =
	/** The left button was pressed on the transcript. */
	| {readonly type: 'press transcript'; readonly x: number; readonly y: number; readonly point: Point | undefined}
	| {
			readonly type: 'drag selection';
			readonly head: Point | undefined;
			readonly mayRise: boolean;
			readonly edge: Edge | undefined;
	  }
	/** Scrolls one step of a drag at an edge. */
	| {readonly type: 'scroll selection'; readonly scroll: Scroll; readonly head: Point}
	| {readonly type: 'stop edge scroll'}
	| {readonly type: 'end drag'}
	| {readonly type: 'clear selection'}
	/** Clears the selection and its drag. */
	| {readonly type: 'forget selection'}
	/** Moves the caret for selecting with keys. `undefined` ends selecting with keys. */
	| {readonly type: 'set caret'; readonly caret: Caret | undefined};

/** Returns the next state. */
export function reduceSelection(
	selection: SelectionState,
	action: SelectionAction,
	{store, scroll}: TranscriptState,
	now: number,
): SelectionState {
	switch (action.type) {
		case 'press transcript':
			return store === undefined
				? selection
				: pressed(selection, store, {...action, followed: scroll.follow, now});
		case 'drag selection': {
			const {head, mayRise, edge} = action;
			const {drag} = selection;
			if (drag === undefined || store === undefined) return selection;
			return draggedTo({...selection, drag: {...drag, hasMoved: true, mayRise}, edge}, store, head);
		}
		case 'scroll selection': {
			const {drag} = selection;
			if (drag === undefined || store === undefined) return selection;
			return draggedTo({...selection, drag: {...drag, hasScrolled: true}}, store, action.head);
		}
		case 'stop edge scroll':
			return {...selection, edge: undefined};
		case 'end drag':
			return {...selection, drag: undefined, edge: undefined};
		case 'clear selection':
			return {...selection, shown: undefined};
		case 'forget selection':
			return {...selection, shown: undefined, drag: undefined, edge: undefined};
		case 'set caret':
			return store === undefined ? selection : withCaret(selection, store, action.caret);
		default:
			return action satisfies never;
	}
}

/** Returns the selection if neither the layout nor the blocks have changed since the selection was made. */
export function selectionOf({shown}: SelectionState, store: TranscriptStore | undefined): Selection | undefined {
	if (shown === undefined || store === undefined) return undefined;
	const holds = shown.layout === store.layoutVersion() && shown.epoch === store.transcript.epoch;
	return holds ? shown.selection : undefined;
}

/** A press of the left button. `point` is the transcript's cell under the mouse, or `undefined` if there is no cell. */
type TranscriptPress = {
	readonly x: number;
	readonly y: number;
	readonly point: Point | undefined;
	readonly followed: boolean;
	readonly now: number;
};

/**
Begins a drag. A single click selects nothing yet, a double click selects a word, and a triple click selects a line.
*/
function pressed(state: SelectionState, store: TranscriptStore, press: TranscriptPress): SelectionState {
	const {x, y, point, followed, now} = press;
	const clicks = clicked(state.clicks, {x, y}, now);
	const select = [undefined, undefined, wordAt, lineAt][clicks.count];
	const selection = point === undefined ? undefined : select?.(store, point);
	const drag = point && {anchor: point, hasMoved: false, followed, hasScrolled: false, mayRise: y > 0};
	return {shown: selection && shownOn(store, selection), drag, clicks, edge: undefined, caret: undefined};
}

/** Extends the selection of the drag to a point. */
function draggedTo(state: SelectionState, store: TranscriptStore, head: Point | undefined): SelectionState {
	const {drag} = state;
	if (drag === undefined || head === undefined) return state;
	return {...state, shown: shownOn(store, {anchor: drag.anchor, head})};
}

/** Moves the caret and the end of its selection. `undefined` ends selecting with keys. */
function withCaret(state: SelectionState, store: TranscriptStore, caret: Caret | undefined): SelectionState {
	const {head, mark} = caret ?? {};
	const selection = mark === undefined || head === undefined ? undefined : {anchor: mark.point, head};
	return {...state, shown: selection && shownOn(store, selection), caret};
}

function shownOn(store: TranscriptStore, selection: Selection): Shown {
	return {selection, layout: store.layoutVersion(), epoch: store.transcript.epoch};
}

function clicked(last: Clicks, {x, y}: {readonly x: number; readonly y: number}, now: number): Clicks {
	const isNear = Math.abs(x - last.x) <= 1 && y === last.y;
	return {at: now, x, y, count: isNear && now - last.at < doubleClick ? (last.count % 3) + 1 : 1};
}

/** Two clicks within this number of milliseconds count as a double click. */
const doubleClick = 400;
