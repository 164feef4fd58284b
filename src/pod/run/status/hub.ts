import {notifyAll, type Delta, type History} from '../../../worker/index.ts';
import {type Timer, systemTimer} from '../../ground/values/is-record.ts';
import {
	growTail,
	isSettled,
	settleTail,
	streamedText,
	type Alert,
	type Event,
	type Item,
	type SessionInfo,
	type Status,
} from '../../protocol.ts';
import type {StreamLog, StreamPiece} from '../../disk/log/stream-file.ts';

/** Sends events to subscribers. A late subscriber gets the missed events in a snapshot. */
export type Hub = {
	/**
	Calls the listener with a snapshot at once, and then with every later event. Returns a function that unsubscribes
	it.
	*/
	subscribe(listener: (event: Event) => void): () => void;
	/** Adds streamed text. Clients get the text in batches, after it is in the stream's log. */
	delta(delta: Delta): void;
	/** Changes parts of the status and emits the whole status. */
	setStatus(change: Partial<Status>): void;
	status(): Status;
	alert(alert: Alert): void;
	/** Drops the streamed text of items that are not in history. Every subscriber then starts again with a snapshot. */
	dropTail(): void;
	/** Sends a new snapshot to every subscriber, because facts about the session have changed. */
	renew(): void;
	close(sentence?: string): void;
};

type HubOptions = {
	/** Saves streamed text until the text is in history. If it is absent, clients get each delta immediately. */
	readonly stream?: StreamLog | undefined;
	readonly timer?: Timer;
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: () => number;
};

/** Creates the hub of a history. The hub emits an item only when history reports it. */
export function createHub(
	history: History,
	session: () => SessionInfo,
	initial: Status,
	{stream, timer, now}: HubOptions = {},
): Hub {
	const listeners = new Set<(event: Event) => void>();
	const tail: Item[] = [];
	const batches = createDeltaBatches({deliver, pace: stream === undefined ? 0 : streamPace, timer, now});
	let status = initial;
	let emitted = history.items.length;

	const emit = (event: Event) => notifyAll(listeners, event);
	const snapshot = (): Event => ({
		type: 'snapshot',
		session: session(),
		items: history.items.slice(0, emitted),
		tail: tail.slice(),
		status,
	});
	const emitDelta = (delta: Delta) => {
		growTail(tail, delta);
		emit({type: 'delta', ...delta});
	};
	const openItem = ({id, begin}: Delta) => begin ?? tail.findLast(item => item.id === id);

	function deliver(deltas: readonly Delta[]): void {
		const problem = stream?.write(deltas.flatMap(delta => piecesOf(delta, openItem(delta))));
		for (const delta of deltas) emitDelta(delta);
		if (problem !== undefined) emit({type: 'alert', alert: {level: 'warn', text: problem}});
	}

	const unobserve = history.observe(item => {
		// The text of this item is in history now, so the log does not need it.
		for (const delta of batches.take(waiting => isSettledBy(item, openItem(waiting)))) emitDelta(delta);
		emitted++;
		settleTail(tail, item);
		emit({type: 'item', item});
		stream?.settle(tail);
	});

	return {
		subscribe(listener) {
			listeners.add(listener);
			listener(snapshot());
			return () => listeners.delete(listener);
		},
		delta: delta => batches.add(delta),
		setStatus(change) {
			status = withoutUndefined({...status, ...change});
			emit({type: 'status', status});
		},
		status: () => status,
		alert: alert => emit({type: 'alert', alert}),
		dropTail() {
			batches.take(() => true);
			if (tail.length === 0) return;
			tail.length = 0;
			stream?.settle(tail);
			emit(snapshot());
		},
		renew: () => emit(snapshot()),
		close(sentence) {
			unobserve();
			emit({type: 'closed', sentence});
			listeners.clear();
		},
	};
}

/**
Returns the pieces of a delta that must survive a kill of the process. Calls are not among them, because inkpod drops
the calls of an interrupted answer.
*/
function piecesOf({text}: Delta, item: Item | undefined): readonly StreamPiece[] {
	return text === '' || item === undefined || streamedText(item) === undefined ? [] : [{item, text}];
}

function isSettledBy(committed: Item, item: Item | undefined): boolean {
	return item === undefined || isSettled(item, committed);
}

function withoutUndefined(status: Status): Status {
	const copy = {...status};
	for (const [key, value] of Object.entries(copy)) if (value === undefined) Reflect.deleteProperty(copy, key);
	return copy;
}

/** Collects streamed text into batches, at most one for each frame of the screen. */
type DeltaBatches = {
	/**
	Adds a delta. After a pause, the first batch contains all deltas of the same turn of the event loop, so that a burst
	becomes one batch.
	*/
	add(delta: Delta): void;
	/** Removes and returns the collected deltas for which `isWanted` returns true. */
	take(isWanted: (delta: Delta) => boolean): readonly Delta[];
};

type BatchOptions = {
	/** Called with a batch: one delta for each item with new text, in the order of their first deltas. */
	readonly deliver: (deltas: readonly Delta[]) => void;
	/** The minimum number of milliseconds between two batches. With 0, every delta is a batch. */
	readonly pace: number;
	readonly timer?: Timer | undefined;
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: (() => number) | undefined;
};

/**
The time between two batches, in milliseconds. It equals the time between two frames of streamed text on the screen.
*/
const streamPace = 48;

function createDeltaBatches({
	deliver,
	pace,
	timer = systemTimer,
	now = () => performance.now(),
}: BatchOptions): DeltaBatches {
	const waiting = new Map<string, Delta>();
	let isTimed = false;
	let deliveredAt = Number.NEGATIVE_INFINITY;

	function flush(): void {
		isTimed = false;
		const deltas = [...waiting.values()];
		waiting.clear();
		if (deltas.length === 0) return;
		deliveredAt = now();
		deliver(deltas);
	}

	return {
		add(delta) {
			const earlier = waiting.get(delta.id);
			waiting.set(delta.id, earlier === undefined ? delta : {...earlier, text: earlier.text + delta.text});
			if (isTimed) return;
			if (pace === 0) {
				flush();
				return;
			}
			isTimed = true;
			timer(Math.max(0, deliveredAt + pace - now()), flush);
		},
		take(isWanted) {
			const taken = [...waiting.values()].filter(delta => isWanted(delta));
			for (const {id} of taken) waiting.delete(id);
			return taken;
		},
	};
}
