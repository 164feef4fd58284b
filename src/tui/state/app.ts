import type {Alert, Method, PodClient, Receipt, Segment} from '../../pod/protocol.ts';
import type {AlertTopic} from '../alerts/alerts.ts';
import type {Copied} from '../terminal/copied.ts';
import type {ComposerAction} from '../composer/composer-state.ts';
import type {Input} from '../hold/hold.ts';
import type {TerminalFacts} from '../terminal/capabilities.ts';
import type {Programs} from '../terminal/program.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import type {Action} from './actions.ts';
import type {AppState} from './app-state.ts';
import type {DraftSlot} from './drafts/draft-store.ts';
import {statusOf} from './selectors.ts';
import type {Timers} from './timers.ts';

/** What effects ask of the world around the screen. */
export type Services = {
	/** The programs that the user starts from the screen. */
	readonly programs: () => Promise<Programs>;
	/** Milliseconds of any epoch. */
	readonly now: () => number;
	/** Leaves the screen; the pod has been shut down. */
	readonly onQuit: () => void;
	readonly onSuspend: () => void;
	readonly onRedraw: () => void;
	/** Gives the terminal to a program until it has ended. False, and nothing done, when another has it already. */
	readonly onHandOver: (program: () => Promise<void>) => Promise<boolean>;
	/** Names the window. */
	readonly onTitle: (text: string) => void;
	readonly onBell: () => void;
	/** Makes another session ready to take this one's place. */
	readonly onSwitch?: (to: Destination) => Promise<Switched>;
	/** Puts a text on the clipboard. */
	readonly copy?: (text: string) => Promise<Copied>;
	/** What is known by now of what the terminal can send. */
	readonly terminal?: () => TerminalFacts;
	/** Where drafts are saved. */
	readonly drafts?: DraftSlot;
	/** Takes the mouse from the terminal, or gives it back. */
	readonly onMouse?: (on: boolean) => void;
	readonly preload?: Preload;
	/** The real ones where absent. */
	readonly timers?: Timers;
};

/** Loads what an answer needs while you type your prompt. */
export type Preload = {readonly typed: () => void; readonly stop: () => void};

/**
A session that the user wants to go to: a new one, one by its id or the beginning of it, one chosen from a list, or a
new one that begins as this one did up to an item (absent: as it is).
*/
export type Destination =
	| {readonly kind: 'new' | 'pick'}
	| {readonly kind: 'id'; readonly id: string}
	| {readonly kind: 'fork'; readonly upTo?: string};

/** `leave` goes there and takes the draft along. `typed`: what was typed for what opens. */
export type Switched =
	| {readonly ok: true; readonly leave: (draft: readonly Segment[], typed: string) => void}
	| {readonly ok: false; readonly sentence: string};

/** The state of a screen, the one door to change it, and what its effects work with. */
export type App = {
	/** The state as it is now. */
	readonly state: AppState;
	readonly dispatch: (action: Action) => void;
	readonly options: Services;
	/** Takes a key or paste in, as if it came from the terminal now. */
	readonly handle: (input: Input) => void;
	/** Settles when there is a transcript. */
	readonly opened: PromiseWithResolvers<TranscriptStore>;
	/** Settles when there is a pod: what is said before waits for it. */
	readonly client: PromiseWithResolvers<PodClient>;
	/** Ends what is heard from the pod. */
	disconnect: () => void;
	/** Asks for a frame: `now` for what the user did, `soon` for what streams in. */
	readonly changed: (when: 'now' | 'soon') => void;
};

/** Says a method to the pod, once there is one. */
export async function send(app: App, method: Method): Promise<Receipt> {
	const client = await app.client.promise;
	return client.send(method);
}

/** Leaves the screen at the user's word: asks first where something would end with the session. */
export async function leave(app: App): Promise<void> {
	if (await mayLeave(app)) await quit(app);
}

/** Whether this session may be closed: nothing runs in the background, or the user was asked. */
export async function mayLeave(app: App): Promise<boolean> {
	if (statusOf(app.state).background === undefined) return true;
	const receipt = await send(app, {method: 'leave'});
	return receipt.accepted;
}

/**
Shuts the pod down, which saves what runs as paused, and leaves the screen. What waits to be sent is a draft again.
*/
export async function quit(app: App): Promise<void> {
	if (app.state.quitting) return;
	app.dispatch({type: 'quit'});
	app.dispatch({type: 'return queue'});
	await send(app, {method: 'shutdown'});
	app.options.onQuit();
}

export function showAlert(app: App, alert: Alert, topic?: AlertTopic): void {
	app.dispatch({type: 'alert', alert, topic});
}

/** Takes away what was told: the user has read it, or goes on. */
export function dismissAlerts(app: App): void {
	app.dispatch({type: 'dismiss alerts'});
}

export function update(app: App, action: ComposerAction): void {
	app.dispatch({type: 'compose', action});
}
