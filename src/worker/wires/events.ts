import type {LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata} from '@ai-sdk/provider';
import type {ModelEvent, ModelRequest, PartHead} from '../history/model.ts';
import type {ProviderData, Stop, Usage} from '../history/item.ts';
import type {TakenNotes, UnreadPart} from './reading/answer-notes.ts';
import {fieldOf, isRecord} from './values.ts';

/** Turns a provider's stream parts into events, one part at a time. */
export type Translator = {
	/** Returns how many parts of the answer have begun. */
	readonly parts: () => number;
	/** Returns the token counts that are known so far. */
	readonly usage: () => Usage | undefined;
	/**
	Returns the events of a part. The caller handles `finish` and `error` parts, and ends the open parts with `close`.
	*/
	translate(part: LanguageModelV4StreamPart): ModelEvent[];
	/** Returns the ends that were held back, and the ends of all open parts, in the order in which the parts began. */
	close(): ModelEvent[];
};

/**
Creates a translator for the answer to `request`. With `callsSettleLate`, only `close` returns the ends of tool calls.
`notes` contains what the wire's reader found and the package does not report.
*/
export function createTranslator(request: ModelRequest, callsSettleLate: boolean, notes: TakenNotes): Translator {
	const sent = request.messages.flatMap(message => (message.role === 'assistant' ? message.parts : []));
	const parts = new OpenParts(
		sent.flatMap(part => (part.type === 'tool_call' ? [part.callId] : [])),
		notes,
	);
	const heldBack: ModelEvent[] = [];
	let early: Usage | undefined;

	function endCall(part: Part<'tool-call'>): ModelEvent[] {
		const known = parts.find('tool_call', part.toolCallId, 'first');
		const {open, events} = known === undefined ? parts.startCall(part.toolCallId, part.toolName) : opened(known);
		const ended = parts.end(open, part.providerMetadata, part.input);
		if (!callsSettleLate) return [...events, ended];
		heldBack.push(ended);
		return events;
	}

	function unreadEvents(isOver: boolean): ModelEvent[] {
		return notes.takeUnread(isOver).flatMap(part => parts.addUnread(part));
	}

	return {
		parts: () => parts.count,
		usage: () => early,
		translate(part) {
			if (part.type === 'tool-call') return part.providerExecuted === true ? [] : endCall(part);
			if (part.type === 'custom') early = earlyUsage(part.providerMetadata) ?? early;
			return [...unreadEvents(false), ...(textEvents(part, parts) ?? callEvents(part, parts) ?? [])];
		},
		close: () => [...heldBack.splice(0), ...parts.endAll(), ...unreadEvents(true)],
	};
}

/** Returns the events of a text or reasoning part. Returns `undefined` if the part is of another kind. */
function textEvents(part: LanguageModelV4StreamPart, parts: OpenParts): ModelEvent[] | undefined {
	if (part.type === 'text-start') return parts.start({type: 'text'}, part.id, part.providerMetadata).events;
	if (part.type === 'text-delta') return parts.addText('text', part);
	if (part.type === 'text-end') return parts.endText('text', part);
	if (part.type === 'reasoning-start') return parts.start({type: 'reasoning'}, part.id, part.providerMetadata).events;
	if (part.type === 'reasoning-delta') return parts.addText('reasoning', part);
	if (part.type === 'reasoning-end') return parts.endText('reasoning', part);
	return undefined;
}

/** Returns the events of an incomplete tool call. Returns `undefined` if the part is of another kind. */
function callEvents(part: LanguageModelV4StreamPart, parts: OpenParts): ModelEvent[] | undefined {
	if (part.type === 'tool-input-delta') return parts.addArguments(part);
	if (part.type !== 'tool-input-start') return undefined;
	return part.providerExecuted === true ? [] : parts.startCall(part.id, part.toolName, part.providerMetadata).events;
}

