import {AnswerRefused} from '../http/refusal.ts';
import type {PartHead} from '../../history/model.ts';
import type {AnsweredBy, ProviderData, Stop} from '../../history/item.ts';
import {createAnsweredBy, type SaidFacts} from './answered-by.ts';

type PartKind = PartHead['type'];

/** A part of an answer that inkpod cannot show as text. */
export type UnreadPart = {
	/** The provider's own name for the type, such as `image_generation_call`. */
	readonly type: string;
	/** The content of the part as JSON, at most 64 KB. */
	readonly data?: string;
	/** Whether the part is added after the answer, although the reader finds it earlier. */
	readonly isLast?: boolean;
};

/** The data that a reader found in addition to the events that it passed on. */
export type AnswerNotes = {
	/**
	Keeps a provider's own data for the next part of this kind that ends, or for the tool call that `callId` names. The
	data is stored with the item and sent back to the same provider. Later arrays are appended to earlier arrays with
	the same key. Other later values replace earlier values.
	*/
	keep(kind: PartKind, data: Readonly<Record<string, unknown>>, callId?: string): void;
	/**
	Begins the next part of this kind. Later data belongs to this part, even if the previous part has not ended yet. A
	reader that uses this function calls it for every part of the kind. The part is counted for the limit.
	*/
	begin(kind: PartKind): void;
	/**
	Counts a part that a reader keeps, whether or not the part is passed on. An answer with too many parts is refused,
	because a server can put hundreds of thousands of parts into one event.
	*/
	countPart(): void;
	/** Adds a part that cannot be read. The part is counted for the limit. */
	addUnread(part: UnreadPart): void;
	/** Records why the answer ended, if its finish does not say why, and the provider's own explanation. */
	setEnd(end: {readonly stop?: Stop; readonly explanation?: string}): void;
	/** Notes what a part of the answer says about the whole answer. Values that are not texts are ignored. */
	noteAnswered(facts: SaidFacts): void;
};

/** The notes about one answer, as the translator receives them. */
export type TakenNotes = {
	/** Returns the data for a part that ends now, under the provider's key. */
	takeData(kind: PartKind, callId?: string): ProviderData | undefined;
	/**
	Returns the parts that cannot be read and were not returned before. If `isOver` is true, the answer has ended, and
	the parts after the answer are returned too.
	*/
	takeUnread(isOver: boolean): readonly UnreadPart[];
	readonly end: () => {readonly stop?: Stop; readonly explanation?: string};
	/** Returns what the server says about the answer, if that has changed since the last call. */
	takeAnswered(): AnsweredBy | undefined;
};

/**
`dataKey`: the key under which this provider's data is stored in an item. `asked`: the name of the model in the request.
*/
export function createAnswerNotes(dataKey: string, asked = ''): AnswerNotes & TakenNotes {
	const answered = createAnsweredBy(asked);
	/** The data of the parts of each kind that have not ended, in their order. */
	const kept = new Map<string, Array<Record<string, unknown>>>();
	let unread: UnreadPart[] = [];
	/** The parts that follow the answer. */
	let lastUnread: UnreadPart[] = [];
	let parts = 0;
	let ending: {readonly stop?: Stop; readonly explanation?: string} = {};

	function partsOf(key: string): Array<Record<string, unknown>> {
		const known = kept.get(key) ?? [];
		kept.set(key, known);
		return known;
	}

	function countPart(): void {
		parts += 1;
		if (parts > maxParts) throw new AnswerRefused('too_many_parts', String(maxParts));
	}

	return {
		countPart,
		keep(kind, data, callId) {
			const parts = partsOf(keyOf(kind, callId));
			parts.push(withMore(parts.pop() ?? {}, data));
		},
		begin(kind) {
			countPart();
			partsOf(kind).push({});
		},
		addUnread(part) {
			countPart();
			(part.isLast === true ? lastUnread : unread).push(part);
		},
		setEnd(end) {
			ending = {...ending, ...end};
		},
		takeData(kind, callId) {
			const data = kept.get(keyOf(kind, callId))?.shift();
			return data === undefined || Object.keys(data).length === 0 ? undefined : {[dataKey]: data};
		},
		noteAnswered: facts => answered.note(facts),
		takeAnswered: () => answered.take(),
		takeUnread(isOver) {
			const taken = isOver ? [...unread, ...lastUnread] : unread;
			unread = [];
			if (isOver) lastUnread = [];
			return taken;
		},
		end: () => ending,
	};
}

/** The maximum number of texts, thoughts, calls and other parts in one answer. No model sends nearly as many. */
export const maxParts = 10_000;

function keyOf(kind: PartKind, callId: string | undefined): string {
	return callId === undefined ? kind : `${kind} ${callId}`;
}

function withMore(
	known: Readonly<Record<string, unknown>>,
	more: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
	const merged: Record<string, unknown> = {...known};
	for (const [name, value] of Object.entries(more)) {
		const before = merged[name];
		merged[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
	}
	return merged;
}
