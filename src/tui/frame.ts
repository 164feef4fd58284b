import {alertRows} from './alerts/alert-rows.ts';
import type {Alerts} from './alerts/alerts.ts';
import type {Ask} from '../pod/protocol.ts';
import type {Card} from './card/card.ts';
import {mostCardRows, viewCard, type AskView} from './card/card-view.ts';
import type {Hint} from './card/notes.ts';
import {composerRows, viewComposer, type ComposerView} from './composer/composer-view.ts';
import type {ComposerState} from './composer/composer-state.ts';
import {queueRows} from './queue/queue-rows.ts';
import type {Queue, Sending} from './queue/queue.ts';
import type {TranscriptStore} from './transcript/store.ts';
import {textRow, type Row} from './text/row.ts';
import {cut, width} from './text/width.ts';
import type {Mark} from './text/paint-row.ts';
import {mostNew, visible, type Scroll, type Visible, type VisibleRow} from './transcript/viewport.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** What a frame is made of. */
export type FrameFacts = {
	/** Absent until there is a pod. */
	readonly store: TranscriptStore | undefined;
	readonly scroll: Scroll;
	readonly composer: ComposerState;
	/** What the composer says while it is empty. */
	readonly placeholder: string;
	readonly alerts: Alerts;
	/** Submissions that wait for the end of the run. */
	readonly queue: Queue;
	/** Submissions on their way to the pod. */
	readonly sending: readonly Sending[];
	/** What is asked: the first is on the screen. */
	readonly asks: readonly Ask[];
	readonly card: Card | undefined;
	/** What is said of the card right above the composer. */
	readonly hint: Hint | undefined;
	/** Milliseconds of the app's epoch. */
	readonly now: number;
	/** What names the key that goes to the end, behind the count of what is new; empty where there is none. */
	readonly end: string;
	/** What is marked on rows of the transcript. */
	readonly marks: (rows: readonly VisibleRow[]) => Marks;
	/** What stands right above the composer, in at most so many rows. */
	readonly above: (columns: number, most: number) => Above;
	/** What stands in the transcript's place. */
	readonly overlay: (columns: number, rows: number) => readonly Row[] | undefined;
};

/** Marks by the keys of their rows. */
export type Marks = ReadonlyMap<string, readonly Mark[]>;

/** Rows above the composer; where one of them is being written in, the cells before the cursor in the first of them. */
export type Above = {readonly rows: readonly Row[]; readonly caret?: number | undefined};

