import type {Ask, Segment, SessionInfo} from '../../pod/protocol.ts';
import {noAlerts, type Alerts} from '../alerts/alerts.ts';
import type {Card} from '../card/card.ts';
import {noOffer, type ApprovalState} from '../approval/approval-state.ts';
import {
	noNotifications,
	type NotificationOptions,
	type NotificationState,
} from '../notifications/notification-state.ts';
import {noCompletion, type CompletionState} from '../completion/completion-state.ts';
import {compose, createComposer, type ComposerState} from '../composer/composer-state.ts';
import {editorColumns} from '../composer/composer-view.ts';
import type {Editor} from '../composer/editor/editor.ts';
import type {Size} from '../size.ts';
import type {Hold} from '../hold/hold.ts';
import type {Keymap} from '../keymap.ts';
import type {Page} from '../pages/page-state.ts';
import type {LastPress} from './keys/press.ts';
import {emptyQueue, type Queue, type Sending} from '../queue/queue.ts';
import {closedOpener, type OpenerState} from '../opener/opener-state.ts';
import {noSearch, type SearchState} from '../search/search-state.ts';
import {noSelection, type SelectionState} from '../selection/selection-state.ts';
import {noPreflight, type PreflightState} from '../preflight/preflight-state.ts';
import type {Span} from '../text/span.ts';
import type {ScrollTo} from '../transcript/scroll/scroll-to.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import {atEnd, type Scroll} from '../transcript/viewport/viewport.ts';
import {stillWheel, type Wheel} from '../transcript/scroll/wheel.ts';

/** These values never change while a screen is open. */
export type Setup = {
	/** The facts about the session before a pod is connected. They may be outdated later: use `sessionOf(state)`. */
	readonly session: SessionInfo;
	/** The user's home directory, shown as `~`. */
	readonly home?: string | undefined;
	/** An empty transcript shows these lines. */
	readonly welcome: ReadonlyArray<readonly Span[]>;
	readonly keymap: Keymap;
	/** Whether the screen is for a screen reader. */
	readonly isSpoken?: boolean;
	/** Whether mouse reports are on from the start. */
	readonly mouse?: boolean;
	/** The options for the window's title and the bell. Without them both are off. */
	readonly notifications?: NotificationOptions;
	/** The composer begins with this draft. */
	readonly draft?: readonly Segment[];
};

/** The whole state of the screen is one value. Only `reduce` changes it. */
export type AppState = {
	readonly setup: Setup;
	readonly size: Size;
	/** The time of the last action, in milliseconds of the app's clock. */
	readonly now: number;
	/** The session's blocks and their rows. It is absent until a session exists. */
	readonly transcript: TranscriptStore | undefined;
	/** The version grows with every change of the transcript. */
	readonly transcriptVersion: number;
	/** Whether a pod is connected. */
	readonly isConnected: boolean;
	readonly scroll: Scroll;
	readonly wheel: Wheel;
	readonly selection: SelectionState;
	readonly search: SearchState;
	readonly opener: OpenerState;
	/**
	Set while the screen shows only the end of a session and the rest loads. It has the start time and the user's
	scrolls above that end.
	*/
	readonly sessionTail: {readonly since: number; readonly wanted: readonly ScrollTo[]} | undefined;
	readonly composer: ComposerState;
	/** The popup above the composer. */
	readonly completion: CompletionState;
	/** The forecast of the draft's refs. */
	readonly preflight: PreflightState;
	/** The held draft while it is being confirmed. You can still take it back. */
	readonly confirming: Editor | undefined;
	/** Queued drafts for the end of the run, the next one first. */
	readonly queue: Queue;
	/** Messages to the pod without a receipt, oldest first. The composer's held draft is not included. */
	readonly sending: readonly Sending[];
	/** Steered messages that the run did not take, until they are back in the composer. */
	readonly undelivered: Queue;
	/** The session had this many committed items when the current run began. */
	readonly committedBefore: number;
	readonly alerts: Alerts;
	/** The page that covers the transcript. */
	readonly page: Page | undefined;
	/** The time of the last Esc that a second Esc could follow to open the rewind page. */
	readonly lastEscape: number | undefined;
	readonly card: Card | undefined;
	/** The questions of the screen itself, oldest first. */
	readonly ownAsks: readonly Ask[];
	readonly approval: ApprovalState;
	readonly notifications: NotificationState;
	/** The keys that are held while something opens. */
	readonly hold: Hold | undefined;
	readonly lastPress: LastPress | undefined;
	/** Whether another program has the terminal. */
	readonly isAway: boolean;
	/** Whether mouse reports are on. */
	readonly mouse: boolean;
	/** Whether the terminal has the focus. It is absent when the terminal does not report it. */
	readonly focused: boolean | undefined;
	/** Another Ctrl+C quits until this time. */
	readonly quitUntil: number;
	readonly quitting: boolean;
};

export function createState(setup: Setup, size: Size, now: number): AppState {
	const empty = createComposer(editorColumns(size.columns));
	return {
		setup,
		size,
		now,
		transcript: undefined,
		transcriptVersion: 0,
		isConnected: false,
		scroll: atEnd,
		wheel: stillWheel,
		selection: noSelection,
		search: noSearch,
		opener: closedOpener,
		sessionTail: undefined,
		composer: setup.draft === undefined ? empty : compose(empty, {type: 'returned', segments: setup.draft}),
		completion: noCompletion,
		preflight: noPreflight,
		confirming: undefined,
		queue: emptyQueue,
		sending: [],
		undelivered: emptyQueue,
		committedBefore: 0,
		alerts: noAlerts,
		page: undefined,
		lastEscape: undefined,
		card: undefined,
		ownAsks: [],
		approval: noOffer,
		notifications: noNotifications,
		hold: undefined,
		lastPress: undefined,
		isAway: false,
		mouse: setup.mouse === true,
		focused: undefined,
		quitUntil: 0,
		quitting: false,
	};
}
