import {notifyAll} from '../../../worker/index.ts';
import {growTail, settleTail, type Event, type Item, type SessionInfo, type Status} from '../../protocol.ts';
import type {LineWeight} from '../../ground/text/lines.ts';
import type {PodMessage} from './wire.ts';

/**
A copy of the state of a pod in another process. A listener that subscribes later starts with a snapshot of this state.
*/
export type Replica = {
	/**
	Applies a message. `unexpected`: the message is not allowed now. `too_large`: the message exceeds the memory limit.
	*/
	take(message: PodMessage, weight: LineWeight): Taken;
	/** Tells whether the first snapshot is complete. Before that, `subscribe` throws. */
	isReady(): boolean;
	subscribe(listener: (event: Event) => void): () => void;
	/** Sends the last event. A later listener receives it right after its snapshot. */
	close(event: Closed): void;
};

type Taken = 'taken' | 'unexpected' | 'too_large';

type Closed = Extract<Event, {type: 'closed'}>;

type Update = Exclude<PodMessage, {type: 'snapshot' | 'items'}>;

/**
Creates a replica. `maxWeight` limits its approximate memory in bytes. The replica keeps the old state until a new
snapshot is complete.
*/
export function createReplica(maxWeight = defaultMaxWeight): Replica {
	const listeners = new Set<(event: Event) => void>();
	/** The snapshot that is still arriving. */
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

	/**
	Adds the weight of a line, and tells whether the replica stays within the memory limit. A snapshot replaces all
	earlier weights.
	*/
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

/** The default memory limit in bytes. A session of 200,000 items takes about 200 MB. */
const defaultMaxWeight = 1024 * 1024 * 1024;
/** The assumed memory of a parsed value in addition to its text, in bytes. */
const bytesOfValue = 48;
/** The maximum number of provisional items. The number is limited because each delta searches all provisional items. */
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
