import type {Alert, Ask, Event, Method, PodClient, Receipt, Segment, SessionInfo, Status} from '../pod/protocol.ts';
import {addAlert, noAlerts, type Alerts, type AlertTopic} from './alerts.ts';
import type {Card, OwnAsk} from './card/card.ts';
import type {Copied} from './commands/copied.ts';
import {compose, createComposer, type ComposerAction, type ComposerState} from './composer/composer-state.ts';
import {editorColumns, placeholderFor} from './composer/composer-view.ts';
import type {Editor} from './composer/editor.ts';
import {layOut, type Above, type Frame, type Marks, type Size} from './frame.ts';
import type {Hold} from './hold.ts';
import {showChord, type Keymap} from './keys.ts';
import type {Page} from './overlay/page.ts';
import type {LastPress, Press} from './press.ts';
import {emptyQueue, type Queue, type Sending} from './queue.ts';
import type {TerminalFacts} from './screen/capabilities.ts';
import type {Key, Mouse} from './screen/stdin.ts';
import type {Row} from './text/row.ts';
import type {Mark} from './text/paint-row.ts';
import type {Span} from './text/span.ts';
import type {TranscriptStore} from './transcript/store.ts';
import {atEnd, type Scroll, type VisibleRow} from './transcript/viewport.ts';

export type AppOptions = {
	/** What is known before the pod is there. */
	readonly session: SessionInfo;
	readonly home?: string | undefined;
	/** What stands where the transcript will, line by line. */
	readonly welcome: ReadonlyArray<readonly Span[]>;
	readonly keymap: Keymap;
	/** In the order in which they are asked. */
	readonly parts: readonly Part[];
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
	/** Looks at what is about to be sent, before it is. `undefined`: it was held back, and the person was told; the draft comes back. */
	readonly confirm?: (app: App, segments: readonly Segment[]) => Promise<readonly Segment[] | undefined>;
	/** Makes another session ready to take this one's place. */
	readonly onSwitch?: (to: Destination) => Promise<Switched>;
	/** Puts a text on the clipboard. */
	readonly copy?: (text: string) => Promise<Copied>;
	/** What is known by now of what the terminal can send. */
	readonly terminal?: () => TerminalFacts;
	/** What the composer begins with. */
	readonly draft?: readonly Segment[];
	/** Whether the mouse is ours from the start. */
	readonly mouse?: boolean;
	/** Takes the mouse from the terminal, or gives it back. */
	readonly onMouse?: (on: boolean) => void;
};

/** A session that the person wants to go to: a new one, one by its id or the beginning of it, one to be chosen from a list, or a new one that begins as this one did up to an item (absent: as it is). */
export type Destination = {readonly kind: 'new' | 'pick'} | {readonly kind: 'id'; readonly id: string} | {readonly kind: 'fork'; readonly upTo?: string};

/** `leave` goes there and takes the draft along. `typed`: what was typed for what opens. */
export type Switched = {readonly ok: true; readonly leave: (draft: readonly Segment[], typed: string) => void} | {readonly ok: false; readonly sentence: string};

/** Where a view goes from somewhere. */
export type ScrollTo = (store: TranscriptStore, from: Scroll, height: number) => Scroll;

