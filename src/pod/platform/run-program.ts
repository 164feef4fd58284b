import {spawn} from 'node:child_process';
import type {Env} from '../ground/env/env.ts';
import {signal} from './process-tree.ts';

type RunOptions = {
	/** The bytes on the program's stdin. It is closed after them. */
	readonly input: string | Buffer;
	readonly env: Env;
	readonly timeoutMs: number;
};

/**
The end of a program. `failed`: it could not be started, was ended by a signal, or printed more than `maxOutput`.
`said` is the beginning of its stderr.
*/
export type ProgramEnd =
	| {readonly kind: 'ended'; readonly code: number; readonly output: Buffer; readonly said: Buffer}
	| {readonly kind: 'failed' | 'timed_out'};

/**
Runs a program in its own session and without a terminal, so that it cannot ask anything. A time-out stops the program
and everything that it started.
*/
export async function runProgram(
	path: string,
	args: readonly string[],
	{input, env, timeoutMs}: RunOptions,
): Promise<ProgramEnd> {
	const child = spawn(path, args, {stdio: 'pipe', cwd: '/', env, detached: true});
	child.on('error', () => {});
	// Node makes no pipes for a program that it could not start.
	if (child.pid === undefined) return {kind: 'failed'};
	const answer = Promise.withResolvers<ProgramEnd>();
	const timer = setTimeout(() => answer.resolve({kind: 'timed_out'}), timeoutMs);
	const output = collect(child.stdout, () => answer.resolve({kind: 'failed'}));
	const said = collect(child.stderr);
	const settle = (code: number | null) =>
		answer.resolve(code === null ? {kind: 'failed'} : {kind: 'ended', code, output: output(), said: said()});
	child.on('close', settle);
	// A daemon that the program started may keep the pipe open.
	child.on('exit', code => setTimeout(settle, drainMs, code));
	// A program that ends without reading closes its stdin. Its exit code says whether it has failed.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	try {
		return await answer.promise;
	} finally {
		clearTimeout(timer);
		if (child.exitCode === null && child.signalCode === null) signal(-child.pid, 'SIGKILL');
		child.stdout.destroy();
		child.stderr.destroy();
	}
}

/** Reads a stream. Returns a function that returns its first `maxOutput` bytes. Calls `onMore` if there are more. */
function collect(stream: NodeJS.ReadableStream, onMore?: () => void): () => Buffer {
	const pieces: Buffer[] = [];
	let size = 0;
	stream.on('data', (piece: Buffer) => {
		const kept = piece.subarray(0, maxOutput - size);
		size += kept.length;
		if (kept.length > 0) pieces.push(kept);
		if (kept.length < piece.length) onMore?.();
	});
	return () => Buffer.concat(pieces);
}

const maxOutput = 16 * 1024;

/** The number of milliseconds after the end of the program in which the rest of its output arrives. */
const drainMs = 100;
