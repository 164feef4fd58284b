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
} from '../pod/protocol.ts';

/**
A unit of the transcript, such as a message or a call. The fold creates a block from whole items. `id` is the id of its
first item, so a provisional block and its committed version are the same block. `open`: whether an item in the block is
still being streamed. `rewound`: whether a rewind removed the block from the context.
*/
export type Block = AnyBlock & {readonly rewound?: true};

type AnyBlock =
	/** A message of the user, or the task of a child session (`origin.kind` is `task`), which its parent wrote. */
	| {
			readonly kind: 'user';
			readonly id: string;
			readonly open: boolean;
			readonly item: Message;
			readonly origin?: Origin;
	  }
	| {readonly kind: 'assistant'; readonly id: string; readonly open: boolean; readonly item: Message}
	| {readonly kind: 'thinking'; readonly id: string; readonly open: boolean; readonly item: Reasoning}
	/**
	`call` is absent for a result whose call is not in the history. If the model named the tool in a call of another
	tool, `written` is that other call. `child` is the session that the call started.
	*/
	| {
			readonly kind: 'tool';
			readonly id: string;
			readonly open: boolean;
			readonly call?: ToolCall;
			readonly written?: ToolCall;
			readonly result?: ToolResult;
			readonly child?: ChildItems;
	  }
	/**
	The block of a file has one part. The block of a workflow also has a part for each Knowledge file that the workflow
	requires.
	*/
	| {readonly kind: 'system'; readonly id: string; readonly open: boolean; readonly parts: readonly SystemPart[]}
	/**
	A notice is a single row that can be expanded: interrupt, notice, instructions, setup, rewind, context. `names` are
	sanitized. They name the items of a context change, or the user's first message that a rewind removed. A `derived`
	notice has no item: it says that the last run was interrupted, or that the process died during that run.
	*/
	| {
			readonly kind: 'notice';
			readonly id: string;
			readonly open: boolean;
			readonly item: NoticeItem;
			readonly origin?: Origin;
			readonly names?: readonly string[];
	  }
	| {readonly kind: 'notice'; readonly id: 'cut'; readonly open: boolean; readonly derived: 'cut' | 'paused'}
	/**
	The footer of a model call. `end` is set on the last footer of a run. `own` is the usage of the call, and `run` is
	the usage of the run up to and including this call. A run that ended outside a model call has a footer without
	`item`. A request that was sent has its own footer before its answer. That footer is visible only if the answer is
	`lost`. `waits` is set if the run is the last run and was interrupted. Then a notice below the footer says so.
	*/
	| {
			readonly kind: 'usage';
			readonly id: string;
			readonly open: boolean;
			readonly item?: RequestItem | RequestEnd;
			readonly end?: RunEnd;
			readonly lost?: true;
			readonly waits?: true;
			readonly own?: RunTotals;
			readonly run: RunTotals;
	  }
	/**
	`read`: the files that were read again automatically. Each of them has its own block. `kept` names the items that
	were kept verbatim although they precede `from`. `from` names the first item of the kept end of the conversation.
	All names are sanitized.
	*/
	| {
			readonly kind: 'compaction';
			readonly id: string;
			readonly open: boolean;
			readonly item: ItemOf<'compaction'>;
			readonly read: ReadonlyArray<OriginOf<'auto_read'>>;
			readonly kept: readonly string[];
			readonly from: string;
	  }
	/** A child session that no call in the history has started. */
	| {readonly kind: 'child'; readonly id: string; readonly open: boolean; readonly child: ChildItems};

/** The items about a child session. `started` is absent for an end whose start is not in the history. */
export type ChildItems = {readonly started?: ItemOf<'child_started'>; readonly ended?: ItemOf<'child_ended'>};

export type BlockKind = Block['kind'];
export type BlockOf<Kind extends BlockKind> = {
	readonly [Each in Kind]: Extract<Block, {kind: Each}> & {readonly kind: Each};
}[Kind];
/**
The total usage of a run's requests. `ms` is the total time of the model calls. A missing count is unknown, not 0.
*/
export type RunTotals = {
	readonly model: string;
	readonly requests: number;
	readonly input?: number;
	readonly output?: number;
	readonly cacheRead?: number;
	readonly ms: number;
	/** The time at which the first request of the run began. Absent before the first request. */
	readonly startedAt?: string;
	/** Absent if the prices are unknown. */ readonly cost?: Cost;
};
type NoticeItem = Message | ItemOf<'setup' | 'rewind' | 'context' | 'title' | 'mode' | 'redaction'>;
export type SystemPart = {readonly item: Message; readonly origin?: Origin};

/**
Maps the origin of a system message to the kind of its block. A message of unknown origin gets a `system` block. The
fold groups the messages of one workflow invocation.
*/
export const kindByOrigin = {
	submit: 'system',
	task: 'system',
	file: 'system',
	editor: 'system',
	dir: 'system',
	image: 'system',
	document: 'system',
	web: 'system',
	resource: 'system',
	prompt: 'system',
	shell: 'system',
	btw: 'system',
	auto_read: 'system',
	diagnostics: 'system',
	workflow: 'system',
	knowledge: 'system',
	interrupt: 'notice',
	instructions: 'notice',
	plan: 'notice',
	notice: 'notice',
} as const satisfies {readonly [Kind in Origin['kind']]: BlockKind};

/** The three views of the transcript. One key switches between them. */
export type View = 'normal' | 'detail' | 'overview';
export const views: readonly View[] = ['normal', 'detail', 'overview'];

/** Returns the items of a block, in their order. The user can open each of these items exactly as stored. */
export function itemsOf(block: Block): readonly Item[] {
	if (block.kind === 'system') return block.parts.map(part => part.item);
	if (block.kind === 'tool')
		return [block.written ?? block.call, block.child?.started, block.child?.ended, block.result].filter(
			item => item !== undefined,
		);
	if (block.kind === 'usage') return [block.item, block.end].filter(item => item !== undefined);
	if (block.kind === 'child') return [block.child.started, block.child.ended].filter(item => item !== undefined);
	return 'derived' in block ? [] : [block.item];
}
