import type {Alert, Event, Item, Method, PodClient, Receipt, Segment, SessionInfo, Status} from '../pod/protocol.ts';
import {addAlert, nextPassing, noAlerts, passAlerts, type Alerts} from './alerts.tsx';
import {compose, createComposer, type ComposerAction, type ComposerState} from './composer/composer-state.ts';
import {editorColumns} from './composer/composer-view.ts';
import {layOut, type Frame, type Size} from './frame.ts';
import type {Keymap} from './keys.ts';
import type {StatusFacts} from './status-line.tsx';
import type {Span} from './screen/row.ts';
import type {Theme} from './theme.ts';
import type {TranscriptStore} from './transcript/store.ts';
import {atEnd, type Scroll} from './transcript/viewport.ts';

export type AppOptions = {
	/** What is known before the pod is there. */
	readonly session: SessionInfo;
	readonly home?: string | undefined;
	/** What stands where the transcript will, line by line. */
	readonly welcome: ReadonlyArray<readonly Span[]>;
	readonly theme: Theme;
	readonly keymap: Keymap;
	/** Milliseconds of any epoch. */
	readonly now: () => number;
	/** Leaves the screen; the pod has been shut down. */
	readonly onQuit: () => void;
	readonly onSuspend: () => void;
	readonly onRedraw: () => void;
};

/** All state of the screen, changed in place by its handlers and by nothing else; who draws asks for a frame. */
export type App = {
	readonly options: AppOptions;
	/** What the pod said; absent until there is one. */
	store: TranscriptStore | undefined;
	composer: ComposerState;
	scroll: Scroll;
	alerts: Alerts;
	queue: ReadonlyArray<readonly Segment[]>;
	/** The card on the screen: since when, and how far its detail is scrolled. */
	card: {readonly id: string; readonly since: number; readonly scroll: number} | undefined;
	/** Until when another Ctrl+C quits. */
	quitUntil: number;
	quitting: boolean;
	/** Settles when there is a pod: what is said before waits for it. */
	readonly client: PromiseWithResolvers<PodClient>;
	frame: Frame;
	lastRequest: Extract<Item, {type: 'request'}> | undefined;
	/** Called after a change: `now` for what the person did, `soon` for what streams in. */
	readonly changed: (when: 'now' | 'soon') => void;
};

export function createApp(options: AppOptions, size: Size, changed: App['changed']): App {
	const base = {store: undefined, composer: createComposer(editorColumns(size.columns)), scroll: atEnd, alerts: noAlerts, queue: []};
	const frame = layOut({...base, askScroll: 0}, size);
	return {...base, options, card: undefined, quitUntil: 0, quitting: false, client: Promise.withResolvers<PodClient>(), frame, lastRequest: undefined, changed};
}

/** Makes the frame of this moment, at a size. */
export function draw(app: App, size: Size): Frame {
	if (size.columns !== app.frame.size.columns) {
		app.store?.setLayout({columns: size.columns});
		update(app, {type: 'resize', columns: editorColumns(size.columns)});
	}
	app.alerts = passAlerts(app.alerts, app.options.now());
	app.frame = layOut({...app, askScroll: app.card?.scroll ?? 0}, size);
	update(app, {type: 'scrolled', top: app.frame.composer.top});
	return app.frame;
}

/** Hears a pod from its snapshot on. The transcript and all that draws it are loaded now: the first frame needs none of it. */
export async function connect(app: App, client: PodClient): Promise<void> {
	const {createTranscriptStore} = await import('./transcript/store.ts');
	const store = createTranscriptStore({columns: app.frame.size.columns, view: 'normal', theme: app.options.theme});
	app.store = store;
	client.subscribe(event => hear(app, store, event));
	app.client.resolve(client);
}

