import type {
	Cost,
	Item,
	ItemOf,
	Message,
	Origin,
	OriginOf,
	Reasoning,
	RequestItem,
	RunEnd,
	ToolCall,
	ToolResult,
} from '../../../pod/protocol.ts';

/**
What is drawn: one thing on the screen, made of whole items by the fold and by nothing else.
`id` is the id of the item that opened it, so a provisional block and the committed one are the same block.
`open` says that an item in it is still streaming, `rewound` that a rewind took it out of the context.
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
	/** `call` is absent for a result whose call is not in history. */
	| {
			readonly kind: 'tool';
			readonly id: string;
			readonly open: boolean;
			readonly call?: ToolCall;
			readonly result?: ToolResult;
	  }
	/** One part for a file, several for a workflow with the Knowledge that it requires. */
	| {readonly kind: 'system'; readonly id: string; readonly open: boolean; readonly parts: readonly SystemPart[]}
	/**
	One row, expandable: interrupt, notice, instructions, setup, rewind, context. `names` are of what a change of the
	context names, in its order, and of the message that a rewind went back to; inert. `derived` is made of no item: it
	says that the process died in a run.
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
	A model call's foot. `end` is there on the one that closes its run; `own` is what the call used, `run` what the
	run's requests used so far. A run that ended elsewhere has a foot without `item`.
	*/
	| {
			readonly kind: 'usage';
			readonly id: string;
			readonly open: boolean;
			readonly item?: RequestItem;
			readonly end?: RunEnd;
			readonly own?: RunTotals;
			readonly run: RunTotals;
	  }
	/**
	`read` are the auto-reads that it made, which are blocks of their own; `kept` the names of the first of what stays
	of the part before, `from` that of what the tail begins with; inert.
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
What the requests of one run used together; `ms` is the time of the model calls alone. A count that no request told is
absent: unknown, not 0.
*/
export type RunTotals = {
	readonly model: string;
	readonly requests: number;
	readonly input?: number;
	readonly output?: number;
	readonly cacheRead?: number;
	readonly ms: number;
	/** Absent: nothing is known of what models cost. */ readonly cost?: Cost;
};
export type NoticeItem = Message | ItemOf<'setup' | 'rewind' | 'context'>;
export type SystemPart = {readonly item: Message; readonly origin?: Origin};

/**
The kind of block that shows a message of role system, by its origin. One without a known origin is a `system` block.
Messages of one invocation are put together by the fold.
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

/** The three views of the transcript, switched by one key. */
export type View = 'normal' | 'detail' | 'overview';
export const views: readonly View[] = ['normal', 'detail', 'overview'];

/** The items that a block was made of, in the order of the fold: what can be opened exactly as stored. */
export function itemsOf(block: Block): readonly Item[] {
	if (block.kind === 'system') return block.parts.map(part => part.item);
	if (block.kind === 'tool') return [block.call, block.result].filter(item => item !== undefined);
	if (block.kind === 'usage') return [block.item, block.end].filter(item => item !== undefined);
	return 'derived' in block ? [] : [block.item];
}
