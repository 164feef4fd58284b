import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {basename} from 'node:path';
import type {Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {clipboardPrograms, type Command} from './clipboard-programs.ts';
import type {Env, Programs} from '../program.ts';
import {tooLongForTerminal} from '../texts.ts';
import {throughTmux} from '../window/tmux.ts';

type ClipboardOptions = {
	readonly platform?: NodeJS.Platform;
	readonly programs: Programs;
	/** Writes to the terminal. */
	readonly write: (text: string) => void;
	/** Pipes a text to a program. Resolves with true if the program accepted the text. */
	readonly feed?: Feed;
};

type Feed = (program: Command, text: string, env: Env) => Promise<boolean>;

/** The maximum length of a request, in bytes of base64. Many terminals silently drop longer requests. */
export const maxForTerminal = 100_000;

/**
Copies a text to the clipboard. It uses the first installed program that accepts the text, or else sends a request to
the terminal.
*/
export async function copyText(text: string, options: ClipboardOptions): Promise<Copied> {
	const {
		platform,
		programs: {env, find},
		write,
		feed = feedProgram,
	} = options;
	for (const [program, ...args] of clipboardPrograms(env, platform).copy) {
		const path = find(program);
		if (path !== undefined && (await feed([path, ...args], text, env))) return {ok: true, by: 'program', program};
	}
	const request = clipboardRequest(text, env);
	if (request === undefined)
		return {
			ok: false,
			sentence: tooLongForTerminal(maxForTerminal),
		};
	write(request);
	return {ok: true, by: 'terminal'};
}

/** Returns an OSC 52 request, wrapped for tmux. Returns `undefined` if the request would be too long. */
export function clipboardRequest(text: string, env: Env): string | undefined {
	const encoded = Buffer.from(text).toString('base64');
	if (encoded.length > maxForTerminal) return undefined;
	const request = `\x1b]52;c;${encoded}\x07`;
	return env['TMUX'] === undefined || env['TMUX'] === '' ? request : throughTmux(request);
}

/**
The result of copying a text. `by` tells whether a program copied the text or a request was sent to the terminal. The
terminal does not report whether it accepted the request.
*/
export type Copied =
	| {readonly ok: true; readonly by: 'program'; readonly program: string}
	| {readonly ok: true; readonly by: 'terminal'}
	| {readonly ok: false; readonly sentence: string};

/** The image in the clipboard as base64, or a sentence that says why there is none. */
export type ClipboardImage =
	| {readonly ok: true; readonly data: string}
	| {readonly ok: false; readonly sentence: string};

/** The text in the clipboard, or a sentence that says why there is none. */
export type ClipboardText =
	| {readonly ok: true; readonly text: string}
	| {readonly ok: false; readonly sentence: string};

/**
Runs a program without a shell, ignores its output, and waits at most two seconds. Some programs stay in the background
to serve the clipboard after their first process ends.
*/
async function feedProgram([program, ...args]: Command, text: string, env: Env): Promise<boolean> {
	try {
		const child = spawn(program, args, {stdio: ['pipe', 'ignore', 'ignore'], env, timeout: 2000});
		const [[code]] = await Promise.all([once(child, 'exit'), give(child.stdin, program, text)]);
		return code === 0;
	} catch {
		// The program is missing, or the system cannot start it.
		return false;
	}
}

/**
Writes the text to the program. An error is ignored here, because a program that stopped reading may still have copied
the text. Its exit code shows whether it did.
*/
async function give(stdin: Writable, program: string, text: string): Promise<void> {
	// clip.exe reads UTF-16 if the text begins with a byte order mark. Otherwise it uses the code page of the machine.
	stdin.end(basename(program) === 'clip.exe' ? Buffer.from(`\ufeff${text}`, 'utf16le') : text);
	await finished(stdin).catch(() => {});
}
