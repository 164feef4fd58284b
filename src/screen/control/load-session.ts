import type {Event} from '../../pod/protocol.ts';
import {showChord, type ActionName} from '../model/keys/keymap.ts';
import {keysAfterInterruption} from '../rows/texts.ts';
import type {App} from './app.ts';
import {sessionTail} from '../../transcript/session-tail.ts';
import type {FoldState} from '../../transcript/fold-state.ts';
import {foldAhead} from '../../transcript/state.ts';
import {createTranscriptStore, type TranscriptStore} from '../rows/store.ts';
import {atEnd, visible} from '../rows/viewport/viewport.ts';

type Snapshot = Extract<Event, {readonly type: 'snapshot'}>;

/** Creates the transcript of a screen, laid out for the size of that screen. */
export function openStore(app: App): TranscriptStore {
	const {columns} = app.state.terminal.size;
	const {isSpoken = false, keymap} = app.state.setup;
	const {isSplit} = app.state.display;
	const chordOf = (name: ActionName) => keymap.chords(name).map(showChord)[0];
	const resumeKeys = keysAfterInterruption(chordOf('submit'), chordOf('cancel'));
	return createTranscriptStore({columns, view: 'normal', isSpoken, isSplit, resumeKeys}, () => {
		app.dispatch({type: 'transcript changed'});
		app.changed('soon');
	});
}

/**
Shows the end of a session while the whole session is loading. The items must fill at least two screens. If there are
too few items, shows nothing and returns false. Later the whole session replaces this part without a visible change.
*/
export function showSessionTail(app: App, {session, items}: Pick<Snapshot, 'session' | 'items'>): boolean {
	const tail = sessionTail(items.slice(-maxShown));
	if (tail.length === 0) return false;
	const store = openStore(app);
	store.dispatch({type: 'snapshot', session, items: tail, tail: [], status: {kind: 'idle', asks: [], queue: []}});
	const wanted = app.state.terminal.size.rows * 2;
	const isEnough = visible(store, atEnd, wanted).rows.length === wanted;
	const unused = isEnough ? app.state.transcript.store : store;
	unused?.dispose();
	if (!isEnough) return false;
	app.dispatch({type: 'open transcript', transcript: store, isSessionTail: true});
	app.opened.resolve(store);
	app.changed('now');
	return true;
}

/** A queue that keeps the pod's events in order while a long snapshot is converted to blocks. */
type EventQueue = {readonly add: (event: Event) => void; readonly close: () => void};

/** The receiver of the events. `begin` is called before a long snapshot is converted to blocks. */
type EventTaker = {
	readonly take: (event: Event, folded?: FoldState) => void;
	readonly begin: (snapshot: Snapshot) => void;
};

/**
Passes the events of a pod to `take`. A long snapshot is converted to blocks in slices, so that inkpod can handle keys
and draw frames between the slices. Later events wait until the conversion has finished.
*/
export function createEventQueue({take, begin}: EventTaker): EventQueue {
	const waiting: Event[] = [];
	let isFolding = false;
	let isClosed = false;

	async function work(): Promise<void> {
		isFolding = true;
		for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
			if (!isLong(event)) take(event);
			else {
				begin(event);
				const folded = await foldInSlices(event, () => isClosed);
				if (folded === undefined) return;
				take(event, folded);
			}
		}
		isFolding = false;
	}

	return {
		add(event) {
			if (!isFolding && !isLong(event)) {
				take(event);
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

/** Converts a snapshot to blocks in slices. Resolves with `undefined` if the result is no longer wanted. */
async function foldInSlices(snapshot: Snapshot, isUnwanted: () => boolean): Promise<FoldState | undefined> {
	const steps = foldAhead(snapshot);
	for (let until = performance.now() + slice; ;) {
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

/** A snapshot with more items than this is converted in slices. */
const long = 1000;
/** The maximum number of items in the end of a session that is shown first. */
const maxShown = 4000;
/** The duration of a slice in milliseconds. */
const slice = 4;
