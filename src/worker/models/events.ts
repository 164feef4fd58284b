import type {LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata} from '@ai-sdk/provider';
import type {ModelEvent, ModelRequest, PartHead} from '../model.ts';
import type {ProviderData, Stop, Usage} from '../item.ts';

/** Turns a provider's stream parts into events, one part at a time. */
export type Translator = {
	/** How many parts of the answer have begun. */
	readonly parts: () => number;
	/** What is known of the tokens so far. */
	readonly usage: () => Usage | undefined;
	/** `finish` and `error` parts are the caller's, who also settles what is open with `close`. */
	translate(part: LanguageModelV4StreamPart): ModelEvent[];
	/** The ends that were held back, and of every part that is still open, in the order in which they began. */
	close(): ModelEvent[];
};

type Open = {readonly key: string; readonly id: string; readonly kind: PartHead['type']; provider: ProviderData};

/** A translator for the answer to `request`. With `callsSettleLate` the ends of tool calls come only from `close`. */
export function createTranslator(request: ModelRequest, callsSettleLate: boolean): Translator {
	const sent = request.messages.flatMap(message => (message.role === 'assistant' ? message.parts : []));
	const uniqueId = uniqueIds(sent.flatMap(part => (part.type === 'tool_call' ? [part.callId] : [])));
	const open: Open[] = [];
	const held: ModelEvent[] = [];
	let count = 0;
	let early: Usage | undefined;

	function start(head: PartHead, id: string, metadata: Metadata): {part: Open; events: ModelEvent[]} {
		const part: Open = {key: `p${(count += 1)}`, id, kind: head.type, provider: merge({}, metadata)};
		open.push(part);
		return {part, events: [{type: 'start', key: part.key, part: head}]};
	}

	function startCall(id: unknown, name: unknown, metadata: Metadata): {part: Open; events: ModelEvent[]} {
		const callId = uniqueId(typeof id === 'string' && id.length <= maxCallId ? id : undefined);
		return start(
			{type: 'tool_call', callId, name: typeof name === 'string' ? cutName(name) : ''},
			String(id),
			metadata,
		);
	}

	/** With equal ids, deltas belong to the call that began last and an end to the one that began first. */
	function find(kind: Open['kind'], id: unknown, which: 'first' | 'last'): Open | undefined {
		const fits = (part: Open): boolean => part.kind === kind && part.id === String(id);
		return which === 'first' ? open.find(fits) : open.findLast(fits);
	}

	function delta(
		kind: 'text' | 'reasoning',
		part: {id: string; delta: string; providerMetadata?: Metadata},
	): ModelEvent[] {
		const known = find(kind, part.id, 'last');
		const {part: target, events} =
			known === undefined ? start({type: kind}, part.id, undefined) : {part: known, events: []};
		target.provider = merge(target.provider, part.providerMetadata);
		return part.delta === '' ? events : [...events, {type: 'delta', key: target.key, text: part.delta}];
	}

	function end(part: Open, metadata: Metadata, text?: string): ModelEvent {
		open.splice(open.indexOf(part), 1);
		const provider = merge(part.provider, metadata);
		return {
			type: 'end',
			key: part.key,
			...(text === undefined ? {} : {text}),
			...(Object.keys(provider).length === 0 ? {} : {provider: plain(provider)}),
		};
	}

	function endText(kind: 'text' | 'reasoning', part: {id: string; providerMetadata?: Metadata}): ModelEvent[] {
		const known = find(kind, part.id, 'last');
		return known === undefined ? [] : [end(known, part.providerMetadata)];
	}

	function endCall(part: Part<'tool-call'>): ModelEvent[] {
		const known = find('tool_call', part.toolCallId, 'first');
		const {part: call, events} =
			known === undefined ? startCall(part.toolCallId, part.toolName, undefined) : {part: known, events: []};
		const ended = end(call, part.providerMetadata, part.input);
		if (!callsSettleLate) return [...events, ended];
		held.push(ended);
		return events;
	}

	const table: {[Type in LanguageModelV4StreamPart['type']]?: (part: Part<Type>) => ModelEvent[]} = {
		'text-start': part => start({type: 'text'}, part.id, part.providerMetadata).events,
		'text-delta': part => delta('text', part),
		'text-end': part => endText('text', part),
		'reasoning-start': part => start({type: 'reasoning'}, part.id, part.providerMetadata).events,
		'reasoning-delta': part => delta('reasoning', part),
		'reasoning-end': part => endText('reasoning', part),
		'tool-input-start': part =>
			part.providerExecuted === true ? [] : startCall(part.id, part.toolName, part.providerMetadata).events,
		'tool-input-delta'(part) {
			const call = find('tool_call', part.id, 'last');
			if (call === undefined) return [];
			call.provider = merge(call.provider, part.providerMetadata);
			return part.delta === '' ? [] : [{type: 'delta', key: call.key, text: part.delta}];
		},
		'tool-call': part => (part.providerExecuted === true ? [] : endCall(part)),
		custom(part) {
			early = earlyUsage(part.providerMetadata) ?? early;
			return [];
		},
	};

	return {
		parts: () => count,
		usage: () => early,
		translate: part => table[part.type]?.(part as never) ?? [],
		close: () => [...held.splice(0), ...[...open].map(part => end(part, undefined))],
	};
}

