import type {ClipboardText} from './copied.ts';
import {outputOf} from './program-output.ts';
import type {Env, Programs} from '../program.ts';
import {noClipboardProgram, noClipboardText, textUnreachable} from '../texts.ts';

export type ClipboardTextOptions = {
	readonly platform: NodeJS.Platform;
	readonly programs: Programs;
	/** The milliseconds after which a program is killed. */
	readonly timeoutMs?: number;
};

/** Reads the text in the clipboard with the first installed program that has one. Its bytes are shown inert. */
export async function readClipboardText({
	platform,
	programs: {env, find},
	timeoutMs = 2000,
}: ClipboardTextOptions): Promise<ClipboardText> {
	const readers = readersOf(platform, env);
	if (readers.length === 0) return {ok: false, sentence: textUnreachable};
	const installed = readers.flatMap(([program, ...args]) => {
		const path = find(program);
		return path === undefined ? [] : [{path, args}];
	});
	if (installed.length === 0) return {ok: false, sentence: noClipboardProgram(readers.map(([program]) => program))};
	for (const {path, args} of installed) {
		const output = await outputOf(path, args, {env, timeoutMs, most: maxBytes});
		if (Buffer.isBuffer(output) && output.length > 0)
			return {ok: true, text: output.toString().replaceAll('\r\n', '\n')};
	}
	return {ok: false, sentence: noClipboardText};
}

/** A longer text belongs into a file. */
const maxBytes = 100_000;

/** Over SSH these programs would read the clipboard of the remote machine. */
function readersOf(platform: NodeJS.Platform, env: Env): ReadonlyArray<readonly [string, ...string[]]> {
	const has = (name: string) => env[name] !== undefined && env[name] !== '';
	if (platform === 'darwin') return has('SSH_CONNECTION') ? [] : [['pbpaste']];
	return [
		...(has('WAYLAND_DISPLAY') ? [['wl-paste', '--no-newline'] as const] : []),
		...(has('DISPLAY')
			? [['xclip', '-selection', 'clipboard', '-o'] as const, ['xsel', '--clipboard', '--output'] as const]
			: []),
	];
}
