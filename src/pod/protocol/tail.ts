import type {Item} from '../../worker/index.ts';

type Delta = {readonly id: string; readonly text: string; readonly begin?: Item | undefined};

/** Adds a delta to the provisional items, in place. The text of a tool result goes to its `content`. */
export function growTail(tail: Item[], {id, text, begin}: Delta): void {
	if (begin !== undefined) tail.push(begin);
	// Most deltas belong to the newest item.
	const index = tail.findLastIndex(item => item.id === id);
	const item = tail[index];
	if (item === undefined || text === '') return;
	if (item.type === 'tool_result') tail[index] = {...item, content: item.content + text};
	else if (item.type === 'tool_call') tail[index] = {...item, arguments: item.arguments + text};
	else if (item.type === 'message' || item.type === 'reasoning') tail[index] = {...item, text: item.text + text};
}

/** Drops, in place, the provisional items that a committed item settles. */
export function settleTail(tail: Item[], committed: Item): void {
	const isOpen = (item: Item) =>
		item.id !== committed.id &&
		committed.type !== 'run_end' &&
		(!endsAnswer.has(committed.type) || item.type === 'tool_result');
	const left = tail.filter(isOpen);
	tail.splice(0, tail.length, ...left);
}

const endsAnswer: ReadonlySet<Item['type']> = new Set(['request', 'request_end']);
