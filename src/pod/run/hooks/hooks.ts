import type {ToolResult, CallFacts, Interceptor, ToolCall} from '../../../worker/index.ts';
import type {HookConfig, HookEvent, HookSurroundings, HookEnd, HookProgram} from '../../platform/hook-process.ts';
import type {CompactHook, CompactTrigger} from '../../context/compaction/compaction.ts';
import type {Alert, Segment} from '../../protocol.ts';
import type {PromptHook, HookVerdict} from '../../references/submission/submission.ts';
import {escapeSeparators} from '../../ground/text/json-line.ts';
import {en, t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import {refusalOutput, type Refusal} from '../../permissions/approval/refusal.ts';

type HookContext = HookSurroundings & {readonly sessionId: string};

/** The input of a `UserPromptSubmit` hook: one line of JSON on its standard input. */
type PromptHookInput = {
	readonly event: 'UserPromptSubmit';
	readonly session_id: string;
	readonly cwd: string;
	/** The user's message in the form that the model would read. */
	readonly prompt: string;
	/** The same message in segments, in the form that history stores. No file has been read at this time. */
	readonly segments: readonly Segment[];
};

/** The input of a `PreCompact` hook. */
type CompactHookInput = {
	readonly event: 'PreCompact';
	readonly session_id: string;
	readonly cwd: string;
	readonly trigger: CompactTrigger;
	/** The user's hint about the purpose of the summary. */
	readonly hint?: string;
	/** The approximate number of tokens in the context. */
	readonly tokens: number;
};

/** The input of a `PreToolUse` hook. */
type CallHookInput = {
	readonly event: 'PreToolUse';
	readonly session_id: string;
	readonly cwd: string;
	readonly call_id: string;
	readonly tool: string;
	/** The arguments that the tool gets. */
	readonly arguments: unknown;
	/** The real path that a file tool will read, search or change. */
	readonly target?: string;
};

/** The input of a `PostToolUse` hook: the call, and the result that the model will read. */
type ResultHookInput = Omit<CallHookInput, 'event'> & {
	readonly event: 'PostToolUse';
	readonly summary: string;
	readonly content: string;
	readonly is_error: boolean;
};

/** Creates the hook that runs before a message is sent. */
export function createPromptHook(hooks: readonly HookConfig[], context: HookContext): PromptHook {
	return async ({text, segments}, signal) =>
		ask(
			hooks,
			{event: 'UserPromptSubmit', session_id: context.sessionId, cwd: context.cwd, prompt: text, segments},
			context,
			signal,
		);
}

/** Creates the hook that runs before the context is compacted. */
export function createCompactHook(hooks: readonly HookConfig[], context: HookContext): CompactHook {
	return async (compaction, signal) =>
		ask(
			hooks,
			{event: 'PreCompact', session_id: context.sessionId, cwd: context.cwd, ...compaction},
			context,
			signal,
		);
}

/** Creates the hooks around tool calls. The result is empty if the user configured none. */
export function createToolHooks(hooks: readonly HookConfig[], context: HookContext): ToolHooks {
	const has = (wanted: HookEvent) => hooks.some(({event}) => event === wanted);
	const about = ({callId, tool, args, target}: HookedCall) => ({
		session_id: context.sessionId,
		cwd: context.cwd,
		call_id: callId,
		tool,
		arguments: args,
		target,
	});
	return {
		...(has('PreToolUse') && {
			before: async (call: HookedCall, signal: AbortSignal) =>
				ask(hooks, {event: 'PreToolUse', ...about(call)}, context, signal),
		}),
		...(has('PostToolUse') && {
			after: async (
				call: HookedCall,
				{summary, content, isError}: Pick<ToolResult, 'summary' | 'content' | 'isError'>,
				signal: AbortSignal,
			) =>
				ask(
					hooks,
					{event: 'PostToolUse', ...about(call), summary, content, is_error: isError},
					context,
					signal,
				),
		}),
	};
}

/** The user's hooks around tool calls. A hook accepts or cancels. It cannot change the call or its result. */
export type ToolHooks = {
	/**
	Runs before inkpod decides about a call. If a hook cancels, inkpod refuses only this call, and the model reads the
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

/**
Creates the interceptors that call the hooks in one run. `first` must come before the interceptors that decide about a
call. `last` must come after them, so that the `PostToolUse` hooks run only for calls that ran. Each hook runs once for
each call. If the target of a call changes after its hook ran, the call is refused as `changed`.
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

/**
Runs the hooks of an event one after another. Exit code 0 continues. Exit code 2 cancels with the first line of stderr,
and no later hook runs. Any other end becomes an alert, and the next hook runs. An abort ends the hook and every process
that the hook started.
*/
async function ask(
	hooks: readonly HookConfig[],
	input: PromptHookInput | CompactHookInput | CallHookInput | ResultHookInput,
	context: HookContext,
	signal: AbortSignal,
): ReturnType<PromptHook> {
	const alerts: Alert[] = [];
	for (const hook of hooks.filter(({event}) => event === input.event)) {
		const {runHook} = await import('../../platform/hook-process.ts');
		if (signal.aborted) break;
		const end = await runHook(hook, `${escapeSeparators(JSON.stringify(input))}\n`, context, signal);
		if (end === undefined || signal.aborted) break;
		if (end.type === 'exit' && end.code === 2)
			return {
				type: 'cancel',
				reason: end.said || cancelledText(hook, input.event),
				alerts,
			};
		if (!(end.type === 'exit' && end.code === 0)) alerts.push({level: 'warn', text: ignoredText(hook, end)});
	}
	return {type: 'continue', alerts};
}

/** Returns a sentence about a hook that cancelled without a reason. */
function cancelledText(hook: HookProgram, event: keyof typeof cancelled): string {
	return cancelled[event](nameOf(hook));
}

/** Returns a sentence that explains why inkpod ignored a hook. */
function ignoredText(hook: HookProgram, end: HookEnd): string {
	return t`The hook ${nameOf(hook)} was ignored: ${reasonOf(end)}.`;
}

const cancelled = {
	UserPromptSubmit: (hook: string) => en`The hook ${hook} cancelled the message and gave no reason.`,
	PreToolUse: (hook: string) => en`The hook ${hook} cancelled the call and gave no reason.`,
	PostToolUse: (hook: string) => en`The hook ${hook} cancelled the run and gave no reason.`,
	PreCompact: (hook: string) => t`The hook ${hook} cancelled the compaction and gave no reason.`,
} as const;

function nameOf({command}: HookProgram): string {
	const characters = Array.from(typeof command === 'string' ? command : command.join(' '));
	return quoteUntrusted(characters.length <= 60 ? characters.join('') : `${characters.slice(0, 60).join('')}…`);
}

function reasonOf(end: HookEnd): string {
	if (end.type === 'exit') return t`it exited with code ${end.code}${end.said === '' ? '' : ` (${end.said})`}`;
	if (end.type === 'signal') return t`it was ended by ${end.name}`;
	if (end.type === 'timeout') return t`it took longer than ${end.ms / 1000} s and was stopped`;
	return t`it could not be started (${notStarted[end.code] ?? (end.code === '' ? t`unknown reason` : end.code)})`;
}

const notStarted: Readonly<Record<string, string>> = {
	ENOENT: t`no such program`,
	EACCES: t`permission denied`,
	E2BIG: t`its arguments are too long`,
	ERR_INVALID_ARG_VALUE: t`its command is empty or contains a NUL byte`,
};

/** The facts about a call that a hook gets: the arguments, and the real path of the call's target, if it has one. */
type HookedCall = {
	readonly callId: string;
	readonly tool: string;
	readonly args: unknown;
	readonly target?: string;
};

type HookListener = {
	readonly onAlert: (alert: Alert) => void;
	/** Called with a call that a hook refused. `why` is the end of a sentence about the file or command of the call. */
	readonly onRefused?: (call: ToolCall, facts: CallFacts, why: string) => void;
};

type HookedCalls = {readonly first: readonly Interceptor[]; readonly last: readonly Interceptor[]};

function hooked({callId, name}: ToolCall, {args, target}: CallFacts): HookedCall {
	return {callId, tool: name, args, target};
}
