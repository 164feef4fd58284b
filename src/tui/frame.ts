import {alertRows, type Alerts} from './alerts.tsx';
import {viewAsk, type AskView} from './ask-card.tsx';
import {composerRows, viewComposer, type ComposerView} from './composer/composer-view.ts';
import type {ComposerState} from './composer/composer-state.ts';
import {queueRows, type Queue, type Sending} from './queue.ts';
import type {TranscriptStore} from './transcript/store.ts';
import {visible, type Scroll, type Visible} from './transcript/viewport.ts';

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
	readonly askScroll: number;
	/** What stands right above the composer, in at most so many rows. */
	readonly above: (columns: number, most: number) => readonly string[];
	/** What stands in the transcript's place. */
	readonly overlay: (columns: number, rows: number) => readonly string[] | undefined;
};

/** One screen, from top to bottom: transcript, alerts, queue, card, status line, what a part says of the draft, composer. */
export type Frame = {
	readonly size: Size;
	readonly transcript: Visible;
	readonly transcriptHeight: number;
	/** Between transcript and status line, painted and inert. */
	readonly between: readonly string[];
	readonly ask: AskView | undefined;
	readonly above: readonly string[];
	readonly overlay: readonly string[] | undefined;
	readonly composer: ComposerView;
	/** Where the real cursor stands, in cells from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** Lays a screen out. The transcript gets what the others leave, at least one row; on a small screen the others give way. */
export function layOut(facts: FrameFacts, size: Size): Frame {
	const {store, scroll, queue, sending, alerts} = facts;
	const {columns, rows} = size;
	const composer = viewComposer(facts.composer, composerRows(rows), facts.placeholder);
	const asks = store?.transcript.status.asks ?? [];
	let left = rows - composer.rows.length - statusRows - 1;
	const ask = asks[0] === undefined ? undefined : viewAsk(asks[0], columns, Math.max(4, Math.min(left, Math.ceil(rows / 2))), facts.askScroll, asks.length - 1);
	left -= ask?.rows.length ?? 0;
	const above = ask === undefined ? facts.above(columns, Math.max(0, Math.min(left, Math.ceil(rows / 2)))) : [];
	left -= above.length;
	const waiting = queueRows({queue, leaving: sending.filter(({way}) => way === 'send').map(({segments}) => segments), steered: store?.transcript.status.queue ?? []}, columns, Math.min(left, mostWaiting));
	const between = [...alertRows(alerts, columns, left - waiting.length), ...waiting];
	const transcriptHeight = Math.max(1, left + 1 - between.length);
	const chrome = transcriptHeight + between.length + (ask?.rows.length ?? 0) + statusRows + above.length;
	return {
		size,
		transcript: store === undefined ? nothing : visible(store, scroll, transcriptHeight),
		transcriptHeight,
		between,
		ask,
		above,
		overlay: facts.overlay(columns, transcriptHeight),
		composer,
		cursor: {x: composer.caret.x, y: chrome + composer.caret.y},
	};
}

const statusRows = 1;
/** Rows for what waits to be sent. */
const mostWaiting = 5;
const nothing: Visible = {rows: [], below: 0, position: 1};
