import type {Item, ItemOf, Message, ToolCall, ToolResult} from './item.ts';
import {separatesAnswers} from './requests.ts';

/**
Pairs each call with its result. The nth result of a call id answers the nth call with that id in the last answer that
used the id. (Small servers restart their ids at one in each answer.) A call that is dropped or summarised before its
result arrives gets no result.
*/
export function pairResults(items: readonly Item[]): ReadonlyMap<ToolCall, ToolResult> {
	return pair(items).answers;
}

/** Returns the calls that have no result yet and can still get one, in call order. */
export function openCalls(items: readonly Item[]): ToolCall[] {
	const open = pair(items).open();
	return items.filter(item => item.type === 'tool_call').filter(call => open.has(call));
}

/** Returns the output of stopped calls, by the ids of the calls' items. Only the last attempt of each call counts. */
export function partialResults(items: readonly Item[]): ReadonlyMap<string, ToolResult> {
	const partials = new Map<string, ToolResult>();
	for (const item of items) {
		if (item.type === 'tool_result' && item.partialOf !== undefined) partials.set(item.partialOf, item);
	}
	return partials;
}

/** Items that belong together: a request contains all of them or none. */
export type Ties = {
	/** Maps a call to its result, and a result to its call. */
	readonly partners: ReadonlyMap<Item, Item>;
	/**
	Maps a thought to the items that it led to: the texts and the answered calls before the next thought. Providers
	refuse a thought without these items, and some providers refuse the items without their thought. A thought that led
	to no items is not in the map.
	*/
	readonly ledTo: ReadonlyMap<Item, readonly Item[]>;
};

export function tiesOf(items: readonly Item[]): Ties {
	const answers = pairResults(items);
	const partners = new Map<Item, Item>(
		[...answers].flatMap(([call, result]) => [
			[call, result],
			[result, call],
		]),
	);
	return {partners, ledTo: consequences(items, partners)};
}

/**
Tells whether a text is sent to a provider. A blank text may still have data that its provider expects back, but a part
that inkpod cannot read is never sent.
*/
export function isSaid({text, provider, unread}: Pick<Message, 'text' | 'provider' | 'unread'>): boolean {
	return unread === undefined && (text.trim() !== '' || provider !== undefined);
}

function consequences(items: readonly Item[], partners: Ties['partners']): Ties['ledTo'] {
	const ledTo = new Map<Item, readonly Item[]>();
	let thoughts: Item[] = [];
	let followed: Item[] = [];
	for (const item of items) {
		if (item.type === 'reasoning') {
			if (followed.length > 0) [thoughts, followed] = [[], []];
			thoughts.push(item);
		} else if (isConsequence(item, partners)) {
			followed.push(item);
			for (const thought of thoughts) ledTo.set(thought, followed);
		} else if (endsAnswer(item)) [thoughts, followed] = [[], []];
	}
	return ledTo;
}

function isConsequence(item: Item, partners: Ties['partners']): boolean {
	if (item.type === 'tool_call') return partners.has(item);
	return item.type === 'message' && item.role === 'assistant' && isSaid(item);
}

function endsAnswer(item: Item): boolean {
	return separatesAnswers(item) || (item.type === 'message' && item.role !== 'assistant');
}

function pair(items: readonly Item[]): Pairing {
	const pairing = new Pairing();
	for (const [index, item] of items.entries()) pairing.add(item, index);
	return pairing;
}

/** The unanswered calls with the same id, and the number of the answer that contains them. */
type Waiting = {readonly calls: PlacedCall[]; readonly answer: number};
type PlacedCall = {readonly call: ToolCall; readonly index: number};

class Pairing {
	readonly answers = new Map<ToolCall, ToolResult>();
	readonly #waiting = new Map<string, Waiting>();
	readonly #dropped = new Set<string>();
	/** The last known index of each id. */
	readonly #places = new Map<string, number>();
	/** The index of the first item that no compaction summarised. */
	#firstKept = 0;
	#answer = 0;

	add(item: Item, index: number): void {
		this.#pair(item, index);
		this.#places.set(item.id, index);
	}

	#pair(item: Item, index: number): void {
		if (item.type === 'tool_call') this.#addCall(item, index);
		else if (item.type === 'tool_result') this.#addResult(item);
		else if (item.type === 'context') this.#changeContext(item);
		else if (item.type === 'compaction') this.#forgetSummarised(item, index);
		else if (separatesAnswers(item) || item.type === 'rewind') this.#answer++;
	}

	open(): ReadonlySet<ToolCall> {
		const waiting = [...this.#waiting.values()].flatMap(({calls}) => calls);
		return new Set(waiting.filter(({index}) => index >= this.#firstKept).map(({call}) => call));
	}

	#addCall(call: ToolCall, index: number): void {
		const known = this.#waiting.get(call.callId);
		if (known?.answer === this.#answer) known.calls.push({call, index});
		else this.#waiting.set(call.callId, {calls: [{call, index}], answer: this.#answer});
	}

	#addResult(result: ToolResult): void {
		if (result.partialOf !== undefined) return;
		const calls = this.#waiting.get(result.callId)?.calls ?? [];
		const at = calls.findIndex(({call, index}) => index >= this.#firstKept && !this.#dropped.has(call.id));
		if (at === -1) return;
		for (const {call} of calls.splice(at, 1)) this.answers.set(call, result);
	}

	#changeContext({op, ids}: ItemOf<'context'>): void {
		for (const id of ids) {
			if (op === 'drop') this.#dropped.add(id);
			else this.#dropped.delete(id);
		}
	}

	#forgetSummarised({id, firstKept}: ItemOf<'compaction'>, index: number): void {
		const kept = firstKept === id ? index : (this.#places.get(firstKept) ?? 0);
		this.#firstKept = Math.max(this.#firstKept, kept);
	}
}