/** All state of the screen, changed in place by its handlers and by nothing else; who draws asks for a frame. */
export type App = {
	readonly options: AppOptions;
	/** What the pod said; absent until there is one. */
	store: TranscriptStore | undefined;
	composer: ComposerState;
	scroll: Scroll;
	/** What is on the screen is the end of the session only, and the rest is being read: since when, and where the person wants to go that is above it. */
	ending: {readonly since: number; readonly wanted: ScrollTo[]} | undefined;
	alerts: Alerts;
	/** Drafts that wait for the end of the run, the next one first. */
	queue: Queue;
	/** What the pod has been told and has given no receipt for, oldest first, but for the draft that the composer holds. */
	sending: readonly Sending[];
	/** Of these, the steered ones that the run ended without, until they are back in the composer. */
	undelivered: Queue;
	/** The held draft while it is being confirmed: it can still be taken back. */
	confirming: Editor | undefined;
	/** How much was committed when the run under way began. */
	committedBefore: number;
	/** What stands in the transcript's place, until it is closed. */
	page: Page | undefined;
	/** Ends what is heard from the pod. */
	disconnect: () => void;
	/** The card on the screen. */
	card: Card | undefined;
	/** What this screen asks by itself, oldest first. */
	ownAsks: readonly OwnAsk[];
	/** Told of each change of the draft while a card is up; `isPut` as in `Part.edited`. */
	onDraft: ((isPut: boolean) => void) | undefined;
	/** What waits for something that is opening. */
	hold: Hold | undefined;
	/** Settles when there is a transcript. */
	readonly opened: PromiseWithResolvers<TranscriptStore>;
	/** Another program has the terminal. */
	isAway: boolean;
	lastPress: LastPress | undefined;
	/** Whether the mouse is ours. */
	mouse: boolean;
	/** Whether the terminal has the person's attention; absent when it does not tell. */
	focused: boolean | undefined;
	/** Until when another Ctrl+C quits. */
	quitUntil: number;
	quitting: boolean;
	/** Settles when there is a pod: what is said before waits for it. */
	readonly client: PromiseWithResolvers<PodClient>;
	frame: Frame;
	/** Called after a change: `now` for what the person did, `soon` for what streams in. */
	readonly changed: (when: 'now' | 'soon') => void;
};

/**
A piece of the screen with state of its own: a popup, a preflight, an overlay. The screen asks its parts in their order and
knows nothing else of them.
*/
export type Part = {
	/** Takes a key that is its own; one that no part takes goes to the composer and the transcript. */
	readonly press?: (app: App, key: Key, press: Press) => boolean;
	/** Takes a paste that is its own. */
	readonly paste?: (app: App, text: string) => boolean;
	/** Takes a report of the mouse that is its own. */
	readonly mouse?: (app: App, mouse: Mouse) => boolean;
	/** What it marks on the transcript's rows, by their keys. */
	readonly marks?: (app: App, rows: readonly VisibleRow[]) => ReadonlyMap<string, readonly Mark[]>;
	/** Where the cursor stands in its first row, in cells, while it takes what is typed: it has the rows above the composer alone then. */
	readonly caret?: (app: App, columns: number) => number | undefined;
	/** The draft, its caret, or what is held or on its way has changed. `put`: not by a key, the draft came from elsewhere, as one that was refused does. */
	readonly edited?: (app: App, put: boolean) => void;
	/** The pod told something, which the transcript knows by now. */
	readonly heard?: (app: App, event: Event) => void;
	/** Rows right above the composer, at most so many, in the order of the parts. */
	readonly rows?: (app: App, columns: number, most: number) => readonly Row[];
	/** What stands in the place of the transcript, while it does, in at most so many rows; rows as above. */
	readonly overlay?: (app: App, columns: number, height: number) => readonly Row[] | undefined;
	/** When it changes by itself, in the app's milliseconds. */
	readonly nextChange?: (app: App) => number | undefined;
	/** The screen is being left. */
	readonly leave?: (app: App) => void;
};

export function createApp(options: AppOptions, size: Size, changed: App['changed']): App {
	const empty = createComposer(editorColumns(size.columns));
	const composer = options.draft === undefined ? empty : compose(empty, {type: 'returned', segments: options.draft});
	const base = {store: undefined, composer, scroll: atEnd, alerts: noAlerts, queue: emptyQueue, sending: []};
	const frame = layOut({...base, placeholder: placeholderOf(options), asks: [], card: undefined, hint: undefined, now: 0, end: '', marks: noMarks, above: noRows, overlay: noOverlay}, size);
	return {
		...base,
		ending: undefined,
		options,
		undelivered: emptyQueue,
		confirming: undefined,
		committedBefore: 0,
		page: undefined,
		disconnect() {},
		card: undefined,
		ownAsks: [],
		onDraft: undefined,
		hold: undefined,
		opened: Promise.withResolvers<TranscriptStore>(),
		isAway: false,
		lastPress: undefined,
		mouse: options.mouse === true,
		focused: undefined,
		quitUntil: 0,
		quitting: false,
		client: Promise.withResolvers<PodClient>(),
		frame,
		changed,
	};
}

