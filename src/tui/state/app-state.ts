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

/** What holds for the whole life of a screen. */
export type Setup = {
	/** What is known of the session before the pod is there. */
	readonly session: SessionInfo;
	/** The user's home folder, written `~`. */
	readonly home?: string | undefined;
	/** What an empty transcript shows, line by line. */
	readonly welcome: ReadonlyArray<readonly Span[]>;
	readonly keymap: Keymap;
	/** Whether the screen is for a screen reader. */
	readonly isSpoken?: boolean;
	/** Whether the mouse is ours from the start. */
	readonly mouse?: boolean;
	/** How the window is named and the bell rung; absent: not at all. */
	readonly notifications?: NotificationOptions;
	/** What the composer begins with. */
	readonly draft?: readonly Segment[];
};

/** All state of the screen: a value. `reduce` makes the next one, and nothing else does. */
export type AppState = {
	readonly setup: Setup;
	readonly size: Size;
	/** When the last action came, in milliseconds of the app's clock. */
	readonly now: number;
	/** The session's blocks and their rows; absent until there is a session. */
	readonly transcript: TranscriptStore | undefined;
	/** Grows with every change of the transcript. */
	readonly transcriptVersion: number;
	/** Whether there is a pod to talk to. */
	readonly isConnected: boolean;
	readonly scroll: Scroll;
	readonly wheel: Wheel;
	readonly selection: SelectionState;
	readonly search: SearchState;
	readonly opener: OpenerState;
	/**
	Set while the screen shows only the end of a session and the rest is being read: since when, and where the user
	wants to go that is above it.
	*/
	readonly sessionTail: {readonly since: number; readonly wanted: readonly ScrollTo[]} | undefined;
	readonly composer: ComposerState;
	/** The popup above the composer. */
	readonly completion: CompletionState;
	/** What the refs of the draft will become. */
	readonly preflight: PreflightState;
	/** The held draft while it is being confirmed: it can still be taken back. */
	readonly confirming: Editor | undefined;
	/** Drafts that wait for the end of the run, the next one first. */
	readonly queue: Queue;
	/** What the pod was told and gave no receipt for, oldest first, except the draft that the composer holds. */
	readonly sending: readonly Sending[];
	/** Of these, the steered ones that the run ended without, until they are back in the composer. */
	readonly undelivered: Queue;
	/** How many items were committed when the current run began. */
	readonly committedBefore: number;
	readonly alerts: Alerts;
	/** The page that covers the transcript. */
	readonly page: Page | undefined;
	/** When Esc was pressed last, where a second one opens the rewind page. */
	readonly lastEscape: number | undefined;
	readonly card: Card | undefined;
	/** Questions of the screen itself, oldest first. */
	readonly ownAsks: readonly Ask[];
	readonly approval: ApprovalState;
	readonly notifications: NotificationState;
	/** Keys that wait for something that is opening. */
	readonly hold: Hold | undefined;
	readonly lastPress: LastPress | undefined;
	/** Whether another program has the terminal. */
	readonly isAway: boolean;
	/** Whether the mouse is ours. */
	readonly mouse: boolean;
	/** Whether the terminal has the focus; absent when it does not say. */
	readonly focused: boolean | undefined;
	/** Until when another Ctrl+C quits. */
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
