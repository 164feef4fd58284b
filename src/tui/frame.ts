import {alertRows, type Alerts} from './alerts.tsx';
import {viewAsk, type AskView} from './ask-card.tsx';
import {composerRows, viewComposer, type ComposerView} from './composer/composer-view.ts';
import type {ComposerState} from './composer/composer-state.ts';
import type {Segment} from '../pod/protocol.ts';
import {sanitizeLine} from './screen/sanitize.ts';
import {cut} from './screen/width.ts';
import {paint} from './theme.ts';
import type {TranscriptStore} from './transcript/store.ts';
import {visible, type Scroll, type Visible} from './transcript/viewport.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** What a frame is made of. */
export type FrameFacts = {
	/** Absent until there is a pod. */
	readonly store: TranscriptStore | undefined;
	readonly scroll: Scroll;
	readonly composer: ComposerState;
	readonly alerts: Alerts;
	/** Submissions that wait for the end of the run. */
	readonly queue: ReadonlyArray<readonly Segment[]>;
	readonly askScroll: number;
};

/** One screen, from top to bottom: transcript, alerts, queue, card, status line, composer. */
export type Frame = {
	readonly size: Size;
	readonly transcript: Visible;
	readonly transcriptHeight: number;
	/** Between transcript and status line, painted and inert. */
	readonly between: readonly string[];
	readonly ask: AskView | undefined;
	readonly composer: ComposerView;
	/** Where the real cursor stands, in cells from the upper left corner. */
	readonly cursor: {readonly x: number; readonly y: number};
};

/** Lays a screen out. The transcript gets what the others leave, at least one row; on a small screen the others give way. */
export function layOut(facts: FrameFacts, size: Size): Frame {
	const {store, scroll, queue, alerts} = facts;
	const {columns, rows} = size;
	const composer = viewComposer(facts.composer, composerRows(rows));
	const asks = store?.transcript.status.asks ?? [];
	let left = rows - composer.rows.length - statusRows - 1;
	const ask = asks[0] === undefined ? undefined : viewAsk(asks[0], columns, Math.max(4, Math.min(left, Math.ceil(rows / 2))), facts.askScroll, asks.length - 1);
	left -= ask?.rows.length ?? 0;
	const between = [...alertRows(alerts, columns, left), ...queueRows(queue, columns)].slice(0, Math.max(0, left));
	const transcriptHeight = Math.max(1, left + 1 - between.length);
	const above = transcriptHeight + between.length + (ask?.rows.length ?? 0) + statusRows;
	return {
		size,
		transcript: store === undefined ? nothing : visible(store, scroll, transcriptHeight),
		transcriptHeight,
		between,
		ask,
		composer,
		cursor: {x: composer.caret.x, y: above + composer.caret.y},
	};
}

const statusRows = 1;
const nothing: Visible = {rows: [], below: 0, position: 1};

function queueRows(queue: FrameFacts['queue'], columns: number): string[] {
	return queue.map(segments => paint('dim', cut(`⧗ queued: ${sanitizeLine(segments.map(words).join(''))}`, columns, '…')));
}

function words(segment: Segment): string {
	if (segment.type === 'text') return segment.text.replaceAll(/\s+/g, ' ');
	if (segment.type === 'paste') return `[paste: ${segment.lines} lines]`;
	return segment.type === 'file_ref' ? `@${segment.path}` : `/${segment.slug}`;
}
