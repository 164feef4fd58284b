import type {Event, Item, PodClient, Segment} from '../../pod/protocol.ts';
import {sendQueued} from './send.ts';
import {update, type App} from './app.ts';
import {isShellDraft, meaningOf} from '../commands/meaning.ts';
import {followAsks} from '../card/card-keys.ts';
import {scrollOn} from '../scroll-to.ts';
import type {Folded} from '../transcript/fold/folded.ts';
import type {TranscriptStore} from '../transcript/store.ts';
import {atEnd} from '../transcript/viewport.ts';

/** Hears a pod from its snapshot on. The transcript and all that draws it are loaded now: the first frame needs none of it. */
export async function connect(app: App, client: PodClient): Promise<void> {
	const {createLongEar, openStore, showEnding} = await import('./load-session.ts');
	if (app.state.transcript === undefined) app.dispatch({type: 'open transcript', transcript: openStore(app)});
	const opened = app.state.transcript!;
	app.opened.resolve(opened);
	const ear = createLongEar((event, folded) => hear(app, app.state.transcript ?? opened, event, folded), snapshot => {
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
	const committed = app.state.ending === undefined ? transcript.committed : 0;
	store.dispatch(event, folded);
	app.dispatch({type: 'transcript changed', isStreaming: event.type === 'delta'});
	if (event.type === 'snapshot') scrollOn(app, first);
	const {kind} = transcript.status;
	if (before !== 'running' && kind === 'running') runBegins(app, committed);
	hears[event.type]?.(app, event as never, committed);
	followAsks(app);
	// What left no trace was no run: what waits for the end of one waits on.
	if (before === 'running' && kind === 'idle' && transcript.committed > app.state.committedBefore) sendQueued(app);
	for (const part of app.options.parts) part.heard?.(app, event);
	app.changed(event.type === 'delta' ? 'soon' : 'now');
}

/** The receipt of a command of the person's comes when it is done; what it says is on the screen from its beginning. */
function runBegins(app: App, committed: number): void {
	app.dispatch({type: 'run began', committed});
	const {held} = app.state.composer;
	app.dispatch({type: 'set sending', sending: app.state.sending.filter(({segments}) => meaningOf(segments).type !== 'shell')});
	if (held !== undefined && isShellDraft(held.draft)) update(app, {type: 'accepted'});
}

/** `known`: how many items were heard of before. */
const hears: {readonly [Type in Event['type']]?: (app: App, event: Extract<Event, {type: Type}>, known: number) => void} = {
	snapshot(app, {items}, known) {
		for (const item of items.slice(Math.max(known, recalledFrom(items)))) hearItem(app, item);
	},
	item: (app, {item}) => hearItem(app, item),
	alert(app, {alert}) {
		app.dispatch({type: 'alert', alert});
	},
	closed(app, {sentence}) {
		if (sentence !== undefined) app.dispatch({type: 'alert', alert: {level: 'error', text: sentence}});
	},
};

function hearItem(app: App, item: Item): void {
	if (item.type === 'run_end' && item.outcome === 'cancelled') app.dispatch({type: 'return queue'});
	const segments = wordsOf(item);
	if (segments === undefined) return;
	const isOurs = app.state.composer.held !== undefined || app.state.sending.length > 0;
	update(app, {type: 'sent', segments});
	// What another terminal sends leaves alone where this person is reading.
	if (isOurs) app.dispatch({type: 'scroll', scroll: atEnd});
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
