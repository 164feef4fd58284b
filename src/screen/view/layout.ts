import {alertRows} from './alerts/alert-rows.ts';
import {cardHint, cardPlaceholder} from './card/card-facts.ts';
import {maxCardRows, viewCard, type AskView} from './card/card-view.ts';
import {completionRows} from './completion/popup-view.ts';
import {
	composerRows,
	gutter,
	ruleAboveCard,
	secondRule,
	roomAbove,
	statusRows,
	upperRule,
	viewComposer,
	type ComposerView,
} from '../model/composer/composer-view.ts';
import {showChord} from '../model/keys/keymap.ts';
import {firstScreenRows} from './first-screen/first-screen-rows.ts';
import {openerRows} from './opener/opener-rows.ts';
import {pageCaret, pageRows} from './pages/page-rows.ts';
import {preflightRows} from './preflight/preflight-view.ts';
import {queueRows} from './queue/queue-rows.ts';
import {promptHistoryCaret, promptHistoryField, promptHistoryRows} from './prompt-history/prompt-history-rows.ts';
import {caretCell, caretHint} from './selection/caret-rows.ts';
import {searchCaret, searchRows} from './search/search-rows.ts';
import type {Size} from '../model/terminal-state.ts';
import type {AppState, Setup} from '../model/app-state.ts';
import {asksOf, originsOnCard, queueOf, statusOf} from '../model/selectors.ts';
import {statusFacts} from './status/status-facts.ts';
import {statusRow, type StatusFacts} from './status/status-line.ts';
import type {FieldRow} from './text-field/field-row.ts';
import {lineRows, makeRow, type Row} from '../spans/row.ts';
import {cut, width} from '../../text/width.ts';
import {taskListRows} from './task-list/task-list-rows.ts';
import {viewTranscript} from './transcript/marked-rows.ts';
import type {Visible} from '../rows/viewport/viewport.ts';
import {placeholder} from '../editor/texts.ts';