/** What the composer says while it is empty, with the person's own keys. */
export function placeholderOf({keymap}: AppOptions): string {
	return placeholderFor(keymap.chords('newline').map(showChord)[0]);
}

const noRows = (): Above => ({rows: []});
const noOverlay = (): undefined => undefined;
const noMarks = (): Marks => new Map();

/** What the pod does, as far as it is known. */
export function statusOf(app: App): Status {
	return app.store?.transcript.status ?? {kind: 'idle', asks: [], queue: []};
}

/** What is asked, the one on the screen first: this screen's own questions, then the pod's. */
export function asksOf(app: App): readonly Ask[] {
	const {asks} = statusOf(app);
	return app.ownAsks.length === 0 ? asks : [...app.ownAsks.map(({ask}) => ask), ...asks];
}

/** Whether something runs, or is on its way to the pod. */
export function isBusy(app: App): boolean {
	return statusOf(app).kind === 'running' || app.composer.held !== undefined;
}

/** Says a method to the pod, once there is one. */
export async function say(app: App, method: Method): Promise<Receipt> {
	const client = await app.client.promise;
	return client.send(method);
}

/** Leaves the screen at the user's word: asks first where something would end with the session. */
export async function leave(app: App): Promise<void> {
	if (await mayLeave(app)) await quit(app);
}

/** Whether this session may be closed: nothing runs in the background, or the user was asked. */
export async function mayLeave(app: App): Promise<boolean> {
	if (statusOf(app).background === undefined) return true;
	const receipt = await say(app, {method: 'leave'});
	return receipt.accepted;
}

/** Shuts the pod down, which saves what runs as paused, and leaves the screen. What waits to be sent is a draft again. */
export async function quit(app: App): Promise<void> {
	if (app.quitting) return;
	app.quitting = true;
	returnQueue(app);
	await say(app, {method: 'shutdown'});
	app.options.onQuit();
}

export function tell(app: App, alert: Alert, topic?: AlertTopic): void {
	app.alerts = addAlert(app.alerts, alert, app.options.now(), topic);
	app.changed('now');
}

/** Takes away what was told: the person has read it, or goes on. */
export function dismissAlerts(app: App): void {
	app.alerts = noAlerts;
}

/** Changes the composer, and tells the parts where that changed the draft. */
export function update(app: App, action: ComposerAction): void {
	setComposer(app, compose(app.composer, action), putting.has(action.type));
}

/** What puts a draft into the composer that nobody types there now. */
const putting: ReadonlySet<ComposerAction['type']> = new Set(['refused', 'returned', 'replace']);

export function setComposer(app: App, composer: ComposerState, put = false): void {
	const {editor, held} = app.composer;
	app.composer = composer;
	if (composer.editor.draft === editor.draft && composer.editor.cursor === editor.cursor && composer.held === held) return;
	tellEdited(app, put);
}

export function setSending(app: App, sending: App['sending']): void {
	app.sending = sending;
	tellEdited(app, true);
}

function tellEdited(app: App, put: boolean): void {
	app.onDraft?.(put);
	for (const part of app.options.parts) part.edited?.(app, put);
}

/** Gives what waits back to the composer. */
export function returnQueue(app: App): void {
	for (const segments of app.queue.toReversed()) update(app, {type: 'returned', segments});
	app.queue = emptyQueue;
}
