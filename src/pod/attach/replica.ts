import {notifyAll} from '../../worker/index.ts';
import {growTail, settleTail, type Event, type Item, type SessionInfo, type Status} from '../protocol.ts';
import type {LineWeight} from './lines.ts';
import type {PodMessage} from './wire.ts';

/** A copy of the state of a pod at the other end of a socket. Late listeners start with a snapshot of it. */
export type Replica = {
	/** `unexpected`: the message may not come now. `too_large`: it would exceed the memory limit. */
	take(message: PodMessage, weight: LineWeight): Taken;
	/** Whether the first snapshot is complete. Nobody may subscribe before. */
	isReady(): boolean;
	subscribe(listener: (event: Event) => void): () => void;
	/** Sends the last event. A later listener receives it right after the snapshot. */
	close(event: Closed): void;
};

export type Taken = 'taken' | 'unexpected' | 'too_large';

export type Closed = Extract<Event, {type: 'closed'}>;

type Update = Exclude<PodMessage, {type: 'snapshot' | 'items'}>;

/**
`maxWeight` limits the memory for the other process's session, in approximate bytes. While a new snapshot arrives, the
old one is kept as well.
*/
export function createReplica(maxWeight = defaultMaxWeight): Replica {
	const listeners = new Set<(event: Event) => void>();
	/** A snapshot whose items are not complete. */
	let incoming: {readonly head: Extract<PodMessage, {type: 'snapshot'}>; readonly items: Item[]} | undefined;
	let state: State | undefined;
	let closed: Closed | undefined;
	let itemsWeight = 0;
	let tailWeight = 0;

	function collect(message: Extract<PodMessage, {type: 'snapshot' | 'items'}>): boolean {
		if (message.type === 'snapshot') incoming = {head: message, items: []};
		if (incoming === undefined) return false;
		const {head, items} = incoming;
		if (message.type === 'items') for (const item of message.items) items.push(item);
		if (items.length < head.count) return message.type === 'snapshot' || message.items.length > 0;
		if (items.length > head.count) return false;
		incoming = undefined;
		state = {session: head.session, items, tail: [...head.tail], status: head.status};
		notifyAll(listeners, snapshotOf(state));
		return true;
	}

	function update(event: Update): boolean {
		if (state === undefined || incoming !== undefined) return false;
		apply(state, event);
		if (state.tail.length === 0) tailWeight = 0;
		if (state.tail.length > maxTail) return false;
		notifyAll(listeners, event);
		return true;
	}

	/** Whether there is room for the contents of a line. A snapshot replaces everything before it. */
	function hasRoom({type}: PodMessage, {bytes, values}: LineWeight): boolean {
		const weight = bytes + values * bytesOfValue;
		if (type === 'snapshot') [itemsWeight, tailWeight] = [weight, 0];
		else if (type === 'items' || type === 'item') itemsWeight += weight;
		else if (type === 'delta') tailWeight += weight;
		return itemsWeight + tailWeight <= maxWeight;
	}

	return {
		take(message, weight) {
			if (!hasRoom(message, weight)) return 'too_large';
			const isTaken =
				message.type === 'snapshot' || message.type === 'items' ? collect(message) : update(message);
			return isTaken ? 'taken' : 'unexpected';
		},
		isReady: () => state !== undefined,
		subscribe(listener) {
			if (state === undefined) throw new Error('a replica was subscribed to before its first snapshot');
			listener(snapshotOf(state));
			if (closed === undefined) listeners.add(listener);
			else listener(closed);
			return () => listeners.delete(listener);
		},
		close(event) {
			closed = event;
			notifyAll(listeners, event);
			listeners.clear();
		},
	};
}

/** A session of 200,000 items weighs about 200 MB. */
const defaultMaxWeight = 1024 * 1024 * 1024;
/** The memory of a parsed value besides its text. */
const bytesOfValue = 48;
/** Provisional items: each delta searches them for its own. */
const maxTail = 20_000;

type State = {readonly session: SessionInfo; readonly items: Item[]; readonly tail: Item[]; status: Status};

function snapshotOf({session, items, tail, status}: State): Event {
	return {type: 'snapshot', session, items: items.slice(), tail: tail.slice(), status};
}

function apply(state: State, event: Update): void {
	if (event.type === 'delta') growTail(state.tail, event);
	else if (event.type === 'status') state.status = event.status;
	else if (event.type === 'item') {
		state.items.push(event.item);
		settleTail(state.tail, event.item);
	}
}
