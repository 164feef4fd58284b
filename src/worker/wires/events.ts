import type {ModelEvent, ModelMessage, ModelRequest, PartHead} from '../history/model.ts';
import type {ProviderData, Usage} from '../history/item.ts';
import type {AnswerDelta, AnswerEvent} from './reading/answer-event.ts';
import type {TakenNotes, UnreadPart} from './reading/answer-notes.ts';
import {isRecord} from './values.ts';

/** Turns the events of a reader into the events of a model. */
export type Translator = {
	/** Returns how many parts of the answer have begun. */
	readonly parts: () => number;
	/** The caller handles `finish` and `error`, and ends the open parts with `close`. */
	translate(event: Exclude<AnswerEvent, {type: 'finish' | 'error'}>): readonly ModelEvent[];
	/** Returns the ends of all open parts, in the order in which the parts began. */
	close(): readonly ModelEvent[];
};

/**
Creates a translator for the answer to `request`. `notes` contains the data that the reader found in addition to its
events.
*/
export function createTranslator(request: ModelRequest, notes: TakenNotes): Translator {
	const parts = new OpenParts(request.messages, notes);

	function unreadEvents(isOver: boolean): readonly ModelEvent[] {
		return notes.takeUnread(isOver).flatMap(part => parts.addUnread(part));
	}

	return {
		parts: () => parts.count,
		translate(event) {
			const unread = event.type === 'call_end' ? [] : unreadEvents(false);
			return [...unread, ...partEvents(event, parts)];
		},
		close: () => [...parts.endAll(), ...unreadEvents(true)],
	};
}

function partEvents(event: Exclude<AnswerEvent, {type: 'finish' | 'error'}>, parts: OpenParts): readonly ModelEvent[] {
	if (event.type === 'start') return parts.start({type: event.kind}, event.id, event.data).events;
	if (event.type === 'delta')
		return event.kind === 'tool_call' ? parts.addArguments(event) : parts.addText(event.kind, event);
	if (event.type === 'end') return parts.endText(event);
	if (event.type === 'call_start') return parts.startCall(event.id, event.name, event.data).events;
	return parts.endCall(event);
}

type OpenPart = {readonly key: string; readonly id: string; readonly kind: PartHead['type']; provider: ProviderData};
type Opened = {readonly open: OpenPart; readonly events: ModelEvent[]};

function opened(open: OpenPart): Opened {
	return {open, events: []};
}

/** The parts that have begun and have not ended. */
class OpenParts {
	/** The number of parts that have begun. */
	count = 0;
	readonly #open: OpenPart[] = [];
	readonly #uniqueId: (id: unknown) => string;
	readonly #notes: TakenNotes;

	constructor(messages: readonly ModelMessage[], notes: TakenNotes) {
		this.#notes = notes;
		this.#uniqueId = uniqueIds(messages);
	}

	start(head: PartHead, id: string, data?: ProviderData): Opened {
		this.count += 1;
		const open: OpenPart = {key: `p${this.count}`, id, kind: head.type, provider: merge({}, data)};
		this.#open.push(open);
		return {open, events: [{type: 'start', key: open.key, part: head}]};
	}

	startCall(id: unknown, name: unknown, data?: ProviderData): Opened {
		const callId = this.#uniqueId(typeof id === 'string' && id.length <= maxCallId ? id : undefined);
		const head = {type: 'tool_call', callId, name: typeof name === 'string' ? cutName(name) : ''} as const;
		return this.start(head, String(id), data);
	}

	/**
	If several calls have the same id, a delta belongs to the call that began last, and an end belongs to the call that
	began first.
	*/
	find(kind: OpenPart['kind'], id: unknown, which: 'first' | 'last'): OpenPart | undefined {
		const matches = (part: OpenPart): boolean => part.kind === kind && part.id === String(id);
		return which === 'first' ? this.#open.find(matches) : this.#open.findLast(matches);
	}