type OpenPart = {readonly key: string; readonly id: string; readonly kind: PartHead['type']; provider: ProviderData};
type Opened = {readonly open: OpenPart; readonly events: ModelEvent[]};
type StreamedText = {readonly id: string; readonly delta: string; readonly providerMetadata?: Metadata};

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

	constructor(knownCallIds: readonly string[], notes: TakenNotes) {
		this.#notes = notes;
		this.#uniqueId = uniqueIds(knownCallIds);
	}

	start(head: PartHead, id: string, metadata?: Metadata): Opened {
		this.count += 1;
		const open: OpenPart = {key: `p${this.count}`, id, kind: head.type, provider: merge({}, metadata)};
		this.#open.push(open);
		return {open, events: [{type: 'start', key: open.key, part: head}]};
	}

	startCall(id: unknown, name: unknown, metadata?: Metadata): Opened {
		const callId = this.#uniqueId(typeof id === 'string' && id.length <= maxCallId ? id : undefined);
		const head = {type: 'tool_call', callId, name: typeof name === 'string' ? cutName(name) : ''} as const;
		return this.start(head, String(id), metadata);
	}

	/**
	If ids are equal, a delta belongs to the call that began last, and an end belongs to the call that began first.
	*/
	find(kind: OpenPart['kind'], id: unknown, which: 'first' | 'last'): OpenPart | undefined {
		const matches = (part: OpenPart): boolean => part.kind === kind && part.id === String(id);
		return which === 'first' ? this.#open.find(matches) : this.#open.findLast(matches);
	}

	addText(kind: 'text' | 'reasoning', part: StreamedText): ModelEvent[] {
		const known = this.find(kind, part.id, 'last');
		const {open, events} = known === undefined ? this.start({type: kind}, part.id) : opened(known);
		return [...events, ...this.#add(open, part)];
	}

	addArguments(part: StreamedText): ModelEvent[] {
		const call = this.find('tool_call', part.id, 'last');
		return call === undefined ? [] : this.#add(call, part);
	}

	endText(
		kind: 'text' | 'reasoning',
		part: {readonly id: string; readonly providerMetadata?: Metadata},
	): ModelEvent[] {
		const known = this.find(kind, part.id, 'last');
		return known === undefined ? [] : [this.end(known, part.providerMetadata)];
	}

	end(part: OpenPart, metadata: Metadata, text?: string): ModelEvent {
		this.#open.splice(this.#open.indexOf(part), 1);
		const noted = this.#notes.takeData(part.kind, part.kind === 'tool_call' ? part.id : undefined);
		const provider = merge(merge(part.provider, metadata), noted);
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
		return [...events, this.end(open, undefined)];
	}

	endAll(): ModelEvent[] {
		return [...this.#open].map(part => this.end(part, undefined));
	}

	#add(open: OpenPart, {delta, providerMetadata}: StreamedText): ModelEvent[] {
		open.provider = merge(open.provider, providerMetadata);
		return delta === '' ? [] : [{type: 'delta', key: open.key, text: delta}];
	}
}

/**
Maps the finish reasons of the provider package to the stop reasons of an item. A stream that was cut or failed has
none.
*/
export const stops: Readonly<Record<string, Stop>> = {
	stop: 'end',
	'tool-calls': 'tool_calls',
	length: 'length',
	'content-filter': 'blocked',
	other: 'other',
};

/** Converts token counts to the form of an item. `input` includes the tokens read from and written to a cache. */
export function toUsage({inputTokens, outputTokens}: LanguageModelV4Usage): Usage {
	return withoutUnknown({
		input: countOf(inputTokens.total),
		output: countOf(outputTokens.total),
		cacheRead: countOf(inputTokens.cacheRead),
		cacheWrite: countOf(inputTokens.cacheWrite),
		reasoning: countOf(outputTokens.reasoning),
	});
}

/**
Returns the value if it is a count that an item can store. The check is needed because a server may claim any number.
*/
function countOf(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

function withoutUnknown(counts: Usage): Usage {
	return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, {type: Type}>;
type Metadata = SharedV4ProviderMetadata | undefined;

/** Merges two values, provider by provider. If a key is in both, the later value is used. */
function merge(first: ProviderData, second: Metadata | ProviderData): ProviderData {
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

/** The maximum length of a tool name. It is longer than any provider accepts. */
const maxName = 256;
/**
The maximum length of a call id. It is high because some gateways put a signature into an id. A longer id is replaced.
*/
const maxCallId = 16_384;

function cutName(name: string): string {
	return name.length <= maxName ? name : `${name.slice(0, maxName).toWellFormed()}…`;
}

/** Returns the id itself if it is new and not blank, or otherwise a new id that is derived from it. */
function uniqueIds(known: readonly string[]): (id: unknown) => string {
	const used = new Set(known);
	/** The number to try next for each known id, because a server may give all calls the same id. */
	const numbers = new Map<string, number>();
	return id => {
		const isNamed = typeof id === 'string' && id.trim() !== '';
		const stem = isNamed ? id : 'call';
		let unique = isNamed ? stem : `${stem}_1`;
		let number = numbers.get(stem) ?? 2;
		for (; used.has(unique); number += 1) unique = `${stem}_${number}`;
		numbers.set(stem, number);
		used.add(unique);
		return unique;
	};
}

/** Anthropic sends the input tokens when its message starts. If the stream breaks later, there are no other counts. */
function earlyUsage(metadata: Metadata): Usage | undefined {
	const usage = metadata?.['anthropic']?.['usage'];
	if (typeof usage !== 'object' || usage === null) return undefined;
	const count = (name: string) => countOf(fieldOf(usage, name)) ?? 0;
	const [fresh, cacheRead, cacheWrite] = [
		count('input_tokens'),
		count('cache_read_input_tokens'),
		count('cache_creation_input_tokens'),
	];
	return {input: fresh + cacheRead + cacheWrite, cacheRead, cacheWrite};
}
