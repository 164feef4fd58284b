import type {Event, Item, PodClient, Segment} from '../pod/protocol.ts';
import {addAlert} from './alerts.ts';
import {sendQueued} from './app-send.ts';
import {returnQueue, setSending, update, type App} from './app-state.ts';
import {isShellDraft, meaningOf} from './commands/meaning.ts';
import {followAsks} from './card/card-keys.ts';
import {scrollOn} from './scroll-to.ts';
import type {Folded} from './transcript/folded.ts';
import type {TranscriptStore} from './transcript/store.ts';
import {atEnd} from './transcript/viewport.ts';

/** Hears a pod from its snapshot on. The transcript and all that draws it are loaded now: the first frame needs none of it. */
export async function connect(app: App, client: PodClient): Promise<void> {
	const {createLongEar, openStore, showEnding} = await import('./whole-session.ts');
	const opened = (app.store ??= openStore(app));
	app.opened.resolve(opened);
	const ear = createLongEar((event, folded) => hear(app, app.store ?? opened, event, folded), snapshot => {
		if (opened.transcript.epoch === 0) showEnding(app, snapshot);
	});
	const undo = client.subscribe(ear.hear);
	app.disconnect = () => {
		undo();
		ear.close();
	};
	app.client.resolve(client);
}

function hear(app: App, store: TranscriptStore, event: Event, folded?: Folded): void {
	const {transcript} = store;
	const first = store.block(0)?.id;
	const {status: {kind: before}} = transcript;
	const committed = app.ending === undefined ? transcript.committed : 0;
	store.dispatch(event, folded);
	if (event.type === 'snapshot') scrollOn(app, first);
	const {kind} = transcript.status;
	if (before !== 'running' && kind === 'running') runBegins(app, committed);
	hears[event.type]?.(app, event as never, committed);
	followAsks(app);
	// What left no trace was no run: what waits for the end of one waits on.
	if (before === 'running' && kind === 'idle' && transcript.committed > app.committedBefore) sendQueued(app);
	for (const part of app.options.parts) part.heard?.(app, event);
	app.changed(event.type === 'delta' ? 'soon' : 'now');
}

/** The receipt of a command of the person's comes when it is done; what it says is on the screen from its beginning. */
function runBegins(app: App, committed: number): void {
	app.committedBefore = committed;
	const {held} = app.composer;
	setSending(app, app.sending.filter(({segments}) => meaningOf(segments).type !== 'shell'));
	if (held !== undefined && isShellDraft(held.draft)) update(app, {type: 'accepted'});
}

/** `known`: how many items were heard of before. */
const hears: {readonly [Type in Event['type']]?: (app: App, event: Extract<Event, {type: Type}>, known: number) => void} = {
	snapshot(app, {items}, known) {
		for (const item of items.slice(Math.max(known, recalledFrom(items)))) hearItem(app, item);
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
	if (item.type === 'run_end' && item.outcome === 'cancelled') returnQueue(app);
	const segments = wordsOf(item);
	if (segments === undefined) return;
	const isOurs = app.composer.held !== undefined || app.sending.length > 0;
	update(app, {type: 'sent', segments});
	// What another terminal sends leaves alone where this person is reading.
	if (isOurs) app.scroll = atEnd;
}

/** Of a session that is loaded with all that was ever sent in it, only so much can be recalled: to compare and copy all of it would be felt. */
const mostRecalled = 500;

function recalledFrom(items: readonly Item[]): number {
	let from = items.length;
	for (let left = mostRecalled; from > 0 && left > 0; from--) if (wordsOf(items[from - 1]!) !== undefined) left--;
	return from;
}

/** What the person sent that made an item: it can be recalled. */
function wordsOf(item: Item): readonly Segment[] | undefined {
	if (item.type !== 'message') return undefined;
	const {origin} = item;
	if (item.role === 'system') return origin?.kind === 'shell' && typeof origin['command'] === 'string' ? [{type: 'text', text: `!${origin['command']}`}] : undefined;
	if (item.role !== 'user') return undefined;
	const segments = origin?.kind === 'submit' ? (origin['segments'] as readonly Segment[] | undefined) : undefined;
	return segments ?? [{type: 'text', text: item.text}];
}
