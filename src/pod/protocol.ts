import {z} from 'zod';
import type {Item, ToolResult} from '../worker/index.ts';
import {approvalModes, type ApprovalMode} from './approval/mode.ts';
import type {Cost, PriceList} from './context/prices.ts';
import type {
	ChangedFile,
	CompletionQuery,
	Completions,
	FileState,
	Ledger,
	McpServerInfo,
	Preflight,
	WorkflowInfo,
} from './protocol/queries.ts';
import {segmentSchema, type Segment} from './protocol/segment.ts';

export {approvalModes, type ApprovalMode} from './approval/mode.ts';
export {addCost, costOf, noCost, type Cost, type PriceList} from './context/prices.ts';
export {flatten, quoted, rangeSuffix} from './protocol/flatten.ts';
export {
	refFailures,
	segmentSchema,
	type FileRef,
	type Range,
	type RefFailure,
	type Segment,
	type SegmentOf,
} from './protocol/segment.ts';
export {narrowOrigin, type Origin, type OriginOf} from './protocol/origin.ts';
export {ledgerKinds} from './protocol/queries.ts';
export type {
	ChangedFile,
	CompletionQuery,
	Completions,
	FileState,
	Ledger,
	LedgerKind,
	LedgerRow,
	Match,
	McpServerInfo,
	Preflight,
	RefForecast,
	WorkflowInfo,
} from './protocol/queries.ts';
export type {
	Item,
	ItemOf,
	ItemType,
	Message,
	Reasoning,
	RequestItem,
	RunEnd,
	Setup,
	ToolCall,
	ToolResult,
	Usage,
} from '../worker/index.ts';

/**
What a tool's result says of itself beside its text. Hashes are sha256 of whole files, hex; paths as the model wrote
them, `real` where they led.
`read`: which lines were in the result. `changed`: what stood there before (absent: no file) and what stands there now;
the bytes of `before` are kept with the session.
`command`: how it ended (`exitCode` absent: by a signal or a time-out), bytes of all its output, and the file that holds
them; `id`: of one in the background.
`denied`: the call was not run, and who denied it; `subject`: the command or path that it was about, `reason`: what they
said, or the rule's pattern.
`interrupted`: the call was stopped, or never ran, and what goes on after that word (` by user`); the content is its
output so far.
*/
export type ToolDetails = z.infer<typeof toolDetailsSchema>;
const toolDetailsSchema = z.object({
	read: z
		.object({
			path: z.string(),
			real: z.string(),
			sha256: z.string(),
			first: z.number(),
			last: z.number(),
			totalLines: z.number(),
			whole: z.boolean(),
		})
		.optional(),
	changed: z
		.array(z.object({path: z.string(), real: z.string(), before: z.string().optional(), after: z.string()}))
		.optional(),
	command: z
		.object({
			exitCode: z.number().optional(),
			signal: z.string().optional(),
			timedOut: z.boolean().optional(),
			background: z.boolean().optional(),
			id: z.string().optional(),
			bytes: z.number(),
			file: z.string().optional(),
		})
		.optional(),
	denied: z
		.object({
			by: z.enum(['user', 'rule', 'hook', 'unattended']),
			subject: z.string().optional(),
			reason: z.string().optional(),
		})
		.optional(),
	interrupted: z.string().optional(),
});

/** Narrows a result's details. Empty for absent or misshapen ones. */
export function narrowDetails(details: ToolResult['details']): ToolDetails {
	return toolDetailsSchema.safeParse(details).data ?? {};
}

