import type {Item, ItemOf, ToolCall, ToolResult} from './item.ts';

/**
Each call with its result: the nth result of a call id answers the nth call of that id in the last answer that called by
it, as the transcript shows it: small servers count their ids from one in each answer. A call that is dropped, or
summarised, before it has its result is passed over: it was not asked about any more.
*/
export function pairResults(items: readonly Item[]): ReadonlyMap<ToolCall, ToolResult> {
	return pair(items).answers;
}

/** The calls that the next result of their id can still answer, in call order. */
export function openCalls(items: readonly Item[]): ToolCall[] {
	const {open} = pair(items);
	return items.filter(item => item.type === 'tool_call' && open.has(item)) as ToolCall[];
}

/** What stopped calls had put out, by the ids of their items: of several attempts the last one. */
export function partialResults(items: readonly Item[]): ReadonlyMap<string, ToolResult> {
	const partials = new Map<string, ToolResult>();
	for (const item of items) {
		if (item.type === 'tool_result' && item.partialOf !== undefined) partials.set(item.partialOf, item);
	}
	return partials;
}

type Pairs = {readonly answers: ReadonlyMap<ToolCall, ToolResult>; readonly open: ReadonlySet<Item>};

function pair(items: readonly Item[]): Pairs {
	const waiting = new Map<string, {calls: ToolCall[]; readonly answer: number}>();
	const out = new Set<string>();
	const answers = new Map<ToolCall, ToolResult>();
	let answer = 0;
	const next = () => void answer++;
	const takers: {readonly [Type in Item['type']]?: (item: ItemOf<Type>, index: number) => void} = {
		request: next,
		run_end: next,
		rewind: next,
		tool_call(call) {
			const known = waiting.get(call.callId);
			if (known?.answer === answer) known.calls.push(call);
			else waiting.set(call.callId, {calls: [call], answer});
		},
		tool_result(result) {
			if (result.partialOf !== undefined) return;
			const calls = waiting.get(result.callId)?.calls ?? [];
			const at = calls.findIndex(({id}) => !out.has(id));
			if (at !== -1) answers.set(calls.splice(at, 1)[0]!, result);
		},
		context({op, ids}) {
			for (const id of ids)
				if (op === 'drop') out.add(id);
				else out.delete(id);
		},
		compaction({id, firstKept}, index) {
			const kept = firstKept === id ? index : items.slice(0, index).findLastIndex(item => item.id === firstKept);
			const summarised = new Set<Item>(items.slice(0, Math.max(0, kept)));
			for (const known of waiting.values()) known.calls = known.calls.filter(call => !summarised.has(call));
		},
	};
	for (const [index, item] of items.entries()) takers[item.type]?.(item as never, index);
	return {answers, open: new Set([...waiting.values()].flatMap(({calls}) => calls))};
}

/** Who stands and falls together in a request. */
export type Ties = {
	/** Call -> result, and result -> call. */
	readonly partners: ReadonlyMap<Item, Item>;
	/**
	Thought -> what it led to: the words and the answered calls up to the next thought. Providers refuse a thought
	without what it led to, and some refuse that without its thought. A thought that led to nothing that is sent is not
	in it.
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
	const ledTo = new Map<Item, readonly Item[]>();
	let thoughts: Item[] = [];
	let followed: Item[] = [];
	for (const item of items) {
		if (item.type === 'reasoning') {
			if (followed.length > 0) [thoughts, followed] = [[], []];
			thoughts.push(item);
		} else if (
			item.type === 'tool_call'
				? partners.has(item)
				: item.type === 'message' && item.role === 'assistant' && isSaid(item)
		) {
			followed.push(item);
			for (const thought of thoughts) ledTo.set(thought, followed);
		} else if (
			item.type === 'request' ||
			item.type === 'run_end' ||
			(item.type === 'message' && item.role !== 'assistant')
		)
			[thoughts, followed] = [[], []];
	}
	return {partners, ledTo};
}

/** A blank text may still carry what its provider wants back. */
export function isSaid({text, provider}: {readonly text: string; readonly provider?: unknown}): boolean {
	return text.trim() !== '' || provider !== undefined;
}
