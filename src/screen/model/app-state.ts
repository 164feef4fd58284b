import type {Ask, QueueMessage, Segment, SessionInfo, StatusPartName, ThemeChoice} from '../../pod/protocol.ts';
import {noAlerts, type Alerts} from './alerts/alerts.ts';
import type {Card} from './card/card.ts';
import {noOffer, type ApprovalState} from './approval/approval-state.ts';
import {noNotifications, type NotificationOptions, type NotificationState} from './notifications/notification-state.ts';
import {noCompletion, type CompletionState} from './completion/completion-state.ts';
import {compose, createComposer, type ComposerState} from './composer/composer-state.ts';
import {editorColumns} from './composer/composer-view.ts';
import type * as VimCode from '../editor/vim/index.ts';
import type {Editor} from '../editor/editor.ts';
import {noNews, type FirstScreen, type FirstScreenState} from './first-screen/first-screen-state.ts';
import type {Size} from './size.ts';
import type {Hold} from './hold/hold.ts';
import type {Keymap} from './keys/keymap.ts';
import type {Page} from './pages/page-state.ts';
import type {LastPress} from './keys/press.ts';
import type {Sending, Unrecorded} from './queue.ts';
import {closedOpener, type OpenerState} from './opener/opener-state.ts';
import type {PromptHistoryState} from './prompt-history/prompt-history-state.ts';
import {noSearch, type SearchState} from './search/search-state.ts';
import {noSelection, type SelectionState} from './selection/selection-state.ts';
import {noPreflight, type PreflightState} from './preflight/preflight-state.ts';
import type {Span} from '../../text/span.ts';
import type {ReadAgain} from './scroll/read-again.ts';
import type {ScrollTo} from './scroll/scroll-to.ts';
import type {Ground} from '../spans/theme.ts';
import type {TranscriptStore} from '../rows/store.ts';
import {atEnd, type Scroll} from '../rows/viewport/viewport.ts';
import {stillWheel, type Wheel} from './scroll/wheel.ts';

/** The values that never change while a screen is open. */
/** The code of vim's keys, which is loaded only if the composer has them. */
export type VimKeys = typeof VimCode;

export type Setup = {
	/**
	The facts about the session before a pod is connected. They may be outdated later, so use `sessionOf(state)` then.
	*/
	readonly session: SessionInfo;
	/** The user's home directory, shown as `~`. */
	readonly home?: string | undefined;
	/** The lines that an empty transcript shows if there is no first screen. */
	readonly welcome: ReadonlyArray<readonly Span[]>;
	/** The first screen of a new session. */
	readonly firstScreen?: FirstScreen;
	readonly keymap: Keymap;
	/** The code of vim's keys, if the composer has them. */
	readonly vim?: VimKeys | undefined;
	/** Whether the screen is for a screen reader. */
	readonly isSpoken?: boolean;
	/** Whether the sign of a running turn stands still. */
	readonly isStill?: boolean;
	/** Whether the session is gone when the screen closes. */
	readonly isUnsaved?: boolean;
	/** The parts of the status line, in their order. Absent: all parts in the usual order. */
	readonly statusParts?: readonly StatusPartName[] | undefined;
	/** Whether the screen is rendered inline, below the contents of the terminal. */
	readonly inline?: boolean;
	/** Whether mouse reports are on from the start. */
	readonly mouse?: boolean;
	/** The options for the window's title and the bell. Both are off if this is absent. */
	readonly notifications?: NotificationOptions;
	/** The draft with which the composer begins. */
	readonly draft?: readonly Segment[];
};

