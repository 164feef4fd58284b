import {AnswerRefused} from '../../http/refusal.ts';
import type {PartHead} from '../../model.ts';
import type {ProviderData, Stop} from '../../item.ts';

type PartKind = PartHead['type'];

/** A part of an answer that inkpod cannot show as text. */
export type UnreadPart = {
	/** The provider's own name of its type, such as `image_generation_call`. */
	readonly type: string;
	/** Its content as JSON, at most 64 KB. */
	readonly data?: string;
	/** It comes after the answer, although the reader finds it earlier: the package reads the events later. */
	readonly isLast?: boolean;
};

/** The findings of a reader besides the events that it passed on. */
export type AnswerNotes = {
	/**
	Keeps a provider's own data with the next part of this kind that ends; `callId` names one tool call. The data is
	stored with the item and sent back to the same provider. Arrays of later notes are appended, other values replaced.
	*/
	keep(kind: PartKind, data: Readonly<Record<string, unknown>>, callId?: string): void;
	/**
	Begins the next part of this kind. Later data is for it, even if the part before has not ended yet. A reader that
	uses this function calls it for every part of the kind. The part is counted.
	*/
	begin(kind: PartKind): void;
	/**
	Counts a part that a reader keeps, whether or not it is passed on. An answer with too many is refused: a server can
	put hundreds of thousands of them into one event.
	*/
	countPart(): void;
	/** Adds a part that cannot be read. It is counted. */
	addUnread(part: UnreadPart): void;
	/** Sets why the answer ended, if the provider package does not report it, and the provider's own explanation. */
	setEnd(end: {readonly stop?: Stop; readonly explanation?: string}): void;
};

/** The notes of one answer, as the translator takes them. */
export type TakenNotes = {
	/** Returns the data for a part that ends now, under the provider's key. */
	takeData(kind: PartKind, callId?: string): ProviderData | undefined;
	/** With `isOver` the answer is over, so this also returns the parts after it. */
	takeUnread(isOver: boolean): readonly UnreadPart[];
	readonly end: () => {readonly stop?: Stop; readonly explanation?: string};
};

/** `dataKey`: the key of this provider's data in an item. */
export function createAnswerNotes(dataKey: string): AnswerNotes & TakenNotes {
	/** The data of the parts of each kind that have not ended, in their order. */
	const kept = new Map<string, Array<Record<string, unknown>>>();
	let unread: UnreadPart[] = [];
	/** Those that follow the answer. */
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
		takeUnread(isOver) {
			const taken = isOver ? [...unread, ...lastUnread] : unread;
			unread = [];
			if (isOver) lastUnread = [];
			return taken;
		},
		end: () => ending,
	};
}

/** The limit of texts, thoughts, calls and other parts in one answer, far above what any model sends. */
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
