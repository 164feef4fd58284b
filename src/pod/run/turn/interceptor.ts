import type {Interceptor, Message, Item} from '../../../worker/index.ts';
import type {Approvals} from '../../permissions/approval/approvals.ts';
import {confirmCalls} from '../../permissions/approval/confirm.ts';
import {guardRepeats} from '../../permissions/approval/guard-repeats.ts';
import type {AnsweredGuard} from '../../context/answered/answered.ts';
import type {Budget} from '../budget/budget.ts';
import type {Compaction} from '../../context/compaction/automatic.ts';
import {hookCalls, type ToolHooks} from '../hooks/hooks.ts';
import type {Fallback} from '../../models/fallback.ts';
import type {Instructions} from '../../references/instructions/instructions.ts';
import type {Alert, Ask} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import type {TruncationGuard} from '../../context/truncation/truncation.ts';
import type {Boundary} from './turn.ts';
import type {Steering} from './steering.ts';

export type InterceptorOptions = {
	/** The questions to the user. Absent if no user can answer. */
	readonly asks?: Asks;
	readonly approvals: Approvals;
	readonly toolHooks: ToolHooks;
	/** Handles a server that refuses the form of a request. */
	readonly otherForm: Interceptor;
	/** Uses another model while the chosen model is down. */
	readonly fallback: Fallback;
	readonly budget: Budget;
	readonly compaction: Compaction;
	readonly truncation: TruncationGuard;
	readonly answered: AnsweredGuard;
	/** Offers the tools that have changed. */
	readonly tools: (signal: AbortSignal) => Interceptor;
	/**
	The interceptors of features. `calls` see the calls that no earlier interceptor refused, and `requests` the requests
	that none stopped.
	*/
	readonly calls: (signal: AbortSignal) => readonly Interceptor[];
	readonly requests: (signal: AbortSignal) => readonly Interceptor[];
	/** Asks the provider to cache the prompt for longer after a pause. */
	readonly promptCache: Interceptor;
	readonly instructions: Instructions;
	readonly steering: Steering;
	/** Pauses the run for another process. */
	readonly boundary: Boundary;
	readonly onAlert: (alert: Alert) => void;
};

/**
Creates the interceptor of one run from its parts. Their order matters. For example, hooks and approvals come before the
interceptors that see only calls that run, and compaction comes before the check whether a request fits.
*/
export function interceptorOf(
	{
		asks,
		approvals,
		toolHooks,
		otherForm,
		fallback,
		budget,
		compaction,
		truncation,
		answered,
		tools,
		calls,
		requests,
		promptCache,
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
		otherForm,
		answered.interceptor(signal),
		budget.interceptor(signal),
		truncation.interceptor(signal),
		compaction.interceptor(signal),
		truncation.fits,
		fallback.interceptor(signal),
		tools(signal),
		...requests(signal),
		promptCache,
		instructions.interceptor(steering.interceptor(signal), signal),
	);
}

/**
Composes several interceptors into one. At each point, the result calls them one after another. After `continueWith` or
the neutral answer of the point (`continue`, `fail` or `finish`), it calls the next interceptor. It joins the items of
all `continueWith`. Any other answer is final. An interceptor that takes items out of a queue must come after the
interceptors that may end the run.
*/
export function composeInterceptors(...all: readonly Interceptor[]): Required<Interceptor> {
	return {
		onPromptSubmit: async items =>
			through<At<'onPromptSubmit'>>(all, each => each.onPromptSubmit?.(items), proceed, withItems),
		preRequest: async () => through<At<'preRequest'>>(all, each => each.preRequest?.(), proceed, withItems),
		onRequestEnd: (ending, request) => all.flatMap(each => each.onRequestEnd?.(ending, request) ?? []),
		onAnswer: async ending => through<At<'onAnswer'>>(all, each => each.onAnswer?.(ending), proceed, withItems),
		onRequestFailure: async (failure, isRetry) =>
			through<At<'onRequestFailure'>>(all, each => each.onRequestFailure?.(failure, isRetry), fail),
		preToolCall: async (call, facts) => through(all, each => each.preToolCall?.(call, facts), proceed),
		resultDetails(call) {
			const found = all.flatMap(each => each.resultDetails?.(call) ?? []);
			return found.length === 0 ? undefined : Object.assign({}, ...found);
		},
		postToolCall: async (call, result) => through(all, each => each.postToolCall?.(call, result), proceed),
		onTurnEnd: async request => through<At<'onTurnEnd'>>(all, each => each.onTurnEnd?.(request), finish, withItems),
	};
}

const proceed = {type: 'continue'} as const;

const fail = {type: 'fail'} as const;

const finish = {type: 'finish'} as const;

const withItems = (items: readonly Item[]) => ({type: 'continueWith', items}) as const;

type At<Point extends keyof Interceptor> = Awaited<ReturnType<Required<Interceptor>[Point]>>;

type Answer = {readonly type: string; readonly items?: readonly Item[]};

/**
Calls the interceptors at one point. `join` creates the answer with all items. It is absent if the point does not allow
items.
*/
async function through<Own extends Answer>(
	all: readonly Interceptor[],
	ask: (interceptor: Interceptor) => Own | Promise<Own> | undefined,
	neutral: Own,
	join?: (items: readonly Item[]) => Own,
): Promise<Own> {
	const added: Item[] = [];
	for (const interceptor of all) {
		const answer = (await ask(interceptor)) ?? neutral;
		if (answer.type === 'continueWith') added.push(...(answer.items ?? []));
		else if (answer.type !== neutral.type) return answer;
	}
	return join === undefined || added.length === 0 ? neutral : join(added);
}
