import {en} from '../../../language/index.ts';
import {randomUUID} from 'node:crypto';
import type {Readable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {execa} from 'execa';
import {forget, killTree, markVariable, remember, signalTree} from '../../platform/process-tree.ts';
import {configuredProgram} from '../../platform/programs.ts';
import {stderrText} from './scrubber.ts';

/**
The process of a server. When the process or inkpod ends, all descendants of the process end, too (see process-tree.ts).
*/
export type ServerProcess = {
	write(line: string): void;
	/** Resolves when the process has ended. The value is the end of a sentence about the server. */
	readonly ended: Promise<string>;
	/** Returns the last output of the server's stderr. */
	stderrTail(): string;
	/** Kills the process and its descendants. `why` is the end of a sentence about the server. */
	kill(why: string): void;
	/**
	Closes the process's input, then sends SIGTERM, and then SIGKILL. Resolves when the process and its descendants have
	ended.
	*/
	stop(): Promise<void>;
};

type StartedProcess =
	| {readonly ok: true; readonly process: ServerProcess}
	| {readonly ok: false; readonly reason: string};

type Surroundings = {
	readonly folder: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly onOutput: (bytes: Buffer) => void;
};

/**
Starts a program without a shell. The environment of the program is `env` with a mark that identifies its descendants.
*/
export async function startProcess(
	command: string,
	args: readonly string[],
	{folder, env, onOutput}: Surroundings,
): Promise<StartedProcess> {
	const program = configuredProgram(command, env['PATH']);
	if (program === undefined) return {ok: false, reason: notFound};
	const mark = randomUUID();
	const child = execa(program, args, {
		cwd: folder,
		env: {...env, [markVariable]: mark},
		extendEnv: false,
		stdin: 'pipe',
		stdout: 'pipe',
		stderr: 'pipe',
		buffer: false,
		encoding: 'buffer',
		reject: false,
		detached: true,
	});
	const {pid: leader, stdin, stdout, stderr, nodeChildProcess} = child;
	if (leader === undefined) {
		const {code = en`unknown reason`} = await child;
		return {ok: false, reason: startFailures[code] ?? en`it could not be started (${code})`};
	}
	const ended = Promise.withResolvers<string>();
	let stderrTail: Buffer = Buffer.alloc(0);
	let fault: string | undefined;
	const tree = {leader, mark};
	remember(tree);
	for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
	stdout.on('data', onOutput);
	const readRest = slowly(stderr, bytes => {
		stderrTail = lastBytes(Buffer.concat([stderrTail, lastBytes(bytes)]));
	});
	nodeChildProcess.once('exit', (code, signal) => {
		readRest();
		// The last output may still arrive after the exit. A descendant that could not be killed may keep the pipes
		// open, so the wait is limited.
		void Promise.all([killTree(tree), delay(drainMs)]).then(() => {
			forget(tree);
			for (const stream of [stdin, stdout, stderr]) stream.destroy();
			ended.resolve(
				fault ??
					(signal === null ? en`it ended with exit code ${String(code)}` : en`it was ended by ${signal}`),
			);
		});
	});
	const kill = (why: string) => {
		if (fault !== undefined) return;
		fault = why;
		signalTree(tree, 'SIGKILL');
	};
	return {
		ok: true,
		process: {
			write(line) {
				stdin.write(line);
				if (stdin.writableLength > maxUnread) kill(en`it does not read its input, so inkpod stopped it`);
			},
			ended: ended.promise,
			stderrTail: () => stderrText(stderrTail),
			kill,
			async stop() {
				stdin.end();
				const timers = [
					setTimeout(() => signalTree(tree, 'SIGTERM'), politeMs),
					setTimeout(() => signalTree(tree, 'SIGKILL'), killMs),
				];
				await ended.promise;
				for (const timer of timers) clearTimeout(timer);
			},
		},
	};
}

const notFound = en`there is no such program`;

const startFailures: Readonly<Record<string, string>> = {
	ENOENT: notFound,
	EACCES: en`inkpod has no permission to execute its program`,
	E2BIG: en`its arguments are too long`,
	ENOTDIR: en`its folder is not a directory`,
	ERR_INVALID_ARG_VALUE: en`its command contains a NUL byte`,
};

/** The number of milliseconds between the end of the server's input and SIGTERM. */
const politeMs = 250;
/** The number of milliseconds between the end of the server's input and SIGKILL. */
const killMs = 1500;
/** The number of milliseconds that inkpod waits for the last output of a server. */
const drainMs = 50;

/** The maximum number of bytes of stderr in memory. */
const maxTailBytes = 8192;

/** The maximum number of bytes that inkpod buffers for a server that does not read its input. */
const maxUnread = 64 * 1024 * 1024;

const readAtOnce = 1024 * 1024;
const pauseMs = 50;

/**
Reads a stream that may never end. Pauses after every `readAtOnce` bytes. Returns a function that ends the pauses for
the remaining bytes.
*/
function slowly(stream: Readable, onBytes: (bytes: Buffer) => void): () => void {
	let bytesRead = 0;
	let isHurried = false;
	stream.on('data', (bytes: Buffer) => {
		onBytes(bytes);
		bytesRead += bytes.length;
		if (isHurried || bytesRead < readAtOnce) return;
		bytesRead = 0;
		stream.pause();
		setTimeout(() => stream.resume(), pauseMs).unref();
	});
	return () => {
		isHurried = true;
		stream.resume();
	};
}

function lastBytes(bytes: Buffer): Buffer {
	return bytes.length <= maxTailBytes ? bytes : bytes.subarray(bytes.length - maxTailBytes);
}
