import type {Readable} from 'node:stream';
import {execa} from 'execa';
import {saidText} from './text.ts';

/** A server's process, in a group of its own that ends with it, and with inkpod. */
export type ServerProcess = {
	write(line: string): void;
	/** Settles with the end of a sentence about the server when the process is gone. */
	readonly ended: Promise<string>;
	/** The last of what it wrote to its stderr. */
	said(): string;
	/** Ends it at once. `why`: the end of a sentence. */
	kill(why: string): void;
	/** Closes its input, then says SIGTERM, then kills the group. Resolves when it is gone. */
	stop(): Promise<void>;
};

export type StartedProcess = {readonly ok: true; readonly process: ServerProcess} | {readonly ok: false; readonly reason: string};

/** Starts a program without a shell. `env` is all that it gets. */
export async function startProcess(command: string, args: readonly string[], {folder, env, onOutput}: {readonly folder: string; readonly env: Readonly<Record<string, string | undefined>>; readonly onOutput: (bytes: Buffer) => void}): Promise<StartedProcess> {
	const child = execa(command, args, {cwd: folder, env, extendEnv: false, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', buffer: false, encoding: 'buffer', reject: false, detached: true});
	const {pid: group, stdin, stdout, stderr, nodeChildProcess} = child;
	if (group === undefined) {
		const {code = 'unknown reason'} = await child;
		return {ok: false, reason: startFailures[code] ?? `it could not be started (${code})`};
	}
	const ended = Promise.withResolvers<string>();
	let said: Buffer = Buffer.alloc(0);
	let fault: string | undefined;
	guard(group);
	for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
	stdout.on('data', onOutput);
	const readRest = slowly(stderr, bytes => {
		said = lastBytes(Buffer.concat([said, lastBytes(bytes)]));
	});
	nodeChildProcess.once('exit', (code, signal) => {
		killGroup(group, 'SIGKILL');
		running.delete(group);
		readRest();
		// What it said last is on its way. What has left the group may hold the pipes open.
		setTimeout(() => {
			for (const stream of [stdin, stdout, stderr]) stream.destroy();
			ended.resolve(fault ?? (signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`));
		}, drainMs);
	});
	const kill = (why: string) => {
		fault ??= why;
		killGroup(group, 'SIGKILL');
	};
	return {
		ok: true,
		process: {
			write(line) {
				stdin.write(line);
				if (stdin.writableLength > maxUnread) kill('it does not read its input and was stopped');
			},
			ended: ended.promise,
			said: () => saidText(said),
			kill,
			async stop() {
				stdin.end();
				const timers = [setTimeout(() => killGroup(group, 'SIGTERM'), politeMs), setTimeout(() => killGroup(group, 'SIGKILL'), killMs)];
				await ended.promise;
				for (const timer of timers) clearTimeout(timer);
			},
		},
	};
}

const startFailures: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such program',
	EACCES: 'its program may not be executed',
	E2BIG: 'its arguments are too long',
	ENOTDIR: 'its folder is no directory',
	ERR_INVALID_ARG_VALUE: 'its command holds a NUL byte',
};

/** How long a server has to end after its input was closed, and then after SIGTERM, and its last words to come, in milliseconds. */
const politeMs = 250;
const killMs = 1500;
const drainMs = 50;

/** Of stderr that is kept. */
const maxSaid = 8192;

/** What waits for a server that does not read. */
const maxUnread = 64 * 1024 * 1024;

const readAtOnce = 1024 * 1024;
const pauseMs = 50;

/** Reads a stream that may never end: so much at once, then nothing for a while. Answers what reads the rest without a pause. */
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
	return bytes.length <= maxSaid ? bytes : bytes.subarray(bytes.length - maxSaid);
}

/** The groups that must not outlive this process. */
const running = new Set<number>();

function guard(group: number): void {
	if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll);
	running.add(group);
}

function killAll(): void {
	for (const group of running) killGroup(group, 'SIGKILL');
}

function killGroup(group: number, name: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(-group, name);
	} catch {
		// It has ended.
	}
}
