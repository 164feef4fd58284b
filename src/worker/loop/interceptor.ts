import type {Item, RequestEnd, RequestItem, ToolCall, ToolResult} from '../history/item.ts';
import type {Model, ModelFailure} from '../history/model.ts';
import type {EarlierRun} from './interruption.ts';
import type {ToolConfirmation, ToolEffect, ToolOutput, ToolPreview} from './tool.ts';

/**
The object with which the pod controls a run. An interceptor is trusted: its items are committed before a request
includes them. (The public extension point is the pod's Hook, which can only continue or cancel.) Every method is
optional. If a method is absent, the run continues. If a method throws, the run ends as an error.
*/
export type Interceptor = {
	/**
	The worker calls this once, before the run's first commit. That commit appends `items` together with the items that
	this call adds.
	*/
	readonly onPromptSubmit?: (
		items: readonly Item[],
	) => Awaitable<Continue | ContinueWith | {readonly type: 'cancel'; readonly reason: string}>;
	/**
	The worker calls this before each model call. `yield` ends the run as finished, `pause` as paused, `cancel` as an
	error with its reason, `limit` at a limit.
	*/
	readonly preRequest?: () => Awaitable<
		| Continue
		| ContinueWith
		| {readonly type: 'yield'}
		| {readonly type: 'pause'}
		| {readonly type: 'limit'; readonly cause: string}
		| {readonly type: 'cancel'; readonly reason: string}
	>;
	/**
	The worker calls this with the end of each request, even if the request failed or was stopped. The items that the
	interceptor returns follow the end directly, in the same append.
	*/
	readonly onRequestEnd?: (ending: RequestEnd, request: RequestItem) => readonly Item[];
	/**
	The worker calls this after each answer, before its calls run. The items that the interceptor adds are committed at
	once.
	*/
	readonly onAnswer?: (ending: RequestEnd) => Awaitable<Continue | ContinueWith>;
	/**
	The worker calls this after a request failed for good, before its answer began. `retry` makes one more request from
	the current history. If that request fails too, the run ends, unless the interceptor names another `model` or says
	with `isOtherForm` that the request has a new form. `isRetry`: the failed request was already a retry with the same
	model and form.
	*/
	readonly onRequestFailure?: (
		failure: ModelFailure,
		isRetry: boolean,
	) => Awaitable<
		{readonly type: 'fail'} | {readonly type: 'retry'; readonly model?: Model; readonly isOtherForm?: true}
	>;
	/**
	The worker calls this before a call runs, in call order. `result` answers the call without running it. If the call
	starts over because its target moved, the worker calls this again with the new target.
	*/
	readonly preToolCall?: (
		call: ToolCall,
		facts: CallFacts,
	) => Awaitable<
		| Continue
		| {readonly type: 'result'; readonly output: ToolOutput}
		| {readonly type: 'abort'; readonly reason: string}
		| {readonly type: 'pause'}
	>;
	/**
	The worker calls this once before it commits a result. The details of the result get these facts, too. `details` are
	those of the tool.
	*/
	readonly resultDetails?: (call: ToolCall) => ToolResult['details'];
	readonly postToolCall?: (
		call: ToolCall,
		result: ToolResult,
	) => Awaitable<Continue | {readonly type: 'abort'; readonly reason: string}>;
	/**
	The worker calls this when the model called no tool. `cancel` ends the run as an error with its reason. Items that
	the interceptor adds after the last model call that the run may make are not committed, and the run ends as `limit`.
	*/
	readonly onTurnEnd?: (
		ending: RequestEnd,
	) => Awaitable<
		| {readonly type: 'finish'}
		| ContinueWith
		| {readonly type: 'pause'}
		| {readonly type: 'cancel'; readonly reason: string}
	>;
};

/** The known facts about a call before the call runs. */
export type CallFacts = {
	readonly effect: ToolEffect;
	/** Whether an earlier run may have started the call without recording its result. */
	readonly mayHaveRun: boolean;
	readonly earlierRun?: EarlierRun;
	/**
	Set if an earlier call of the batch may change something before this call runs. The other facts may then no longer
	be true.
	*/
	readonly isAfterChanges?: true;
	/** The checked arguments for the tool, including its defaults. */
	readonly args: unknown;
	/**
	The path that the call will use (see `Tool.target`). Every decision is about this path. inkpod does not resolve it
	again.
	*/
	readonly target?: string;
	/** Whether other programs execute the target's contents on their own, as far as the tool knows. */
	readonly isRunLater?: boolean;
	/** Whether the call would create the target. */
	readonly isNew?: boolean;
	readonly preview?: () => Promise<ToolPreview>;
	readonly confirmation?: () => Promise<ToolConfirmation | undefined>;
};

type Continue = {readonly type: 'continue'};
type ContinueWith = {readonly type: 'continueWith'; readonly items: readonly Item[]};
type Awaitable<T> = T | Promise<T>;
