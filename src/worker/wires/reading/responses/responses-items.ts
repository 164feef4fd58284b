import type {AnswerEvent} from '../answer-event.ts';
import {textIn} from '../fields.ts';
import {hasContent, unreadPart} from '../unread.ts';
import {fieldOf} from '../../values.ts';
import {announced, createCall, endOfCall, identify, indexOf, setArguments, type Call} from './responses-call.ts';
import {
	addContent,
	addThoughts,
	encryptedContent,
	endOfMessage,
	endOfReasoning,
	phaseOf,
	startOfMessage,
	startOfReasoning,
	type MessageItem,
	type ReasoningItem,
	type TextNotes,
} from './responses-text.ts';

/** An item that cannot be read. Its last state is noted when the item ends. */
type UnreadItem = {readonly kind: 'unread'; readonly id: string; content: unknown};

type Item = MessageItem | ReasoningItem | Call | UnreadItem;
type ItemKind = Item['kind'];

type Events = readonly AnswerEvent[];
type OpenItem = {readonly item: Item; readonly index: number | undefined};

/** The number of items in a response that were read, and their types. */
export type ResponseCounts = {readonly items: number; readonly calls: number; readonly namelessCalls: number};

/**
Reads the output items of a response. Some servers omit start events, end events, indexes or ids, or change the id in
the middle of an item.
*/
export class ResponseItems {
	readonly #texts: TextNotes;
	#open: readonly OpenItem[] = [];
	/** The ids of the items that have ended, because some servers repeat an event. */
	readonly #ended = new Set<string>();
	#counts: ResponseCounts = {items: 0, calls: 0, namelessCalls: 0};

	constructor(texts: TextNotes) {
		this.#texts = texts;
	}

	get counts(): ResponseCounts {
		return this.#counts;
	}

