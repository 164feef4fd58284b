import type {ClipboardImage} from './copied.ts';
import {outputOf} from './program-output.ts';
import type {Env, Programs} from '../program.ts';
import {imageTooLarge, noClipboardImage, noClipboardProgram, noClipboardRemote} from '../texts.ts';

export type ClipboardImageOptions = {
	readonly platform: NodeJS.Platform;
	readonly programs: Programs;
	/** The milliseconds after which a program is killed. */
	readonly timeoutMs?: number;
};

/**
Reads the image in the clipboard with the first installed program that has one. Nothing is trusted: the pod checks what
the bytes are.
*/
export async function readClipboardImage({
	platform,
	programs: {env, find},
	timeoutMs = 2000,
}: ClipboardImageOptions): Promise<ClipboardImage> {
	const readers = readersOf(platform, env);
	if (readers.length === 0) return {ok: false, sentence: noClipboardRemote};
	const installed = readers.flatMap(({command: [program, ...args], decode}) => {
		const path = find(program);
		return path === undefined ? [] : [{path, args, decode}];
	});
	if (installed.length === 0)
		return {ok: false, sentence: noClipboardProgram([...new Set(readers.map(({command}) => command[0]))])};
	for (const {path, args, decode = asIs} of installed) {
		// The hexadecimal digits of AppleScript are twice as long as the image.
		const most = maxBytes * (path.endsWith('osascript') ? 2 : 1) + 64;
		const output = await outputOf(path, args, {env, timeoutMs, most});
		if (output === 'too_large') return {ok: false, sentence: imageTooLarge(maxBytes)};
		const bytes = output === undefined ? undefined : decode(output);
		if (bytes !== undefined && bytes.length > 0) return {ok: true, data: bytes.toString('base64')};
	}
	return {ok: false, sentence: noClipboardImage};
}

type Reader = {
	readonly command: readonly [program: string, ...args: string[]];
	/** Returns the bytes in the output of a program, or `undefined` if they are no image. */
	readonly decode?: (output: Buffer) => Buffer | undefined;
};

/** Over SSH these programs would read the clipboard of the remote machine, if they find one at all. */
function readersOf(platform: NodeJS.Platform, env: Env): readonly Reader[] {
	const has = (name: string) => env[name] !== undefined && env[name] !== '';
	if (platform === 'darwin')
		return has('SSH_CONNECTION')
			? []
			: [{command: ['pngpaste', '-']}, {command: appleScript, decode: fromAppleScript}];
	const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
	return [
		...(has('WAYLAND_DISPLAY')
			? types.map((type): Reader => ({command: ['wl-paste', '--no-newline', '--type', type]}))
			: []),
		...(has('DISPLAY')
			? types.map((type): Reader => ({command: ['xclip', '-selection', 'clipboard', '-t', type, '-o']}))
			: []),
	];
}

const appleScript = ['osascript', '-e', 'get the clipboard as «class PNGf»'] as const;

/** AppleScript prints data as `«data PNGf89504E47…»`. */
function fromAppleScript(output: Buffer): Buffer | undefined {
	const hex = /«data PNGf([\dA-F]+)»/.exec(output.toString())?.[1];
	return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

function asIs(output: Buffer): Buffer {
	return output;
}

/** The maximum size of an image. As base64 it fits in one line of an attached terminal. */
const maxBytes = 24_000_000;
