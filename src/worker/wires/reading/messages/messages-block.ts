import type {ProviderData} from '../../../history/item.ts';
import {parseJson} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import {isObject} from '../fields.ts';

export type BlockKind = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use' | 'compaction' | 'unread';

/** A content block that has begun. */
export type Block = {
	readonly kind: BlockKind;
	/** The id of a call, or a number that is unique in its message. */
	readonly id: string;
	readonly name: string;
	/** The provider's own data of the block. For a call, the end event contains this data. */
	readonly data: ProviderData | undefined;
	/** The arguments in the start event of a call. They are used if no deltas follow. */
	whole: string;
	input: string;
	readonly citations: unknown[];
	/** For a block that cannot be read: its start event, and the texts of its deltas by field. */
	readonly content: unknown;
	readonly texts: Map<string, string>;
};

/** The data about a block that is known when the block begins. */
export type BlockHead = {
	readonly id?: string;
	readonly name?: string;
	readonly data?: ProviderData | undefined;
	readonly content?: unknown;
};

/** Returns the data that is sent back to the server with a part. */
export function own(data: ProviderData[string]): ProviderData {
	return {anthropic: data};
}

export function textKindOf({kind}: Block): 'text' | 'reasoning' {
	return kind === 'text' || kind === 'compaction' ? 'text' : 'reasoning';
}

export function startOf(block: Block): AnswerEvent {
	const {kind, id, name, data} = block;
	if (kind === 'tool_use') return {type: 'call_start', id, name};
	return {type: 'start', kind: textKindOf(block), id, ...(data !== undefined && {data})};
}

export function endOf(block: Block): readonly AnswerEvent[] {
	const {kind, id, name, data, whole, citations} = block;
	if (kind !== 'tool_use') {
		const cited = citations.length > 0 && {data: own({citations})};
		return [{type: 'end', kind: textKindOf(block), id, ...cited}];
	}
	const isWhole = block.input === '' && whole !== '';
	const text = isWhole ? whole : block.input;
	const end: AnswerEvent = {type: 'call_end', id, name, text: text === '' ? '{}' : text, ...(data && {data})};
	return isWhole ? [{type: 'delta', kind: 'tool_call', id, text}, end] : [end];
}

/** Adds text to a field of a block that cannot be read. */
export function addUnreadText({texts}: Block, name: string, text: string): void {
	const known = texts.get(name) ?? '';
	if (known.length < maxUnreadText) texts.set(name, known + text);
}

const maxUnreadText = 64 * 1024;

/** Returns the content of a block that cannot be read, in the form that it would have without streaming. */
export function withTexts({content, texts}: Block): unknown {
	const added = [...texts].map(([name, text]) => [name, name === 'input' ? (parseJson(text) ?? text) : text]);
	return {...(isObject(content) ? content : {}), ...Object.fromEntries(added)};
}
