import {notifyAll, type History} from '../../worker/index.ts';
import {growTail, settleTail, type Alert, type Event, type Item, type SessionInfo, type Status} from '../protocol.ts';

/** Where events meet their listeners. What a late listener needs to know is in its snapshot. */
export type Hub = {
	/** Calls the listener with a snapshot at once, then with every later event. Returns its undo. */
	subscribe(listener: (event: Event) => void): () => void;
	delta(delta: {readonly id: string; readonly text: string; readonly begin?: Item}): void;
	/** Changes what is given and tells the whole status. */
	setStatus(change: Partial<Status>): void;
	status(): Status;
	alert(alert: Alert): void;
	/** Drops what was streaming and was not saved; every listener begins anew with a snapshot. */
	dropTail(): void;
	/** The session is not what it was: every listener begins anew with a snapshot. */
	renew(): void;
	close(sentence?: string): void;
};

/** A hub over a history: an item is told when history tells it, and in no other way. */
export function createHub(history: History, session: () => SessionInfo, initial: Status): Hub {
	const listeners = new Set<(event: Event) => void>();
	const tail: Item[] = [];
	let status = initial;
	let told = history.items.length;

	const tell = (event: Event) => notifyAll(listeners, event);
	const snapshot = (): Event => ({
		type: 'snapshot',
		session: session(),
		items: history.items.slice(0, told),
		tail: tail.slice(),
		status,
	});
	const unobserve = history.observe(item => {
		told++;
		settleTail(tail, item);
		tell({type: 'item', item});
	});

	return {
		subscribe(listener) {
			listeners.add(listener);
			listener(snapshot());
			return () => listeners.delete(listener);
		},
		delta(delta) {
			growTail(tail, delta);
			tell({type: 'delta', ...delta});
		},
		setStatus(change) {
			status = withoutUndefined({...status, ...change});
			tell({type: 'status', status});
		},
		status: () => status,
		alert: alert => tell({type: 'alert', alert}),
		dropTail() {
			if (tail.length === 0) return;
			tail.length = 0;
			tell(snapshot());
		},
		renew: () => tell(snapshot()),
		close(sentence) {
			unobserve();
			tell({type: 'closed', ...(sentence !== undefined && {sentence})});
			listeners.clear();
		},
	};
}

function withoutUndefined(status: Status): Status {
	return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined)) as Status;
}
