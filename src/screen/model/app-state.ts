import type {
	Event,
	Receipt,
	Segment,
	SessionInfo,
	StatusPartName,
	NamedTheme,
	ThemeChoice,
} from '../../pod/protocol.ts';
import {type AlertAction, noAlerts, type Alerts} from './alerts/alerts.ts';
import {type AsksAction, noAsks, type AsksState} from './card/card.ts';
import type {AnsweringEvent} from './card/events.ts';
import {type CompletionAction, noCompletion, type CompletionState} from './completion/completion-state.ts';
import {type ComposerAction, type ComposerState, compose, createComposer} from './composer/composer-state.ts';
import {
	type FirstScreenAction,
	noNews,
	type FirstScreen,
	type FirstScreenState,
} from './first-screen/first-screen-state.ts';
import {type KeysAction, noKeys, type KeysState} from './keys/keys-state.ts';
import {
	type NotificationAction,
	noNotifications,
	type NotificationOptions,
	type NotificationState,
} from './notifications/notification-state.ts';
import {type OpenerAction, closedOpener, type OpenerState} from './opener/opener-state.ts';
import type {PageAction, Page} from './pages/page-state.ts';
import {type PreflightAction, noPreflight, type PreflightState} from './preflight/preflight-state.ts';
import type {PromptHistoryAction, PromptHistoryState} from './prompt-history/prompt-history-state.ts';
import {type SearchAction, noSearch, type SearchState} from './search/search-state.ts';
import {type SelectionAction, noSelection, type SelectionState} from './selection/selection-state.ts';
import {type SubmissionAction, createSubmission, type SubmissionState} from './submission-state.ts';
import {type TerminalAction, createTerminal, type Size, type TerminalState} from './terminal-state.ts';
import {type TranscriptAction, noTranscript, type TranscriptState} from './submission-state.ts';
import {editorColumns} from './composer/composer-view.ts';
import type * as VimCode from '../editor/vim/index.ts';
import type {Keymap} from './keys/keymap.ts';
import type {Span} from '../../text/span.ts';

/** All actions. Only an action changes the state. The file of each slice lists the actions of that slice. */
export type Action =
	| ViewAction
	| InputAction
	| SubmissionAction
	/** The card received an event. `edit` is the change that the key or paste would make in the draft. */
	| {readonly type: 'card event'; readonly event: AnsweringEvent; readonly edit?: ComposerAction | undefined}
	/** The pod sent an event. The transcript already contains the event. */
	| {readonly type: 'pod event'; readonly event: Event}
	/** The screen is closed, so its timers, questions and other programs end. */
	| {readonly type: 'leave screen'};

/** The actions about what the user sees. */
export type ViewAction =
	| LifecycleAction
	| TerminalAction
	| DisplayAction
	| FirstScreenAction
	| TranscriptAction
	| SelectionAction
	| SearchAction
	| OpenerAction
	| PageAction;

/** The actions about the user's input, the cards and the alerts. */
export type InputAction =
	| {readonly type: 'compose'; readonly action: ComposerAction}
	/** Sets the composer's state after a key or a click. */
	| {readonly type: 'set composer'; readonly composer: ComposerState}
	| CompletionAction
	| PreflightAction
	| PromptHistoryAction
	| AsksAction
	| AlertAction
	| NotificationAction
	| KeysAction;

/** A receipt that says that the pod refused a message. */
export type Refused = Extract<Receipt, {readonly accepted: false}>;

/** The actions of the given types. This is a mapped type over `ActionMap`, so tables of handlers need no casts. */
export type ActionOf<Type extends Action['type']> = {
	readonly [Each in Type]: ActionMap[Each] & {readonly type: Each};
}[Type];

/** The module with the vim keys. inkpod loads this module only if the composer uses vim keys. */
export type VimKeys = typeof VimCode;