/** How the provider says that it stopped. `undefined`: it did not say, the stream was cut or failed. */
export const stops: Readonly<Record<string, Stop>> = {
	stop: 'end',
	'tool-calls': 'tool_calls',
	length: 'length',
	'content-filter': 'refused',
	other: 'other',
};

/** Tokens, of which `input` counts those read from and written to a cache too. */
export function toUsage({inputTokens, outputTokens}: LanguageModelV4Usage): Usage {
	return plain({
		input: countOf(inputTokens.total),
		output: countOf(outputTokens.total),
		cacheRead: countOf(inputTokens.cacheRead),
		cacheWrite: countOf(inputTokens.cacheWrite),
		reasoning: countOf(outputTokens.reasoning),
	});
}

/** A count that an item can hold; a server may claim anything. */
function countOf(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, {type: Type}>;
type Metadata = SharedV4ProviderMetadata | undefined;

/** Later keys win, provider by provider. */
function merge(first: ProviderData, second: Metadata): ProviderData {
	if (second === undefined) return first;
	const merged = {...first};
	for (const [name, data] of Object.entries(second))
		merged[name] = {...(merged[name] as object | undefined), ...data};
	return merged;
}

/** As it will be after a trip through JSON. */
function plain<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value)) as Value;
}

/** Longer than any name of a tool that a provider takes. */
const maxName = 256;
/** Some gateways keep a signature in the id. A longer one is replaced. */
const maxCallId = 16_384;

function cutName(name: string): string {
	return name.length <= maxName ? name : `${name.slice(0, maxName).toWellFormed()}…`;
}

/** Answers with the id itself while it is new and not blank, else with one made from it. */
function uniqueIds(known: readonly string[]): (id: unknown) => string {
	const used = new Set(known);
	/** The number to try next, for each id that came before: a server may give all calls the same. */
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

/** Anthropic tells the input tokens when its message starts, which is all there is when the stream breaks. */
function earlyUsage(metadata: Metadata): Usage | undefined {
	const usage = metadata?.['anthropic']?.['usage'];
	if (typeof usage !== 'object' || usage === null) return undefined;
	const {
		input_tokens: fresh,
		cache_read_input_tokens: cacheRead,
		cache_creation_input_tokens: cacheWrite,
	} = usage as Record<string, unknown>;
	const tokens = [fresh, cacheRead, cacheWrite].map(value => countOf(value) ?? 0) as [number, number, number];
	return {input: tokens[0] + tokens[1] + tokens[2], cacheRead: tokens[1], cacheWrite: tokens[2]};
}
