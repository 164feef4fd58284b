import type {PartHead} from '../../model.ts';
import type {ProviderData, Stop} from '../../item.ts';

type PartKind = PartHead['type'];

/** A part of an answer that inkpod cannot show as text. */
export type UnreadPart = {
	/** The provider's own name of its type, such as `image_generation_call`. */
	readonly type: string;
	/** Its content as JSON, at most 64 KB. */
	readonly data?: string;
};

/** What a reader found beside the events that it passed on. */
export type AnswerNotes = {
	/**
	Keeps a provider's own data with the next part of this kind that ends; `callId` names one tool call. The data is
	stored with the item and sent back to the same provider. Arrays of later notes are appended, other values replaced.
	*/
	keep(kind: PartKind, data: Readonly<Record<string, unknown>>, callId?: string): void;
	/** Adds a part that cannot be read. */
	addUnread(part: UnreadPart): void;
	/** Why the answer ended, if the provider package does not say so, and the provider's own explanation. */
	setEnd(end: {readonly stop?: Stop; readonly explanation?: string}): void;
};

/** The notes of one answer, as the translator takes them. */
export type TakenNotes = {
	/** The data for a part that ends now, under the provider's key. */
	takeData(kind: PartKind, callId?: string): ProviderData | undefined;
	takeUnread(): readonly UnreadPart[];
	readonly end: () => {readonly stop?: Stop; readonly explanation?: string};
};

/** `dataKey`: the key of this provider's data in an item. */
export function createAnswerNotes(dataKey: string): AnswerNotes & TakenNotes {
	const kept = new Map<string, Record<string, unknown>>();
	let unread: UnreadPart[] = [];
	let ending: {readonly stop?: Stop; readonly explanation?: string} = {};

	return {
		keep(kind, data, callId) {
			const key = keyOf(kind, callId);
			kept.set(key, withMore(kept.get(key) ?? {}, data));
		},
		addUnread: part => void unread.push(part),
		setEnd(end) {
			ending = {...ending, ...end};
		},
		takeData(kind, callId) {
			const key = keyOf(kind, callId);
			const data = kept.get(key);
			kept.delete(key);
			return data === undefined ? undefined : {[dataKey]: data};
		},
		takeUnread() {
			const taken = unread;
			unread = [];
			return taken;
		},
		end: () => ending,
	};
}

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