/** The rows of each region of the screen. `view/app.tsx` has their order. */
export type Layout = {
	/** The state from which the layout was computed. */
	readonly state: AppState;
	readonly size: Size;
	/** The time of this state, in milliseconds of the app's clock. */
	readonly at: number;
	readonly transcript: Visible;
	readonly transcriptHeight: number;
	/** The number of blank rows above a transcript that does not fill its height. */
	readonly blankRows: number;
	/** The rows that cover the transcript. */
	readonly page: readonly Row[] | undefined;
	/** The rows of an empty transcript. */
	readonly welcome: readonly Row[];
	/** The row that counts new blocks below the screen. A click on this row scrolls to the end. */
	readonly pill: readonly Row[];
	readonly alerts: readonly Row[];
	readonly queue: readonly Row[];
	/** The model's list of tasks while a run is in progress. */
	readonly tasks: readonly Row[];
	/** The rule between the transcript and the card. */
	readonly cardRule: readonly Row[];
	readonly card: AskView | undefined;
	/** The rule above the composer. */
	readonly rule: readonly Row[];
	readonly above: AboveComposer;
	readonly composer: ComposerView;
	/** The facts that the status line shows. */
	readonly facts: StatusFacts;
	readonly status: readonly Row[];
	/** The position of the terminal's cursor, in cells from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/**
The regions directly above the composer. If a card is open or keys select text, only the hint is shown. If a search is
open, only the rows of the search are shown.
*/
type AboveComposer = {
	readonly hint: readonly Row[];
	/** The field of the search in the transcript or in earlier prompts. */
	readonly search: readonly FieldRow[];
	readonly promptHistory: readonly Row[];
	readonly opener: readonly Row[];
	readonly completion: readonly Row[];
	readonly preflight: readonly Row[];
};

/**
Returns the layout of a state. The layout is cached with the state. The transcript gets the rows that the other regions
leave, but at least one.
*/
export function layoutOf(state: AppState): Layout {
	let layout = layouts.get(state);
	if (layout === undefined) layouts.set(state, (layout = layOut(state)));
	return layout;
}

const layouts = new WeakMap<AppState, Layout>();

/** Returns the rows between the transcript and the card. */
export function rowsBetween({pill, alerts, tasks, queue, cardRule}: Layout): readonly Row[] {
	return [...pill, ...alerts, ...tasks, ...queue, ...cardRule];
}

/** Returns the rows between the rule and the composer. */
export function rowsAbove({
	above: {hint, search, promptHistory, opener, completion, preflight},
}: Layout): readonly Row[] {
	return [...hint, ...search, ...promptHistory, ...opener, ...completion, ...preflight];
}

function layOut(state: AppState): Layout {
	const {now} = state;
	const {size} = state.terminal;
	const {isSplit} = state.display;
	const {columns, rows} = size;
	const composer = viewComposer(
		state.composer,
		composerRows(rows),
		placeholderOf(state),
		state.asks.card !== undefined,
	);
	const hint = hintRows(state);
	const card = viewCard(
		{
			asks: asksOf(state),
			card: state.asks.card,
			isSplit,
			isSpoken: state.setup.isSpoken,
			origins: originsOnCard(state),
		},
		columns,
		maxCardRows(rows, composer.rows.length + hint.length),
	);
	const above =
		card === undefined ? aboveComposer(state, roomAbove(composer.rows.length, rows)) : {...nothingAbove, hint};
	const aboveCount = Object.values(above).reduce((sum, region) => sum + region.length, 0);
	// The transcript always keeps at least one row.
	const cardRule = card === undefined ? [] : ruleAboveCard(size);
	const cardRows = cardRule.length + (card?.rows.length ?? 0);
	const left = rows - composer.rows.length - statusRows(rows) - 1 - aboveCount - cardRows;
	const queue = waitingRows(state, Math.min(left, maxWaiting));
	const tasks = card === undefined ? taskListRows(state).slice(0, Math.max(0, left - queue.length)) : [];
	const between = queue.length + tasks.length;
	const alerts = alertRows(state.alerts, columns, left - between);
	const height = Math.max(1, left + 1 - between - alerts.length);
	const page = pageRows(state, columns, height);
	const {transcript, pill} = viewTranscript(state, height, page === undefined);
	const transcriptHeight = Math.max(1, height - pill.length);
	const rule = upperRule(size);
	const ruleTop = transcriptHeight + pill.length + alerts.length + between + cardRows;
	const facts = statusFacts(state, {below: transcript.below, hasPill: pill.length > 0});
	const welcome = transcript.rows.length > 0 ? [] : welcomeRows(state).slice(0, transcriptHeight);
	const blankRows = welcome.length > 0 ? 0 : Math.max(0, transcriptHeight - transcript.rows.length);
	return {
		state,
		size,
		at: now,
		transcript,
		transcriptHeight,
		blankRows,
		page,
		welcome,
		pill,
		alerts,
		queue,
		tasks,
		cardRule,
		card,
		rule,
		above,
		composer,
		facts,
		status: [...secondRule(size), statusRow(facts, columns, now)],
		cursor:
			(card === undefined ? lowered(caretCell(state, transcript), blankRows) : undefined) ??
			cursorOf(state, composer, {top: ruleTop + rule.length, aboveCount}),
	};
}

function lowered(cell: Layout['cursor'] | undefined, rows: number): Layout['cursor'] | undefined {
	return cell && {x: cell.x, y: cell.y + rows};
}

function welcomeRows(state: AppState): readonly Row[] {
	const {setup} = state;
	const {columns} = state.terminal.size;
	if (setup.firstScreen !== undefined) return firstScreenRows(state, setup.firstScreen);
	const kept = welcomes.get(setup);
	if (kept?.columns === columns) return kept.rows;
	const rows = setup.welcome.flatMap(spans => lineRows(spans, {columns, gutter: {text: ' '}}));
	welcomes.set(setup, {columns, rows});
	return rows;
}

const welcomes = new WeakMap<Setup, {readonly columns: number; readonly rows: readonly Row[]}>();

function placeholderOf(state: AppState): string {
	if (state.asks.card !== undefined) return cardPlaceholder(state);
	if (state.lifecycle.replayLine !== undefined) return state.lifecycle.replayLine;
	// There is no placeholder while typed text goes to the search.
	if (state.search.open?.isTyping === true) return '';
	const isFirst = (state.transcript.store?.count() ?? 0) === 0;
	return placeholder(state.setup.keymap.chords('newline').map(showChord)[0], isFirst);
}

function hintRows(state: AppState): readonly Row[] {
	const hint = cardHint(state);
	if (hint === undefined) return [];
	const {columns} = state.terminal.size;
	const room = columns - gutter;
	const text = width(hint.text) <= room ? hint.text : cut(hint.short, room, '…');
	return [makeRow([{text, style: hint.isWarning ? 'warn' : 'dim'}], 'text', {text: ' '.repeat(gutter)})];
}

const nothingAbove: AboveComposer = {
	hint: [],
	search: [],
	promptHistory: [],
	opener: [],
	completion: [],
	preflight: [],
};

function aboveComposer(state: AppState, room: number): AboveComposer {
	const {columns} = state.terminal.size;
	let left = room;
	const take = <Of extends Row>(rows: readonly Of[]): readonly Of[] => {
		const taken = rows.slice(0, Math.max(0, left));
		left -= taken.length;
		return taken;
	};
	const keys = caretHint(state);
	if (keys.length > 0) return {...nothingAbove, hint: take(keys)};
	const field = promptHistoryField(state, columns);
	if (field !== undefined)
		return {...nothingAbove, search: take([field]), promptHistory: take(promptHistoryRows(state, columns, left))};
	const search = take(searchRows(state, columns));
	if (search.length > 0 && searchCaret(state, columns) !== undefined) return {...nothingAbove, search};
	return {
		...nothingAbove,
		search,
		opener: take(openerRows(state, columns, left)),
		completion: take(completionRows(state, columns, left)),
		preflight: take(left > 0 ? preflightRows(state, columns, left) : []),
	};
}

function waitingRows(state: AppState, maxRows: number): readonly Row[] {
	const leaving = state.submission.sending.filter(({way}) => way === 'run').map(({segments}) => segments);
	const [chord] = statusOf(state).kind === 'running' ? state.setup.keymap.chords('steer') : [];
	const sendKey = chord === undefined ? {} : {sendKey: showChord(chord)};
	return queueRows({queue: queueOf(state), leaving, ...sendKey}, state.terminal.size.columns, maxRows);
}

/** Returns the position of the cursor: in a page's field, in the search row, or in the composer. */
function cursorOf(
	state: AppState,
	{caret}: ComposerView,
	{top, aboveCount}: {readonly top: number; readonly aboveCount: number},
): Layout['cursor'] {
	const {columns} = state.terminal.size;
	const onPage = state.asks.card === undefined ? pageCaret(state, columns) : undefined;
	if (onPage !== undefined) return {x: Math.min(onPage.x, columns - 1), y: onPage.y};
	const inSearch = state.asks.card === undefined && aboveCount > 0 ? caretAbove(state, columns) : undefined;
	return inSearch === undefined
		? {x: caret.x, y: top + aboveCount + caret.y}
		: {x: Math.min(inSearch, columns - 1), y: top};
}

function caretAbove(state: AppState, columns: number): number | undefined {
	return promptHistoryCaret(state, columns) ?? searchCaret(state, columns);
}

/** The maximum number of rows with queued messages. */
const maxWaiting = 5;
