import type {CallFacts, Interceptor, ToolCall, ToolResult} from '../../worker/index.ts';
import {refusalOutput, type Refusal} from '../approval/refusal.ts';
import type {Alert} from '../protocol.ts';
import type {HookVerdict} from '../submission/submission.ts';

/**
A call as a hook sees it: with the arguments that the tool is given, and what it will touch where these do not say it.
*/
export type HookedCall = {
	readonly callId: string;
	readonly tool: string;
	readonly args: unknown;
	readonly target?: string;
};

/**
The public extension around the calls of tools: it lets pass or cancels, and can change neither a call nor its result.
*/
export type ToolHooks = {
	/** Before a call is judged. A cancel refuses this call, and the model reads why. */
	readonly before?: (call: HookedCall, signal: AbortSignal) => Promise<HookVerdict>;
	/** After a call that ran, once its result is in history. A cancel ends the run. */
	readonly after?: (
		call: HookedCall,
		result: Pick<ToolResult, 'summary' | 'content' | 'isError'>,
		signal: AbortSignal,
	) => Promise<HookVerdict>;
};

export type HookListener = {
	readonly onAlert: (alert: Alert) => void;
	/** Hears of a call that a hook refused; `why`: the end of a sentence about what it was about. */
	readonly onRefused?: (call: ToolCall, facts: CallFacts, why: string) => void;
};

export type HookedCalls = {readonly first: readonly Interceptor[]; readonly last: readonly Interceptor[]};

/**
The hooks as interceptors of one run: `first` comes before all that judge a call, `last` after them, so that only calls
that ran are followed by a hook.
A hook runs once a call. A call that is started over with another target than the hook saw is refused as `changed`.
*/
export function hookCalls(
	{before, after}: ToolHooks,
	signal: AbortSignal,
	{onAlert, onRefused}: HookListener,
): HookedCalls {
	const seen = new WeakMap<ToolCall, HookedCall>();
	const running = new WeakMap<ToolCall, HookedCall>();
	const withAlerts = async (asked: Promise<HookVerdict>) => {
		const verdict = await asked;
		for (const alert of verdict.alerts ?? []) onAlert(alert);
		return verdict;
	};
	return {
		first: [
			{
				async preToolCall(call, facts) {
					running.delete(call);
					const refuse = (refusal: Refusal) =>
						({type: 'result', output: refusalOutput(call.name, refusal)}) as const;
					const earlier = seen.get(call);
					if (before === undefined) return {type: 'continue'};
					if (earlier !== undefined)
						return earlier.target === facts.target ? {type: 'continue'} : refuse({type: 'changed'});
					seen.set(call, hooked(call, facts));
					const verdict = await withAlerts(before(hooked(call, facts), signal));
					if (verdict.type === 'continue') return {type: 'continue'};
					onRefused?.(call, facts, `a hook refused it: ${verdict.reason}`);
					return refuse({type: 'hook', reason: verdict.reason});
				},
			},
		],
		last:
			after === undefined
				? []
				: [
						{
							preToolCall(call, facts) {
								running.set(call, hooked(call, facts));
								return {type: 'continue'};
							},
							async postToolCall(call, {summary, content, isError}) {
								const known = running.get(call);
								if (known === undefined) return {type: 'continue'};
								const verdict = await withAlerts(after(known, {summary, content, isError}, signal));
								return verdict.type === 'cancel'
									? {type: 'abort', reason: verdict.reason}
									: {type: 'continue'};
							},
						},
					],
	};
}

function hooked({callId, name}: ToolCall, {args, target}: CallFacts): HookedCall {
	return {callId, tool: name, args, ...(target !== undefined && {target})};
}
