import type {Event, Item, SessionInfo} from '../../pod/protocol.ts';
import type {App} from './app.ts';
import {endingOf} from '../transcript/fold/ending.ts';
import type {Folded} from '../transcript/fold/folded.ts';
import {foldAhead} from '../transcript/fold/state.ts';
import {createTranscriptStore, type TranscriptStore} from '../transcript/store.ts';
import {atEnd, visible} from '../transcript/viewport.ts';

type Snapshot = Extract<Event, {readonly type: 'snapshot'}>;

/** The transcript of a screen, at its size. */
export function openStore({frame: {size: {columns}}}: App): TranscriptStore {
	return createTranscriptStore({columns, view: 'normal'});
}

/**
Shows the end of a session whose whole is still being read or folded: what its last items make, if that is what the whole session
ends in and there is a screen and a page above it. Answers whether it does. When the whole is there, it takes this one's place without a change on the screen.
*/
export function showEnding(app: App, {session, items}: {readonly session: SessionInfo; readonly items: readonly Item[]}): boolean {
	const ending = endingOf(items.slice(-mostShown));
	if (ending.length === 0) return false;
	const store = openStore(app);
	store.dispatch({type: 'snapshot', session, items: ending, tail: [], status: {kind: 'idle', asks: [], queue: []}});
	const wanted = app.frame.transcriptHeight * 2;
	const isEnough = visible(store, atEnd, wanted).rows.length === wanted;
	const unused = isEnough ? app.state.transcript : store;
	unused?.dispose();
	if (!isEnough) return false;
	app.dispatch({type: 'open transcript', transcript: store, isEnding: true});
	app.opened.resolve(store);
	app.changed('now');
	return true;
}

/** What hears the events of a pod. A snapshot of a long session is folded in slices, between which others have their turn; what comes behind it waits for it. */
export type LongEar = {readonly hear: (event: Event) => void; readonly close: () => void};

/** `begin` is told of a long snapshot before it is folded. */
export function createLongEar(hear: (event: Event, folded?: Folded) => void, begin: (snapshot: Snapshot) => void): LongEar {
	const waiting: Event[] = [];
	let isFolding = false;
	let isClosed = false;

	async function work(): Promise<void> {
		isFolding = true;
		for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
			if (!isLong(event)) hear(event);
			else {
				begin(event);
				const folded = await foldInSlices(event, () => isClosed);
				if (folded === undefined) return;
				hear(event, folded);
			}
		}
		isFolding = false;
	}

	return {
		hear(event) {
			if (!isFolding && !isLong(event)) {
				hear(event);
				return;
			}
			waiting.push(event);
			if (!isFolding) void work();
		},
		close() {
			isClosed = true;
			waiting.length = 0;
		},
	};
}

/** `undefined` when nobody wants it any more. */
async function foldInSlices(snapshot: Snapshot, isUnwanted: () => boolean): Promise<Folded | undefined> {
	const steps = foldAhead(snapshot);
	for (let until = performance.now() + slice; ; ) {
		const {done, value} = steps.next();
		if (done === true) return value;
		if (performance.now() < until) continue;
		await new Promise(resolve => setImmediate(resolve));
		if (isUnwanted()) return undefined;
		until = performance.now() + slice;
	}
}

function isLong(event: Event): event is Snapshot {
	return event.type === 'snapshot' && event.items.length > long;
}

/** Items of a session that is folded in slices. */
const long = 1000;
/** Items of an end that is looked at. */
const mostShown = 4000;
/** Milliseconds of folding at a stretch. */
const slice = 4;
