import type {AnswerNotes} from '../answer-notes.ts';
import type {AddedText} from '../event-reader.ts';
import {argumentsText, countOf, isObject, textIn} from '../fields.ts';
import {hasContent, unreadPart, type Leftovers} from '../unread.ts';
import {fieldOf, elementsOf, parseJson} from '../../values.ts';
import {knownCitation} from './messages-citations.ts';

type Kind = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use' | 'compaction' | 'unread';

type Block = {
	readonly kind: Kind;
	/** The index under which the block is passed on. */
	readonly out: number;
	/** The arguments in the start of a call. They are used if no deltas follow. */
	input: string;
	/** For a block that cannot be read: its start, and the texts of its deltas by field. */
	readonly content: unknown;
	readonly texts: Map<string, string>;
};

type Events = readonly unknown[];

/** The number and the kinds of the blocks that were passed on. */
export type MessageCounts = {readonly blocks: number; readonly calls: number; readonly namelessCalls: number};

/**
Reads the content blocks of a message. Each block is passed on under an index of its own, because servers repeat or omit
indexes.
*/
export class MessageBlocks {
	readonly #notes: AnswerNotes;
	readonly #leftovers: Leftovers;
	readonly #open = new Map<number, Block>();
	#counts: MessageCounts = {blocks: 0, calls: 0, namelessCalls: 0};
	#last = 0;

	constructor(notes: AnswerNotes, leftovers: Leftovers) {
		this.#notes = notes;
		this.#leftovers = leftovers;
	}

	get counts(): MessageCounts {
		return this.#counts;
	}

	start(index: unknown, block: unknown): Events {
		const at = countOf(index) ?? (this.#open.size === 0 ? this.#last : Math.max(...this.#open.keys()) + 1);
		const type = textIn(block, 'type') ?? typeOfFields(block);
		if (type === 'text') return this.#startText(at, block);
		if (type === 'thinking') return this.#startThinking(at, block);
		if (type === 'tool_use') return this.#startCall(at, block);
		if (type === 'compaction') return this.#startCompaction(at, block);
		const data = type === 'redacted_thinking' ? textIn(block, 'data') : undefined;
		return data === undefined
			? this.#begin(at, 'unread', undefined, block)
			: this.#begin(at, 'redacted_thinking', {data});
	}

	delta(index: unknown, delta: unknown): Events {
		const at = countOf(index) ?? this.#last;
		const field = fieldOfDelta(delta);
		const value = fieldOf(delta, field ?? '');
		if (field === 'text' || field === 'thinking') return this.#addText(at, field, value);
		if (field === 'partial_json') return this.#addInput(at, value);
		if (field === 'signature') return this.#addSignature(at, value);
		if (field === 'citation') return this.#addCitation(at, value);
		const isCompaction = this.#open.get(at)?.kind === 'compaction';
		if (isCompaction) return this.#addCompaction(at, fieldOf(delta, 'content'));
		this.#addUnknown(at, delta);
		return [];
	}

	stop(index: unknown): Events {
		return this.#end(countOf(index) ?? this.#last);
	}

	/** Ends all blocks, as at the end of a message. */
	stopAll(): Events {
		return [...this.#open.keys()].flatMap(at => this.#end(at));
	}

	/** Begins a block. `head` is what the package reads. A block that cannot be read has none. */
	#begin(at: number, kind: Kind, head?: Readonly<Record<string, unknown>>, content?: unknown): Events {
		this.#notes.countPart();
		const ended = [...this.#end(at), ...this.#endOldest()];
		const {blocks, calls} = this.#counts;
		this.#last = at;
		this.#open.set(at, {kind, out: blocks, input: '', content, texts: new Map()});
		if (head === undefined) return ended;
		this.#counts = {...this.#counts, blocks: blocks + 1, calls: kind === 'tool_use' ? calls + 1 : calls};
		return [...ended, {type: 'content_block_start', index: blocks, content_block: {type: kind, ...head}}];
	}

	/** A server may leave out the ends of all blocks. */
	#endOldest(): Events {
		const [oldest] = this.#open.size < maxOpen ? [] : this.#open.keys();
		return oldest === undefined ? [] : this.#end(oldest);
	}

	#end(at: number): Events {
		const block = this.#open.get(at);
		this.#open.delete(at);
		if (block === undefined) return [];
		if (block.kind !== 'unread') {
			const {input} = block;
			const events = input === '' ? [] : [deltaEvent(block, 'input_json_delta', {partial_json: input})];
			return [...events, {type: 'content_block_stop', index: block.out}];
		}
		const content = withTexts(block);
		if (hasContent(content)) this.#notes.addUnread(unreadPart(textIn(content, 'type') ?? 'block', content));
		return [];
	}

