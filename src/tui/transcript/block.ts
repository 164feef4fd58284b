import type {Item, ItemOf, Message, Origin, Reasoning, RequestItem, RunEnd, ToolCall, ToolResult} from '../../pod/protocol.ts';

/**
What is drawn: one thing on the screen, made of whole items by the fold and by nothing else.
`id` is the id of the item that opened it, so a provisional block and the committed one are the same block.
`open` says that an item in it is still streaming.
*/
export type Block =
	| {readonly kind: 'user'; readonly id: string; readonly open: boolean; readonly item: Message; readonly origin?: Origin}
	| {readonly kind: 'assistant'; readonly id: string; readonly open: boolean; readonly item: Message}
	| {readonly kind: 'thinking'; readonly id: string; readonly open: boolean; readonly item: Reasoning}
	/** `call` is absent for a result whose call is not in history. */
	| {readonly kind: 'tool'; readonly id: string; readonly open: boolean; readonly call?: ToolCall; readonly result?: ToolResult}
	/** One part for a file, several for a workflow with the Knowledge that it requires. */
	| {readonly kind: 'system'; readonly id: string; readonly open: boolean; readonly parts: readonly SystemPart[]}
	/** One row, expandable: interrupt, notice, instructions, setup, rewind, context. */
	| {readonly kind: 'notice'; readonly id: string; readonly open: boolean; readonly item: Message | ItemOf<'setup' | 'rewind' | 'context'>; readonly origin?: Origin}
	/** A turn's foot: one model call, or how a run ended. */
	| {readonly kind: 'foot'; readonly id: string; readonly open: boolean; readonly item: RequestItem | RunEnd}
	| {readonly kind: 'compaction'; readonly id: string; readonly open: boolean; readonly item: ItemOf<'compaction'>};

export type BlockKind = Block['kind'];
export type BlockOf<Kind extends BlockKind> = Extract<Block, {kind: Kind}>;
export type SystemPart = {readonly item: Message; readonly origin?: Origin};

/** The three views of the transcript, switched by one key. */
export type View = 'normal' | 'detail' | 'overview';
export const views: readonly View[] = ['normal', 'detail', 'overview'];

/** The items that a block was made of, in the order of the fold: what can be opened exactly as stored. */
export function itemsOf(block: Block): readonly Item[] {
	if (block.kind === 'system') return block.parts.map(part => part.item);
	if (block.kind === 'tool') return [block.call, block.result].filter(item => item !== undefined);
	return [block.item];
}
