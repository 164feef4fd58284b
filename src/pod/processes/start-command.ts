import {randomUUID} from 'node:crypto';
import {wait} from '../../worker/index.ts';
import type {Env} from '../env/env.ts';
import {resolveLinks} from '../scope/locate.ts';
import type {OutputFile} from './output-file.ts';
import {forget, markVariable, remember, stopLeft, stopTree, type Tree} from './process-tree.ts';

export type CommandOptions = {
	/** An absolute path: what is given `-c` and the command. */
	readonly shell: string;
	/** A real path. Nothing is started when a link has replaced it. */
	readonly cwd: string;
	/** The whole environment of the command. */
	readonly env: Env;
	readonly output: OutputFile;
	/** Stops the command with everything that it started. */
	readonly signal: AbortSignal;
	/** Absent: no limit. */
	readonly timeoutMs?: number | undefined;
	/** A command that writes more is stopped, and the rest is dropped. Default: 256 MiB. */
	readonly maxBytes?: number;
	/** The command has started. Called before any output. */
	readonly onStart?: () => void;
	/** Every byte of the output in order, in pieces. The buffer is used again afterwards. */
	readonly onOutput?: (bytes: Uint8Array) => void;
};

/** `left`: it left processes, which were stopped. */
export type CommandEnd =
	| {readonly type: 'exit'; readonly code: number; readonly left: boolean}
	| {readonly type: 'signal'; readonly name: string; readonly left: boolean}
	| {readonly type: 'timeout'; readonly ms: number}
	| {readonly type: 'too_much'; readonly maxBytes: number}
	| {readonly type: 'stopped'};

export type StartedCommand =
	/**
	`ended` resolves when all processes of the command have ended and `onOutput` got all its output. It rejects when the
	output cannot be read.
	*/
	| {readonly ok: true; readonly ended: Promise<CommandEnd>}
	| {readonly ok: false; readonly reason: 'aborted' | 'io'; readonly sentence: string};

/**
Starts a command in a session and process group of its own: without a terminal, with an empty input and one file for
both outputs. The command is over when its shell has ended. What is left of its group then is stopped.
*/
export async function startCommand(command: string, options: CommandOptions): Promise<StartedCommand> {
	const {shell, cwd, env, output, signal} = options;
	const {execa} = await import('execa');
	if (signal.aborted) return {ok: false, reason: 'aborted', sentence: 'The command was stopped before it began.'};
	if (command.includes('\0'))
		return {ok: false, reason: 'io', sentence: 'The command cannot be run: it holds a NUL byte.'};
	if ((await resolveLinks(cwd)) !== cwd) return {ok: false, reason: 'io', sentence: movedSentence};
	const mark = randomUUID();
	// Any descriptor will do; the types name the first ten.
	const both = output.fd as 3;
	const child = execa(shell, ['-c', command], {
		cwd,
		env: {...env, [markVariable]: mark},
		extendEnv: false,
		stdin: 'ignore',
		stdout: both,
		stderr: both,
		buffer: false,
		reject: false,
		detached: true,
	});
	if (child.pid === undefined)
		return {
			ok: false,
			reason: 'io',
			sentence: `The command could not be started: ${String((await child).originalMessage).split('\n', 1)[0]}`,
		};
	options.onStart?.();
	const exited = child.then(({exitCode, signal: name}): Ended =>
		exitCode === undefined ? {type: 'signal', name: String(name)} : {type: 'exit', code: exitCode},
	);
	return {ok: true, ended: supervise({leader: child.pid, mark}, exited, options)};
}

const movedSentence = 'The command was not run: the working directory was replaced by a link (changed).';

/** A command may fill this much of the disk: what `read_file` still reads. */
export const defaultMaxBytes = 256 * 1024 * 1024;

type Ended = {readonly type: 'exit'; readonly code: number} | {readonly type: 'signal'; readonly name: string};
type Cut = Exclude<CommandEnd, {readonly left: boolean}>;

async function supervise(
	tree: Tree,
	exited: Promise<Ended>,
	{output, signal, timeoutMs, maxBytes = defaultMaxBytes, onOutput}: CommandOptions,
): Promise<CommandEnd> {
	const cut = Promise.withResolvers<Cut>();
	const stop = () => cut.resolve({type: 'stopped'});
	const timer =
		timeoutMs === undefined
			? undefined
			: setTimeout(() => cut.resolve({type: 'timeout', ms: timeoutMs}), timeoutMs);
	const over = new AbortController();
	remember(tree);
	if (signal.aborted) stop();
	else signal.addEventListener('abort', stop, {once: true});
	const followed = follow(output, {
		maxBytes,
		onOutput,
		over: over.signal,
		onTooMuch: () => cut.resolve({type: 'too_much', maxBytes}),
	});
	followed.catch(stop);
	try {
		const end = await Promise.race([exited, cut.promise]);
		if (end.type !== 'exit' && end.type !== 'signal') {
			await stopTree(tree);
			return end;
		}
		return {...end, left: await stopLeft(tree)};
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', stop);
		forget(tree);
		over.abort();
		await followed;
	}
}

/** Milliseconds between two looks at a growing output. */
const lookMs = 50;

type Following = {
	readonly maxBytes: number;
	readonly onOutput: CommandOptions['onOutput'];
	readonly over: AbortSignal;
	readonly onTooMuch: () => void;
};

/** Reports an output as it grows, and the rest of it when the command is over. */
async function follow(output: OutputFile, {maxBytes, onOutput, over, onTooMuch}: Following): Promise<void> {
	let position = 0;
	for (;;) {
		const last = over.aborted;
		const size = await output.size();
		if (size > maxBytes) onTooMuch();
		if (size > maxBytes && last) await output.cut(maxBytes);
		const end = Math.min(size, maxBytes);
		// A command that opened its own output anew, as `> /dev/stdout` does, has emptied it.
		if (size < position) position = 0;
		if (onOutput !== undefined && position < end) {
			const bytes = await output.read(position, end - position);
			position += bytes.length;
			onOutput(bytes);
			if (bytes.length > 0) continue;
		}
		if (last) return;
		await wait(lookMs, over);
	}
}
