import type {ToolResult} from '../../../worker/index.ts';
import type {HookConfig, HookEvent, HookSurroundings, HookEnd, HookProgram} from '../../platform/hook-process.ts';
import type {CompactHook, CompactTrigger} from '../../context/compaction/compaction.ts';
import type {Alert, Segment} from '../../protocol.ts';
import type {PromptHook} from '../../references/submission/submission.ts';
import {escapeSeparators} from '../../ground/text/json-line.ts';
import type {HookedCall, ToolHooks} from './tool-hooks.ts';
import {en, t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';

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

/** Returns a sentence about a hook that cancelled without a reason. */
function cancelledText(hook: HookProgram, event: keyof typeof cancelled): string {
	return cancelled[event](nameOf(hook));
}

/** Returns a sentence that explains why the end of a hook is ignored. */
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
