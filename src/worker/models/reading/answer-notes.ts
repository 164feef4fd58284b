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
	Keeps a provider's own data with the next part of this kind that ends; `id` names one part, as the package does. The
	data is stored with the item and sent back to the same provider. Arrays of later notes are appended, other values
	replaced.
	*/
	keep(kind: PartKind, data: Readonly<Record<string, unknown>>, id?: string): void;
	/** Adds a part that cannot be read. */
	addUnread(part: UnreadPart): void;
	/** Why the answer ended, if the provider package does not say so, and the provider's own explanation. */
	setEnd(end: {readonly stop?: Stop; readonly explanation?: string}): void;
};

/** The notes of one answer, as the translator takes them. */
export type TakenNotes = {
	/** The data for a part that ends now, under the provider's key. */
	takeData(kind: PartKind, id: string): ProviderData | undefined;
	takeUnread(): readonly UnreadPart[];
	readonly end: () => {readonly stop?: Stop; readonly explanation?: string};
};

/** `dataKey`: the key of this provider's data in an item. */
export function createAnswerNotes(dataKey: string): AnswerNotes & TakenNotes {
	const kept = new Map<string, Record<string, unknown>>();
	let unread: UnreadPart[] = [];
	let ending: {readonly stop?: Stop; readonly explanation?: string} = {};

	function take(key: string): Record<string, unknown> | undefined {
		const data = kept.get(key);
		kept.delete(key);
		return data;
	}

	return {
		keep(kind, data, id) {
			const key = keyOf(kind, id);
			kept.set(key, withMore(kept.get(key) ?? {}, data));
		},
		addUnread: part => void unread.push(part),
		setEnd(end) {
			ending = {...ending, ...end};
		},
		takeData(kind, id) {
			if (kept.size === 0) return undefined;
			const [data, own] = [take(keyOf(kind, undefined)), take(keyOf(kind, id))];
			if (data === undefined && own === undefined) return undefined;
			return {[dataKey]: withMore(data ?? {}, own ?? {})};
		},
		takeUnread() {
			const taken = unread;
			unread = [];
			return taken;
		},
		end: () => ending,
	};
}

function keyOf(kind: PartKind, id: string | undefined): string {
	return id === undefined ? kind : `${kind} ${id}`;
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
