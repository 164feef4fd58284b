import type {Event} from './protocol/event.ts';
import type {Method, Receipt} from './protocol/method.ts';
import type {Queries} from './protocol/queries.ts';

export {approvalModes, type ApprovalMode} from './approval/mode.ts';
export {addCost, costOf, noCost} from './context/prices.ts';
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
export {narrowOrigin, type FileFacts, type Origin, type OriginOf} from './protocol/origin.ts';
export {answerEnd} from './protocol/answer-end.ts';
export {growTail, settleTail} from './protocol/tail.ts';
export {narrowDetails, type ToolDetails} from './protocol/tool-details.ts';
export {toolFactsOf, type ToolFacts} from './tools/definitions.ts';
export type {CompletionQuery, Completions, Match} from './protocol/completion.ts';
export type {Alert, Event, SessionInfo} from './protocol/event.ts';
export type {FileState, Ledger, LedgerKind, LedgerRow} from './protocol/ledger.ts';
export type {McpServerInfo, WorkflowInfo} from './protocol/lists.ts';
export type {Method, MethodName, Receipt, Refusal} from './protocol/method.ts';
export type {Preflight, RefForecast} from './protocol/preflight.ts';
export type {Cost, PriceList} from './protocol/prices.ts';
export type {BackgroundOutput, ChangedFile, Queries} from './protocol/queries.ts';
export type {Ask, AskChoice, BackgroundCommand, ContextUse, Status, Step} from './protocol/status.ts';
export type {
	AnswerEnd,
	FinishedRequest,
	Item,
	ItemOf,
	ItemType,
	Message,
	Reasoning,
	RequestEnd,
	RequestItem,
	RunEnd,
	Setup,
	ToolCall,
	ToolResult,
	Usage,
} from '../worker/index.ts';

/** The client's view of a pod, in this process or over a socket. */
export type PodClient = Queries & {
	/**
	Calls the listener at once with a snapshot, and then once with every later event.
	Returns a function that unsubscribes the listener.
	*/
	subscribe(listener: (event: Event) => void): () => void;
	send(method: Method): Promise<Receipt>;
};
