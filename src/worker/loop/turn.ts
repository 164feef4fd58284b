import {setImmediate as nextTurn} from 'node:timers/promises';
import {elapsed, isoTime, moment, stamp, type Clock} from '../history/clock.ts';
import {cutText} from '../history/cut-text.ts';
import {cutCallResult, isCutCall, stopOfEmpty, type Answered} from './run-end.ts';
import type {History} from '../history/history.ts';
import type {AnsweredBy, Item, ItemOf, RequestEnd, RequestItem, Stop, ToolCall, Usage} from '../history/item.ts';
import type {Model, ModelEvent, ModelFailure, ModelRequest, PartHead} from '../history/model.ts';
import type {Rewrite, RewriteNotes} from '../history/rewrites.ts';
import type {Interceptor} from './interceptor.ts';
import {endedWithoutFinish} from './texts.ts';

/** A piece of a provisional item (L3). `begin` opens the item, and `text` is appended to its text. */
export type Delta = {readonly id: string; readonly text: string; readonly begin?: Item};

export type TurnResult =
	| ({readonly type: 'answered'} & Answered)
	| {readonly type: 'aborted'}
	/**
	`began`: whether more than thoughts arrived before the failure. In that case the user would pay for the answer twice
	if the request was repeated.
	*/
	| {readonly type: 'failed'; readonly failure: ModelFailure; readonly began: boolean};

export type TurnContext = {
	readonly history: History;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly onDelta: (delta: Delta) => void;
	/**
	Returns how the request deviates from its items. `sent`: the deviations that were noted while the body was encoded.
	*/
	readonly rewrites?: (sent: RewriteNotes | undefined) => readonly Rewrite[];
	/** The turn calls this when the first part of the answer begins. */
	readonly onBegin: () => void;
	/** Returns the items that follow the end of a request, in the same append. */
	readonly onRequestEnd?: Interceptor['onRequestEnd'];
};

/**
Makes one model call. Its `request` item is durable before anything is sent. Parts are committed in the order in which
they began, with the ids that their deltas had. A `request_end` item follows, even if the call fails. After an abort or
a failure, the part of the answer that arrived is committed. Incomplete tool calls are dropped, except a call that the
output limit cut off. The result of that call comes last, in the same append.
*/
export async function takeTurn(model: Model, request: ModelRequest, turn: TurnContext): Promise<TurnResult> {
	const answer = new Answer(turn, model.name);
	let handled = 0;
	for await (const event of model.stream(request, turn.signal)) {
		if (turn.signal.aborted) break;
		if (event.type === 'finish') return answer.finish(event);
		if (event.type === 'error') return answer.fail(event.error, event.usage ?? {});
		await answer.add(event);
		// A server may send the whole answer in one moment. If there were no pause, inkpod could not handle a key press
		// during that time.
		if (++handled % eventsAtOnce === 0) await nextTurn();
	}
	if (turn.signal.aborted) return answer.abort();
	return answer.fail({reason: 'bad_response', message: endedWithoutFinish(model.name), retryable: false}, {});
}

const eventsAtOnce = 128;

/** After this many parts, an answer is committed in batches, because each commit waits for the disk. */
const maxSingleCommits = 32;
const partsPerCommit = 256;

/** The maximum length of an explanation, which is normally a sentence or two. */
const maxExplanationBytes = 4096;

/** The maximum number of characters in a name that a server reports. */
const maxNameCharacters = 200;

/**
Observers process all reported parts at each delta, so the number of reported parts is limited. Other parts are reported
only when they are committed.
*/
const maxReported = 64;

type Part = {
	readonly key: string;
	item: PartItem;
	text: string;
	readonly since: number;
	readonly isReported: boolean;
	/** Whether a piece of the part's text arrived before its end. */
	isWritten: boolean;
	/** Whether the part is a text that is not blank. */
	isText: boolean;
	ended: boolean;
};
type CallPart = Part & {item: ToolCall};
type PartItem = ItemOf<'message' | 'reasoning' | 'tool_call'>;

class Answer {
	readonly #turn: TurnContext;
	readonly #model: string;
	/** The time of the start, and the same moment in the form that `elapsed` needs. */
	readonly #startedAt: number;
	readonly #began: number;
	readonly #calls: ToolCall[] = [];
	#request: RequestItem | undefined;
	/** The parts that are not committed yet, in the order of the stream. */
	#parts: Part[] = [];
	/** The parts that have not ended, by key. Events with a key belong to the part with this key that began last. */
	readonly #open = new Map<string, Part[]>();
	/** The number of parts that have begun. */
	#begun = 0;
	/** The number of texts that are not blank. */
	#texts = 0;
	/**
	The part that began last, not counting parts that cannot be read. Only this part can be cut by the output limit.
	*/
	#last: Part | undefined;
	/** Whether a call or a part that cannot be read arrived. */
	#hasOther = false;
	#answered: AnsweredBy | undefined;

