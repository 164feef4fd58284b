import {messageIdOf, type Event, type Item, type PodClient, type Segment} from '../../pod/protocol.ts';
import {readOrigins} from './card/read-origins.ts';
import {scrollOn} from './scroll/transcript-mouse.ts';
import {showAlert, update, type App} from './app.ts';
import type {FoldState} from '../../transcript/fold-state.ts';
import type {TranscriptStore} from '../rows/store.ts';
import {atEnd} from '../rows/viewport/viewport.ts';
import {resourceFor} from './runtime.ts';
import type {VisibleRow} from '../rows/viewport/viewport.ts';

/**
Handles the events of a pod, beginning with its snapshot. The code for the transcript is loaded here, because the first
frame does not need it.
*/
export async function connect(app: App, client: PodClient): Promise<void> {
	const {createEventQueue, openStore, showSessionTail} = await import('./load-session.ts');
	const opened = app.state.transcript.store ?? openStore(app);
	if (app.state.transcript.store === undefined) app.dispatch({type: 'open transcript', transcript: opened});
	app.opened.resolve(opened);
	const queue = createEventQueue({
		take: (event, folded) => takeEvent(app, app.state.transcript.store ?? opened, event, folded),
		begin(snapshot) {
			if (opened.transcript.epoch === 0) showSessionTail(app, snapshot);
		},
	});
	const unsubscribe = client.subscribe(queue.add);
	app.disconnect = () => {
		unsubscribe();
		queue.close();
	};
	app.client.resolve(client);
}

/**
Loads the stored conversations of the compactions that a frame shows in the detail view. Each conversation is loaded
once, after the frame.
*/
export function loadShownConversations(app: App, rows: readonly VisibleRow[]): void {
	const {store} = app.state.transcript;
	const {quitting} = app.state.lifecycle;
	if (store === undefined || quitting) return;
	const {asked} = runtimeOf(app);
	for (const {block} of rows) {
		if (block.kind !== 'compaction' || block.item.conversation === undefined || asked.has(block.id)) continue;
		if (!store.isDetailed(block.id) || store.conversations.get(block.id) !== undefined) continue;
		asked.add(block.id);
		void load(app, block.id).finally(() => asked.delete(block.id));
	}
}

function takeEvent(app: App, store: TranscriptStore, event: Event, folded?: FoldState): void {
	const {transcript} = store;
	const first = store.block(0)?.id;
	const {
		status: {kind: before},
	} = transcript;
	const committed = app.state.transcript.tail === undefined ? transcript.committed : 0;
	store.dispatch(event, folded);
	app.dispatch({
		type: 'transcript changed',
		isStreaming: event.type === 'delta',
		isSnapshot: event.type === 'snapshot',
	});
	if (event.type === 'snapshot') scrollOn(app, first);
	const {kind} = transcript.status;
	if (before !== 'running' && kind === 'running') {
		app.dispatch({type: 'run began'});
		readOrigins(app);
	}
	takeIn(app, event, committed);
	app.dispatch({type: 'pod event', event});
}

/** Handles an event. `known` is the number of items before the event. */
function takeIn(app: App, event: Event, known: number): void {
	switch (event.type) {
		case 'snapshot':
			for (const item of event.items.slice(Math.max(known, recalledFrom(event.items)))) takeItemIn(app, item);
			break;
		case 'item':
			takeItemIn(app, event.item);
			break;
		case 'alert':
			showAlert(app, event.alert);
			break;
		case 'closed':
			if (event.sentence !== undefined) showAlert(app, {level: 'error', text: event.sentence});
			break;
		case 'delta':
		case 'status':
	}
}

function takeItemIn(app: App, item: Item): void {
	const segments = wordsOf(item);
	if (segments === undefined) return;
	const {composer} = app.state;
	const {sending, queuedHere} = app.state.submission;
	const isOurs = composer.held !== undefined || sending.length > 0 || queuedHere.includes(messageIdOf(item) ?? '');
	update(app, {type: 'sent', segments});
	// A message from another terminal does not scroll this terminal.
	if (isOurs) app.dispatch({type: 'scroll', scroll: atEnd});
}

/**
The maximum number of messages from a stored session that can be recalled. Reading more messages would take noticeable
time.
*/
const maxRecalled = 500;

function recalledFrom(items: readonly Item[]): number {
	let left = maxRecalled;
	return Math.max(
		0,
		items.findLastIndex(item => wordsOf(item) !== undefined && --left === 0),
	);
}

/**
Returns the segments that the user submitted with an item, for the prompt history. Returns `undefined` for other items.
*/
function wordsOf(item: Item): readonly Segment[] | undefined {
	if (item.type !== 'message') return undefined;
	const {origin} = item;
	if (item.role === 'system') return shellWordsOf(origin);
	if (item.role !== 'user' || origin?.kind === 'task') return undefined;
	const segments = origin?.kind === 'submit' ? (origin['segments'] as readonly Segment[] | undefined) : undefined;
	return segments ?? [{type: 'text', text: item.text}];
}

function shellWordsOf(origin: Extract<Item, {readonly type: 'message'}>['origin']): readonly Segment[] | undefined {
	// The history contains a shell command twice: its start, and its output.
	const command = origin?.kind === 'shell' && origin['start'] === undefined ? origin['command'] : undefined;
	return typeof command === 'string' ? [{type: 'text', text: `!${command}`}] : undefined;
}

/** `asked` contains the ids of the compactions whose conversations were requested from the pod. */
const runtimeOf = resourceFor((): {readonly asked: Set<string>} => ({asked: new Set()}));

async function load(app: App, id: string): Promise<void> {
	const client = await app.client.promise;
	// If the connection to the pod was lost, other code reports it.
	const stored = await client.conversation(id).catch(() => undefined);
	if (stored === undefined) return;
	app.state.transcript.store?.conversations.set(id, stored);
	app.dispatch({type: 'transcript changed'});
	app.changed('soon');
}
