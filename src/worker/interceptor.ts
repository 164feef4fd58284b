import type {Item, RequestItem, ToolCall, ToolResult} from './item.ts';
import type {ModelFailure} from './model.ts';
import type {EarlierRun} from './interruption.ts';
import type {ToolConfirmation, ToolEffect, ToolOutput, ToolPreview} from './tool.ts';

/**
The points at which the pod steers a run. Worker-facing and trusted: what it adds is committed before it enters a
request.
(The public extension is a Hook, which can only let pass or cancel: see the pod.)
Every point is optional; a missing one continues. A point that throws ends the run as an error.
*/
export type Interceptor = {
	/** Once, before the run's first commit, which holds `items` and what is added here, in one append. */
	readonly onPromptSubmit?: (
		items: readonly Item[],
	) => Awaitable<Continue | ContinueWith | {readonly type: 'cancel'; readonly reason: string}>;
	/** Before each model call. `yield` ends the run as finished, `cancel` as an error with its reason. */
	readonly preRequest?: () => Awaitable<
		Continue | ContinueWith | {readonly type: 'yield'} | {readonly type: 'cancel'; readonly reason: string}
	>;
	/**
	A request failed for good before an answer to it began. `retry`: it is made once more, of the history as it is now;
	a second failure ends the run.
	*/
	readonly onRequestFailure?: (
		failure: ModelFailure,
	) => Awaitable<{readonly type: 'fail'} | {readonly type: 'retry'}>;
	/**
	In call order, before a call runs. `result` answers it without running it. Asked again, with the same call and the
	target of that moment, when the call is started over because its target moved.
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
	When the model called no tool. What is added at the run's last model call is not committed, and ends it as `limit`.
	*/
	readonly onTurnEnd?: (
		request: RequestItem,
	) => Awaitable<{readonly type: 'finish'} | ContinueWith | {readonly type: 'pause'}>;
};

/**
What is known of a call before it runs. `mayHaveRun`: it was begun, as far as is known, by a run that could not say what
became of it.
*/
export type CallFacts = {
	readonly effect: ToolEffect;
	readonly mayHaveRun: boolean;
	/** What is known of that earlier run. */
	readonly earlierRun?: EarlierRun;
	/**
	An earlier call of the batch will change something before this one runs: what is known of it now may not be true
	then.
	*/
	readonly isAfterChanges?: true;
	/** As the tool will be given them: checked, with its defaults. */
	readonly args: unknown;
	/**
	What the call will touch (see `Tool.target`). Every decision is about this, and is made without looking again.
	*/
	readonly target?: string;
	/** Other programs run by themselves what the target contains, as far as the tool knows. */
	readonly isRunLater?: boolean;
	readonly preview?: () => Promise<ToolPreview>;
	readonly confirmation?: () => Promise<ToolConfirmation | undefined>;
};

export type Continue = {readonly type: 'continue'};
export type ContinueWith = {readonly type: 'continueWith'; readonly items: readonly Item[]};
export type Awaitable<T> = T | Promise<T>;
