import {stripVTControlCharacters} from 'node:util';
import type {ToolResult} from '../worker/index.ts';
import {childEnv, shellOf} from './child-env.ts';
import type {Env} from './home.ts';
import type {CompactHook, CompactTrigger} from './compaction/compaction.ts';
import {inert} from './inert.ts';
import type {Alert, Segment} from './protocol.ts';
import type {PromptHook} from './submission/submission.ts';
import type {HookedCall, ToolHooks} from './tool-hooks.ts';

/** An event that a command of the person's can be called for. */
export type HookEvent = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PreCompact';

/** A command that the person wants to be run at an event: a line for their shell, or a program with its arguments. */
export type HookConfig = {readonly event: HookEvent; readonly command: string | readonly string[]; readonly timeoutMs: number};

/** `cwd`: where a hook is run. `env`: what it inherits, but for the keys of models. */
export type HookContext = {readonly cwd: string; readonly env: Env; readonly sessionId: string};

/** What a `UserPromptSubmit` hook reads from its standard input: one line of JSON. */
export type PromptHookInput = {
	readonly event: 'UserPromptSubmit';
	readonly session_id: string;
	readonly cwd: string;
	/** What the model would read as the person's words. */
	readonly prompt: string;
	/** The same in pieces, as history keeps them. No file has been read yet. */
	readonly segments: readonly Segment[];
};

/** What a `PreCompact` hook reads. */
export type CompactHookInput = {
	readonly event: 'PreCompact';
	readonly session_id: string;
	readonly cwd: string;
	readonly trigger: CompactTrigger;
	/** What the person said that the summary is for. */
	readonly hint?: string;
	/** About how many tokens the context has. */
	readonly tokens: number;
};

/** What a `PreToolUse` hook reads. */
export type CallHookInput = {
	readonly event: 'PreToolUse';
	readonly session_id: string;
	readonly cwd: string;
	readonly call_id: string;
	readonly tool: string;
	/** As the tool is given them. */
	readonly arguments: unknown;
	/** Of a tool for files: the real path that it will read, search or change. */
	readonly target?: string;
};

/** What a `PostToolUse` hook reads: the call, and what the model will read of its result. */
export type ResultHookInput = Omit<CallHookInput, 'event'> & {readonly event: 'PostToolUse'; readonly summary: string; readonly content: string; readonly is_error: boolean};

/** The person's hooks before a message is sent. */
export function createPromptHook(hooks: readonly HookConfig[], context: HookContext): PromptHook {
	return async ({text, segments}, signal) => ask(hooks, {event: 'UserPromptSubmit', session_id: context.sessionId, cwd: context.cwd, prompt: text, segments}, context, signal);
}

/** The person's hooks before the context is compacted. */
export function createCompactHook(hooks: readonly HookConfig[], context: HookContext): CompactHook {
	return async (compaction, signal) => ask(hooks, {event: 'PreCompact', session_id: context.sessionId, cwd: context.cwd, ...compaction}, context, signal);
}

/** The person's hooks around the calls of tools: none where no command is called for them. */
export function createToolHooks(hooks: readonly HookConfig[], context: HookContext): ToolHooks {
	const has = (wanted: HookEvent) => hooks.some(({event}) => event === wanted);
	const about = ({callId, tool, args, target}: HookedCall) => ({
		session_id: context.sessionId,
		cwd: context.cwd,
		call_id: callId,
		tool,
		arguments: args,
		...(target !== undefined && {target}),
	});
	return {
		...(has('PreToolUse') && {before: async (call: HookedCall, signal: AbortSignal) => ask(hooks, {event: 'PreToolUse', ...about(call)}, context, signal)}),
		...(has('PostToolUse') && {after: async (call: HookedCall, {summary, content, isError}: Pick<ToolResult, 'summary' | 'content' | 'isError'>, signal: AbortSignal) => ask(hooks, {event: 'PostToolUse', ...about(call), summary, content, is_error: isError}, context, signal)}),
	};
}

/**
Runs the person's hooks of an event one after another. Exit 0 goes on; 2 cancels with the first line of stderr, and no further hook is run;
whatever else a hook does is told of in an alert, and things go on. An abort ends the hook with everything it started.
*/
async function ask(hooks: readonly HookConfig[], input: PromptHookInput | CompactHookInput | CallHookInput | ResultHookInput, context: HookContext, signal: AbortSignal): ReturnType<PromptHook> {
	const alerts: Alert[] = [];
	for (const hook of hooks.filter(({event}) => event === input.event)) {
		if (signal.aborted) break;
		const end = await run(hook, `${JSON.stringify(input)}\n`, context, signal);
		if (signal.aborted) break;
		if (end.type === 'exit' && end.code === 2) return {type: 'cancel', reason: end.said || `The hook ${nameOf(hook)} cancelled the ${cancelled[input.event]} and gave no reason.`, alerts};
		if (!(end.type === 'exit' && end.code === 0)) alerts.push({level: 'warn', text: troubleSentence(hook, end)});
	}
	return {type: 'continue', alerts};
}

