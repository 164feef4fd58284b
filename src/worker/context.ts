import type {Item, ItemOf, Message, Reasoning, Setup, ToolCall, ToolResult} from './item.ts';
import type {AssistantPart, ModelMessage, ModelRequest, ToolAnswer} from './model.ts';
import type {OriginRules} from './origin-rules.ts';
import {isSaid, openCalls, pairResults} from './pairs.ts';
import {project, projectedItems, type Place, type Projection} from './projection.ts';
import {separatesAnswers} from './requests.ts';

/** The origin rules that the context depends on. */
type ContextRules = Pick<OriginRules, 'compactionOf'>;

/**
Returns the next request. It is a pure function of history (L6), and valid on every wire (L9).

- It contains only the items in the context: projection.ts applies rewinds, compactions, drops and pins.
- System items are sent as user-role messages: a file's text must not speak with the operator's authority.
- The results of a batch of calls directly follow it, in call order, wherever they are in history.
- Items that every provider refuses are left out: a call without a result, a result without its call, and a blank text
  without provider data. A reasoning is left out when it was cut or nothing followed it.
- Repeated call ids become unique, and invalid tool names become valid ones.
- An answer must follow a message. So a line says where something is left out between two answers, or before the first
  one.

Throws when history has no setup: the worker commits one first.
*/
export function context(items: readonly Item[], origins: ContextRules): ModelRequest {
	const setup = lastSetup(items);
	if (setup === undefined) throw new Error('context() needs a setup item in history');
	return {
		prompt: setup.prompt,
		tools: setup.tools,
		settings: setup.settings,
		messages: compose(project(items, origins)).messages,
	};
}

/**
A piece of the next request and its item. A piece without an item is the line that says that something was left out. A
piece without a part marks the place of a dropped item.
*/
export type ContextPiece = {readonly item?: Item; readonly part?: SentPart; readonly pinned?: true};
export type SentPart =
	| {readonly type: 'words'; readonly text: string}
	| AssistantPart
	| ({readonly type: 'result'} & ToolAnswer);

/**
Returns the same messages in pieces, in the order of the request, and the number of items that the last compaction
summarised.
*/
export function contextPieces(
	items: readonly Item[],
	origins: ContextRules,
): {readonly pieces: readonly ContextPiece[]; readonly summarised: number} {
	const projection = project(items, origins);
	return {pieces: compose(projection).pieces, summarised: projection.summarised};
}

/** Returns the latest setup: model, system prompt, tools, settings. A rewind does not change it. */
export function lastSetup(items: readonly Item[]): Setup | undefined {
	return items.findLast(item => item.type === 'setup');
}

/**
Returns the calls in the context that can still get a result, in call order. A call cannot when a later answer used its
id again.
*/
export function unansweredCalls(items: readonly Item[], origins: ContextRules): ToolCall[] {
	return openCalls(projectedItems(items, origins));
}

/** Returns the results in the context that answer no call. No request includes them. */
export function orphanResults(items: readonly Item[], origins: ContextRules): ToolResult[] {
	const inContext = projectedItems(items, origins);
	const answers = new Set(pairResults(inContext).values());
	return inContext.filter(item => item.type === 'tool_result').filter(result => !answers.has(result));
}

function compose({places, hasGaps}: Projection): Pick<Composer, 'messages' | 'pieces'> {
	const composer = new Composer(places, hasGaps);
	for (const place of places) composer.add(place);
	composer.endAnswer();
	return composer;
}

type AnsweredCall = {readonly place: Place; readonly answer: ToolAnswer};
type Paired = {readonly result: ToolResult; readonly place: Place};

class Composer {
	readonly messages: ModelMessage[] = [];
	readonly pieces: ContextPiece[] = [];
	readonly #hasGaps: boolean;
	readonly #results: ReadonlyMap<Item, Paired>;
	readonly #wireId = uniqueIds();
	/** The answer that is being collected: its pieces, and the results of its calls. */
	#answer: ContextPiece[] = [];
	#answered: AnsweredCall[] = [];

	constructor(places: readonly Place[], hasGaps: boolean) {
		this.#hasGaps = hasGaps;
		this.#results = resultsByCall(places);
	}

	add(place: Place): void {
		const {item} = place;
		if (place.dropped) this.#addDropped(item);
		else if (item.type === 'message') this.#addMessage(item, place);
		else if (item.type === 'reasoning') this.#addReasoning(item, place);
		else if (item.type === 'tool_call') this.#addCall(item, place);
		else if (item.type === 'compaction') this.#addSummary(item, place);
		else if (separatesAnswers(item)) this.endAnswer();
	}

