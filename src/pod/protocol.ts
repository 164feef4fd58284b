import type {Event} from './protocol/event.ts';
import type {Method, Receipt} from './protocol/method.ts';
import type {Queries} from './protocol/queries.ts';

export {approvalsIn, createApprovalReader, type Approval, type ApprovalReader} from './protocol/approvals.ts';
export {approvalModes, type ApprovalMode} from './protocol/approval-mode.ts';
export {addCost, costOf, noCost} from './protocol/cost.ts';
export {wholeUsage} from './protocol/whole-usage.ts';
export {asWritten, flatten, quoted, rangeSuffix, waitingText} from './protocol/immutable.ts';
export {
	isWebRef,
	resourceOf,
	refFailures,
	segmentSchema,
	type FileRef,
	type Range,
	type RefFailure,
	type Segment,
	type SegmentOf,
} from './protocol/segment.ts';
export {messageIdOf} from './protocol/message-id.ts';
export {isOfUser, nameOfItem, nameOfItems, sessionDifferences, sessionName} from './protocol/session-name.ts';
export {namedCall} from './protocol/named-call.ts';
export {narrowOrigin, type FileFacts, type Origin, type OriginOf, type WebFacts} from './protocol/origin.ts';
export {isSlipOf} from './protocol/edit-distance.ts';
export {efforts, type Effort} from './protocol/effort-levels.ts';
export {
	statusPartNames,
	themeColours,
	themeNamed,
	themeNames,
	type BuiltInTheme,
	type CustomTheme,
	type NamedTheme,
	type StatusPartName,
	type ThemeChoice,
	type ThemeColour,
} from './protocol/settings.ts';
export type {SettingInfo, SettingOrigin} from './protocol/settings.ts';
export {sessionStates, type LiveState, type SessionState} from './protocol/live-state.ts';
export {acceptedTopic, answeredText, answeredTopic, namePairOf, type NamePair} from './protocol/answered.ts';
export {answerEnd} from './protocol/answer-end.ts';
export {steadyNow} from './protocol/steady-now.ts';
export {growTail, isSettled, settleTail, streamedText} from './protocol/tail.ts';
export {narrowDetails, shownResult, type ToolDetails} from './protocol/tool-details.ts';
export {markdownOf, shortUrl, toolFactsOf, type ToolFacts, type ToolVerb} from './protocol/tool-definitions.ts';
export type {SessionChanges, Untracked} from './protocol/changes.ts';
export type {CompletionQuery, Completions, Match} from './protocol/completion.ts';
export type {Alert, Event, SessionInfo} from './protocol/event.ts';
export type {FileState, Ledger, LedgerKind, LedgerRow, UnfinishedCompactions} from './protocol/ledger.ts';
export {mcpActions} from './protocol/lists.ts';
export type {McpAction, McpServerInfo, PermissionInfo, WorkflowInfo} from './protocol/lists.ts';
export type {AskedServers, ModelInfo} from './protocol/models.ts';
export {isOnlyKnown} from './protocol/only-known.ts';
export type {Method, MethodName, Receipt, Refusal} from './protocol/method.ts';
export type {PasteForecast, Preflight, RefForecast} from './protocol/preflight.ts';
export type {FoundPrompt, FoundPrompts, PromptQuery, PromptScope} from './protocol/prompts.ts';
export type {HitPlace, TextHit} from './protocol/text-hit.ts';
export type {Cost, PriceList} from './protocol/prices.ts';
export {questionChoices} from './protocol/question-choices.ts';
export {questionLimits, type Question, type QuestionAnswer} from './protocol/questions.ts';
export type {Task} from './protocol/tasks.ts';
export type {QueuedMessage, QueueMessage, QueueState} from './protocol/queue.ts';
export type {SideQuestionAnswer, SideQuestionStep} from './protocol/preflight.ts';
export type {BackgroundOutput, ChangedFile, Queries, StoredConversation} from './protocol/queries.ts';
export type {PieceSource, RequestView} from './protocol/ledger.ts';
export type {ReplayStep} from './protocol/ledger.ts';
export type {ModelSpending, Spending} from './protocol/prices.ts';
export type {Ask, AskChoice, BackgroundCommand, ChildStatus, ContextUse, Status, Step} from './protocol/status.ts';
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

/** A client of a pod in this process or over a socket. */
export type PodClient = Queries & {
	/**
	Calls the listener at once with a snapshot, and then with each later event. Returns a function that unsubscribes the
	listener.
	*/
	subscribe(listener: (event: Event) => void): () => void;
	send(method: Method): Promise<Receipt>;
	/**
	Opens a child session of this session, whether the child is running or not. `shutdown` of the opened client only
	closes this view, not the child session. The questions of the session and of all its children are in the status of
	each of them.
	*/
	child(id: string): Promise<OpenedChild>;
};

export type OpenedChild =
	| {readonly ok: true; readonly pod: PodClient}
	| {readonly ok: false; readonly sentence: string};
