import type {History} from '../../../worker/index.ts';
import {
	messageIdOf,
	type QueuedMessage,
	type QueueMessage,
	type Receipt,
	type QueueState,
	type Segment,
} from '../../protocol.ts';
import {maxQueued, QueueError, undelivered, type QueueFile} from '../../disk/log/queue-file.ts';
import {accepted} from '../status/job.ts';
import {t} from '../../../language/index.ts';

/**
The waiting messages of a session, in the order in which they are sent. queue.json contains a stored message before the
status shows it. A message leaves the queue when history contains it or a client has released it.
*/
export type MessageQueue = Pick<Entries, 'get' | 'next' | 'setState' | 'putBack' | 'move' | 'take' | 'remove'> & {
	/**
	Adds a message. Resolves when the message is saved, or immediately if the queue or history already contains it.
	*/
	add(message: QueueMessage): Promise<Receipt>;
	/** Adds a message to the current run without saving it. */
	addUnstored(message: QueueMessage): void;
	/**
	Removes a taken message durably. If that fails, the message is queued again. Accepts an id that is neither in the
	queue nor in history.
	*/
	release(id: string): Promise<Receipt>;
	/** Makes the current messages durable. Returns a refusal if that fails. */
	save(): Promise<Receipt>;
	/**
	Refuses the messages that wait for the first commit of the session. Called when the first turn ended without a
	commit.
	*/
	refuseUnsaved(): void;
};

export type MessageQueueOptions = {
	readonly history: History;
	/** The messages that an earlier process left. */
	readonly stored: readonly QueueMessage[];
	readonly createFile: (messages: () => readonly QueueMessage[]) => QueueFile;
	/** Called with the shown messages after one of them has changed. */
	readonly onChange: (queue: readonly QueuedMessage[]) => void;
};

export function createMessageQueue({history, stored, createFile, onChange}: MessageQueueOptions): MessageQueue {
	const entries = createEntries(undelivered(stored, history.items), onChange);
	const file = createFile(() =>
		entries
			.all()
			.filter(({isStored}) => isStored)
			.map(messageOf),
	);
	let begin = Promise.withResolvers<boolean>();
	const find = (id: string) => entries.all().find(entry => entry.id === id);

	async function save(): Promise<Receipt> {
		if (history.items.length === 0 && !(await begin.promise)) return notBegun;
		try {
			entries.setSaved(await file.save());
			return accepted;
		} catch (error) {
			if (!(error instanceof QueueError)) throw error;
			return {accepted: false, code: 'io', sentence: error.message};
		}
	}

	history.observe(item => {
		begin.resolve(true);
		const id = entries.all().length === 0 ? undefined : messageIdOf(item);
		if (id === undefined || find(id) === undefined) return;
		entries.remove(id);
		// A failure is harmless, because the next process finds the message in history.
		void save();
	});

	return {
		...entries,
		async add(message) {
			const {id} = message;
			if (find(id) !== undefined || isDelivered(history, id)) return accepted;
			if (entries.all().length >= maxQueued) return full;
			entries.add({...message, state: 'queued', isStored: true});
			const receipt = await save();
			const isLost = !receipt.accepted && find(id) !== undefined && !entries.isSaved(id);
			if (isLost) entries.remove(id);
			return isLost ? receipt : accepted;
		},
		addUnstored: message => entries.add({...message, state: 'steering', isStored: false}),
		async release(id) {
			const entry = find(id);
			if (entry === undefined) return isDelivered(history, id) ? gone : accepted;
			if (entry.state !== 'returned') return gone;
			entries.change(id, each => ({...each, isStored: false}));
			const receipt = await save();
			if (receipt.accepted) entries.remove(id);
			else entries.change(id, each => withState({...each, isStored: true}, 'queued'));
			return receipt;
		},
		save,
		refuseUnsaved() {
			if (history.items.length > 0) return;
			begin.resolve(false);
			begin = Promise.withResolvers();
		},
	};
}

const queueTexts = {
	full: t`The queue is full.`,
	notBegun: t`Not queued: the turn had ended before the session was saved.`,
	gone: t`This message is not in the queue any more.`,
};

const full: Receipt = {accepted: false, code: 'queue_full', sentence: queueTexts.full};

const notBegun: Receipt = {accepted: false, code: 'aborted', sentence: queueTexts.notBegun};

/** The receipt for a message that is not in the queue. */
export const gone: Receipt = {accepted: false, code: 'no_such_message', sentence: queueTexts.gone};

/**
Returns the beginning of a message, up to the length that a row can show. The pastes in the result have no content.
*/
export function previewOf(segments: readonly Segment[]): Segment[] {
	const preview: Segment[] = [];
	let left = maxLength;
	for (const segment of segments) {
		if (left <= 0) break;
		const short = shortened(segment, left);
		preview.push(short);
		left -= lengthOf(short);
	}
	return preview;
}

function isDelivered({items}: History, id: string): boolean {
	return items.findLast(item => messageIdOf(item) === id) !== undefined;
}

/** A waiting message. If `isStored` is false, the message is not in queue.json, and no client knows its id. */
export type Entry = QueueMessage & {
	readonly state: QueueState;
	readonly isStored: boolean;
	readonly refusal?: QueuedMessage['refusal'];
};

/** The waiting messages in memory, in order. A message is ready if it is saved or does not need to be saved. */
type Entries = {
	/** Returns all messages, including messages that are not ready. */
	all(): readonly Entry[];
	add(entry: Entry): void;
	/** Returns the message with this id, if it is ready. */
	get(id: string): Entry | undefined;
	/** Returns the next message to send. */
	next(): Entry | undefined;
	/** Replaces a message. */
	change(id: string, change: (entry: Entry) => Entry): void;
	setState(id: string, state: QueueState, refusal?: QueuedMessage['refusal']): void;
	/** Queues all stored messages in a state again, or only those with the given ids. */
	putBack(state: 'steering' | 'returned', ids?: readonly string[]): void;
	/** Moves a message before another message, or to the end. Returns false if one of them is missing. */
	move(id: string, before: string | undefined): boolean;
	/** Takes all ready messages that wait, or only those with the given ids. */
	take(ids?: readonly string[]): readonly QueueMessage[];
	remove(id: string): void;
	isSaved(id: string): boolean;
	/** Sets the ids of the saved messages. */
	setSaved(ids: ReadonlySet<string>): void;
};

/** Creates the waiting messages. Calls `onChange` with the ready messages after one of them has changed. */
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

function messageOf({id, segments, command}: QueueMessage): QueueMessage {
	return {id, segments, command};
}

function withState(entry: Entry, state: QueueState, refusal?: QueuedMessage['refusal']): Entry {
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

/**
The maximum length of a preview, in UTF-16 code units. This length is enough for a row of a wide terminal (about 1,000
columns).
*/
const maxLength = 2000;

function shortened(segment: Segment, length: number): Segment {
	if (segment.type === 'text') return {...segment, text: cut(segment.text, length)};
	if (segment.type === 'paste') return {...segment, content: ''};
	if (segment.type === 'file_ref') return {type: 'file_ref', path: cut(segment.path, length)};
	return {type: 'workflow', slug: cut(segment.slug, length)};
}

function cut(text: string, length: number): string {
	return text.length <= length ? text : text.slice(0, length).toWellFormed();
}

function lengthOf(segment: Segment): number {
	if (segment.type === 'text') return segment.text.length;
	return segment.type === 'file_ref' ? segment.path.length : 20;
}
