import {en} from '../../../language/index.ts';
import type {CallFacts, Interceptor, ToolCall, ToolResult} from '../../../worker/index.ts';
import {refusalOutput, type Refusal} from '../../permissions/approval/refusal.ts';
import type {Alert} from '../../protocol.ts';
import type {HookVerdict} from '../../references/submission/submission.ts';

/** A call as a hook sees it: its arguments, and its target if the arguments do not name one. */
export type HookedCall = {
	readonly callId: string;
	readonly tool: string;
	readonly args: unknown;
	readonly target?: string;
};

/**
The user's extension around tool calls. A hook accepts or cancels a call. It changes neither the call nor its result.
*/
export type ToolHooks = {
	/**
	Runs before inkpod decides about a call. If a hook cancels, only this call is refused, and the model reads the
	reason.
	*/
	readonly before?: (call: HookedCall, signal: AbortSignal) => Promise<HookVerdict>;
	/** Runs after a call whose result is in history. If a hook cancels, the run ends. */
	readonly after?: (
		call: HookedCall,
		result: Pick<ToolResult, 'summary' | 'content' | 'isError'>,
		signal: AbortSignal,
	) => Promise<HookVerdict>;
};

type HookListener = {
	readonly onAlert: (alert: Alert) => void;
	/** Reports a call that a hook refused. `why` is the end of a sentence about the call's subject. */
	readonly onRefused?: (call: ToolCall, facts: CallFacts, why: string) => void;
};

type HookedCalls = {readonly first: readonly Interceptor[]; readonly last: readonly Interceptor[]};

/**
Creates the interceptors that call the hooks in one run. `first` runs before all other interceptors decide about a call.
`last` runs after them, so that a hook follows only calls that ran. A hook runs once for each call. If a call starts
with another target than the hook saw, it is refused as `changed`.
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
					onRefused?.(call, facts, en`a hook refused it: ${verdict.reason}`);
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
	return {callId, tool: name, args, target};
}
