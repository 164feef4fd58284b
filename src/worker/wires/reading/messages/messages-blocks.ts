import type {ProviderData} from '../../../history/item.ts';
import {fieldOf, elementsOf} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {argumentsText, countOf, isObject, textIn} from '../fields.ts';
import {hasContent, unreadPart, type Leftovers} from '../unread.ts';
import {
	addUnreadText,
	endOf,
	own,
	startOf,
	textKindOf,
	withTexts,
	type Block,
	type BlockHead,
	type BlockKind,
} from './messages-block.ts';
import {knownCitation} from './messages-citations.ts';

type Events = readonly AnswerEvent[];

/** The number and the kinds of the blocks that were read. */
export type MessageCounts = {readonly blocks: number; readonly calls: number; readonly namelessCalls: number};

/** Reads the content blocks of a message. Each block gets a unique id, because some servers repeat or omit indexes. */
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
			? this.#begin(at, 'unread', {content: block})
			: this.#begin(at, 'redacted_thinking', {data: own({redactedData: data})});
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

	/** Begins a block. A block that cannot be read is noted when it ends. */
	#begin(at: number, kind: BlockKind, {id, name = '', data, content}: BlockHead = {}): Events {
		this.#notes.countPart();
		const ended = [...this.#end(at), ...this.#endOldest()];
		const {blocks, calls} = this.#counts;
		const block: Block = {
			kind,
			id: id ?? String(blocks),
			name,
			data,
			whole: '',
			input: '',
			citations: [],
			content,
			texts: new Map(),
		};
		this.#last = at;
		this.#open.set(at, block);
		if (kind === 'unread') return ended;
		this.#counts = {...this.#counts, blocks: blocks + 1, calls: kind === 'tool_use' ? calls + 1 : calls};
		return [...ended, startOf(block)];
	}

	/** Ends the oldest block if too many blocks are open. A server may leave out the end events of all blocks. */
	#endOldest(): Events {
		const [oldest] = this.#open.size < maxOpen ? [] : this.#open.keys();
		return oldest === undefined ? [] : this.#end(oldest);
	}

	#end(at: number): Events {
		const block = this.#open.get(at);
		this.#open.delete(at);
		if (block === undefined) return [];
		if (block.kind !== 'unread') return endOf(block);
		const content = withTexts(block);
		if (hasContent(content)) this.#notes.addUnread(unreadPart(textIn(content, 'type') ?? 'block', content));
		return [];
	}

	#startText(at: number, block: unknown): Events {
		return [
			...this.#begin(at, 'text'),
			...this.#addText(at, 'text', fieldOf(block, 'text')),
			...elementsOf(fieldOf(block, 'citations')).flatMap(citation => this.#addCitation(at, citation)),
		];
	}

	#startThinking(at: number, block: unknown): Events {
		return [
			...this.#begin(at, 'thinking'),
			...this.#addText(at, 'thinking', fieldOf(block, 'thinking')),
			...this.#addSignature(at, fieldOf(block, 'signature')),
		];
	}

	#startCall(at: number, block: unknown): Events {
		const id = textIn(block, 'id') ?? `call_${this.#counts.calls + 1}`;
		const caller = knownCaller(fieldOf(block, 'caller'));
		const data = caller && own({caller});
		const events = this.#begin(at, 'tool_use', {id, name: textIn(block, 'name') ?? '', data});
		const input = fieldOf(block, 'input');
		const started = this.#open.get(at);
		if (started !== undefined && !(isObject(input) && Object.keys(input).length === 0))
			started.whole = argumentsText(input);
		return events;
	}

	#startCompaction(at: number, block: unknown): Events {
		const signature = textIn(block, 'signature');
		const data = own({type: 'compaction', ...(signature !== undefined && {signature})});
		return [...this.#begin(at, 'compaction', {data}), ...this.#addCompaction(at, fieldOf(block, 'content'))];
	}

	/** Adds to a text or a thought. Some servers omit the start event of the block. */
	#addText(at: number, kind: 'text' | 'thinking', text: unknown): Events {
		if (typeof text !== 'string' || text === '') return [];
		const events = this.#open.get(at)?.kind === kind ? [] : this.#begin(at, kind);
		return [...events, ...this.#deltaTo(at, kind, text)];
	}

	#addSignature(at: number, signature: unknown): Events {
		const isText = typeof signature === 'string' && signature !== '';
		return isText ? this.#deltaTo(at, 'thinking', '', own({signature})) : [];
	}

	#addCompaction(at: number, content: unknown): Events {
		const isText = typeof content === 'string' && content !== '';
		return isText ? this.#deltaTo(at, 'compaction', content) : [];
	}

	#addCitation(at: number, citation: unknown): Events {
		const known = knownCitation(citation);
		if (known === undefined) {
			if (hasContent(citation))
				this.#notes.addUnread(unreadPart(textIn(citation, 'type') ?? 'citation', citation));
			return [];
		}
		const events = this.#open.get(at)?.kind === 'text' ? [] : this.#begin(at, 'text');
		this.#open.get(at)?.citations.push(known);
		return events;
	}

	#addInput(at: number, input: unknown): Events {
		const text = argumentsText(input);
		const block = this.#open.get(at);
		if (text === '') return [];
		if (block?.kind === 'unread') addUnreadText(block, 'input', text);
		else if (block?.kind === 'tool_use') {
			block.input += text;
			return [{type: 'delta', kind: 'tool_call', id: block.id, text}];
		} else {
			// A call without its start event has no name.
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

	/** Returns a delta of a block, if the block is open. */
	#deltaTo(at: number, kind: BlockKind, text: string, data?: ProviderData): Events {
		const block = this.#open.get(at);
		if (block?.kind !== kind) return [];
		return [{type: 'delta', kind: textKindOf(block), id: block.id, text, ...(data !== undefined && {data})}];
	}
}

/** The maximum number of open blocks. All open blocks are checked when a block without an index begins. */
const maxOpen = 256;

/**
Returns the name of the field that contains the content of a delta. The type of the delta is not read, because the name
of this field implies the type.
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

/** Returns the caller of a tool, which is sent back to the server. */
function knownCaller(caller: unknown): Record<string, string> | undefined {
	const type = fieldOf(caller, 'type');
	const toolId = fieldOf(caller, 'tool_id');
	if (type === 'direct') return {type};
	const isKnown = type === 'code_execution_20250825' || type === 'code_execution_20260120';
	return isKnown && typeof toolId === 'string' ? {type, toolId} : undefined;
}