	add(event: unknown): Events {
		const raw = fieldOf(event, 'item');
		const id = textIn(raw, 'id');
		const index = indexOf(event, 'output_index');
		const isKnown = this.#open.some(one => one.item.id === id && (index === undefined || one.index === index));
		if (isKnown || (id !== undefined && index === undefined && this.#ended.has(id))) return [];
		return this.#begin(kindOf(raw), raw, index).events;
	}

	finish(event: unknown): Events {
		const raw = fieldOf(event, 'item');
		const kind = kindOf(raw);
		const id = textIn(raw, 'id');
		const known = this.#find(event, id, kind);
		if (known !== undefined) return this.#end(known, raw);
		if (id !== undefined && this.#ended.has(id)) return [];
		const {item, events} = this.#begin(kind, raw, indexOf(event, 'output_index'));
		return [...events, ...this.#end(item, raw)];
	}

	/** Returns the open message to which an event belongs. If there is no such message, one begins now. */
	message(event: unknown): {readonly item: MessageItem; readonly events: Events} {
		const known = this.#find(event, textIn(event, 'item_id'), 'message');
		if (known?.kind === 'message') return {item: known, events: []};
		const item = createMessage(this.#counts.items, textIn(event, 'item_id'), undefined);
		return {item, events: this.#place(item, indexOf(event, 'output_index'))};
	}

	/** Does the same as `message` for a reasoning item. */
	reasoning(event: unknown): {readonly item: ReasoningItem; readonly events: Events} {
		const known = this.#find(event, textIn(event, 'item_id'), 'reasoning');
		if (known?.kind === 'reasoning') return {item: known, events: []};
		const item = createReasoning(this.#counts.items, textIn(event, 'item_id'), undefined);
		return {item, events: this.#place(item, indexOf(event, 'output_index'))};
	}

	/** Does the same as `message` for a call. */
	call(event: unknown): {readonly item: Call; readonly events: Events} {
		const known = this.#find(event, textIn(event, 'item_id'), 'function_call');
		if (known?.kind === 'function_call') return {item: known, events: []};
		const id = textIn(event, 'item_id') ?? nameOf(this.#counts.items);
		const item = createCall(id, undefined);
		return {item, events: this.#place(item, indexOf(event, 'output_index'))};
	}

	/** Tells whether an event belongs to an item that cannot be read. */
	isUnread(event: unknown): boolean {
		return this.#find(event, textIn(event, 'item_id'), 'unread') !== undefined;
	}

	/** Ends all items. `output`: the complete items, if the server repeats them. */
	finishAll(output: readonly unknown[]): Events {
		if (this.#counts.items === 0) return output.flatMap(item => this.finish({item}));
		return this.#open.flatMap(({item, index}) => {
			const raw = index === undefined ? undefined : output[index];
			return this.#end(item, kindOf(raw) === item.kind ? raw : undefined);
		});
	}

	#find(event: unknown, id: string | undefined, kind: ItemKind): Item | undefined {
		const index = indexOf(event, 'output_index');
		const same = this.#open.filter(({item}) => item.kind === kind);
		const found =
			same.find(one => index !== undefined && one.index === index) ??
			same.find(one => id !== undefined && one.item.id === id) ??
			(index === undefined && id === undefined ? same.at(-1) : undefined);
		return found?.item;
	}

	#begin(kind: ItemKind, raw: unknown, index: number | undefined): {readonly item: Item; readonly events: Events} {
		const item = createItem(kind, raw, this.#counts.items);
		return {item, events: this.#place(item, index)};
	}

	/** Opens an item. Ends the open item with the same index, and the oldest item if too many are open. */
	#place(item: Item, index: number | undefined): Events {
		const before = this.#open.find(one => index !== undefined && one.index === index)?.item;
		const events = before === undefined ? [] : this.#end(before, undefined);
		const oldest = this.#open.length < maxOpen ? undefined : this.#open[0];
		const more = oldest === undefined ? [] : this.#end(oldest.item, undefined);
		this.#counts = {...this.#counts, items: this.#counts.items + 1};
		this.#open = [...this.#open, {item, index}];
		if (item.kind === 'message') this.#texts.citations.begin();
		else this.#texts.notes.countPart();
		return [...events, ...more, ...startOf(item, this.#texts)];
	}

	#end(item: Item, raw: unknown): Events {
		this.#open = this.#open.filter(one => one.item !== item);
		this.#ended.add(item.id);
		if (item.kind === 'message')
			return [...addContent(item, raw, this.#texts), endOfMessage(item, raw, this.#texts)];
		if (item.kind === 'reasoning')
			return [...addThoughts(item, raw, this.#texts), endOfReasoning(item, raw, this.#texts)];
		if (item.kind === 'function_call') return this.#endCall(item, raw);
		this.#noteUnread(raw ?? item.content);
		return [];
	}

	#endCall(call: Call, raw: unknown): Events {
		identify(call, raw);
		const events = announced(call);
		setArguments(call, raw);
		const {calls, namelessCalls} = this.#counts;
		if (call.isAnnounced) {
			this.#counts = {...this.#counts, calls: calls + 1};
			return [...events, endOfCall(call, raw, this.#texts.dataKey)];
		}
		this.#counts = {...this.#counts, namelessCalls: namelessCalls + 1};
		this.#noteUnread(raw ?? {type: 'function_call', arguments: call.whole || call.text});
		return [];
	}

	#noteUnread(content: unknown): void {
		if (hasContent(content))
			this.#texts.notes.addUnread(unreadPart(textIn(content, 'type') ?? 'output_item', content));
	}
}

/**
The maximum number of open items. Each event is compared with all open items, so the oldest item is ended if a server
ends none.
*/
const maxOpen = 256;

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

function createItem(kind: ItemKind, raw: unknown, count: number): Item {
	const id = textIn(raw, 'id');
	if (kind === 'message') return createMessage(count, id, phaseOf(raw));
	if (kind === 'reasoning') return createReasoning(count, id, raw);
	if (kind === 'function_call') return createCall(id ?? nameOf(count), raw);
	return {kind, id: id ?? nameOf(count), content: raw};
}

/** Returns the id for an item without an id. `count`: the number of items before this item. */
function nameOf(count: number): string {
	return `item_${count + 1}`;
}

function createMessage(count: number, id: string | undefined, phase: string | undefined): MessageItem {
	const name = nameOf(count);
	return {kind: 'message', part: name, id: id ?? name, phase, passed: new Set(), isIndexed: true};
}

function createReasoning(count: number, id: string | undefined, raw: unknown): ReasoningItem {
	const name = nameOf(count);
	const hasId = id !== undefined;
	const encrypted = encryptedContent(raw, hasId);
	return {kind: 'reasoning', part: name, id: id ?? name, hasId, encrypted, places: new Map()};
}

function startOf(item: Item, texts: TextNotes): Events {
	if (item.kind === 'message') return [startOfMessage(item, texts)];
	if (item.kind === 'reasoning') return [startOfReasoning(item, texts)];
	if (item.kind === 'unread') return [];
	return announced(item);
}
