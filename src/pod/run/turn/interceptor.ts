import type {Interceptor, Message} from '../../../worker/index.ts';
import type {Approvals} from '../../permissions/approval/approvals.ts';
import {confirmCalls} from '../../permissions/approval/confirm.ts';
import {guardRepeats} from '../../permissions/approval/guard-repeats.ts';
import type {Budget} from '../budget/budget.ts';
import type {Compaction} from '../../context/compaction/automatic.ts';
import {hookCalls, type ToolHooks} from '../hooks/tool-hooks.ts';
import type {Fallback} from '../../models/fallback.ts';
import type {Instructions} from '../../references/instructions/instructions.ts';
import type {Alert, Ask} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {composeInterceptors} from './compose-interceptors.ts';
import type {TruncationGuard} from '../../context/truncation/guard.ts';
import type {Boundary} from './boundary.ts';
import type {Steering} from './steering.ts';

export type InterceptorOptions = {
	/** The questions to the user. They are absent if no one can approve. */
	readonly asks?: Asks;
	readonly approvals: Approvals;
	readonly toolHooks: ToolHooks;
	/** Handles a server that refuses the form of a request. */
	readonly stricterForm: Interceptor;
	/** Uses another model while the chosen one is down. */
	readonly fallback: Fallback;
	readonly budget: Budget;
	readonly compaction: Compaction;
	readonly truncation: TruncationGuard;
	/** Offers the tools that have changed. */
	readonly tools: (signal: AbortSignal) => Interceptor;
	/** The interceptors of features, which see the calls that run, and the requests that are sent. */
	readonly calls: (signal: AbortSignal) => readonly Interceptor[];
	readonly requests: (signal: AbortSignal) => readonly Interceptor[];
	readonly instructions: Instructions;
	readonly steering: Steering;
	/** Pauses the run for another process. */
	readonly boundary: Boundary;
	readonly onAlert: (alert: Alert) => void;
};

/**
Creates the interceptor of one run from all its parts, in order. The parts are attachments, hooks, approvals of calls,
truncated requests, compaction, and messages that arrive during the run.
*/
export function interceptorOf(
	{
		asks,
		approvals,
		toolHooks,
		stricterForm,
		fallback,
		budget,
		compaction,
		truncation,
		tools,
		calls,
		requests,
		instructions,
		steering,
		boundary,
		onAlert,
	}: InterceptorOptions,
	signal: AbortSignal,
	attachments: readonly Message[],
): Required<Interceptor> {
	const ask = asks && (async (question: Omit<Ask, 'id'>) => asks.ask(question, signal));
	const hooks = hookCalls(toolHooks, signal, {onAlert});
	return composeInterceptors(
		boundary.interceptor,
		{...(attachments.length > 0 && {onPromptSubmit: () => ({type: 'continueWith', items: attachments})})},
		...hooks.first,
		approvals.interceptor(signal),
		guardRepeats(ask),
		confirmCalls(ask),
		...hooks.last,
		...calls(signal),
		stricterForm,
		budget.interceptor(signal),
		truncation.interceptor(signal),
		compaction.interceptor(signal),
		fallback.interceptor(signal),
		tools(signal),
		...requests(signal),
		instructions.interceptor(steering.interceptor(signal), signal),
	);
}
