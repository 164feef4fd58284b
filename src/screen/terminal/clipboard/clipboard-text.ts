import {clipboardPrograms} from './clipboard-programs.ts';
import type {ClipboardText} from './clipboard.ts';
import {outputOf} from './clipboard-programs.ts';
import type {Programs} from '../program.ts';
import {noClipboardProgram, noClipboardText, textUnreachable} from '../texts.ts';

type ClipboardTextOptions = {
	readonly platform?: NodeJS.Platform;
	readonly programs: Programs;
	/** A program is killed after this number of milliseconds. */
	readonly timeoutMs?: number;
};

/** Reads the text in the clipboard. It uses the first installed program that returns a text. The text is untrusted. */
export async function readClipboardText({
	platform,
	programs: {env, find},
	timeoutMs = 2000,
}: ClipboardTextOptions): Promise<ClipboardText> {
	const {text: readers} = clipboardPrograms(env, platform);
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

/** The maximum size of a text, in bytes. A longer text belongs in a file. */
const maxBytes = 100_000;