/** The values that never change while a screen is open. */
export type Setup = {
	/**
	The facts about the session before a pod is connected. After the connection these facts may be outdated, so use
	`sessionOf(state)`.
	*/
	readonly session: SessionInfo;
	/** The user's home directory, shown as `~`. */
	readonly home?: string | undefined;
	/** The lines that an empty transcript shows if there is no first screen. */
	readonly welcome: ReadonlyArray<readonly Span[]>;
	/** The first screen of a new session. */
	readonly firstScreen?: FirstScreen;
	readonly keymap: Keymap;
	/** The module with the vim keys, if the composer uses vim keys. */
	readonly vim?: VimKeys | undefined;
	/** Whether the screen is for a screen reader. */
	readonly isSpoken?: boolean;
	/** Whether the spinner of a running turn is not animated. */
	readonly isStill?: boolean;
	/** Whether the session is not saved, and so is lost when the screen closes. */
	readonly isUnsaved?: boolean;
	/** The parts of the status line, in order. If absent, the status line has all parts in the default order. */
	readonly statusParts?: readonly StatusPartName[] | undefined;
	/** Whether the screen is rendered inline, below the contents of the terminal. */
	readonly inline?: boolean;
	/** Whether mouse reports are on from the start. */
	readonly mouse?: boolean;
	/** The options for the window's title and the bell. If the options are absent, title and bell are off. */
	readonly notifications?: NotificationOptions;
	/** The initial draft of the composer. */
	readonly draft?: readonly Segment[];
};

/** The whole state of the screen, with a slice for each feature. Only `reduce` creates a new state. */
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
	/** The pod's forecast for the file references in the draft. */
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

export const initialDisplay: DisplayState = {
	theme: undefined,
	themeName: undefined,
	isSplit: false,
	isTaskListOpen: false,
};

export function reduceDisplay(display: DisplayState, action: DisplayAction): DisplayState {
	switch (action.type) {
		case 'try theme':
			return {...display, theme: action.theme.theme};
		case 'theme saved':
		case 'choose theme':
			return {...display, theme: action.theme.theme, themeName: action.theme.name};
		case 'split diffs':
			return {...display, isSplit: action.isSplit};
		case 'toggle task list':
			return {...display, isTaskListOpen: !display.isTaskListOpen};
		default:
			return action satisfies never;
	}
}

export function reduceLifecycle(lifecycle: LifecycleState, action: LifecycleAction): LifecycleState {
	switch (action.type) {
		case 'pod connected':
			return {...lifecycle, isConnected: true};
		case 'quit':
			return {...lifecycle, quitting: true};
		case 'detach':
			return {...lifecycle, isDetaching: action.isDetaching};
		case 'replay at':
			return {...lifecycle, replayLine: action.line};
		default:
			return action satisfies never;
	}
}

type ActionMap = {readonly [Each in Action as Each['type']]: Each};

type DisplayAction =
	/** Shows a theme until you choose one or close the page. */
	| {readonly type: 'try theme'; readonly theme: NamedTheme}
	/** Uses the theme that the settings now contain. */
	| {readonly type: 'theme saved'; readonly theme: NamedTheme}
	/** Uses and saves a theme. */
	| {readonly type: 'choose theme'; readonly theme: NamedTheme}
	| {readonly type: 'split diffs'; readonly isSplit: boolean}
	/** Expands the list of tasks, or collapses it. */
	| {readonly type: 'toggle task list'};

type LifecycleAction =
	/** A pod is connected. */
	| {readonly type: 'pod connected'}
	| {readonly type: 'quit'}
	| {readonly type: 'detach'; readonly isDetaching: boolean}
	/** The replay moved to another place in the session. */
	| {readonly type: 'replay at'; readonly line: string};

/** The user's choices about the look of the screen. */
type DisplayState = {
	/** The theme that you chose, or that the themes page previews. Absent while the screen has its initial theme. */
	readonly theme: ThemeChoice | undefined;
	/** The name of the theme that you chose on this screen. */
	readonly themeName: string | undefined;
	/** Whether diffs show the old and the new text side by side, if there is room. */
	readonly isSplit: boolean;
	/** Whether the list of tasks is expanded. */
	readonly isTaskListOpen: boolean;
};

/** The stages of the screen, from its connection to a pod until it closes. */
type LifecycleState = {
	/** Whether a pod is connected. */
	readonly isConnected: boolean;
	readonly quitting: boolean;
	/** Whether the session moves from this terminal to the server as soon as no tool runs. */
	readonly isDetaching: boolean;
	/** The line that shows the position in a replay, and the keys for the replay. */
	readonly replayLine: string | undefined;
};

const initialLifecycle: LifecycleState = {
	isConnected: false,
	quitting: false,
	isDetaching: false,
	replayLine: undefined,
};
