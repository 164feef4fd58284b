import type {Segment, SessionInfo, StatusPartName} from '../../pod/protocol.ts';
import {noAlerts, type Alerts} from './alerts/alerts.ts';
import {noAsks, type AsksState} from './card/card.ts';
import {noNotifications, type NotificationOptions, type NotificationState} from './notifications/notification-state.ts';
import {noCompletion, type CompletionState} from './completion/completion-state.ts';
import {compose, createComposer, type ComposerState} from './composer/composer-state.ts';
import {editorColumns} from './composer/composer-view.ts';
import type * as VimCode from '../editor/vim/index.ts';
import {initialDisplay, type DisplayState} from './display-state.ts';
import {noNews, type FirstScreen, type FirstScreenState} from './first-screen/first-screen-state.ts';
import type {Keymap} from './keys/keymap.ts';
import {noKeys, type KeysState} from './keys/keys-state.ts';
import {initialLifecycle, type LifecycleState} from './lifecycle-state.ts';
import type {Page} from './pages/page-state.ts';
import {closedOpener, type OpenerState} from './opener/opener-state.ts';
import type {PromptHistoryState} from './prompt-history/prompt-history-state.ts';
import {noSearch, type SearchState} from './search/search-state.ts';
import {noSelection, type SelectionState} from './selection/selection-state.ts';
import {noPreflight, type PreflightState} from './preflight/preflight-state.ts';
import type {Span} from '../../text/span.ts';
import {createSubmission, type SubmissionState} from './submission-state.ts';
import {createTerminal, type Size, type TerminalState} from './terminal-state.ts';
import {noTranscript, type TranscriptState} from './transcript-state.ts';

/** The code of vim's keys, which is loaded only if the composer has them. */
export type VimKeys = typeof VimCode;

/** The values that never change while a screen is open. */
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

/** The whole state of the screen, as one value: a slice for each feature. Only `reduce` creates a new state. */
export type AppState = {
	readonly setup: Setup;
	/** The time of the last action, in milliseconds of the app's clock. */
	readonly now: number;
	readonly lifecycle: LifecycleState;
	readonly terminal: TerminalState;
	readonly display: DisplayState;
	readonly firstScreen: FirstScreenState;
	readonly transcript: TranscriptState;
	readonly selection: SelectionState;
	readonly search: SearchState;
	/** The open search in earlier prompts. */
	readonly promptHistory: PromptHistoryState | undefined;
	readonly opener: OpenerState;
	/** The page that covers the transcript. */
	readonly page: Page | undefined;
	readonly composer: ComposerState;
	readonly submission: SubmissionState;
	/** The popup above the composer. */
	readonly completion: CompletionState;
	/** The forecast of the draft's refs. */
	readonly preflight: PreflightState;
	readonly asks: AsksState;
	readonly alerts: Alerts;
	readonly notifications: NotificationState;
	readonly keys: KeysState;
};

export function createState(setup: Setup, size: Size, now: number): AppState {
	const empty = createComposer(editorColumns(size.columns), setup.vim !== undefined);
	return {
		setup,
		now,
		lifecycle: initialLifecycle,
		terminal: createTerminal(size, setup.mouse === true),
		display: initialDisplay,
		firstScreen: noNews,
		transcript: noTranscript,
		selection: noSelection,
		search: noSearch,
		promptHistory: undefined,
		opener: closedOpener,
		page: undefined,
		composer: setup.draft === undefined ? empty : compose(empty, {type: 'returned', segments: setup.draft}),
		submission: createSubmission(),
		completion: noCompletion,
		preflight: noPreflight,
		asks: noAsks,
		alerts: noAlerts,
		notifications: noNotifications,
		keys: noKeys,
	};
}