const cancelled: Readonly<Record<HookEvent, string>> = {UserPromptSubmit: 'message', PreToolUse: 'call', PostToolUse: 'run', PreCompact: 'compaction'};

type HookEnd =
	/** `said`: the first line of stderr, inert. */
	| {readonly type: 'exit'; readonly code: number; readonly said: string}
	| {readonly type: 'signal'; readonly name: string}
	| {readonly type: 'timeout'; readonly ms: number}
	| {readonly type: 'not_started'; readonly code: string};

/** How long a hook has to end after it was asked to, and how long what it left behind may hold its stderr open, in milliseconds. */
const graceMs = 500;
const drainMs = 100;

async function run({command, timeoutMs}: HookConfig, input: string, {cwd, env}: HookContext, signal: AbortSignal): Promise<HookEnd> {
	const {execa} = await import('execa');
	const [file, ...args] = typeof command === 'string' ? [command] : command;
	const child = execa(file ?? '', args, {
		cwd,
		env: childEnv(env),
		extendEnv: false,
		shell: typeof command === 'string' && shellOf(env),
		input,
		stdout: 'ignore',
		stderr: 'pipe',
		encoding: 'buffer',
		buffer: false,
		reject: false,
		timeout: Math.ceil(timeoutMs),
		cancelSignal: signal,
		killDescendants: true,
		forceKillAfterDelay: graceMs,
	});
	const said = collect(child.stderr);
	let drain: NodeJS.Timeout | undefined;
	const ended = child.nodeChildProcess;
	ended.once('exit', () => {
		drain = setTimeout(() => {
			child.stdin.destroy();
			child.stderr.destroy();
		}, drainMs);
	});
	const result = await child;
	clearTimeout(drain);
	// What did not care for the polite word, and has let go of the pipes.
	if (result.timedOut || result.isCanceled) child.kill('SIGKILL');
	if (result.timedOut) return {type: 'timeout', ms: timeoutMs};
	if (ended.pid === undefined) return {type: 'not_started', code: result.code ?? ''};
	return ended.exitCode === null ? {type: 'signal', name: ended.signalCode ?? 'a signal'} : {type: 'exit', code: ended.exitCode, said: firstLine(said())};
}

const maxSaid = 8192;

/** Reads a stream to its end and keeps its beginning. */
function collect(stream: NodeJS.ReadableStream): () => Buffer {
	const kept: Buffer[] = [];
	let size = 0;
	stream.on('data', (bytes: Uint8Array) => {
		const rest = Buffer.from(bytes).subarray(0, maxSaid - size);
		size += rest.length;
		if (rest.length > 0) kept.push(rest);
	});
	return () => Buffer.concat(kept);
}

const maxLine = 300;

/** The first line that says something, without what would move a cursor or turn the reading around. */
function firstLine(bytes: Buffer): string {
	const lines = stripVTControlCharacters(bytes.toString()).split(/[\n\r\u2028\u2029]/u);
	const line = lines.map(text => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim()).find(text => text !== '') ?? '';
	const characters = Array.from(line);
	return characters.length <= maxLine ? line : `${characters.slice(0, maxLine).join('')}…`;
}

function nameOf({command}: HookConfig): string {
	const characters = Array.from(typeof command === 'string' ? command : command.join(' '));
	return inert(characters.length <= 60 ? characters.join('') : `${characters.slice(0, 60).join('')}…`);
}

function troubleSentence(hook: HookConfig, end: HookEnd): string {
	return `The hook ${nameOf(hook)} was passed over: ${(trouble[end.type] as (end: HookEnd) => string)(end)}.`;
}

const trouble: {readonly [Type in HookEnd['type']]: (end: Extract<HookEnd, {type: Type}>) => string} = {
	exit: ({code, said}) => `it ended with exit code ${code}${said === '' ? '' : ` (${said})`}`,
	signal: ({name}) => `it was ended by ${name}`,
	timeout: ({ms}) => `it took longer than ${ms / 1000} s and was stopped`,
	not_started: ({code}) => `it could not be started (${notStarted[code] ?? (code === '' ? 'unknown reason' : code)})`,
};

const notStarted: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such program',
	EACCES: 'it may not be executed',
	E2BIG: 'its arguments are too long',
	ERR_INVALID_ARG_VALUE: 'its command holds a NUL byte or is empty',
};
