import type {Item, Message} from '../../../worker/index.ts';
import {isCommand} from '../../ground/history/shell-item.ts';

type SerializeOptions = {
	/** The maximum number of tokens of the whole text. */
	readonly maxTokens: number;
	readonly estimate: (text: string) => number;
};

/**
Serialises a part of history as one text for a summary. Headings begin at the line start and texts are indented by a
tab, so a text cannot look like a heading. If the text is too long, long entries lose their middle first, and then the
oldest entries are left out. A note says how much is missing.
*/
export function serializeItems(items: readonly Item[], {maxTokens, estimate}: SerializeOptions): string {
	for (const max of lengths) {
		const text = items.flatMap(item => entryOf(item, max)).join('\n');
		if (estimate(text) <= maxTokens) return text;
	}
	return newest(
		items.flatMap(item => entryOf(item, minLength)),
		{maxTokens, estimate},
	);
}

/**
The maximum numbers of characters of an entry, in the order in which they are tried. User messages and summaries may be
longer.
*/
const minLength = 240;
const lengths = [24_000, 8000, 2400, 800, minLength];
const wordsFactor = 4;

/** Returns the entry of an item, or no entry for other types of items. */
function entryOf(item: Item, max: number): string[] {
	if (item.type === 'compaction') return [entry('Summary of what came before', item.summary, max * wordsFactor)];
	if (item.type === 'message' && isCommand(item) && item.origin.started === true) return [];
	if (item.type === 'message')
		return [entry(headOf(item), item.text, item.role === 'user' ? max * wordsFactor : max)];
	if (item.type === 'tool_call') return [entry(`The agent calls ${item.name.slice(0, 64)}`, item.arguments, max)];
	if (item.type !== 'tool_result') return [];
	return [entry(item.isError ? 'The result, an error' : 'The result', item.content, max)];
}

function headOf({role, origin}: Message): string {
	if (role === 'user') return 'The person says';
	if (role === 'assistant') return 'The agent says';
	return systemHeads[origin?.kind ?? ''] ?? 'A note';
}

const systemHeads: Readonly<Record<string, string>> = {
	file: 'Attached',
	dir: 'Attached',
	image: 'Attached',
	document: 'Attached',
	web: 'Attached',
	editor: 'Attached',
	auto_read: 'Read again',
	workflow: 'Invoked',
	knowledge: 'Invoked',
	shell: 'The person ran',
};

function entry(head: string, text: string, max: number): string {
	return `[${head.replaceAll(/\s/g, ' ')}]\n${shortened(text, max)
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.map(line => `\t${line}`)
		.join('\n')}`;
}

/** Cuts the middle out of a long text. It never splits a character. */
function shortened(text: string, max: number): string {
	if (text.length <= max) return text;
	const head = text.slice(0, Math.ceil(max * 0.7)).replace(/[\uD800-\uDBFF]$/, '');
	const tail = text.slice(text.length - Math.floor(max * 0.3)).replace(/^[\uDC00-\uDFFF]/, '');
	return `${head}\n[… ${text.length - head.length - tail.length} characters are left out here …]\n${tail}`;
}

function newest(all: readonly string[], {maxTokens, estimate}: SerializeOptions): string {
	let size = 0;
	const fitting = all.toReversed().findIndex((text, index) => {
		size += estimate(text) + 1;
		return size > maxTokens && index > 0;
	});
	const from = fitting < 0 ? 0 : all.length - fitting;
	return [`[${from} earlier entries are left out]`, ...all.slice(from)].join('\n');
}
