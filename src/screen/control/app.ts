import type {
	Alert,
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
import type {TranscriptStore} from '../rows/store.ts';
import type {Action} from '../model/app-state.ts';
import type {AppState} from '../model/app-state.ts';
import type {DraftSlot} from './drafts/draft-store.ts';
import {statusOf} from '../model/selectors.ts';
import type {Timers} from './timers.ts';
import type {Key} from '../terminal/input/input.ts';
import {spokenTasks} from '../view/task-list/task-list-rows.ts';

/** The services outside of the screen that the effects use. */
export type Services = {
	/** The user's programs that can be started from the screen, such as an editor. */
	readonly programs: () => Promise<Programs>;
	/** Returns milliseconds since an arbitrary start. */
	readonly now: () => number;
	/** Called when the screen closes after the pod's shutdown. */
	readonly onQuit: () => void;
	readonly onSuspend: () => void;
	readonly onRedraw: () => void;
	/**
	Lends the terminal to a program until it ends. Resolves with false, without any effect, while another program has
	the terminal.
	*/
	readonly onLend: (program: () => Promise<void>) => Promise<boolean>;
	/** Sets the window's title. */
	readonly onTitle: (text: string) => void;
	readonly onBell: () => void;
	/** Writes a notification for the desktop. */
	readonly onNotice?: (bytes: string) => void;
	/** Prepares another session that replaces this one. */
	readonly onSwitch?: (to: Destination) => Promise<Switched>;
	/** Copies a text to the clipboard. */
	readonly copy?: (text: string) => Promise<Copied>;
	/** Reads the text in the clipboard. */
	readonly clipboardText?: () => Promise<ClipboardText>;
	/** Reads the image in the clipboard. */
	readonly clipboardImage?: () => Promise<ClipboardImage>;
	/** Writes the session to a file, by default to one that is named after it. */
	readonly exportSession?: (file: string) => Promise<{readonly ok: boolean; readonly sentence: string}>;
	/** Returns the known facts about the terminal's keys. */
	readonly terminal?: () => TerminalFacts;
	/** The place where drafts are saved. */
	readonly drafts?: DraftSlot;
	/** Turns mouse reports on or off. */
	readonly onMouse?: (on: boolean) => void;
	/** The themes, and the place where your choice is saved. */
	readonly themes?: ThemeService;
	/** All settings, and the way to change those of the user. */
	readonly settings?: SettingsService;
	/** Sets the shape of the cursor. */
	readonly onCursorShape?: (shape: CursorShape) => void;
	readonly preload?: Preload;
	/** Moves the replay of a stored session. Only a replay has it. */
	readonly replay?: (step: ReplayStep) => void;
	/** The default is the real timers. */
	readonly timers?: Timers;
};

/**
`current` is the name of the theme at the start. `hasFewColours`: the terminal shows its own colours in every theme.
`save` resolves with a sentence when this fails.
*/
export type ThemeService = {
	readonly list: readonly NamedTheme[];
	readonly current: string;
	readonly hasFewColours?: boolean;
	readonly save: (name: string) => Promise<string | undefined>;
};

/** `save` takes a value as the user types it, and resolves with a sentence when it is not saved. */
type SettingsService = {
	readonly list: () => Promise<
		| {readonly ok: true; readonly file: string; readonly settings: readonly SettingInfo[]}
		| {readonly ok: false; readonly sentence: string}
	>;
	readonly save: (path: readonly string[], typed: string) => Promise<string | undefined>;
};

/** Starts to load the code that an answer needs, while you are still typing your prompt. */
export type Preload = {readonly typed: () => void; readonly stop: () => void};

/**
The session to switch to: a new one, one by its id or prefix, one from a list, or a fork. A fork ends at an item, or is
complete if no item is given.
*/
export type Destination =
	| {readonly kind: 'new'}
	/** `isByNeed`: the sessions that need you come first. */
	| {readonly kind: 'pick'; readonly isByNeed?: true}
	| {readonly kind: 'id'; readonly id: string}
	/** A child session of this one or of its parent, or the parent of this child. */
	| {readonly kind: 'child'; readonly id: string}
	| {readonly kind: 'next child' | 'parent'}
	/** The server, which keeps the session open. `resumes`: the run that pauses for this continues there. */
	| {readonly kind: 'detach'; readonly resumes: boolean}
	| {readonly kind: 'fork'; readonly upTo?: string};

/**
The result of a switch: `leave` switches and keeps the draft for the next screen. `typed` is the text that was already
typed for the new screen.
*/
export type Switched =
	| {readonly ok: true; readonly leave: (draft: readonly Segment[], typed: string) => void}
	| {readonly ok: false; readonly sentence: string};

/** The app of a screen: its state, the only way to change that state, and the resources of its effects. */
export type App = {
	/** The current state. */
	readonly state: AppState;
	readonly dispatch: (action: Action) => void;
	readonly options: Services;
	/** Handles a key or a paste as if it came from the terminal. */
	readonly handle: (input: Input) => void;
	/** Resolves when a transcript exists. */
	readonly opened: PromiseWithResolvers<TranscriptStore>;
	/** Resolves when a pod is connected. Messages that were sent earlier wait for this. */
	readonly client: PromiseWithResolvers<PodClient>;
	/** Aborts when you quit. A pod that is not connected yet is not needed any more then. */
	readonly leaving: AbortController;
	/** Stops listening to the pod. */
	disconnect: () => void;
	/** Requests a frame: `now` for input of the user, `soon` for streamed text, `later` for what can wait. */
	readonly changed: (when: 'now' | 'soon' | 'later') => void;
};

/** Sends a method to the pod once it is connected. */
export async function send(app: App, method: Method): Promise<Receipt> {
	const client = await app.client.promise;
	return client.send(method);
}

/** Leaves the screen at the user's request. If background commands would end, it asks the user first. */
export async function leave(app: App): Promise<void> {
	if (await mayLeave(app)) await quit(app);
}

/** Tells whether this session may close: no command or child works in the background, or the user agrees. */
export async function mayLeave(app: App): Promise<boolean> {
	const {background, children = []} = statusOf(app.state);
	if (background === undefined && !children.some(child => child.background === true)) return true;
	const receipt = await send(app, {method: 'leave'});
	return receipt.accepted;
}

/**
Shuts down the pod, which pauses and saves the current run, and leaves the screen. Queued messages stay in the session.
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

/** Removes all alerts, because the user has read them or continues. */
export function dismissAlerts(app: App): void {
	app.dispatch({type: 'dismiss alerts'});
}

export function update(app: App, action: ComposerAction): void {
	app.dispatch({type: 'compose', action});
}

/** Handles the key that expands the task list. A screen reader has no list above the status, and reads it once. */
export function pressTaskList(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'expand tasks') return false;
	if (app.state.setup.isSpoken === true) showAlert(app, {level: 'info', text: spokenTasks(app.state)});
	else app.dispatch({type: 'toggle task list'});
	app.changed('now');
	return true;
}