/** The whole state of the screen, as one value. Only `reduce` creates a new state. */
export type AppState = {
	readonly setup: Setup;
	readonly size: Size;
	/** The time of the last action, in milliseconds of the app's clock. */
	readonly now: number;
	/** The session's blocks and their rows. Absent until a session exists. */
	readonly transcript: TranscriptStore | undefined;
	/** A number that grows with every change of the transcript. */
	readonly transcriptVersion: number;
	/** Whether a pod is connected. */
	readonly isConnected: boolean;
	readonly scroll: Scroll;
	/** The blocks that a screen reader was asked to read again last. */
	readonly readAgain: ReadAgain | undefined;
	readonly wheel: Wheel;
	readonly selection: SelectionState;
	readonly search: SearchState;
	/** The open search in earlier prompts. */
	readonly promptHistory: PromptHistoryState | undefined;
	readonly opener: OpenerState;
	/**
	Set while the screen shows only the end of a session and the rest is being loaded. Contains the start time, and how
	far the user has tried to scroll above that end.
	*/
	readonly sessionTail: {readonly since: number; readonly wanted: readonly ScrollTo[]} | undefined;
	readonly composer: ComposerState;
	readonly firstScreen: FirstScreenState;
	/** The popup above the composer. */
	readonly completion: CompletionState;
	/** The forecast of the draft's refs. */
	readonly preflight: PreflightState;
	/** The held draft while it is being confirmed. You can still take it back. */
	readonly confirming: Editor | undefined;
	/** A message's id is that of its screen and a number, which grows with every message. */
	readonly screenId: string;
	readonly messageCount: number;
	/** The id of the composer's held draft. */
	readonly heldId: string | undefined;
	/** Messages to the pod without a receipt, oldest first. The composer's held draft is not included. */
	readonly sending: readonly Sending[];
	/** Commands that have begun, and answers to cards, until their items come. */
	readonly unrecorded: readonly Unrecorded[];
	/** Messages that this screen has taken out of the pod's queue, until they are in the composer. */
	readonly returning: readonly QueueMessage[];
	/** The ids of the messages that this screen has queued. */
	readonly queuedHere: readonly string[];
	readonly alerts: Alerts;
	/** The page that covers the transcript. */
	readonly page: Page | undefined;
	/** The time of the last press of Esc, if a second one would open the rewind page. */
	readonly lastEscape: number | undefined;
	readonly card: Card | undefined;
	/** The questions of the screen itself, oldest first. */
	readonly ownAsks: readonly Ask[];
	/** Whether the list of tasks is expanded. */
	readonly isTaskListOpen: boolean;
	readonly approval: ApprovalState;
	readonly notifications: NotificationState;
	/** The keys that are held while something opens. */
	readonly hold: Hold | undefined;
	readonly lastPress: LastPress | undefined;
	/** Whether another program has the terminal. */
	readonly isAway: boolean;
	/** Whether mouse reports are on. */
	readonly mouse: boolean;
	/** Whether diffs show the old and the new text side by side, if there is room. */
	readonly isSplit: boolean;
	/** Whether the terminal has the focus. Absent when the terminal does not report it. */
	readonly focused: boolean | undefined;
	/** The background of the terminal, once the terminal has named it. */
	readonly ground: Ground | undefined;
	/** The theme that you chose or try on the page of themes, if it is not that of the start. */
	readonly theme: ThemeChoice | undefined;
	/** The name of the theme that you chose on this screen. */
	readonly themeName: string | undefined;
	/** The time until which another Ctrl+C quits. */
	readonly quitUntil: number;
	readonly quitting: boolean;
	/** Whether the session leaves this terminal as soon as no tool runs. */
	readonly isDetaching: boolean;
	/** The place and the keys of a replay. */
	readonly replayLine: string | undefined;
};

export function createState(setup: Setup, size: Size, now: number): AppState {
	const empty = createComposer(editorColumns(size.columns), setup.vim !== undefined);
	return {
		setup,
		size,
		now,
		transcript: undefined,
		transcriptVersion: 0,
		isConnected: false,
		scroll: atEnd,
		readAgain: undefined,
		wheel: stillWheel,
		selection: noSelection,
		search: noSearch,
		promptHistory: undefined,
		opener: closedOpener,
		sessionTail: undefined,
		composer: setup.draft === undefined ? empty : compose(empty, {type: 'returned', segments: setup.draft}),
		firstScreen: noNews,
		completion: noCompletion,
		preflight: noPreflight,
		confirming: undefined,
		screenId: crypto.randomUUID(),
		messageCount: 0,
		heldId: undefined,
		sending: [],
		unrecorded: [],
		returning: [],
		queuedHere: [],
		alerts: noAlerts,
		page: undefined,
		lastEscape: undefined,
		card: undefined,
		ownAsks: [],
		isTaskListOpen: false,
		approval: noOffer,
		notifications: noNotifications,
		hold: undefined,
		lastPress: undefined,
		isAway: false,
		mouse: setup.mouse === true,
		isSplit: false,
		focused: undefined,
		ground: undefined,
		theme: undefined,
		themeName: undefined,
		quitUntil: 0,
		quitting: false,
		isDetaching: false,
		replayLine: undefined,
	};
}

/** Returns the id under which the draft in the editor will be sent. */
export function nextMessageId({screenId, messageCount}: AppState): string {
	return `${screenId}.${messageCount}`;
}
