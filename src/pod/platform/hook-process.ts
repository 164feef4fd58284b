import {randomUUID} from 'node:crypto';
import {stripVTControlCharacters} from 'node:util';
import {execa} from 'execa';
import {childEnv, shellOf} from '../ground/env/child-env.ts';
import type {Env} from '../ground/env/env.ts';
import {configuredProgram} from './programs.ts';
import {forget, markVariable, remember, stopTree} from './process-tree.ts';

/** A line for the user's shell, or a program with its arguments. */
export type HookProgram = {readonly command: string | readonly string[]; readonly timeoutMs: number};

/** An event at which inkpod runs the user's hooks. */
export type HookEvent = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PreCompact';

/** A command that runs at an event. */
export type HookConfig = HookProgram & {readonly event: HookEvent};

/** `cwd` is the hook's working directory. `env` is the environment from which inkpod removes model API keys. */
export type HookSurroundings = {readonly cwd: string; readonly env: Env};

export type HookEnd =
	/** `said` is the first line of stderr, without control characters. */
	| {readonly type: 'exit'; readonly code: number; readonly said: string}
	| {readonly type: 'signal'; readonly name: string}
	| {readonly type: 'timeout'; readonly ms: number}
	| {readonly type: 'not_started'; readonly code: string};

/**
Runs a hook to its end. Returns `undefined` if it was aborted. A time-out or an abort stops the hook with every process
that it started. Processes that a finished hook has left running are not stopped.
*/
export async function runHook(
	hook: HookProgram,
	input: string,
	surroundings: HookSurroundings,
	signal: AbortSignal,
): Promise<HookEnd | undefined> {
	const mark = randomUUID();
	const program = programOf(hook, surroundings.env);
	if (program === undefined) return {type: 'not_started', code: 'ENOENT'};
	const child = start(program, {...surroundings, input, mark});
	const said = collect(child.stderr);
	const ended = child.nodeChildProcess;
	if (ended.pid === undefined) return {type: 'not_started', code: (await child).code ?? ''};
	const tree = {leader: ended.pid, mark};
	const cut = Promise.withResolvers<'timeout' | 'aborted'>();
	const timer = setTimeout(() => cut.resolve('timeout'), Math.ceil(hook.timeoutMs));
	const abort = () => cut.resolve('aborted');
	remember(tree);
	signal.addEventListener('abort', abort, {once: true});
	if (signal.aborted) abort();
	try {
		const end = await Promise.race([child, cut.promise]);
		if (end === 'timeout' || end === 'aborted') {
			await stopTree(tree);
			return end === 'timeout' ? {type: 'timeout', ms: hook.timeoutMs} : undefined;
		}
		const {exitCode: code, signalCode} = ended;
		return code === null
			? {type: 'signal', name: signalCode ?? 'a signal'}
			: {type: 'exit', code, said: firstLine(said())};
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', abort);
		forget(tree);
	}
}

/** A program to start. `isLine`: the program is a line for the user's shell. */
type Program = {readonly file: string; readonly args: readonly string[]; readonly isLine: boolean};

/**
Returns the program of a hook. Looks up a name only in absolute folders of PATH, because the hook may run in the
project, and a relative folder would be in the project.
*/
function programOf({command}: HookProgram, env: Env): Program | undefined {
	if (typeof command === 'string') return {file: command, args: [], isLine: true};
	const [name = '', ...args] = command;
	const file = configuredProgram(name, env['PATH']);
	return file === undefined ? undefined : {file, args, isLine: false};
}

type Starting = HookSurroundings & {readonly input: string; readonly mark: string};

/**
Starts a hook in its own Unix session (setsid). Its pipes close soon after the hook's end, even if other processes keep
them open.
*/
function start({file, args, isLine}: Program, {cwd, env, input, mark}: Starting) {
	const child = execa(file, args, {
		cwd,
		env: {...childEnv(env), [markVariable]: mark},
		extendEnv: false,
		shell: isLine && shellOf(env),
		input,
		stdout: 'ignore',
		stderr: 'pipe',
		encoding: 'buffer',
		buffer: false,
		reject: false,
		detached: true,
	});
	child.nodeChildProcess.once('exit', () => {
		const closePipes = () => {
			child.stdin.destroy();
			child.stderr.destroy();
		};
		const drain = setTimeout(closePipes, drainMs);
		void child.finally(() => clearTimeout(drain));
	});
	return child;
}

/** The number of milliseconds after a hook's end in which its remaining processes may keep stderr open. */
const drainMs = 100;

const maxSaid = 8192;

/** Reads a stream to its end. Returns a function that returns the beginning of the stream. */
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

/** Returns the first line with text, without characters that move a cursor or change the reading direction. */
function firstLine(bytes: Buffer): string {
	const lines = stripVTControlCharacters(bytes.toString()).split(/[\n\r\u2028\u2029]/u);
	const line =
		lines.map(text => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim()).find(text => text !== '') ?? '';
	const characters = Array.from(line);
	return characters.length <= maxLine ? line : `${characters.slice(0, maxLine).join('')}…`;
}