	constructor(turn: TurnContext, model: string) {
		this.#turn = turn;
		this.#model = model;
		this.#startedAt = turn.clock.now();
		this.#began = turn.clock.ticks?.() ?? this.#startedAt;
	}

	async add(event: Exclude<ModelEvent, {type: 'finish' | 'error'}>): Promise<void> {
		if (event.type === 'sending') await this.#record(event.hash, event.rewrites);
		else if (event.type === 'answered') this.#answered = event.by;
		else if (event.type === 'start') await this.#start(event);
		else if (event.type === 'delta') this.#grow(event);
		else this.#end(event);
	}

	async finish({stop, usage, explanation}: Extract<ModelEvent, {type: 'finish'}>): Promise<TurnResult> {
		const cut = stop === 'length' ? this.#cutPart() : undefined;
		const lastText = this.#parts.findLast(({item}) => item.type === 'message' && item.unread === undefined);
		if (stop === 'length' && cut === undefined && lastText !== undefined)
			lastText.item = withStop(lastText.item, stop);
		const kept = this.#parts.filter(part => part.ended || part === cut || part.item.type !== 'tool_call');
		const hasCalls = this.#calls.length > 0 || kept.some(part => part.item.type === 'tool_call');
		const request = await this.#recorded();
		const ending = this.#endOf(request, this.#texts > 0 || hasCalls ? stop : stopOfEmpty(stop), usage, explanation);
		const cutCall = cut && {...cut.item, arguments: cut.text};
		const result = cutCall === undefined ? [] : [cutCallResult(cutCall, usage.output, this.#turn.clock)];
		await this.#commit(kept, [ending, ...this.#itemsAfter(ending, request), ...result]);
		if (cutCall === undefined) return {type: 'answered', ending, calls: this.#calls};
		return {type: 'answered', ending, calls: this.#calls.filter(({id}) => id !== cutCall.id), cutCall};
	}

	async abort(): Promise<TurnResult> {
		await this.#commitPrefix('aborted', {});
		return {type: 'aborted'};
	}

	async fail(failure: ModelFailure, usage: Usage): Promise<TurnResult> {
		if (failure.reason === 'aborted') return this.abort();
		await this.#commitPrefix(failure.reason === 'cut' || failure.reason === 'stalled' ? 'cut' : 'error', usage);
		return {type: 'failed', failure, began: this.#hasContent()};
	}

	async #start({key, part: head}: Extract<ModelEvent, {type: 'start'}>): Promise<void> {
		if (this.#begun === 0) {
			await this.#recorded();
			this.#turn.onBegin();
		}
		this.#begun += 1;
		if (this.#begun <= maxSingleCommits || this.#begun % partsPerCommit === 0) await this.#commitEnded();
		const {clock} = this.#turn;
		const item = provisionalItem(head, clock);
		const isReported = this.#parts.length < maxReported;
		const part: Part = {
			key,
			item,
			text: '',
			since: moment(clock),
			isReported,
			isWritten: false,
			isText: false,
			ended: false,
		};
		this.#parts.push(part);
		if (head.type !== 'unread') this.#last = part;
		if (head.type === 'tool_call' || head.type === 'unread') this.#hasOther = true;
		const same = this.#open.get(key);
		if (same === undefined) this.#open.set(key, [part]);
		else same.push(part);
		if (isReported) this.#turn.onDelta({id: item.id, text: '', begin: item});
	}

	async #commitEnded(): Promise<void> {
		const open = this.#parts.findIndex(part => !part.ended);
		await this.#commit(open === -1 ? this.#parts : this.#parts.slice(0, open), []);
	}

	#grow({key, text}: Extract<ModelEvent, {type: 'delta'}>): void {
		const part = this.#open.get(key)?.at(-1);
		if (part === undefined || text === '') return;
		part.text += text;
		part.isWritten = true;
		this.#noteText(part, text);
		if (part.isReported) this.#turn.onDelta({id: part.item.id, text});
	}

	#end({key, text, provider, isThought}: Extract<ModelEvent, {type: 'end'}>): void {
		const part = this.#open.get(key)?.pop();
		if (part === undefined) return;
		part.ended = true;
		if (text !== undefined) part.text = text;
		this.#noteText(part, part.text);
		if (isThought === true) this.#becomeThought(part);
		if (part.item.type === 'reasoning') part.item = {...part.item, ms: elapsed(this.#turn.clock, part.since)};
		if (provider !== undefined) part.item = {...part.item, provider};
	}

	#noteText(part: Part, text: string): void {
		if (part.isText || part.item.type !== 'message' || text.trim() === '') return;
		part.isText = true;
		this.#texts += 1;
	}

	/**
	Turns a text into a thought. The item keeps its id. Observers show the item as a thought when it is committed.
	*/
	#becomeThought(part: Part): void {
		const {id, at} = part.item;
		if (part.isText) this.#texts -= 1;
		part.item = {id, at, type: 'reasoning', text: '', ms: 0};
	}

	/** Tells whether more than thoughts and blank text arrived. */
	#hasContent(): boolean {
		return this.#hasOther || this.#texts > 0;
	}

	/** Returns the call that the output limit cut off. */
	#cutPart(): CallPart | undefined {
		const part = this.#last;
		if (part === undefined || !isCallPart(part)) return undefined;
		return !part.ended || isCutCall(part.text, part.isWritten) ? part : undefined;
	}

