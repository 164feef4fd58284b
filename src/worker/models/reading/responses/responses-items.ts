import {textIn} from '../fields.ts';
import {hasContent, unreadPart} from '../unread.ts';
import {fieldOf} from '../../values.ts';
import {announced, createCall, endOfCall, identify, indexOf, setArguments, type Call} from './responses-call.ts';
import {
	addContent,
	addThoughts,
	endOfMessage,
	endOfReasoning,
	phaseOf,
	startOfMessage,
	startOfReasoning,
	type MessageItem,
	type ReasoningItem,
	type TextNotes,
} from './responses-text.ts';

/** An item that cannot be read. Its last state is noted when it ends. */
type UnreadItem = {readonly kind: 'unread'; readonly out: number; readonly id: string; content: unknown};

export type Item = MessageItem | ReasoningItem | Call | UnreadItem;
export type ItemKind = Item['kind'];

/** The output items of a response. Servers omit starts, ends, indexes and ids, and change ids in the middle. */
export type ResponseItems = {
	readonly add: (event: unknown) => readonly unknown[];
	readonly finish: (event: unknown) => readonly unknown[];
	/** The open item of this kind that an event belongs to. One without a start begins now. */
	of<Kind extends Exclude<ItemKind, 'unread'>>(
		kind: Kind,
		event: unknown,
	): {readonly item: Extract<Item, {kind: Kind}>; readonly events: readonly unknown[]};
	/** Whether an event belongs to an item that cannot be read. */
	isUnread(event: unknown): boolean;
	/** Ends all items. `output`: the whole items, if the server repeats them. */
	finishAll(output: readonly unknown[]): readonly unknown[];
	readonly counts: {readonly items: number; readonly calls: number; readonly namelessCalls: number};
};

export function createResponseItems(texts: TextNotes): ResponseItems {
	const open: {readonly item: Item; readonly index: number | undefined}[] = [];
	/** The ids of the items that ended: some servers repeat an event. */
	const ended = new Set<string>();
	const counts = {items: 0, calls: 0, namelessCalls: 0};

	function find(event: unknown, id: string | undefined, kinds: readonly ItemKind[]): Item | undefined {
		const index = indexOf(event, 'output_index');
		const same = open.filter(({item}) => kinds.includes(item.kind));
		const found =
			same.find(one => index !== undefined && one.index === index) ??
			same.find(one => id !== undefined && one.item.id === id) ??
			(index === undefined && id === undefined ? same.at(-1) : undefined);
		return found?.item;
	}

	function begin(kind: ItemKind, raw: unknown, index: number | undefined, itemId?: string): readonly unknown[] {
		const before = open.find(one => index !== undefined && one.index === index)?.item;
		const events = before === undefined ? [] : end(before, undefined);
		const id = itemId ?? textIn(raw, 'id');
		const item = createItem(kind, raw, counts.items, id);
		counts.items += 1;
		open.push({item, index});
		return [...events, ...startOf(item, raw)];
	}

	function end(item: Item, raw: unknown): readonly unknown[] {
		open.splice(
			open.findIndex(one => one.item === item),
			1,
		);
		ended.add(item.id);
		if (item.kind === 'message') return [...addContent(item, raw, texts), endOfMessage(item, raw)];
		if (item.kind === 'reasoning') return [...addThoughts(item, raw), endOfReasoning(item, raw)];
		if (item.kind === 'function_call') return endCall(item, raw);
		const content = raw ?? item.content;
		if (hasContent(content)) texts.notes.addUnread(unreadPart(textIn(content, 'type') ?? 'output_item', content));
		return [];
	}

	function endCall(call: Call, raw: unknown): readonly unknown[] {
		identify(call, raw);
		const events = announced(call);
		setArguments(call, raw);
		if (call.isAnnounced) {
			counts.calls += 1;
			return [...events, endOfCall(call, raw)];
		}
		counts.namelessCalls += 1;
		texts.notes.addUnread(unreadPart('function_call', raw ?? {arguments: call.text}));
		return [];
	}

	function finish(event: unknown): readonly unknown[] {
		const raw = fieldOf(event, 'item');
		const kind = kindOf(raw);
		const id = textIn(raw, 'id');
		const known = find(event, id, [kind]);
		if (known !== undefined) return end(known, raw);
		if (id !== undefined && ended.has(id)) return [];
		const started = begin(kind, raw, indexOf(event, 'output_index'));
		const item = open.at(-1)?.item;
		return item === undefined ? started : [...started, ...end(item, raw)];
	}

	return {
		counts,
		finish,
		add(event) {
			const raw = fieldOf(event, 'item');
			const id = textIn(raw, 'id');
			const index = indexOf(event, 'output_index');
			const isKnown = open.some(one => one.item.id === id && (index === undefined || one.index === index));
			if (isKnown || (id !== undefined && index === undefined && ended.has(id))) return [];
			return begin(kindOf(raw), raw, index);
		},
		of(kind, event) {
			const id = textIn(event, 'item_id');
			const isKind = (item: Item | undefined): item is Extract<Item, {kind: typeof kind}> => item?.kind === kind;
			const known = find(event, id, [kind]);
			if (isKind(known)) return {item: known, events: []};
			const events = begin(kind, undefined, indexOf(event, 'output_index'), id);
			const item = open.at(-1)?.item;
			if (!isKind(item)) throw new Error(`A ${kind} began and is not open.`);
			return {item, events};
		},
		isUnread: event => find(event, textIn(event, 'item_id'), ['unread']) !== undefined,
		finishAll(output) {
			if (counts.items === 0) return output.flatMap(item => finish({item}));
			return open
				.slice()
				.flatMap(({item, index}) =>
					end(item, index === undefined ? undefined : sameKind(output[index], item.kind)),
				);
		},
	};
}

const kinds: Readonly<Record<string, ItemKind>> = {
	message: 'message',
	reasoning: 'reasoning',
	function_call: 'function_call',
	custom_tool_call: 'function_call',
};

function kindOf(raw: unknown): ItemKind {
	const type = textIn(raw, 'type') ?? '';
	return Object.hasOwn(kinds, type) ? (kinds[type] ?? 'unread') : 'unread';
}

function sameKind(raw: unknown, kind: ItemKind): unknown {
	return kindOf(raw) === kind ? raw : undefined;
}

function createItem(kind: ItemKind, raw: unknown, out: number, given: string | undefined): Item {
	const id = given ?? `item_${out + 1}`;
	if (kind === 'message') return {kind, out, id, phase: phaseOf(raw), passed: new Set(), isIndexed: true};
	if (kind === 'reasoning') return {kind, out, id, hasId: given !== undefined, places: new Map()};
	return kind === 'function_call' ? createCall(out, id, raw) : {kind, out, id, content: raw};
}

function startOf(item: Item, raw: unknown): readonly unknown[] {
	if (item.kind === 'message') return [startOfMessage(item)];
	if (item.kind === 'reasoning') return [startOfReasoning(item, raw)];
	if (item.kind === 'unread') return [];
	return announced(item);
}
