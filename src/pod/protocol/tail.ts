import type {Item} from '../../worker/index.ts';

type Delta = {readonly id: string; readonly text: string; readonly begin?: Item | undefined};

/** Adds a delta to the provisional items, in place. */
export function growTail(tail: Item[], {id, text, begin}: Delta): void {
	if (begin !== undefined) tail.push(begin);
	// Most deltas belong to the newest item.
	const index = tail.findLastIndex(item => item.id === id);
	const item = tail[index];
	if (item !== undefined && text !== '') tail[index] = grown(item, text);
}

/** Returns a provisional item with more text. The text of a tool result goes to its `content`. */
export function grown(item: Item, text: string): Item {
	if (item.type === 'tool_result') return {...item, content: item.content + text};
	if (item.type === 'tool_call') return {...item, arguments: item.arguments + text};
	if (item.type === 'message' || item.type === 'reasoning') return {...item, text: item.text + text};
	return item;
}

/**
Returns the text of a provisional item that inkpod saves while the text arrives. Returns `undefined` for a tool call,
because inkpod does not save incomplete arguments.
*/
export function streamedText(item: Item): string | undefined {
	if (item.type === 'tool_result') return item.content;
	return item.type === 'message' || item.type === 'reasoning' ? item.text : undefined;
}

/** Removes the provisional items that a committed item makes obsolete, in place. */
export function settleTail(tail: Item[], committed: Item): void {
	const left = tail.filter(item => !isSettled(item, committed));
	tail.splice(0, tail.length, ...left);
}

/** Tells whether a committed item makes a provisional item obsolete. */
export function isSettled(item: Item, committed: Item): boolean {
	return (
		item.id === committed.id ||
		committed.type === 'run_end' ||
		(endsAnswer.has(committed.type) && item.type !== 'tool_result')
	);
}

const endsAnswer: ReadonlySet<Item['type']> = new Set(['request', 'request_end']);