/** What a client may ask of a pod. Each is answered with one Receipt. */
export type Method = z.infer<typeof methodSchema>;
export type MethodName = Method['method'];
export const methodSchema = z.discriminatedUnion('method', [
	z.object({method: z.literal('run'), segments: z.array(segmentSchema)}),
	z.object({method: z.literal('resume')}),
	z.object({method: z.literal('pause')}),
	z.object({method: z.literal('cancel')}),
	/** Delivers a submission to the run under way, at its next request. Its receipt comes as that of `run` does. */
	z.object({method: z.literal('steer'), segments: z.array(segmentSchema)}),
	/**
	Runs a command of the person's and commits its output; the receipt comes when that is done. Stopped as a run is.
	*/
	z.object({method: z.literal('shell'), command: z.string()}),
	/** Lets the pod read a folder beside `pwd`, from the next request on. */
	z.object({method: z.literal('add_dir'), path: z.string()}),
	/**
	Tells the model something from outside the conversation. Idle: at once, and as a run of its own when asked to. While
	a run is under way: at its next request. Paused: at once, for the next run or resume. The receipt comes when it is
	in history.
	*/
	z.object({method: z.literal('notify'), text: z.string(), run: z.boolean().optional()}),
	/**
	What tools may do without asking, from the next call on, whatever is under way. A question that is open and would
	not be asked now is settled.
	*/
	z.object({method: z.literal('approval'), mode: z.enum(approvalModes)}),
	/**
	Takes items out of the context, brings them back, or keeps them through compactions; a restore undoes a compaction,
	a rewind or such a change.
	*/
	z.object({method: z.literal('context'), op: z.enum(['drop', 'restore', 'pin']), ids: z.array(z.string())}),
	/**
	Has what is long ago in the context summarised; the receipt comes when that is done. Stopped as a run is. `hint`:
	what the summary is for.
	*/
	z.object({method: z.literal('compact'), hint: z.string().max(4000).optional()}),
	/**
	Goes back to what the context was right after the item `to`. Files stay as they are. Undone by a restore of the
	rewind.
	*/
	z.object({method: z.literal('rewind'), to: z.string()}),
	/**
	Puts files back as they stood right after the item `to`, each where what stands there now is `present` (sha256;
	absent: no file). What could not be put back is told.
	*/
	z.object({
		method: z.literal('restore_files'),
		to: z.string(),
		files: z.array(z.object({real: z.string(), present: z.string().optional()})),
	}),
	z.object({method: z.literal('answer'), askId: z.string(), choice: z.string(), reason: z.string().optional()}),
	/** Stops a command in the background and tells the model. The receipt comes when nothing of it runs any more. */
	z.object({method: z.literal('stop_background'), background: z.string()}),
	/** Asks the user about what would end with the session, if anything. Accepted: it may be closed, by `shutdown`. */
	z.object({method: z.literal('leave')}),
	z.object({method: z.literal('shutdown')}),
]);

export const refusals = [
	'busy',
	'workflow',
	'untrusted',
	'hook',
	'aborted',
	'io',
	'not_paused',
	'not_running',
	'no_such_ask',
	'no_such_command',
	'no_such_dir',
	'no_such_item',
	'not_idle',
	'closed',
	'empty',
	'compaction',
] as const;
export type Refusal = (typeof refusals)[number];

/** The receipt of `run` comes at the commit or at the refusal; a refused run has left no trace. */
export type Receipt =
	| {readonly accepted: true}
	| {readonly accepted: false; readonly code: Refusal; readonly sentence: string};

export type Step = 'resolving' | 'requesting' | 'streaming' | 'tools' | 'compacting';

/** What is asked of the person: state that any client can show and answer. */
export type Ask = {
	readonly id: string;
	/** The tool call that waits, where one does. */
	readonly callId?: string;
	readonly title: string;
	/** The whole of what is asked about: a command, a diff, a path. Untrusted text. */
	readonly detail: string;
	/** How the detail is drawn. Default: `text`. */
	readonly shows?: 'command' | 'diff' | 'text';
	/** At least one, and one of them refuses. */
	readonly choices: readonly AskChoice[];
};

/**
`refuses`: it lets nothing happen. `reason`: it takes a sentence along for the model. `rule`: what choosing it would
write for good; a screen shows that and asks for a second confirmation. Untrusted text.
*/
export type AskChoice = {
	readonly choice: string;
	readonly label: string;
	readonly refuses?: boolean;
	readonly reason?: boolean;
	readonly rule?: string;
};

/** What the next request holds, and what led to it. */
export type ContextUse = {
	readonly tokens: number;
	/** The provider has counted all of them; else some are an estimate. */
	readonly exact: boolean;
	/** Tokens that the model takes, where that is known. */
	readonly window?: number;
	/** How much of the last request was read from the provider's cache, from 0 to 1, where it told. */
	readonly cached?: number;
	/** Of the session, where it is known of some request. */
	readonly cost?: Cost;
};

/** A command that runs beside the conversation. */
export type BackgroundCommand = {
	readonly id: string;
	/** Of the call's item that started it. */
	readonly call: string;
	/** Its first line, cut. Untrusted text. */
	readonly command: string;
	/** Milliseconds since the epoch. */
	readonly since: number;
};

/**
What a background command has written, for a page: its end, cut. `undefined`: none of that id runs. Untrusted text.
*/
export type BackgroundOutput = {readonly text: string; readonly bytes: number; readonly file: string};

