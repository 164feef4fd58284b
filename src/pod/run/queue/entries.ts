import type {QueuedMessage, QueueMessage, QueueState} from '../../protocol.ts';
import {previewOf} from './preview.ts';

/** A waiting message. One that is not stored belongs to its client, which has no id for it. */
export type Entry = QueueMessage & {
	readonly state: QueueState;
	readonly isStored: boolean;
	readonly refusal?: QueuedMessage['refusal'];
};

/** The waiting messages in memory, the next one first. Only saved messages, and those that need no save, are ready. */
export type Entries = {
	/** Returns all messages, also those that are not ready. */
	all(): readonly Entry[];
	add(entry: Entry): void;
	/** Returns a ready message. */
	get(id: string): Entry | undefined;
	/** Returns the message that is sent next. */
	next(): Entry | undefined;
	/** Replaces a message. */
	change(id: string, change: (entry: Entry) => Entry): void;
	setState(id: string, state: QueueState, refusal?: QueuedMessage['refusal']): void;
	/** Puts all stored messages of a state back into the queue, or those with the ids. */
	putBack(state: 'steering' | 'returned', ids?: readonly string[]): void;
	/** Moves a message before another one, or to the end. Returns false if either is missing. */
	move(id: string, before: string | undefined): boolean;
	/** Takes the waiting messages, or those with the ids. */
	take(ids?: readonly string[]): readonly QueueMessage[];
	remove(id: string): void;
	isSaved(id: string): boolean;
	/** Sets which messages are saved. */
	setSaved(ids: ReadonlySet<string>): void;
};

/** Creates the messages. It calls `onChange` with the ready ones when one of them has changed. */
export function createEntries(
	stored: readonly QueueMessage[],
	onChange: (queue: readonly QueuedMessage[]) => void,
): Entries {
	let entries: readonly Entry[] = [];
	let saved: ReadonlySet<string> = new Set(stored.map(({id}) => id));
	let shown: readonly Entry[] = [];

	function set(next: readonly Entry[]): void {
		entries = next;
		const now = entries.filter(isReady).toSorted((one, other) => ranks[one.state] - ranks[other.state]);
		if (now.length === shown.length && now.every((entry, index) => entry === shown[index])) return;
		shown = now;
		onChange(shown.map(rowOf));
	}

	const isReady = ({id, isStored}: Entry) => !isStored || saved.has(id);
	const update = (change: (entry: Entry) => Entry) => set(entries.map(change));

	set(stored.map(message => ({...message, state: 'queued', isStored: true})));
	return {
		all: () => entries,
		add: entry => set([...entries, entry]),
		get: id => entries.find(entry => entry.id === id && isReady(entry)),
		next: () => entries.find(entry => entry.state === 'queued' && isReady(entry)),
		change: (id, change) => update(entry => (entry.id === id ? change(entry) : entry)),
		setState: (id, state, refusal) =>
			update(entry => (entry.id === id && entry.state !== state ? withState(entry, state, refusal) : entry)),
		putBack(state, ids) {
			const isBack = (entry: Entry) => entry.isStored && entry.state === state && isOneOf(ids, entry);
			update(entry => (isBack(entry) ? withState(entry, 'queued') : entry));
		},
		move(id, before) {
			const next = moved(entries, id, before);
			if (next !== undefined) set(next);
			return next !== undefined;
		},
		take(ids) {
			const taken = entries.filter(entry => waits.has(entry.state) && isReady(entry) && isOneOf(ids, entry));
			update(entry => (taken.includes(entry) ? withState(entry, 'returned') : entry));
			return taken.map(messageOf);
		},
		remove: id => set(entries.filter(entry => entry.id !== id)),
		isSaved: id => saved.has(id),
		setSaved(ids) {
			saved = ids;
			set(entries);
		},
	};
}

export function messageOf({id, segments, command}: QueueMessage): QueueMessage {
	return {id, segments, command};
}

export function withState(entry: Entry, state: QueueState, refusal?: QueuedMessage['refusal']): Entry {
	return {...messageOf(entry), isStored: entry.isStored, state, refusal};
}

const waits: ReadonlySet<QueueState> = new Set(['queued', 'refused']);
const ranks: Readonly<Record<QueueState, number>> = {sending: 0, steering: 1, refused: 2, queued: 2, returned: 3};

function isOneOf(ids: readonly string[] | undefined, {id}: Entry): boolean {
	return ids === undefined || ids.includes(id);
}

function moved(entries: readonly Entry[], id: string, before: string | undefined): readonly Entry[] | undefined {
	const entry = entries.find(each => each.id === id);
	if (entry === undefined || before === id) return entry && entries;
	const others = entries.filter(each => each !== entry);
	const index = before === undefined ? others.length : others.findIndex(each => each.id === before);
	return index === -1 ? undefined : others.toSpliced(index, 0, entry);
}

function rowOf({id, state, segments, command, refusal}: Entry): QueuedMessage {
	const isCommand = command !== undefined;
	return {id, state, preview: previewOf(segments), ...(isCommand && {isCommand}), refusal};
}
