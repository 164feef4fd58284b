import type {
	Alert,
	Ask,
	Method,
	NamedTheme,
	SettingInfo,
	PodClient,
	Receipt,
	ReplayStep,
	Segment,
} from '../../pod/protocol.ts';
import type {AlertTopic} from '../model/alerts/alerts.ts';
import type {ClipboardImage, ClipboardText, Copied} from '../terminal/clipboard/clipboard.ts';
import type {ComposerAction} from '../model/composer/composer-state.ts';
import type {Input} from '../model/keys/keys-state.ts';
import type {TerminalFacts} from '../terminal/capabilities.ts';
import type {Programs} from '../terminal/program.ts';
import type {CursorShape} from '../terminal/terminal.ts';
import type {ProgramStatus} from '../terminal/window/program-status.ts';
import type {TranscriptStore} from '../rows/store.ts';
import type {Action} from '../model/app-state.ts';
import type {AppState} from '../model/app-state.ts';
import type {DraftSlot} from './drafts/draft-store.ts';
import {statusOf} from '../model/selectors.ts';
import type {Timers} from './timers.ts';
import type {Key} from '../terminal/input/input.ts';
import {spokenTasks} from '../view/task-list/task-list-rows.ts';

/** The services that the effects use and that the screen itself does not provide. */
export type Services = {
	/** Loads the functions that start the user's programs, such as an editor. */
	readonly programs: () => Promise<Programs>;
	/** Returns milliseconds since an arbitrary start. */
	readonly now: () => number;
	/** Closes the screen. Called after the pod has shut down. */
	readonly onQuit: () => void;
	readonly onSuspend: () => void;
	readonly onRedraw: () => void;
	/**
	Lends the terminal to a program until that program ends. If another program already uses the terminal, does nothing
	and resolves with false.
	*/
	readonly onLend: (program: () => Promise<void>) => Promise<boolean>;
	/** Sets the window's title. */
	readonly onTitle: (text: string) => void;
	readonly onBell: () => void;
	/** Writes the bytes of a desktop notification to the terminal. */
	readonly onNotice?: (bytes: string) => void;
	/** Reports the state of the program to the terminal. */
	readonly onStatus?: (status: ProgramStatus) => void;
	/** Prepares another session, which then replaces this one. */
	readonly onSwitch?: (to: Destination) => Promise<Switched>;
	/** Copies `text` to the clipboard. */
	readonly copy?: (text: string) => Promise<Copied>;
	/** Reads the text in the clipboard. */
	readonly clipboardText?: () => Promise<ClipboardText>;
	/** Reads an image from the clipboard. */
	readonly clipboardImage?: () => Promise<ClipboardImage>;
	/** Writes the session to a file. The default file name contains the session's id. */
	readonly exportSession?: (file: string) => Promise<{readonly ok: boolean; readonly sentence: string}>;
	/** Returns the known facts about the terminal's keys. */
	readonly terminal?: () => TerminalFacts;
	/** Saves the drafts. */
	readonly drafts?: DraftSlot;
	/** Turns mouse reports on or off. */
	readonly onMouse?: (on: boolean) => void;
	/** Lists the themes and saves the user's choice. */
	readonly themes?: ThemeService;
	/** Lists all settings and changes the user's settings. */
	readonly settings?: SettingsService;
	/** Sets the shape of the cursor. */
	readonly onCursorShape?: (shape: CursorShape) => void;
	readonly preload?: Preload;
	/** Moves to another place in a replay. Absent if the screen does not show a replay. */
	readonly replay?: (step: ReplayStep) => void;
	/** If absent, the app uses real timers. */
	readonly timers?: Timers;
};

/**
`current` is the name of the initial theme. `hasFewColours`: the terminal has few colours, so every theme shows the
terminal's own colours. `save` resolves with a sentence if the theme cannot be saved.
*/
export type ThemeService = {
	readonly list: readonly NamedTheme[];
	readonly current: string;
	readonly hasFewColours?: boolean;
	readonly save: (name: string) => Promise<string | undefined>;
};

/** `save` takes a value as the user typed it. It resolves with a sentence if it cannot save the value. */
type SettingsService = {
	readonly list: () => Promise<
		| {readonly ok: true; readonly file: string; readonly settings: readonly SettingInfo[]}
		| {readonly ok: false; readonly sentence: string}
	>;
	readonly save: (path: readonly string[], typed: string) => Promise<string | undefined>;
};

/** The code that shows an answer, which is loaded while the user still types the prompt. */
export type Preload = {readonly typed: () => void; readonly stop: () => void};

