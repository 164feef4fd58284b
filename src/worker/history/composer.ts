import type {Item, ItemOf, Message, Reasoning, ToolCall, ToolResult} from './item.ts';
import type {Media} from './media.ts';
import type {AssistantPart, ModelMessage, ToolAnswer} from './model.ts';
import type {OriginRules} from './origin-rules.ts';
import {isSaid, pairResults} from './pairs.ts';
import type {Place} from './projection.ts';
import {separatesAnswers} from './requests.ts';
import {createRewriteNotes, type RewriteNotes} from './rewrites.ts';

/** The origin rules that the context depends on. */
export type ContextRules = Pick<OriginRules, 'compactionOf' | 'mediaOf' | 'isUnsent'>;

/**
A piece of the next request and its item. If the item is absent, the piece is the line about left-out content. If the
part is absent, the piece marks the place of a dropped item.
*/
export type ContextPiece = {
	readonly item?: Item;
	readonly part?: SentPart;
	readonly pinned?: true;
	readonly pruned?: true;
};
export type SentPart =
	| {readonly type: 'words'; readonly text: string; readonly media?: Media}
	| AssistantPart
	| ({readonly type: 'result'} & ToolAnswer);

/**
Composes the messages of a request from items and their places. `hasGaps`: content is left out between the places.
*/
export class Composer {
	readonly messages: ModelMessage[] = [];
	readonly pieces: ContextPiece[] = [];
	/**
	The messages and parts that are not in `#known` yet, with their items. `sources` adds them when it is called,
	because few callers need the map.
	*/
	readonly #sources: Array<readonly [object, Item]> = [];
	readonly #known = new Map<object, Item>();
	readonly gaps = new Set<object>();
	/** Whether any message has an image or a document. */
	hasMedia = false;
	readonly #hasGaps: boolean;
	readonly #origins: ContextRules;
	#results: ReadonlyMap<Item, Paired> = new Map();
	#paired: ReadonlySet<Item> = new Set();
	readonly #rewrites = createRewriteNotes();
	readonly #wireId = uniqueIds();
	/** The answer that is being collected: its pieces, and the results of its calls. */
	#answer: ContextPiece[] = [];
	#answered: AnsweredCall[] = [];

	constructor(hasGaps: boolean, origins: ContextRules) {
		this.#hasGaps = hasGaps;
		this.#origins = origins;
	}

	get notes(): RewriteNotes {
		return this.#rewrites.notes;
	}

	/** Whether an answer has not ended yet. In this case, the next place may belong to this answer. */
	get isAnswering(): boolean {
		return this.#answer.length > 0;
	}

	/** Returns the item of each message and part that was composed. */
	sources(): ReadonlyMap<object, Item> {
		for (const [part, item] of this.#sources) this.#known.set(part, item);
		this.#sources.length = 0;
		return this.#known;
	}

	/** Adds places. If they contain a call that has a result, they must also contain the result. */
	addAll(places: readonly Place[]): void {
		this.#results = resultsByCall(places);
		this.#paired = new Set([...this.#results.values()].map(({result}) => result));
		for (const place of places) this.#add(place);
	}

	#add(place: Place): void {
		const {item} = place;
		if (place.dropped) this.#addDropped(item);
		else if (item.type === 'message') this.#addMessage(item, place);
		else if (item.type === 'reasoning') this.#addReasoning(item, place);
		else if (item.type === 'tool_call') this.#addCall(item, place);
		else if (item.type === 'tool_result') this.#noteResult(item);
		else if (item.type === 'compaction') this.#addSummary(item, place);
		else if (separatesAnswers(item)) this.endAnswer();
	}

