import {alertRows} from './alerts/alert-rows.ts';
import {cardHint, cardPlaceholder} from './card/card-facts.ts';
import {maxCardRows, viewCard, type AskView} from './card/view/card-view.ts';
import {completionRows} from './completion/completion-rows.ts';
import {composerRows, roomAbove, statusRows, viewComposer, type ComposerView} from './composer/composer-view.ts';
import {showChord} from './keymap.ts';
import {openerRows} from './opener/opener-rows.ts';
import {pageRows} from './pages/page-rows.ts';
import {preflightRows} from './preflight/preflight-rows.ts';
import {queueRows} from './queue/queue-rows.ts';
import {searchCaret, searchRows} from './search/search-rows.ts';
import type {Size} from './size.ts';
import type {AppState, Setup} from './state/app-state.ts';
import {asksOf, statusOf} from './state/selectors.ts';
import {statusFacts} from './status/status-facts.ts';
import {statusRow, type StatusFacts} from './status/status-line.ts';
import type {FieldRow} from './text-field/field-row.ts';
import {lineRows, textRow, type Row} from './text/row.ts';
import {cut, width} from './text/width.ts';
import {viewTranscript} from './marked-rows.ts';
import type {Visible} from './transcript/viewport/viewport.ts';
import {placeholder} from './composer/texts.ts';