	/** Commits the received part of an incomplete answer. */
	async #commitPrefix(stop: 'aborted' | 'cut' | 'error', usage: Usage): Promise<void> {
		const kept = this.#parts.filter(part => part.ended || (part.item.type !== 'tool_call' && part.text !== ''));
		for (const part of kept) {
			const isRetried = stop !== 'aborted' && !this.#hasContent() && part.item.type === 'reasoning';
			if (!part.ended || isRetried) part.item = withStop(part.item, stop);
		}
		if (this.#request === undefined) return this.#commit(kept, []);
		const ending = this.#endOf(this.#request, stop, usage);
		await this.#commit(kept, [ending, ...this.#itemsAfter(ending, this.#request)]);
	}

	async #commit(parts: readonly Part[], more: readonly Item[]): Promise<void> {
		const items = parts.map(settle);
		await this.#turn.history.append([...items, ...more]);
		for (const item of items) if (item.type === 'tool_call') this.#calls.push(item);
		const done = new Set(parts);
		this.#parts = this.#parts.filter(part => !done.has(part));
	}

	/**
	Returns the request item, and records the item first if necessary. If a model sends no body, the hash is empty.
	*/
	async #recorded(): Promise<RequestItem> {
		return this.#request ?? this.#record('');
	}

	async #record(requestHash: string, sent?: RewriteNotes): Promise<RequestItem> {
		const {clock, history, rewrites: all} = this.#turn;
		const rewrites = requestHash === '' ? [] : (all?.(sent) ?? []);
		const request = stamp(clock, {
			type: 'request',
			model: this.#model,
			requestHash,
			startedAt: isoTime(this.#startedAt),
			...(rewrites.length > 0 && {rewrites: rewrites.map(rewrite => ({...rewrite, where: [...rewrite.where]}))}),
		});
		await history.append([request]);
		this.#request = request;
		return request;
	}

	#endOf({id}: RequestItem, stop: Stop, usage: Usage, explanation?: string): RequestEnd {
		const {clock} = this.#turn;
		return stamp(clock, {
			type: 'request_end',
			request: id,
			usage,
			endedAt: isoTime(this.#startedAt + elapsed(clock, this.#began)),
			stop,
			...(explanation !== undefined && {explanation: cutText(explanation, maxExplanationBytes).text}),
			answered: this.#answered && bounded(this.#answered),
		});
	}

	#itemsAfter(ending: RequestEnd, request: RequestItem): readonly Item[] {
		return this.#turn.onRequestEnd?.(ending, request) ?? [];
	}
}

function provisionalItem(head: PartHead, clock: Clock): PartItem {
	if (head.type === 'text') return stamp(clock, {type: 'message', role: 'assistant', text: ''});
	if (head.type === 'unread') {
		const unread = {type: head.kind, data: head.data};
		return stamp(clock, {type: 'message', role: 'assistant', text: '', unread});
	}
	if (head.type === 'reasoning') return stamp(clock, {type: 'reasoning', text: '', ms: 0});
	return stamp(clock, {type: 'tool_call', callId: head.callId, name: head.name, arguments: ''});
}

function bounded({model, fingerprint, region, id}: AnsweredBy): AnsweredBy {
	return {
		model: cutName(model),
		fingerprint: fingerprint && cutName(fingerprint),
		region: region && cutName(region),
		id: id && cutName(id),
	};
}

function cutName(name: string): string {
	return Array.from(name.slice(0, 2 * maxNameCharacters))
		.slice(0, maxNameCharacters)
		.join('')
		.toWellFormed();
}

function withStop(item: PartItem, stop: Stop): PartItem {
	return item.type === 'tool_call' ? item : {...item, stop};
}

function settle({item, text}: Part): Item {
	return item.type === 'tool_call' ? {...item, arguments: text} : {...item, text};
}

function isCallPart(part: Part): part is CallPart {
	return part.item.type === 'tool_call';
}
