import {notifyAll, type History} from '../../worker/index.ts';
import {growTail, settleTail, type Alert, type Event, type Item, type SessionInfo, type Status} from '../protocol.ts';

/** Sends events to subscribers. A late subscriber gets the missed events as a snapshot. */
export type Hub = {
	/**
	Calls the listener with a snapshot at once, and then with every later event. Returns a function that unsubscribes
	it.
	*/
	subscribe(listener: (event: Event) => void): () => void;
	delta(delta: {readonly id: string; readonly text: string; readonly begin?: Item}): void;
	/** Changes parts of the status and emits the whole status. */
	setStatus(change: Partial<Status>): void;
	status(): Status;
	alert(alert: Alert): void;
	/** Drops streamed text that was not saved. Every subscriber starts again with a snapshot. */
	dropTail(): void;
	/** Starts every subscriber again with a snapshot, because the session has changed. */
	renew(): void;
	close(sentence?: string): void;
};

/** Creates the hub of a history. It emits an item only when history reports it. */
export function createHub(history: History, session: () => SessionInfo, initial: Status): Hub {
	const listeners = new Set<(event: Event) => void>();
	const tail: Item[] = [];
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
	const unobserve = history.observe(item => {
		emitted++;
		settleTail(tail, item);
		emit({type: 'item', item});
	});

	return {
		subscribe(listener) {
			listeners.add(listener);
			listener(snapshot());
			return () => listeners.delete(listener);
		},
		delta(delta) {
			growTail(tail, delta);
			emit({type: 'delta', ...delta});
		},
		setStatus(change) {
			status = withoutUndefined({...status, ...change});
			emit({type: 'status', status});
		},
		status: () => status,
		alert: alert => emit({type: 'alert', alert}),
		dropTail() {
			if (tail.length === 0) return;
			tail.length = 0;
			emit(snapshot());
		},
		renew: () => emit(snapshot()),
		close(sentence) {
			unobserve();
			emit({type: 'closed', ...(sentence !== undefined && {sentence})});
			listeners.clear();
		},
	};
}

function withoutUndefined(status: Status): Status {
	const copy = {...status};
	for (const [key, value] of Object.entries(copy)) if (value === undefined) Reflect.deleteProperty(copy, key);
	return copy;
}