/** What the pod does, as far as it is known. */
export function statusOf(app: App): Status {
	return app.store?.transcript.status ?? {kind: 'idle', asks: [], queue: []};
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

/** Sends a prompt that came with the command; a refusal puts it into the composer. */
export async function sendPrompt(app: App, text: string): Promise<void> {
	const receipt = await say(app, {method: 'run', segments: [{type: 'text', text}]});
	if (receipt.accepted) return;
	update(app, {type: 'returned', segments: [{type: 'text', text}]});
	tell(app, {level: 'error', text: receipt.sentence});
}

/** Sends what the composer holds; a refusal gives the draft back with its sentence. */
export async function sendHeld(app: App, segments: readonly Segment[]): Promise<void> {
	dismissAlerts(app);
	const receipt = await say(app, {method: 'run', segments: [...segments]});
	update(app, {type: receipt.accepted ? 'accepted' : 'refused'});
	if (!receipt.accepted && receipt.code !== 'aborted') tell(app, {level: 'error', text: receipt.sentence});
	app.changed('now');
}

export function tell(app: App, alert: Alert): void {
	app.alerts = addAlert(app.alerts, alert, app.options.now());
	app.changed('now');
}

/** Takes away what was told: the person has read it, or goes on. */
export function dismissAlerts(app: App): void {
	app.alerts = noAlerts;
}

export function update(app: App, action: ComposerAction): void {
	app.composer = compose(app.composer, action);
}

/** Gives what waits back to the composer. */
export function returnQueue(app: App): void {
	for (const segments of app.queue.toReversed()) update(app, {type: 'returned', segments});
	app.queue = [];
}

/** When the screen changes by itself: an alert passes, or Ctrl+C stops meaning quit. */
export function nextChange(app: App): number | undefined {
	const times = [nextPassing(app.alerts), app.quitUntil > app.options.now() ? app.quitUntil : undefined].filter(time => time !== undefined);
	return times.length === 0 ? undefined : Math.min(...times);
}

export function statusFacts(app: App): StatusFacts {
	const {usage} = app.lastRequest ?? {};
	const tokens = usage?.input === undefined ? undefined : usage.input + (usage.output ?? 0);
	return {
		session: app.store?.transcript.session ?? app.options.session,
		status: statusOf(app),
		hints: hints(app),
		notes: notes(app),
		...(tokens !== undefined && {tokens}),
		...(app.options.home !== undefined && {home: app.options.home}),
	};
}

function hear(app: App, store: TranscriptStore, event: Event): void {
	const before = store.transcript.status.kind;
	store.dispatch(event);
	hears[event.type]?.(app, event as never);
	const {kind, asks} = store.transcript.status;
	if (asks[0]?.id !== app.card?.id) app.card = asks[0] && {id: asks[0].id, since: app.options.now(), scroll: 0};
	if (before === 'running' && kind === 'idle') sendQueued(app);
	app.changed(event.type === 'delta' ? 'soon' : 'now');
}

const hears: {readonly [Type in Event['type']]?: (app: App, event: Extract<Event, {type: Type}>) => void} = {
	snapshot(app, {items}) {
		for (const item of items) hearItem(app, item);
	},
	item: (app, {item}) => hearItem(app, item),
	alert(app, {alert}) {
		app.alerts = addAlert(app.alerts, alert, app.options.now());
	},
	closed(app, {sentence}) {
		if (sentence !== undefined) app.alerts = addAlert(app.alerts, {level: 'error', text: sentence}, app.options.now());
	},
};

function hearItem(app: App, item: Item): void {
	if (item.type === 'request') app.lastRequest = item;
	if (item.type !== 'message' || item.role !== 'user') return;
	const segments = item.origin?.kind === 'submit' ? (item.origin['segments'] as readonly Segment[] | undefined) : undefined;
	update(app, {type: 'sent', segments: segments ?? [{type: 'text', text: item.text}]});
	app.scroll = atEnd;
}

/** What waited goes out when the run has come to its end by itself, one submission at a time. */
function sendQueued(app: App): void {
	const [first, ...rest] = app.queue;
	if (first === undefined || app.quitting) return;
	app.queue = rest;
	void say(app, {method: 'run', segments: [...first]}).then(receipt => {
		if (receipt.accepted) return;
		update(app, {type: 'returned', segments: first});
		tell(app, {level: 'error', text: receipt.sentence});
	});
}

function hints(app: App): string[] {
	const {kind, asks} = statusOf(app);
	if (app.quitUntil > app.options.now()) return ['Ctrl+C again quits'];
	if (asks.length > 0) return ['answer the card'];
	if (kind === 'running') return ['Esc stops', 'Ctrl+C cancels'];
	return kind === 'paused' ? ['Enter goes on', 'Ctrl+C gives up'] : ['Ctrl+O view', 'Ctrl+D quits'];
}

function notes(app: App): string[] {
	const {below} = app.frame.transcript;
	const scrolled = app.scroll.follow ? [] : [below > 0 ? `↓ ${below} new` : '↓ scrolled'];
	const view = app.store?.layout.view;
	return [...scrolled, ...(view === undefined || view === 'normal' ? [] : [view])];
}