/** A layout has the rows of each region of the screen. The regions are listed from top to bottom. */
export type Layout = {
	/** This is the state that is laid out. */
	readonly state: AppState;
	readonly size: Size;
	/** The time of this state in the app's milliseconds. */
	readonly at: number;
	readonly transcript: Visible;
	readonly transcriptHeight: number;
	/** These rows cover the transcript. */
	readonly page: readonly Row[] | undefined;
	/** An empty transcript shows these rows. */
	readonly welcome: readonly Row[];
	/** This row reports new content below. A click on it scrolls there. */
	readonly pill: readonly Row[];
	readonly alerts: readonly Row[];
	readonly queue: readonly Row[];
	readonly card: AskView | undefined;
	/** The status line shows these facts. */
	readonly facts: StatusFacts;
	readonly status: readonly Row[];
	readonly above: AboveComposer;
	readonly composer: ComposerView;
	/** The terminal's cursor, in cells from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** These regions are right above the composer. An open card leaves only its hint, and an open search only its row. */
export type AboveComposer = {
	readonly hint: readonly Row[];
	readonly search: readonly FieldRow[];
	readonly opener: readonly Row[];
	readonly completion: readonly Row[];
	readonly preflight: readonly Row[];
};

/**
Returns the layout of a state, cached while the state exists. The transcript gets the remaining rows, at least one.
*/
export function layoutOf(state: AppState): Layout {
	let layout = layouts.get(state);
	if (layout === undefined) layouts.set(state, (layout = layOut(state)));
	return layout;
}

const layouts = new WeakMap<AppState, Layout>();

/** Returns the rows between the transcript and the card. */
export function rowsBetween({pill, alerts, queue}: Layout): readonly Row[] {
	return [...pill, ...alerts, ...queue];
}

/** Returns the rows between the status line and the composer. */
export function rowsAbove({above: {hint, search, opener, completion, preflight}}: Layout): readonly Row[] {
	return [...hint, ...search, ...opener, ...completion, ...preflight];
}

function layOut(state: AppState): Layout {
	const {size, now} = state;
	const {columns, rows} = size;
	const composer = viewComposer(state.composer, composerRows(rows), placeholderOf(state));
	const hint = hintRows(state);
	const card = viewCard(
		{asks: asksOf(state), card: state.card, now},
		columns,
		maxCardRows(rows, composer.rows.length + hint.length),
	);
	const above =
		card === undefined ? aboveComposer(state, roomAbove(composer.rows.length, rows)) : {...nothingAbove, hint};
	const aboveCount = Object.values(above).reduce((sum, region) => sum + region.length, 0);
	// The transcript keeps one row, whatever the other regions need.
	const left = rows - composer.rows.length - statusRows - 1 - aboveCount - (card?.rows.length ?? 0);
	const queue = waitingRows(state, Math.min(left, maxWaiting));
	const alerts = alertRows(state.alerts, columns, left - queue.length);
	const height = Math.max(1, left + 1 - queue.length - alerts.length);
	const page = pageRows(state, columns, height);
	const {transcript, pill} = viewTranscript(state, height, page === undefined);
	const transcriptHeight = Math.max(1, height - pill.length);
	const statusTop = transcriptHeight + pill.length + alerts.length + queue.length + (card?.rows.length ?? 0);
	const facts = statusFacts(state, {below: transcript.below, hasPill: pill.length > 0});
	return {
		state,
		size,
		at: now,
		transcript,
		transcriptHeight,
		page,
		welcome: welcomeRows(state).slice(0, transcriptHeight),
		pill,
		alerts,
		queue,
		card,
		facts,
		status: [statusRow(facts, columns, now)],
		above,
		composer,
		cursor: cursorOf(state, composer, {top: statusTop + statusRows, aboveCount}),
	};
}

function welcomeRows({setup, size: {columns}}: AppState): readonly Row[] {
	const kept = welcomes.get(setup);
	if (kept?.columns === columns) return kept.rows;
	const rows = setup.welcome.flatMap(spans => lineRows(spans, {columns, gutter: {text: ' '}}));
	welcomes.set(setup, {columns, rows});
	return rows;
}

const welcomes = new WeakMap<Setup, {readonly columns: number; readonly rows: readonly Row[]}>();

function placeholderOf(state: AppState): string {
	if (state.card !== undefined) return cardPlaceholder(state);
	return placeholder(state.setup.keymap.chords('newline').map(showChord)[0]);
}

function hintRows(state: AppState): readonly Row[] {
	const hint = cardHint(state);
	if (hint === undefined) return [];
	const {columns} = state.size;
	const text = width(hint.text) <= columns ? hint.text : cut(hint.short, columns, '…');
	return [textRow(text, hint.isWarning ? 'warn' : 'dim')];
}

const nothingAbove: AboveComposer = {hint: [], search: [], opener: [], completion: [], preflight: []};

function aboveComposer(state: AppState, room: number): AboveComposer {
	const {columns} = state.size;
	let left = room;
	const take = <Of extends Row>(rows: readonly Of[]): readonly Of[] => {
		const taken = rows.slice(0, Math.max(0, left));
		left -= taken.length;
		return taken;
	};
	const search = take(searchRows(state, columns));
	if (search.length > 0 && searchCaret(state, columns) !== undefined) return {...nothingAbove, search};
	return {
		hint: [],
		search,
		opener: take(openerRows(state, columns, left)),
		completion: take(completionRows(state, columns, left)),
		preflight: take(left > 0 ? preflightRows(state, columns, left) : []),
	};
}

function waitingRows(state: AppState, maxRows: number): readonly Row[] {
	const leaving = state.sending.filter(({way}) => way === 'send').map(({segments}) => segments);
	return queueRows({queue: state.queue, leaving, steered: statusOf(state).queue}, state.size.columns, maxRows);
}

/** The cursor is in the search row while you edit the search, otherwise in the composer. */
function cursorOf(
	state: AppState,
	{caret}: ComposerView,
	{top, aboveCount}: {readonly top: number; readonly aboveCount: number},
): Layout['cursor'] {
	const {columns} = state.size;
	const inSearch = state.card === undefined && aboveCount > 0 ? searchCaret(state, columns) : undefined;
	return inSearch === undefined
		? {x: caret.x, y: top + aboveCount + caret.y}
		: {x: Math.min(inSearch, columns - 1), y: top};
}

/** At most this many rows show queued messages. */
const maxWaiting = 5;
