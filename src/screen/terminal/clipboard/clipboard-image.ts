import {clipboardPrograms} from './clipboard-programs.ts';
import type {ClipboardImage} from './clipboard.ts';
import {outputOf} from './clipboard-programs.ts';
import type {Programs} from '../program.ts';
import {imageTooLarge, noClipboardImage, noClipboardProgram, noClipboardRemote} from '../texts.ts';

type ClipboardImageOptions = {
	readonly platform?: NodeJS.Platform;
	readonly programs: Programs;
	/** A program is killed after this number of milliseconds. */
	readonly timeoutMs?: number;
};

/**
Reads the image in the clipboard. It uses the first installed program that returns an image. The bytes are untrusted,
and the pod checks their format.
*/
export async function readClipboardImage({
	platform,
	programs: {env, find},
	timeoutMs = 2000,
}: ClipboardImageOptions): Promise<ClipboardImage> {
	const {image: readers} = clipboardPrograms(env, platform);
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

function asIs(output: Buffer): Buffer {
	return output;
}

/**
The maximum size of an image, in bytes. As base64, an image of this size fits in one line of the protocol for attached
terminals.
*/
const maxBytes = 24_000_000;
