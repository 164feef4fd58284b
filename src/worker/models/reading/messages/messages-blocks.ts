import type {AnswerNotes} from '../answer-notes.ts';
import {argumentsText, countOf, isObject, textIn} from '../fields.ts';
import {hasContent, unreadPart, type Leftovers} from '../unread.ts';
import {fieldOf, elementsOf, parseJson} from '../../values.ts';
import {knownCitation} from './messages-citations.ts';

/** The content blocks of a message. Each is passed on under an index of its own: servers repeat or omit indexes. */
export type MessageBlocks = {
	start(index: unknown, block: unknown): readonly unknown[];
	delta(index: unknown, delta: unknown): readonly unknown[];
	stop(index: unknown): readonly unknown[];
	/** Ends all blocks, as at the end of a message. */
	stopAll(): readonly unknown[];
	/** How many blocks were passed on, and how many of them are calls. */
	readonly counts: {readonly blocks: number; readonly calls: number; readonly namelessCalls: number};
};

type Kind = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use' | 'compaction' | 'unread';

type Block = {
	readonly kind: Kind;
	/** The index under which it is passed on. */
	readonly out: number;
	/** The arguments in the start of a call. They count if no deltas follow. */
	input: string;
	/** Of an unread block: its start, and the texts of its deltas by field. */
	readonly content: unknown;
	readonly texts: Map<string, string>;
};

export function createMessageBlocks(notes: AnswerNotes, leftovers: Leftovers): MessageBlocks {
	const open = new Map<number, Block>();
	const counts = {blocks: 0, calls: 0, namelessCalls: 0};
	let last = 0;

	/** A block that begins. Its `head` is what the package reads; an unread block has none. */
	function begin(at: number, kind: Kind, head?: Readonly<Record<string, unknown>>, content?: unknown): unknown[] {
		const ended = end(at);
		last = at;
		open.set(at, {kind, out: counts.blocks, input: '', content, texts: new Map()});
		if (head === undefined) return ended;
		const event = {type: 'content_block_start', index: counts.blocks, content_block: {type: kind, ...head}};
		counts.blocks += 1;
		if (kind === 'tool_use') counts.calls += 1;
		return [...ended, event];
	}

	function end(at: number): unknown[] {
		const block = open.get(at);
		open.delete(at);
		if (block === undefined) return [];
		if (block.kind !== 'unread') {
			const input =
				block.input === '' ? [] : [deltaEvent(block, 'input_json_delta', {partial_json: block.input})];
			return [...input, {type: 'content_block_stop', index: block.out}];
		}
		const content = withTexts(block);
		if (hasContent(content)) notes.addUnread(unreadPart(textIn(content, 'type') ?? 'content_block', content));
		return [];
	}

	function startCall(at: number, block: unknown): unknown[] {
		const id = textIn(block, 'id') ?? `call_${counts.calls + 1}`;
		const caller = knownCaller(fieldOf(block, 'caller'));
		const head = {id, name: textIn(block, 'name') ?? '', input: {}, ...(caller !== undefined && {caller})};
		const events = begin(at, 'tool_use', head);
		const input = fieldOf(block, 'input');
		const started = open.get(at);
		if (started !== undefined && !(isObject(input) && Object.keys(input).length === 0))
			started.input = argumentsText(input);
		return events;
	}

	const starts: Readonly<Record<string, (at: number, block: unknown) => unknown[]>> = {
		text: (at, block) => [
			...begin(at, 'text', {text: ''}),
			...addText(at, 'text', fieldOf(block, 'text')),
			...elementsOf(fieldOf(block, 'citations')).flatMap(citation => addCitation(at, citation)),
		],
		thinking: (at, block) => [
			...begin(at, 'thinking', {thinking: ''}),
			...addText(at, 'thinking', fieldOf(block, 'thinking')),
			...addSignature(at, fieldOf(block, 'signature')),
		],
		redacted_thinking(at, block) {
			const data = textIn(block, 'data');
			return data === undefined ? [] : begin(at, 'redacted_thinking', {data});
		},
		compaction(at, block) {
			const signature = textIn(block, 'signature');
			const content = textIn(block, 'content');
			const head = {content: content ?? null, ...(signature !== undefined && {signature})};
			const events = begin(at, 'compaction', head);
			// The package itself reads the content of a signed start.
			return signature === undefined ? [...events, ...addCompaction(at, content)] : events;
		},
		tool_use: startCall,
	};

	/** The open block of this kind. Some servers omit the start of a block. */
	function ensure(
		at: number,
		kind: 'text' | 'thinking',
	): {readonly block: Block | undefined; readonly events: unknown[]} {
		const isOpen = open.get(at)?.kind === kind;
		const events = isOpen ? [] : begin(at, kind, {[kind]: ''});
		return {block: open.get(at), events};
	}

	function addText(at: number, kind: 'text' | 'thinking', text: unknown): unknown[] {
		if (typeof text !== 'string' || text === '') return [];
		const {block, events} = ensure(at, kind);
		return block === undefined ? events : [...events, deltaEvent(block, `${kind}_delta`, {[kind]: text})];
	}

	function addSignature(at: number, signature: unknown): unknown[] {
		const block = open.get(at);
		if (typeof signature !== 'string' || signature === '' || block?.kind !== 'thinking') return [];
		return [deltaEvent(block, 'signature_delta', {signature})];
	}

	function addCitation(at: number, citation: unknown): unknown[] {
		const known = knownCitation(citation);
		if (known === undefined) {
			// It is not passed on: the server would refuse it in the next request.
			if (hasContent(citation)) notes.addUnread(unreadPart(textIn(citation, 'type') ?? 'citation', citation));
			return [];
		}
		const {block, events} = ensure(at, 'text');
		return block === undefined ? events : [...events, deltaEvent(block, 'citations_delta', {citation: known})];
	}

	function addCompaction(at: number, content: unknown): unknown[] {
		const block = open.get(at);
		if (typeof content !== 'string' || content === '' || block?.kind !== 'compaction') return [];
		return [deltaEvent(block, 'compaction_delta', {content})];
	}

	function addInput(at: number, input: unknown): unknown[] {
		const text = argumentsText(input);
		const block = open.get(at);
		if (text === '') return [];
		if (block?.kind === 'unread') return addUnreadText(block, 'input', text);
		if (block?.kind === 'tool_use') {
			block.input = '';
			return [deltaEvent(block, 'input_json_delta', {partial_json: text})];
		}
		// A call without its start has no name.
		counts.namelessCalls = 1;
		leftovers.add('tool_use', text);
		return [];
	}

	function addUnknown(at: number, delta: unknown): unknown[] {
		const block = open.get(at);
		const type = textIn(delta, 'type') ?? 'delta';
		for (const [name, value] of Object.entries(isObject(delta) ? delta : {})) {
			if (name === 'type') continue;
			if (block?.kind === 'unread' && typeof value === 'string') addUnreadText(block, name, value);
			else if (hasContent({[name]: value})) leftovers.add(type, value);
		}
		return [];
	}

	return {
		counts,
		start(index, block) {
			const at = countOf(index) ?? (open.size === 0 ? last : Math.max(...open.keys()) + 1);
			const type = textIn(block, 'type') ?? typeOfFields(block);
			const start = Object.hasOwn(starts, type) ? starts[type] : undefined;
			return start === undefined ? begin(at, 'unread', undefined, block) : start(at, block);
		},
		delta(index, delta) {
			const at = countOf(index) ?? last;
			const field = fieldOfDelta(delta);
			const value = fieldOf(delta, field ?? '');
			if (field === 'text' || field === 'thinking') return addText(at, field, value);
			if (field === 'partial_json') return addInput(at, value);
			if (field === 'signature') return addSignature(at, value);
			if (field === 'citation') return addCitation(at, value);
			if (open.get(at)?.kind === 'compaction') return addCompaction(at, fieldOf(delta, 'content'));
			return addUnknown(at, delta);
		},
		stop: index => end(countOf(index) ?? last),
		stopAll: () => [...open.keys()].flatMap(at => end(at)),
	};
}