	endAnswer(): void {
		const sent = withoutEmptyThoughts(this.#answer, this.#hasGaps);
		const parts = sent.flatMap(({part}) => (part !== undefined && isAssistantPart(part) ? [part] : []));
		const isSent = parts.length > 0;
		const results = this.#answered;
		[this.#answer, this.#answered] = [[], []];
		if (isSent && this.#hasGaps && (this.messages.at(-1)?.role ?? 'assistant') === 'assistant') this.#say(gapText);
		this.pieces.push(...sent);
		if (!isSent) return;
		this.messages.push({role: 'assistant', parts});
		if (results.length === 0) return;
		this.messages.push({role: 'tool', results: results.map(({answer}) => answer)});
		for (const {place, answer} of results) this.pieces.push(pieceOf(place, {type: 'result', ...answer}));
	}

	#addDropped(item: Item): void {
		if (item.type === 'message' && item.role !== 'assistant') this.endAnswer();
		this.#answer.push({item});
	}

	#addMessage(message: Message, place: Place): void {
		const {role, text, provider} = message;
		if (role === 'assistant') {
			if (isSaid(message)) this.#addPart(place, {type: 'text', text, ...withProvider(provider)});
		} else if (text.trim() !== '') {
			this.endAnswer();
			this.#say(text, place);
		}
	}

	#addReasoning({text, provider, stop}: Reasoning, place: Place): void {
		if (stop === undefined) this.#addPart(place, {type: 'reasoning', text, ...withProvider(provider)});
	}

	#addCall(call: ToolCall, place: Place): void {
		const paired = this.#results.get(call);
		if (paired === undefined) return;
		const callId = this.#wireId(call.callId);
		const name = wireName(call.name);
		const {content, isError} = paired.result;
		const provider = withProvider(call.provider);
		this.#addPart(place, {type: 'tool_call', callId, name, arguments: call.arguments, ...provider});
		this.#answered.push({place: paired.place, answer: {callId, name, content, isError}});
	}

	#addSummary({summary, refs}: ItemOf<'compaction'>, place: Place): void {
		this.endAnswer();
		this.#say([summaryHeader, summary, ...referenceLines(refs)].join('\n'), place);
	}

	#addPart(place: Place, part: AssistantPart): void {
		this.#answer.push(pieceOf(place, part));
	}

	#say(text: string, place?: Place): void {
		this.messages.push({role: 'user', text});
		this.pieces.push(pieceOf(place, {type: 'words', text}));
	}
}

function resultsByCall(places: readonly Place[]): ReadonlyMap<Item, Paired> {
	const answers = pairResults(places.flatMap(({item, dropped}) => (dropped ? [] : [item])));
	const placeOf = new Map(places.map(place => [place.item, place]));
	return new Map(
		[...answers].flatMap(([call, result]): ReadonlyArray<[Item, Paired]> => {
			const place = placeOf.get(result);
			return place === undefined ? [] : [[call, {result, place}]];
		}),
	);
}

/**
Returns the pieces of an answer that are sent. Providers refuse a thought without anything after it. If something was
left out, the pieces that a final thought led to may be missing.
*/
function withoutEmptyThoughts(answer: readonly ContextPiece[], hasGaps: boolean): readonly ContextPiece[] {
	const last = answer.findLastIndex(({part}) => part !== undefined && part.type !== 'reasoning');
	const keepsThoughts = last !== -1 && !hasGaps;
	return answer.filter(
		({part}, index) =>
			part === undefined || (last !== -1 && (index < last || keepsThoughts || part.type !== 'reasoning')),
	);
}

function isAssistantPart(part: SentPart): part is AssistantPart {
	return part.type !== 'words' && part.type !== 'result';
}

function pieceOf(place: Place | undefined, part: SentPart): ContextPiece {
	return {...(place !== undefined && {item: place.item}), part, ...(place?.pinned && {pinned: true})};
}

/** The line before a summary. */
const summaryHeader = '[Summary of the conversation until here]';
const gapText = '[A part of the conversation was left out here.]';

/** Returns the names of the files without their contents, one per line. */
function referenceLines(refs: readonly string[]): readonly string[] {
	const lines = refs.map(ref => `- ${ref.replaceAll(/[\r\n]+/g, ' ')}`);
	return lines.length === 0 ? [] : ['', 'Files that it refers to:', ...lines];
}

/** Returns a tool's name as it is sent. The model may have invented one with characters that no provider accepts. */
function wireName(name: string): string {
	return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function withProvider(provider: AssistantPart['provider']): {provider?: NonNullable<AssistantPart['provider']>} {
	return provider === undefined ? {} : {provider};
}

/** Returns a call id as it is sent: unchanged the first time, with a counter when it repeats. */
function uniqueIds(): (callId: string) => string {
	const used = new Set<string>();
	const times = new Map<string, number>();
	return callId => {
		let id = callId;
		for (let n = times.get(callId) ?? 1; used.has(id); times.set(callId, n)) id = `${callId}_${++n}`;
		used.add(id);
		return id;
	};
}