	endAnswer(): void {
		if (this.#answer.length === 0) return;
		const sent = withoutEmptyThoughts(this.#answer, this.#hasGaps);
		if (sent.length < this.#answer.length) this.#noteLeftOut(this.#answer, new Set(sent));
		const parts = sent.flatMap(({part}) => (part !== undefined && isAssistantPart(part) ? [part] : []));
		const isSent = parts.length > 0;
		const results = this.#answered;
		[this.#answer, this.#answered] = [[], []];
		if (isSent && this.#hasGaps && (this.messages.at(-1)?.role ?? 'assistant') === 'assistant') this.#sayGap(sent);
		this.pieces.push(...sent);
		if (!isSent) return;
		this.#push({role: 'assistant', parts}, sent.find(({part}) => part !== undefined)?.item);
		for (const {item, part} of sent) if (item !== undefined && part !== undefined) this.#sources.push([part, item]);
		if (results.length === 0) return;
		this.#push({role: 'tool', results: results.map(({answer}) => answer)}, results.at(-1)?.place.item);
		for (const {place, answer} of results) {
			this.#sources.push([answer, place.item]);
			this.pieces.push(pieceOf(place, {type: 'result', ...answer}));
		}
	}

	#sayGap(before: readonly ContextPiece[]): void {
		const next = before.find(({item, part}) => item !== undefined && part !== undefined)?.item;
		if (next !== undefined) this.#rewrites.note('gap_line', next.id);
		this.#say(gapText);
		const gap = this.messages.at(-1);
		if (gap === undefined || next === undefined) return;
		this.gaps.add(gap);
		this.#sources.push([gap, next]);
	}

	#push(message: ModelMessage, item: Item | undefined): void {
		this.messages.push(message);
		if (item !== undefined) this.#sources.push([message, item]);
	}

	#noteLeftOut(answer: readonly ContextPiece[], sent: ReadonlySet<ContextPiece>): void {
		for (const piece of answer)
			if (piece.item !== undefined && !sent.has(piece)) this.#rewrites.note('trailing_thought', piece.item.id);
	}

	#noteResult(result: ToolResult): void {
		if (!this.#paired.has(result)) this.#rewrites.note('stray_result', result.id);
		else if (this.#answer.length === 0 && this.messages.at(-1)?.role === 'user')
			this.#rewrites.note('moved_result', result.id);
	}

	#addDropped(item: Item): void {
		if (item.type === 'message' && item.role !== 'assistant') this.endAnswer();
		this.#answer.push({item});
	}

	#addMessage(message: Message, place: Place): void {
		const {role, text, provider, origin} = message;
		if (role === 'system' && origin !== undefined && this.#origins.isUnsent?.(origin) === true) return;
		if (role === 'assistant') {
			if (isSaid(message)) this.#addPart(place, {type: 'text', text, ...withProvider(provider)});
			else this.#rewrites.note(message.unread === undefined ? 'blank_text' : 'unread_part', message.id);
		} else if (text.trim() !== '') {
			this.endAnswer();
			this.#say(
				text,
				place,
				role === 'system' && origin !== undefined ? this.#origins.mediaOf?.(origin) : undefined,
			);
		} else this.#rewrites.note('blank_text', message.id);
	}

	#addReasoning({id, text, provider, stop}: Reasoning, place: Place): void {
		if (stop === undefined) this.#addPart(place, {type: 'reasoning', text, ...withProvider(provider)});
		else this.#rewrites.note('cut_thought', id);
	}

	#addCall(call: ToolCall, place: Place): void {
		const paired = this.#results.get(call);
		if (paired === undefined) {
			this.#rewrites.note('unanswered_call', call.id);
			return;
		}
		const callId = this.#wireId(call.callId);
		const name = wireName(call.name);
		if (callId !== call.callId) this.#rewrites.note('repeated_call_id', call.id);
		if (name !== call.name) this.#rewrites.note('tool_name', call.id);
		const {content, isError} = paired.result;
		const provider = withProvider(call.provider);
		this.#addPart(place, {type: 'tool_call', callId, name, arguments: call.arguments, ...provider});
		if (paired.place.pruned) this.#rewrites.note('pruned_output', paired.result.id);
		this.#answered.push({place: paired.place, answer: {callId, name, content, isError}});
	}

	#addSummary({id, summary, refs}: ItemOf<'compaction'>, place: Place): void {
		this.endAnswer();
		this.#rewrites.note('summary_heading', id);
		this.#say([summaryHeader, summary, ...referenceLines(refs)].join('\n'), place);
	}

	#addPart(place: Place, part: AssistantPart): void {
		this.#answer.push(pieceOf(place, part));
	}

	#say(text: string, place?: Place, media?: Media): void {
		this.hasMedia ||= media !== undefined;
		const content = {text, media};
		this.#push({role: 'user', ...content}, place?.item);
		this.pieces.push(pieceOf(place, {type: 'words', ...content}));
	}
}

type AnsweredCall = {readonly place: Place; readonly answer: ToolAnswer};
type Paired = {readonly result: ToolResult; readonly place: Place};

function resultsByCall(places: readonly Place[]): ReadonlyMap<Item, Paired> {
	const answers = pairResults(places.flatMap(({item, dropped}) => (dropped ? [] : [item])));
	if (answers.size === 0) return new Map();
	const placeOf = new Map(places.flatMap(place => (place.item.type === 'tool_result' ? [[place.item, place]] : [])));
	return new Map(
		[...answers].flatMap(([call, result]): ReadonlyArray<[Item, Paired]> => {
			const place = placeOf.get(result);
			return place === undefined ? [] : [[call, {result, place}]];
		}),
	);
}

/**
Returns the pieces of an answer that are sent. If the answer contains only thoughts, none is sent, because providers
refuse such an answer. If the context has gaps, final thoughts are not sent either, because the items that they led to
may be missing.
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
	if (place === undefined) return {part};
	const {item, pinned, pruned} = place;
	if (!pinned && !pruned) return {item, part};
	return {item, part, ...(pinned && {pinned}), ...(pruned && {pruned})};
}

/** The line that precedes a summary. */
const summaryHeader = '[Summary of the conversation until here]';
const gapText = '[A part of the conversation was left out here.]';

/** Returns lines with the names of the files, without their contents. */
function referenceLines(refs: readonly string[]): readonly string[] {
	const lines = refs.map(ref => `- ${ref.replaceAll(/[\r\n]+/g, ' ')}`);
	return lines.length === 0 ? [] : ['', 'Files that it refers to:', ...lines];
}

/** Returns a tool's name as it is sent. The model may have invented a name with characters that no provider accepts. */
function wireName(name: string): string {
	return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function withProvider(provider: AssistantPart['provider']): {provider?: NonNullable<AssistantPart['provider']>} {
	return provider === undefined ? {} : {provider};
}

/**
Returns a function that makes call ids unique. An id is unchanged the first time, and gets a counter when it repeats.
*/
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
