import {tellAll} from '../../worker/index.ts';
import {growTail, settleTail, type Event, type Item, type SessionInfo, type Status} from '../protocol.ts';
import type {Tell} from './wire.ts';

/** What a server tells of its pod. */
export type Told = Extract<Tell, {type: string}>;

/** What is known here of a pod at the other end of a socket. Late listeners are told first what the earlier ones know. */
export type Mirror = {
	/** False for what may not come now. */
	take(said: Told): boolean;
	/** Whether there was a snapshot: only then may somebody subscribe. */
	isReady(): boolean;
	subscribe(listener: (event: Event) => void): () => void;
	/** The last event; who comes later hears it behind the snapshot. */
	close(event: Closed): void;
};

export type Closed = Extract<Event, {type: 'closed'}>;

export function createMirror(): Mirror {
	const listeners = new Set<(event: Event) => void>();
	/** A snapshot whose items are not all here. */
	let coming: {readonly head: Extract<Told, {type: 'snapshot'}>; readonly items: Item[]} | undefined;
	let known: Known | undefined;
	let closed: Closed | undefined;

	function collect(said: Extract<Told, {type: 'snapshot' | 'items'}>): boolean {
		if (said.type === 'snapshot') coming = {head: said, items: []};
		if (coming === undefined) return false;
		const {head, items} = coming;
		if (said.type === 'items') for (const item of said.items) items.push(item);
		if (items.length < head.count) return true;
		if (items.length > head.count) return false;
		coming = undefined;
		known = {session: head.session, items, tail: [...head.tail], status: head.status};
		tellAll(listeners, snapshotOf(known));
		return true;
	}

	function hear(event: Exclude<Event, {type: 'snapshot'}>): boolean {
		if (known === undefined || coming !== undefined) return false;
		followers[event.type]?.(known, event as never);
		tellAll(listeners, event);
		return true;
	}

	return {
		take: said => (said.type === 'snapshot' || said.type === 'items' ? collect(said) : hear(said)),
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
			tellAll(listeners, event);
			listeners.clear();
		},
	};
}

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