function deltaEvent({out}: Block, type: string, fields: Readonly<Record<string, unknown>>): unknown {
	return {type: 'content_block_delta', index: out, delta: {type, ...fields}};
}

function addUnreadText({texts}: Block, name: string, text: string): [] {
	const known = texts.get(name) ?? '';
	if (known.length < maxUnreadText) texts.set(name, known + text);
	return [];
}

const maxUnreadText = 64 * 1024;

/** An unread block as if it had come at once. */
function withTexts({content, texts}: Block): unknown {
	const added = [...texts].map(([name, text]) => [name, name === 'input' ? (parseJson(text) ?? text) : text]);
	return {...(isObject(content) ? content : {}), ...Object.fromEntries(added)};
}

/** The field of a delta that has its content. The type of a delta is not read: its field says the same. */
function fieldOfDelta(delta: unknown): 'text' | 'thinking' | 'partial_json' | 'signature' | 'citation' | undefined {
	return deltaFields.find(name => (fieldOf(delta, name) ?? undefined) !== undefined);
}

const deltaFields = ['text', 'thinking', 'partial_json', 'signature', 'citation'] as const;

function typeOfFields(block: unknown): string {
	if (typeof fieldOf(block, 'text') === 'string') return 'text';
	if (typeof fieldOf(block, 'thinking') === 'string') return 'thinking';
	return textIn(block, 'name') === undefined ? '' : 'tool_use';
}

/** Who called a tool. It goes back to the server as it came. */
function knownCaller(caller: unknown): Record<string, string> | undefined {
	const type = fieldOf(caller, 'type');
	const toolId = fieldOf(caller, 'tool_id');
	if (type === 'direct') return {type};
	const isKnown = type === 'code_execution_20250825' || type === 'code_execution_20260120';
	return isKnown && typeof toolId === 'string' ? {type, tool_id: toolId} : undefined;
}