	addText(kind: 'text' | 'reasoning', delta: AnswerDelta): ModelEvent[] {
		const known = this.find(kind, delta.id, 'last');
		const {open, events} = known === undefined ? this.start({type: kind}, delta.id) : opened(known);
		return [...events, ...this.#add(open, delta)];
	}

	addArguments(delta: AnswerDelta): ModelEvent[] {
		const call = this.find('tool_call', delta.id, 'last');
		return call === undefined ? [] : this.#add(call, delta);
	}

	/** Ends a call. Starts the call first if it has not begun. */
	endCall({id, name, text, data}: Extract<AnswerEvent, {type: 'call_end'}>): ModelEvent[] {
		const known = this.find('tool_call', id, 'first');
		const {open, events} = known === undefined ? this.startCall(id, name) : opened(known);
		return [...events, this.end(open, data, text)];
	}

	endText({kind, id, data, isThought}: Extract<AnswerEvent, {type: 'end'}>): ModelEvent[] {
		const known = this.find(kind, id, 'last');
		return known === undefined ? [] : [{...this.end(known, data), ...(isThought && {isThought})}];
	}

	end(part: OpenPart, data?: ProviderData, text?: string): Extract<ModelEvent, {type: 'end'}> {
		this.#open.splice(this.#open.indexOf(part), 1);
		const noted = this.#notes.takeData(part.kind, part.kind === 'tool_call' ? part.id : undefined);
		const provider = merge(merge(part.provider, data), noted);
		return {
			type: 'end',
			key: part.key,
			...(text === undefined ? {} : {text}),
			...(Object.keys(provider).length === 0 ? {} : {provider: plain(provider)}),
		};
	}

	addUnread({type, data}: UnreadPart): ModelEvent[] {
		const head = {type: 'unread', kind: cutName(type), ...(data !== undefined && {data})} as const;
		const {open, events} = this.start(head, '');
		return [...events, this.end(open)];
	}

	endAll(): ModelEvent[] {
		return [...this.#open].map(part => this.end(part));
	}

	#add(open: OpenPart, {text, data}: AnswerDelta): ModelEvent[] {
		open.provider = merge(open.provider, data);
		return text === '' ? [] : [{type: 'delta', key: open.key, text}];
	}
}

/** Returns only the counts that an item can store, because a server may report any number. */
export function storableUsage(counts: Readonly<Partial<Record<keyof Usage, unknown>>>): Usage {
	return Object.fromEntries(Object.entries(counts).filter(([, count]) => isCount(count)));
}

function isCount(value: unknown): boolean {
	return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Merges two values, provider by provider. If a key is in both, the later value is used. */
function merge(first: ProviderData, second: ProviderData | undefined): ProviderData {
	if (second === undefined) return first;
	const merged = {...first};
	for (const [name, data] of Object.entries(second)) {
		const known = merged[name];
		if (isRecord(data)) merged[name] = isRecord(known) ? {...known, ...data} : {...data};
	}
	return merged;
}

/** Returns the value after a conversion to JSON and back. */
function plain(provider: ProviderData): ProviderData {
	const copy: ProviderData = JSON.parse(JSON.stringify(provider));
	return copy;
}

/** The maximum length of a tool name. No provider accepts longer names. */
const maxName = 256;
/**
The maximum length of a call id. The limit is high because some gateways put a signature into an id. A longer id is
replaced.
*/
const maxCallId = 16_384;

function cutName(name: string): string {
	return name.length <= maxName ? name : `${name.slice(0, maxName).toWellFormed()}…`;
}

/**
Returns a function that returns the id itself if the id is new and not blank. Otherwise the function returns a new id
that is derived from the given id.
*/
function uniqueIds(messages: readonly ModelMessage[]): (id: unknown) => string {
	const known = callIdsIn(messages);
	const own = new Set<string>();
	/** The number to try next for each known id, because a server may give all calls the same id. */
	const numbers = new Map<string, number>();
	return id => {
		const isNamed = typeof id === 'string' && id.trim() !== '';
		const stem = isNamed ? id : 'call';
		let unique = isNamed ? stem : `${stem}_1`;
		let number = numbers.get(stem) ?? 2;
		for (; known.has(unique) || own.has(unique); number += 1) unique = `${stem}_${number}`;
		numbers.set(stem, number);
		own.add(unique);
		return unique;
	};
}

/** The call ids of the first `count` messages. */
type KnownIds = {readonly ids: Set<string>; count: number; last: ModelMessage};

/** The call ids of each conversation, by its first message, so that only the new messages of a request are read. */
const knownIds = new WeakMap<ModelMessage, KnownIds>();

function callIdsIn(messages: readonly ModelMessage[]): ReadonlySet<string> {
	const [first, last] = [messages[0], messages.at(-1)];
	if (first === undefined || last === undefined) return new Set();
	const stored = knownIds.get(first);
	const isLonger = stored !== undefined && messages[stored.count - 1] === stored.last;
	const known = isLonger ? stored : {ids: new Set<string>(), count: 0, last};
	for (const message of messages.slice(known.count))
		if (message.role === 'assistant')
			for (const part of message.parts) if (part.type === 'tool_call') known.ids.add(part.callId);
	[known.count, known.last] = [messages.length, last];
	knownIds.set(first, known);
	return known.ids;
}