export type Status = {
	readonly kind: 'idle' | 'running' | 'paused';
	readonly step?: Step;
	readonly asks: readonly Ask[];
	/** Default: `ask`. */
	readonly approval?: ApprovalMode;
	/**
	Steered submissions that wait for the next request, oldest first. What waits for the run's end waits at its client.
	*/
	readonly queue: ReadonlyArray<readonly Segment[]>;
	/** Absent: nothing was ever to be sent, or it is not counted yet. */
	readonly context?: ContextUse;
	/** The commands in the background, oldest first. Absent: none. */
	readonly background?: readonly BackgroundCommand[];
	/** When a failed request is tried again: milliseconds since the epoch. */
	readonly retryAt?: number;
};

export type Alert = {readonly level: 'info' | 'warn' | 'error'; readonly text: string};

export type SessionInfo = {
	readonly id: string;
	/** The model of the next request, `provider/name`. */
	readonly model: string;
	readonly scope: {readonly pwd: string; readonly writable: boolean; readonly readRoots: readonly string[]};
	/** Of the models that history names and of the next request's, as far as they are known. */
	readonly prices?: PriceList;
};

/**
All that a client hears. `snapshot` comes first; then every committed item as `item`, every streamed piece as `delta`.
A `delta` with `begin` opens a provisional item, which has the id that it will be committed under; its text grows by
`text`.
An `item` of that id settles it. A `request` item drops what is still open of the model's answer, a `run_end` drops
everything still open.
*/
export type Event =
	| {
			readonly type: 'snapshot';
			readonly session: SessionInfo;
			readonly items: readonly Item[];
			readonly tail: readonly Item[];
			readonly status: Status;
	  }
	| {readonly type: 'item'; readonly item: Item}
	| {readonly type: 'delta'; readonly id: string; readonly text: string; readonly begin?: Item}
	| {readonly type: 'status'; readonly status: Status}
	| {readonly type: 'alert'; readonly alert: Alert}
	| {readonly type: 'closed'; readonly sentence?: string};

/** Adds a delta to the provisional items, in place. The text of a tool's result grows in its `content`. */
export function growTail(
	tail: Item[],
	{id, text, begin}: {readonly id: string; readonly text: string; readonly begin?: Item},
): void {
	if (begin !== undefined) tail.push(begin);
	// What grows is nearly always what began last.
	const index = tail.findLastIndex(item => item.id === id);
	const item = tail[index];
	if (item === undefined || text === '') return;
	if (item.type === 'tool_result') tail[index] = {...item, content: item.content + text};
	else if (item.type === 'tool_call') tail[index] = {...item, arguments: item.arguments + text};
	else if (item.type === 'message' || item.type === 'reasoning') tail[index] = {...item, text: item.text + text};
}

/** Drops from the provisional items, in place, what a committed item settles. */
export function settleTail(tail: Item[], committed: Item): void {
	const stays = (item: Item) =>
		item.id !== committed.id &&
		committed.type !== 'run_end' &&
		(committed.type !== 'request' || item.type === 'tool_result');
	const left = tail.filter(stays);
	tail.splice(0, tail.length, ...left);
}

/** A pod as a client sees it, in this process or over a socket. */
export type PodClient = {
	/**
	Calls the listener with a snapshot at once, then with every later event: nothing lost, nothing twice. Returns its
	undo.
	*/
	subscribe(listener: (event: Event) => void): () => void;
	send(method: Method): Promise<Receipt>;
	/** What fits what the person is typing. */
	complete(query: CompletionQuery): Promise<Completions>;
	/** What a draft would become. Rejects with the signal's reason when it is aborted. */
	preflight(segments: readonly Segment[], signal: AbortSignal): Promise<Preflight>;
	/** All workflows that there are at this moment, broken ones too. */
	workflows(): Promise<readonly WorkflowInfo[]>;
	/** The MCP servers that are configured at this moment, and how each stands. Starts none. */
	mcp(): Promise<readonly McpServerInfo[]>;
	/** What a command in the background has written so far. */
	backgroundOutput(id: string): Promise<BackgroundOutput | undefined>;
	/** Whether the files that these items show are still what the model saw. Other ids are left out. */
	stale(ids: readonly string[]): Promise<readonly FileState[]>;
	/** What the next request holds, item by item. */
	ledger(): Promise<Ledger>;
	/** The files that tools have changed since the item `to` and that do not stand there as they did then. */
	filesSince(to: string): Promise<readonly ChangedFile[]>;
};
