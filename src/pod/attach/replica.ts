import {notifyAll} from '../../worker/index.ts';
import {growTail, settleTail, type Event, type Item, type SessionInfo, type Status} from '../protocol.ts';
import type {LineWeight} from './lines.ts';
import type {ServerMessage} from './wire.ts';

/** What a server tells of its pod. */
export type PodMessage = Extract<ServerMessage, {type: string}>;

/**
What is known here of a pod at the other end of a socket. Late listeners are told first what the earlier ones know.
*/
export type Replica = {
	/** `strange`: it may not come now. `too_much`: more would have to be kept than is allowed. */
	take(said: PodMessage, weight: LineWeight): Taken;
	/** Whether there was a snapshot: only then may somebody subscribe. */
	isReady(): boolean;
	subscribe(listener: (event: Event) => void): () => void;
	/** The last event; who comes later hears it behind the snapshot. */
	close(event: Closed): void;
};

export type Taken = 'taken' | 'strange' | 'too_much';

export type Closed = Extract<Event, {type: 'closed'}>;

/**
`maxWeight` bounds what is kept of the other process's session, in about the bytes of memory that it takes. While a new
snapshot comes, the old one is kept beside it.
*/
export function createReplica(maxWeight = usualMaxWeight): Replica {
	const listeners = new Set<(event: Event) => void>();
	/** A snapshot whose items are not all here. */
	let coming: {readonly head: Extract<PodMessage, {type: 'snapshot'}>; readonly items: Item[]} | undefined;
	let known: Known | undefined;
	let closed: Closed | undefined;
	/** Of the items that are kept, and of the provisional ones. */
	let kept = 0;
	let provisional = 0;

	function collect(said: Extract<PodMessage, {type: 'snapshot' | 'items'}>): boolean {
		if (said.type === 'snapshot') coming = {head: said, items: []};
		if (coming === undefined) return false;
		const {head, items} = coming;
		if (said.type === 'items') for (const item of said.items) items.push(item);
		if (items.length < head.count) return said.type === 'snapshot' || said.items.length > 0;
		if (items.length > head.count) return false;
		coming = undefined;
		known = {session: head.session, items, tail: [...head.tail], status: head.status};
		notifyAll(listeners, snapshotOf(known));
		return true;
	}

	function hear(event: Exclude<Event, {type: 'snapshot'}>): boolean {
		if (known === undefined || coming !== undefined) return false;
		followers[event.type]?.(known, event as never);
		if (known.tail.length === 0) provisional = 0;
		if (known.tail.length > maxTail) return false;
		notifyAll(listeners, event);
		return true;
	}

	/** Whether there is room for what a line brings. A snapshot takes the place of all before. */
	function weigh({type}: PodMessage, {bytes, values}: LineWeight): boolean {
		const weight = bytes + values * bytesOfValue;
		if (type === 'snapshot') [kept, provisional] = [weight, 0];
		else if (type === 'items' || type === 'item') kept += weight;
		else if (type === 'delta') provisional += weight;
		return kept + provisional <= maxWeight;
	}

	return {
		take(said, weight) {
			if (!weigh(said, weight)) return 'too_much';
			const isTaken = said.type === 'snapshot' || said.type === 'items' ? collect(said) : hear(said);
			return isTaken ? 'taken' : 'strange';
		},
		isReady: () => known !== undefined,
		subscribe(listener) {
			if (known === undefined) throw new Error('nothing is known of the pod yet');
			listener(snapshotOf(known));
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
const usualMaxWeight = 1024 * 1024 * 1024;
/** What a parsed value takes beside its text. */
const bytesOfValue = 48;
/** Provisional items: each delta looks for its own among them. */
const maxTail = 20_000;

type Known = {readonly session: SessionInfo; readonly items: Item[]; readonly tail: Item[]; status: Status};

function snapshotOf({session, items, tail, status}: Known): Event {
	return {type: 'snapshot', session, items: items.slice(), tail: tail.slice(), status};
}

const followers: {readonly [Type in Event['type']]?: (known: Known, event: Extract<Event, {type: Type}>) => void} = {
	item(known, {item}) {
		known.items.push(item);
		settleTail(known.tail, item);
	},
	delta: (known, delta) => growTail(known.tail, delta),
	status(known, {status}) {
		known.status = status;
	},
};
