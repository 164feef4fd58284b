import {stamp, type Clock, type Delta, type Message} from '../worker/index.ts';
import {childEnv, shellOf} from './child-env.ts';
import type {Env} from './home.ts';
import type {OriginOf, Refusal} from './protocol.ts';
import {closed, createCapture, type CapturedOutput} from './shell-output.ts';

export type CommandOptions = {
	readonly cwd: string;
	/** The command gets it without the keys of models. SHELL says what runs it, where it is an absolute path. */
	readonly env: Env;
	readonly clock: Clock;
	/** Of output that is kept. */
	readonly maxBytes: number;
	/** Stops the command with everything that it started. */
	readonly signal: AbortSignal;
	/** The item as it grows, under the id that it will have. */
	readonly onDelta: (delta: Delta) => void;
};

/** `item` is to be committed, also of a command that failed or was stopped. */
export type RanCommand = {readonly ok: true; readonly item: Message} | {readonly ok: false; readonly code: Extract<Refusal, 'aborted' | 'io'>; readonly sentence: string};

/**
Runs a command with the person's shell, in a session of its own: without a terminal, its input closed, its two outputs one stream in the order of writing.
It is over when the shell has ended and nothing that it started holds the output open.
*/
export async function runCommand(command: string, options: CommandOptions): Promise<RanCommand> {
	const {env, clock, signal, onDelta} = options;
	const {execa} = await import('execa');
	if (signal.aborted) return {ok: false, code: 'aborted', sentence: 'The command was stopped before it began.'};
	if (command.includes('\0')) return {ok: false, code: 'io', sentence: 'The command cannot be run: it holds a NUL byte.'};
	const child = execa('/bin/sh', ['-c', 'exec 2>&1; exec "$0" -c "$1"', shellOf(env), command], {
		cwd: options.cwd,
		env: childEnv(env),
		extendEnv: false,
		stdin: 'ignore',
		stderr: 'ignore',
		buffer: false,
		encoding: 'buffer',
		reject: false,
		detached: true,
	});
	if (child.pid === undefined) return {ok: false, code: 'io', sentence: `The command could not be started: ${String((await child).originalMessage).split('\n', 1)[0]}`};
	const origin: OriginOf<'shell'> = {kind: 'shell', command, bytes: 0, totalBytes: 0, truncated: false};
	const begun = stamp(clock, {type: 'message', role: 'system', text: headerOf(command), origin});
	onDelta({id: begun.id, text: '', begin: begun});
	const stopping = stopOnAbort(child.pid, signal, () => child.stdout.destroy());
	const capture = createCapture(options.maxBytes);
	try {
		for await (const bytes of child.stdout) {
			const text = capture.add(bytes as Uint8Array);
			if (text !== '') onDelta({id: begun.id, text});
		}
	} catch (error) {
		if (!signal.aborted) {
			killGroup(child.pid, 'SIGKILL');
			throw error;
		}
	} finally {
		await child;
		stopping.end();
	}
	const {exitCode, signal: killedBy} = await child;
	const end: CommandEnd = signal.aborted ? {type: 'stopped'} : exitCode === undefined ? {type: 'signal', name: String(killedBy)} : {type: 'exit', code: exitCode};
	return {ok: true, item: settled(begun, command, capture.end(), end)};
}

type CommandEnd = {readonly type: 'exit'; readonly code: number} | {readonly type: 'signal'; readonly name: string} | {readonly type: 'stopped'};

function headerOf(command: string): string {
	return `[Shell: ${command}]\n`;
}

function settled(begun: Message, command: string, {text, bytes, totalBytes, truncated}: CapturedOutput, end: CommandEnd): Message {
	const origin: OriginOf<'shell'> = {kind: 'shell', command, ...(end.type === 'exit' && {exitCode: end.code}), bytes, totalBytes, truncated};
	return {...begun, text: `${headerOf(command)}${closed(text)}${lastLine(end)}`, origin};
}

function lastLine(end: CommandEnd): string {
	if (end.type === 'stopped') return '[stopped by the person]';
	return end.type === 'exit' ? `[exit code ${end.code}]` : `[ended by signal ${end.name}]`;
}

/** Between the polite and the last word to a command that is stopped, and again until its output is given up, in milliseconds. */
const graceMs = 1500;

/** Ends the process group when the signal is aborted, or when inkpod itself ends. `giveUp` is for what has left the group. */
function stopOnAbort(group: number, signal: AbortSignal, giveUp: () => void): {end(): void} {
	const timers: NodeJS.Timeout[] = [];
	const kill = () => killGroup(group, 'SIGKILL');
	const stop = () => {
		killGroup(group, 'SIGTERM');
		timers.push(setTimeout(kill, graceMs), setTimeout(giveUp, 2 * graceMs));
	};
	process.once('exit', kill);
	if (signal.aborted) stop();
	else signal.addEventListener('abort', stop, {once: true});
	return {
		end() {
			for (const timer of timers) clearTimeout(timer);
			process.off('exit', kill);
			signal.removeEventListener('abort', stop);
		},
	};
}

function killGroup(group: number, name: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(-group, name);
	} catch {
		// It has ended.
	}
}
