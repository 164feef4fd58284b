import type {Item, ItemOf, Message} from '../../worker/index.ts';

export type SerializeOptions = {
	/** Of the whole text. */
	readonly maxTokens: number;
	readonly estimate: (text: string) => number;
};

/**
A part of history as one text, to be summarised. Heads stand at the beginning of a line, and what was said behind a tab,
line by line: no text can be taken for a head. Where all of it is too long, long entries lose their middle first, at
last the oldest entries go; it says so.
*/
export function serializeItems(items: readonly Item[], {maxTokens, estimate}: SerializeOptions): string {
	for (const most of lengths) {
		const text = items.flatMap(item => entryOf(item, most)).join('\n');
		if (estimate(text) <= maxTokens) return text;
	}
	return newest(
		items.flatMap(item => entryOf(item, lengths.at(-1)!)),
		{maxTokens, estimate},
	);
}

/** Characters of an entry; words of the person and summaries may be longer. */
const lengths = [24_000, 8000, 2400, 800, 240];
const wordsFactor = 4;

function entryOf(item: Item, most: number): string[] {
	return (entries[item.type] as ((item: Item, most: number) => string[]) | undefined)?.(item, most) ?? [];
}

const entries: {readonly [Type in Item['type']]?: (item: ItemOf<Type>, most: number) => string[]} = {
	compaction: ({summary}, most) => [entry('Summary of what came before', summary, most * wordsFactor)],
	message: (message, most) => [
		entry(headOf(message), message.text, message.role === 'user' ? most * wordsFactor : most),
	],
	tool_call: ({name, arguments: args}, most) => [entry(`The agent calls ${name.slice(0, 64)}`, args, most)],
	tool_result: ({content, isError}, most) => [entry(isError ? 'The result, an error' : 'The result', content, most)],
};

function headOf({role, origin}: Message): string {
	if (role === 'user') return 'The person says';
	if (role === 'assistant') return 'The agent says';
	return systemHeads[origin?.kind ?? ''] ?? 'A note';
}

const systemHeads: Readonly<Record<string, string>> = {
	file: 'Attached',
	dir: 'Attached',
	auto_read: 'Read again',
	workflow: 'Invoked',
	knowledge: 'Invoked',
	shell: 'The person ran',
};

function entry(head: string, text: string, most: number): string {
	return `[${head.replaceAll(/\s/g, ' ')}]\n${shortened(text, most)
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.map(line => `\t${line}`)
		.join('\n')}`;
}

/** Without its middle where it is longer, cut between characters. */
function shortened(text: string, most: number): string {
	if (text.length <= most) return text;
	const head = text.slice(0, Math.ceil(most * 0.7)).replace(/[\uD800-\uDBFF]$/, '');
	const tail = text.slice(text.length - Math.floor(most * 0.3)).replace(/^[\uDC00-\uDFFF]/, '');
	return `${head}\n[… ${text.length - head.length - tail.length} characters are left out here …]\n${tail}`;
}

function newest(all: readonly string[], {maxTokens, estimate}: SerializeOptions): string {
	let from = all.length;
	for (let size = 0; from > 0; from--) {
		size += estimate(all[from - 1]!) + 1;
		if (size > maxTokens && from < all.length) break;
	}
	return [`[${from} earlier entries are left out]`, ...all.slice(from)].join('\n');
}
