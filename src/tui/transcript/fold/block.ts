import type {
	Cost,
	Item,
	ItemOf,
	Message,
	Origin,
	OriginOf,
	Reasoning,
	RequestEnd,
	RequestItem,
	RunEnd,
	ToolCall,
	ToolResult,
} from '../../../pod/protocol.ts';

/**
A block is one thing on the screen. The fold makes it of whole items. `id` is the id of its first item, so a provisional
block and its committed version are the same block. `open`: an item in it still streams. `rewound`: a rewind removed it
from the context.
*/
export type Block = AnyBlock & {readonly rewound?: true};

type AnyBlock =
	| {
			readonly kind: 'user';
			readonly id: string;
			readonly open: boolean;
			readonly item: Message;
			readonly origin?: Origin;
	  }
	| {readonly kind: 'assistant'; readonly id: string; readonly open: boolean; readonly item: Message}
	| {readonly kind: 'thinking'; readonly id: string; readonly open: boolean; readonly item: Reasoning}
	/** `call` is absent for a result whose call is not in the history. */
	| {
			readonly kind: 'tool';
			readonly id: string;
			readonly open: boolean;
			readonly call?: ToolCall;
			readonly result?: ToolResult;
	  }
	/** A file has one part. A workflow has several, for its required Knowledge. */
	| {readonly kind: 'system'; readonly id: string; readonly open: boolean; readonly parts: readonly SystemPart[]}
	/**
	A notice is one row that can be expanded: interrupt, notice, instructions, setup, rewind, context. `names` are inert
	and name the items of a context change, or the message that a rewind went back to. A `derived` notice has no item:
	the process died in a run.
	*/
	| {
			readonly kind: 'notice';
			readonly id: string;
			readonly open: boolean;
			readonly item: NoticeItem;
			readonly origin?: Origin;
			readonly names?: readonly string[];
	  }
	| {readonly kind: 'notice'; readonly id: 'cut'; readonly open: boolean; readonly derived: 'cut'}
	/**
	The foot of a model call. `end` is set on the last foot of a run. `own` is the usage of the call, `run` that of the
	run so far. A run that ended elsewhere has a foot without `item`. A sent request has a foot of its own before its
	answer. It shows only a `lost` answer.
	*/
	| {
			readonly kind: 'usage';
			readonly id: string;
			readonly open: boolean;
			readonly item?: RequestItem | RequestEnd;
			readonly end?: RunEnd;
			readonly lost?: true;
			readonly own?: RunTotals;
			readonly run: RunTotals;
	  }
	/**
	`read` are its auto-reads, which have their own blocks. `kept` names the first items that stay verbatim, and `from`
	names the first item of the tail. All names are inert.
	*/
	| {
			readonly kind: 'compaction';
			readonly id: string;
			readonly open: boolean;
			readonly item: ItemOf<'compaction'>;
			readonly read: ReadonlyArray<OriginOf<'auto_read'>>;
			readonly kept: readonly string[];
			readonly from: string;
	  };

export type BlockKind = Block['kind'];
export type BlockOf<Kind extends BlockKind> = {
	readonly [Each in Kind]: Extract<Block, {kind: Each}> & {readonly kind: Each};
}[Kind];
/**
The total usage of a run's requests. `ms` is the time of the model calls alone. A missing count is unknown, not 0.
*/
export type RunTotals = {
	readonly model: string;
	readonly requests: number;
	readonly input?: number;
	readonly output?: number;
	readonly cacheRead?: number;
	readonly ms: number;
	/** A missing cost means that the prices are unknown. */ readonly cost?: Cost;
};
export type NoticeItem = Message | ItemOf<'setup' | 'rewind' | 'context'>;
export type SystemPart = {readonly item: Message; readonly origin?: Origin};

/**
Maps the origin of a system message to the kind of its block. A message of unknown origin gets a `system` block. The
fold groups the messages of one invocation.
*/
export const kindByOrigin = {
	submit: 'system',
	file: 'system',
	dir: 'system',
	shell: 'system',
	auto_read: 'system',
	workflow: 'system',
	knowledge: 'system',
	interrupt: 'notice',
	instructions: 'notice',
	notice: 'notice',
} as const satisfies {readonly [Kind in Origin['kind']]: BlockKind};

/** The transcript has three views. One key switches between them. */
export type View = 'normal' | 'detail' | 'overview';
export const views: readonly View[] = ['normal', 'detail', 'overview'];

/** Returns the items of a block in their order. You can open each of them exactly as stored. */
export function itemsOf(block: Block): readonly Item[] {
	if (block.kind === 'system') return block.parts.map(part => part.item);
	if (block.kind === 'tool') return [block.call, block.result].filter(item => item !== undefined);
	if (block.kind === 'usage') return [block.item, block.end].filter(item => item !== undefined);
	return 'derived' in block ? [] : [block.item];
}