	#startText(at: number, block: unknown): Events {
		return [
			...this.#begin(at, 'text', {text: ''}),
			...this.#addText(at, 'text', fieldOf(block, 'text')),
			...elementsOf(fieldOf(block, 'citations')).flatMap(citation => this.#addCitation(at, citation)),
		];
	}

	#startThinking(at: number, block: unknown): Events {
		return [
			...this.#begin(at, 'thinking', {thinking: ''}),
			...this.#addText(at, 'thinking', fieldOf(block, 'thinking')),
			...this.#addSignature(at, fieldOf(block, 'signature')),
		];
	}

	#startCall(at: number, block: unknown): Events {
		const id = textIn(block, 'id') ?? `call_${this.#counts.calls + 1}`;
		const caller = knownCaller(fieldOf(block, 'caller'));
		const head = {id, name: textIn(block, 'name') ?? '', input: {}, ...(caller !== undefined && {caller})};
		const events = this.#begin(at, 'tool_use', head);
		const input = fieldOf(block, 'input');
		const started = this.#open.get(at);
		if (started !== undefined && !(isObject(input) && Object.keys(input).length === 0))
			started.input = argumentsText(input);
		return events;
	}

	#startCompaction(at: number, block: unknown): Events {
		const signature = textIn(block, 'signature');
		const content = textIn(block, 'content');
		const head = {content: content ?? null, ...(signature !== undefined && {signature})};
		const events = this.#begin(at, 'compaction', head);
		// The package itself reads the content of a signed start.
		return signature === undefined ? [...events, ...this.#addCompaction(at, content)] : events;
	}

	/** Adds to a text or a thought. Some servers omit the start of the block. */
	#addText(at: number, kind: 'text' | 'thinking', text: unknown): Events {
		if (typeof text !== 'string' || text === '') return [];
		const events = this.#open.get(at)?.kind === kind ? [] : this.#begin(at, kind, {[kind]: ''});
		return [...events, ...this.#deltaTo(at, kind, `${kind}_delta`, {[kind]: text})];
	}

	#addSignature(at: number, signature: unknown): Events {
		const isText = typeof signature === 'string' && signature !== '';
		return isText ? this.#deltaTo(at, 'thinking', 'signature_delta', {signature}) : [];
	}

	#addCompaction(at: number, content: unknown): Events {
		const isText = typeof content === 'string' && content !== '';
		return isText ? this.#deltaTo(at, 'compaction', 'compaction_delta', {content}) : [];
	}

	#addCitation(at: number, citation: unknown): Events {
		const known = knownCitation(citation);
		if (known === undefined) {
			// A thought without a signature is not passed on, because the server would refuse it in the next request.
			if (hasContent(citation))
				this.#notes.addUnread(unreadPart(textIn(citation, 'type') ?? 'citation', citation));
			return [];
		}
		const events = this.#open.get(at)?.kind === 'text' ? [] : this.#begin(at, 'text', {text: ''});
		return [...events, ...this.#deltaTo(at, 'text', 'citations_delta', {citation: known})];
	}

	#addInput(at: number, input: unknown): Events {
		const text = argumentsText(input);
		const block = this.#open.get(at);
		if (text === '') return [];
		if (block?.kind === 'unread') addUnreadText(block, 'input', text);
		else if (block?.kind === 'tool_use') {
			block.input = '';
			return [deltaEvent(block, 'input_json_delta', {partial_json: text})];
		} else {
			// A call without its start has no name.
			this.#counts = {...this.#counts, namelessCalls: 1};
			this.#leftovers.add('tool_use', text);
		}
		return [];
	}

	#addUnknown(at: number, delta: unknown): void {
		const block = this.#open.get(at);
		const type = textIn(delta, 'type') ?? 'delta';
		for (const [name, value] of Object.entries(isObject(delta) ? delta : {})) {
			if (name === 'type') continue;
			if (block?.kind === 'unread' && typeof value === 'string') addUnreadText(block, name, value);
			else if (hasContent({[name]: value})) this.#leftovers.add(type, value);
		}
	}

	#deltaTo(at: number, kind: Kind, type: string, fields: Readonly<Record<string, unknown>>): Events {
		const block = this.#open.get(at);
		return block?.kind === kind ? [deltaEvent(block, type, fields)] : [];
	}
}