/** One screen, from top to bottom: transcript, alerts, queue, card, status line, what a part says of the draft, composer. */
export type Frame = {
	readonly size: Size;
	/** What it shows of time, in the app's milliseconds. */
	readonly at: number;
	readonly transcript: Visible;
	readonly transcriptHeight: number;
	/** Between transcript and status line. A click on a row with the role `pill` goes to what is new below. */
	readonly between: readonly Row[];
	readonly ask: AskView | undefined;
	readonly status: readonly Row[];
	readonly above: readonly Row[];
	readonly overlay: readonly Row[] | undefined;
	/** What an empty transcript shows. */
	readonly welcome: readonly Row[];
	readonly composer: ComposerView;
	/** Where the real cursor stands, in cells from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** The frame before the first one. */
export function emptyFrame(size: Size): Frame {
	return {
		size,
		at: 0,
		transcript: nothing,
		transcriptHeight: 1,
		between: [],
		ask: undefined,
		status: [],
		above: [],
		overlay: undefined,
		welcome: [],
		composer: {rows: [], caret: {x: 0, y: 0}, top: {line: 0, row: 0}},
		cursor: {x: 0, y: 0},
	};
}

/** Lays a screen out. The transcript gets what the others leave, at least one row; on a small screen the others give way. */
export function layOut(facts: FrameFacts, size: Size): Frame {
	const {store, queue, sending, alerts} = facts;
	const {columns, rows} = size;
	const composer = viewComposer(facts.composer, composerRows(rows), facts.placeholder);
	const hints = hintRows(facts, columns);
	let left = rows - composer.rows.length - statusRows - 1 - hints.length;
	const ask = viewCard(facts, columns, mostCardRows(rows, composer.rows.length + hints.length));
	left -= ask?.rows.length ?? 0;
	const {rows: above, caret} = ask !== undefined ? {rows: hints} : facts.above(columns, roomAbove(composer.rows.length, rows));
	left -= above.length - hints.length;
	const waiting = queueRows({queue, leaving: sending.filter(({way}) => way === 'send').map(({segments}) => segments), steered: store?.transcript.status.queue ?? []}, columns, Math.min(left, mostWaiting));
	const told = [...alertRows(alerts, columns, left - waiting.length), ...waiting];
	const overlay = facts.overlay(columns, Math.max(1, left + 1 - told.length));
	const {transcript, pill} = viewTranscript(facts, columns, Math.max(1, left + 1 - told.length), overlay === undefined);
	const between = pill === undefined ? told : [pill, ...told];
	const transcriptHeight = Math.max(1, left + 1 - between.length);
	const cardTop = transcriptHeight + between.length;
	const status = cardTop + (ask?.rows.length ?? 0);
	const composerCursor = {x: composer.caret.x, y: status + statusRows + above.length + composer.caret.y};
	const partCursor = caret === undefined || above.length === 0 ? undefined : {x: Math.min(caret, columns - 1), y: status + statusRows};
	return {
		size,
		at: facts.now,
		transcript,
		transcriptHeight,
		between,
		ask,
		status: [],
		above,
		overlay,
		welcome: [],
		composer,
		cursor: partCursor ?? composerCursor,
	};
}

/** Rows right above a composer of so many rows, while there is no card. */
export function roomAbove(composerHeight: number, screenRows: number): number {
	const left = screenRows - composerHeight - statusRows - 1;
	return Math.max(0, Math.min(left, Math.ceil(screenRows / 2)));
}

function hintRows({hint}: FrameFacts, columns: number): readonly Row[] {
	if (hint === undefined) return [];
	const text = width(hint.text) <= columns ? hint.text : cut(hint.short, columns, '…');
	return [textRow(text, hint.isWarning ? 'warn' : 'dim')];
}

/** `↓ 12 new`. */
export function newText(below: number): string {
	return `↓ ${below < mostNew ? below : `${mostNew - 1}+`} new`;
}

type Transcript = {readonly transcript: Visible; readonly pill?: Row};

/** The transcript's rows with what is marked on them, and a pill in the place of the last one where something is new below and there is room. */
function viewTranscript({store, scroll, end, marks}: FrameFacts, columns: number, height: number, isShown: boolean): Transcript {
	if (store === undefined) return {transcript: nothing};
	const whole = visible(store, scroll, height);
	const hasPill = isShown && whole.below > 0 && height >= leastForPill;
	const transcript = hasPill ? visible(store, scroll, height - 1) : whole;
	const marked = isShown ? {...transcript, rows: withMarks(transcript.rows, marks(transcript.rows))} : transcript;
	if (!hasPill) return {transcript: marked};
	const text = cut(` ${newText(transcript.below)}${end} `, columns, '…');
	return {transcript: marked, pill: textRow(text, 'selection', 'pill')};
}

function withMarks(rows: readonly VisibleRow[], marks: Marks): readonly VisibleRow[] {
	if (marks.size === 0) return rows;
	return rows.map(row => {
		const own = marks.get(row.key);
		return own === undefined ? row : {...row, marks: own};
	});
}

/** Rows of a transcript that gives one of them away. */
const leastForPill = 4;
const statusRows = 1;
/** Rows for what waits to be sent. */
const mostWaiting = 5;
const nothing: Visible = {rows: [], below: 0, position: 1};
