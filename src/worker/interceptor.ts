import type {Item, RequestItem, ToolCall, ToolResult} from './item.ts';
import type {ModelFailure} from './model.ts';
import type {EarlierRun} from './interruption.ts';
import type {ToolConfirmation, ToolEffect, ToolOutput, ToolPreview} from './tool.ts';

/**
The points at which the pod steers a run. An interceptor is trusted: the items it adds are committed before they enter a
request. (The public extension point is the pod's Hook, which can only continue or cancel.) Every point is optional; a
missing one continues. A point that throws ends the run as an error.
*/
export type Interceptor = {
	/** Once, before the run's first commit, which appends `items` and the items added here together. */
	readonly onPromptSubmit?: (
		items: readonly Item[],
	) => Awaitable<Continue | ContinueWith | {readonly type: 'cancel'; readonly reason: string}>;
	/** Before each model call. `yield` ends the run as finished, `cancel` as an error with its reason. */
	readonly preRequest?: () => Awaitable<
		Continue | ContinueWith | {readonly type: 'yield'} | {readonly type: 'cancel'; readonly reason: string}
	>;
	/**
	After a request failed for good and before its answer began. `retry` makes one more request from the current
	history; a second failure ends the run.
	*/
	readonly onRequestFailure?: (
		failure: ModelFailure,
	) => Awaitable<{readonly type: 'fail'} | {readonly type: 'retry'}>;
	/**
	In call order, before a call runs. `result` answers the call without running it. If the call starts over because its
	target moved, this is called again with the new target.
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
	readonly postToolCall?: (
		call: ToolCall,
		result: ToolResult,
	) => Awaitable<Continue | {readonly type: 'abort'; readonly reason: string}>;
	/**
	When the model called no tool. Items added after the run's last model call are not committed; they end it as
	`limit`.
	*/
	readonly onTurnEnd?: (
		request: RequestItem,
	) => Awaitable<{readonly type: 'finish'} | ContinueWith | {readonly type: 'pause'}>;
};

/** What is known about a call before it runs. */
export type CallFacts = {
	readonly effect: ToolEffect;
	/** An earlier run may have started the call and did not record what happened to it. */
	readonly mayHaveRun: boolean;
	readonly earlierRun?: EarlierRun;
	/**
	An earlier call of the batch will change something before this one runs, so the facts may be different then.
	*/
	readonly isAfterChanges?: true;
	/** The checked arguments that the tool gets, with its defaults. */
	readonly args: unknown;
	/**
	What the call will touch (see `Tool.target`). Every decision is about this value; the target is not resolved again.
	*/
	readonly target?: string;
	/** Other programs execute the target's contents by themselves, as far as the tool knows. */
	readonly isRunLater?: boolean;
	readonly preview?: () => Promise<ToolPreview>;
	readonly confirmation?: () => Promise<ToolConfirmation | undefined>;
};

export type Continue = {readonly type: 'continue'};
export type ContinueWith = {readonly type: 'continueWith'; readonly items: readonly Item[]};
export type Awaitable<T> = T | Promise<T>;
