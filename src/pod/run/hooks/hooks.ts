import type {ToolResult} from '../../../worker/index.ts';
import type {HookConfig, HookEvent, HookSurroundings} from '../../platform/hook-process.ts';
import type {CompactHook, CompactTrigger} from '../../context/compaction/compaction.ts';
import type {Alert, Segment} from '../../protocol.ts';
import type {PromptHook} from '../../references/submission/submission.ts';
import {escapeSeparators} from '../../ground/text/json-line.ts';
import {cancelledText, ignoredText} from './texts.ts';
import type {HookedCall, ToolHooks} from './tool-hooks.ts';

type HookContext = HookSurroundings & {readonly sessionId: string};

/** The input of a `UserPromptSubmit` hook: one line of JSON on its standard input. */
type PromptHookInput = {
	readonly event: 'UserPromptSubmit';
	readonly session_id: string;
	readonly cwd: string;
	/** The user's message as the model would read it. */
	readonly prompt: string;
	/** The same message in pieces, as it is stored in history. At this time no file has been read. */
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
	/** The arguments as the tool gets them. */
	readonly arguments: unknown;
	/** The real path that a file tool will read, search or change. */
	readonly target?: string;
};

/** The input of a `PostToolUse` hook: the call, and its result as the model will read it. */
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

/** Creates the hooks around tool calls. The result is empty if none are configured. */
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

/**
Runs the hooks of an event one after another.
Exit 0 continues. Exit 2 cancels with the first line of stderr, and no further hook runs.
Any other end becomes an alert, and the next hook runs. An abort ends the hook and every process that it started.
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