/**
The session to switch to. `upTo` is the last item that a fork contains. Without `upTo`, the fork is a complete copy.
*/
export type Destination =
	| {readonly kind: 'new'}
	/**
	The session that the user picks in the session list. `isByNeed`: the sessions that wait for the user are at the top.
	*/
	| {readonly kind: 'pick'; readonly isByNeed?: true}
	| {readonly kind: 'id'; readonly id: string}
	/** A child session of this session, or a child session of the same parent. */
	| {readonly kind: 'child'; readonly id: string}
	| {readonly kind: 'next child' | 'parent'}
	/**
	Moves the session to the server, which keeps the session open. `resumes`: the server continues the run that pauses
	for this switch.
	*/
	| {readonly kind: 'detach'; readonly resumes: boolean}
	| {readonly kind: 'fork'; readonly upTo?: string};

/**
The result of preparing a switch. `leave` makes the switch and passes the draft to the next screen. `typed` is the text
that the user already typed for the new screen.
*/
export type Switched =
	| {readonly ok: true; readonly leave: (draft: readonly Segment[], typed: string) => void}
	| {readonly ok: false; readonly sentence: string; readonly remedy?: Remedy};

/**
A way to make a switch possible, which needs the user's approval. `ask` is the card, whose choice `allow` approves.
`start` resolves with a sentence if the switch is still not possible.
*/
export type Remedy = {
	readonly ask: Omit<Ask, 'id'>;
	/** An alert that is shown until the end of `start`. */
	readonly starting: string;
	readonly start: () => Promise<string | undefined>;
};

/**
The app of a screen: its state, `dispatch`, which is the only way to change the state, and the resources of the effects.
*/
export type App = {
	/** The current state. */
	readonly state: AppState;
	readonly dispatch: (action: Action) => void;
	readonly options: Services;
	/** Handles a key or a paste in the same way as input from the terminal. */
	readonly handle: (input: Input) => void;
	/** Resolves when a transcript exists. */
	readonly opened: PromiseWithResolvers<TranscriptStore>;
	/** Resolves when a pod is connected. Messages that were sent earlier wait for the connection. */
	readonly client: PromiseWithResolvers<PodClient>;
	/** Aborts when you quit. If no pod is connected at that time, inkpod no longer needs one. */
	readonly leaving: AbortController;
	/** Stops listening to the pod. */
	disconnect: () => void;
	/** Requests a frame: `now` after user input, `soon` for streamed text, `later` for changes that can wait. */
	readonly changed: (when: 'now' | 'soon' | 'later') => void;
};

/** Sends a method to the pod. Waits until a pod is connected. */
export async function send(app: App, method: Method): Promise<Receipt> {
	const client = await app.client.promise;
	return client.send(method);
}

/** Leaves the screen at the user's request. If this would end background tasks, the pod asks the user first. */
export async function leave(app: App): Promise<void> {
	if (await mayLeave(app)) await quit(app);
}

/**
Tells whether this session may close: no command or child session runs in the background, or the user agrees to end
them.
*/
export async function mayLeave(app: App): Promise<boolean> {
	const {background, children = []} = statusOf(app.state);
	if (background === undefined && !children.some(child => child.background === true)) return true;
	const receipt = await send(app, {method: 'leave'});
	return receipt.accepted;
}

/**
Shuts down the pod and closes the screen. The pod pauses and saves the current run. Queued messages stay in the session.
*/
export async function quit(app: App): Promise<void> {
	if (app.state.lifecycle.quitting) return;
	app.dispatch({type: 'quit'});
	app.leaving.abort();
	await send(app, {method: 'shutdown'});
	app.options.onQuit();
}

export function showAlert(app: App, alert: Alert, topic?: AlertTopic): void {
	app.dispatch({type: 'alert', alert, topic});
	app.changed('now');
}

/** Removes all alerts. Called when the user's next action shows that the alerts are no longer needed. */
export function dismissAlerts(app: App): void {
	app.dispatch({type: 'dismiss alerts'});
}

export function update(app: App, action: ComposerAction): void {
	app.dispatch({type: 'compose', action});
}

/**
Handles the key that expands the task list. The screen for a screen reader has no task list, so an alert reads the tasks
once.
*/
export function pressTaskList(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'expand tasks') return false;
	if (app.state.setup.isSpoken === true) showAlert(app, {level: 'info', text: spokenTasks(app.state)});
	else app.dispatch({type: 'toggle task list'});
	app.changed('now');
	return true;
}