/** Reads a delta of a text, a thought or arguments. */
export function addedText(event: unknown): AddedText | undefined {
	const delta = fieldOf(event, 'delta');
	const field = fieldOfDelta(delta);
	const text = fieldOf(delta, field ?? '');
	if (field === undefined || !joined.has(field) || typeof text !== 'string') return undefined;
	const [type, index] = [fieldOf(delta, 'type'), fieldOf(event, 'index')];
	return {
		place: `${String(index)} ${field}`,
		text,
		event: more => ({type: 'content_block_delta', index, delta: {type, [field]: more}}),
	};
}

const joined: ReadonlySet<string> = new Set(['text', 'thinking', 'partial_json']);

function deltaEvent({out}: Block, type: string, fields: Readonly<Record<string, unknown>>): unknown {
	return {type: 'content_block_delta', index: out, delta: {type, ...fields}};
}

function addUnreadText({texts}: Block, name: string, text: string): void {
	const known = texts.get(name) ?? '';
	if (known.length < maxUnreadText) texts.set(name, known + text);
}

/** When a block without an index begins, all open blocks are checked. */
const maxOpen = 256;

const maxUnreadText = 64 * 1024;

/** Returns a block that cannot be read as if it had come at once. */
function withTexts({content, texts}: Block): unknown {
	const added = [...texts].map(([name, text]) => [name, name === 'input' ? (parseJson(text) ?? text) : text]);
	return {...(isObject(content) ? content : {}), ...Object.fromEntries(added)};
}

/**
The field of a delta that contains its content. The type of a delta is not read, because the field that it has says the
same.
*/
function fieldOfDelta(delta: unknown): 'text' | 'thinking' | 'partial_json' | 'signature' | 'citation' | undefined {
	return deltaFields.find(name => (fieldOf(delta, name) ?? undefined) !== undefined);
}

const deltaFields = ['text', 'thinking', 'partial_json', 'signature', 'citation'] as const;

function typeOfFields(block: unknown): string {
	if (typeof fieldOf(block, 'text') === 'string') return 'text';
	if (typeof fieldOf(block, 'thinking') === 'string') return 'thinking';
	return textIn(block, 'name') === undefined ? '' : 'tool_use';
}

/** The caller of a tool. It is sent back to the server unchanged. */
function knownCaller(caller: unknown): Record<string, string> | undefined {
	const type = fieldOf(caller, 'type');
	const toolId = fieldOf(caller, 'tool_id');
	if (type === 'direct') return {type};
	const isKnown = type === 'code_execution_20250825' || type === 'code_execution_20260120';
	return isKnown && typeof toolId === 'string' ? {type, tool_id: toolId} : undefined;
}
