import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {basename} from 'node:path';
import type {Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import type {Copied} from './copied.ts';
import type {Env, Programs} from './program.ts';
import {tooLongForTerminal} from './texts.ts';

export type ClipboardOptions = {
	readonly platform: NodeJS.Platform;
	readonly programs: Programs;
	/** Writes to the terminal. */
	readonly write: (text: string) => void;
	/** Gives a program a text on its stdin; whether it took it. */
	readonly feed?: Feed;
};

export type Feed = (program: readonly [path: string, ...args: string[]], text: string, env: Env) => Promise<boolean>;

/** What a terminal may be sent at once, in bytes of base64: many drop what is longer without a word. */
export const maxForTerminal = 100_000;

/**
Puts a text on the clipboard: by the first program of the system that is there and takes it, else by a request to the
terminal.
*/
export async function copyText(text: string, options: ClipboardOptions): Promise<Copied> {
	const {
		platform,
		programs: {env, find},
		write,
		feed = feedProgram,
	} = options;
	for (const [program, ...args] of programsOf(platform, env)) {
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

/**
The programs that may own the clipboard here, best first. Over SSH there is none: it would be the clipboard of the other
machine.
*/
export function programsOf(platform: NodeJS.Platform, env: Env): ReadonlyArray<readonly [string, ...string[]]> {
	const has = (name: string) => env[name] !== undefined && env[name] !== '';
	if (platform === 'darwin') return has('SSH_CONNECTION') ? [] : [['pbcopy']];
	return [
		...(has('WAYLAND_DISPLAY') ? [['wl-copy'] as const] : []),
		...(has('DISPLAY')
			? [['xclip', '-selection', 'clipboard'] as const, ['xsel', '--clipboard', '--input'] as const]
			: []),
		...(has('WSL_DISTRO_NAME') || platform === 'win32' ? [['clip.exe'] as const] : []),
	];
}

/** OSC 52, wrapped for tmux to hand on. `undefined` when it would be too long. */
export function clipboardRequest(text: string, env: Env): string | undefined {
	const encoded = Buffer.from(text).toString('base64');
	if (encoded.length > maxForTerminal) return undefined;
	const request = `\x1b]52;c;${encoded}\x07`;
	return env['TMUX'] === undefined || env['TMUX'] === ''
		? request
		: `\x1bPtmux;${request.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}

/**
No shell, nothing of its output, and not longer than two seconds. Some stay behind to serve the clipboard: their first
process has ended then.
*/
async function feedProgram(
	[program, ...args]: readonly [string, ...string[]],
	text: string,
	env: Env,
): Promise<boolean> {
	try {
		const child = spawn(program, args, {stdio: ['pipe', 'ignore', 'ignore'], env, timeout: 2000});
		const [[code]] = await Promise.all([once(child, 'exit'), give(child.stdin, program, text)]);
		return code === 0;
	} catch {
		// It is not there, or the system does not start it.
		return false;
	}
}

/** A program that reads no more may still have taken it: its exit code says so. */
async function give(stdin: Writable, program: string, text: string): Promise<void> {
	// clip.exe reads UTF-16 when a mark says so, and else the code page of the machine.
	stdin.end(basename(program) === 'clip.exe' ? Buffer.from(`\ufeff${text}`, 'utf16le') : text);
	await finished(stdin).catch(() => {});
}
