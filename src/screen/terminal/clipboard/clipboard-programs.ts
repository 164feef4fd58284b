import type {Env} from '../program.ts';
import {spawn} from 'node:child_process';
import {once} from 'node:events';

export type Command = readonly [program: string, ...args: string[]];

type ImageReader = {
	readonly command: Command;
	/** Decodes the output of the program. Returns `undefined` if the output is not an image. */
	readonly decode?: (output: Buffer) => Buffer | undefined;
};

/** The programs that copy a text from their input, and those that print the text or the image in the clipboard. */
type ClipboardPrograms = {
	readonly copy: readonly Command[];
	readonly text: readonly Command[];
	readonly image: readonly ImageReader[];
};

/**
Returns the clipboard programs of this system, in order of preference. Over SSH it returns no programs, because such
programs would use the clipboard of the remote machine.
*/
export function clipboardPrograms(env: Env, platform: NodeJS.Platform = process.platform): ClipboardPrograms {
	const has = (name: string) => env[name] !== undefined && env[name] !== '';
	const found =
		platform === 'darwin'
			? [...(has('SSH_CONNECTION') ? [] : [mac])]
			: [
					...(has('WAYLAND_DISPLAY') ? [wayland] : []),
					...(has('DISPLAY') ? [x11] : []),
					...(has('WSL_DISTRO_NAME') ? [wsl] : []),
				];
	return {
		copy: found.flatMap(({copy}) => copy),
		text: found.flatMap(({text}) => text),
		image: found.flatMap(({image}) => image),
	};
}

/** Returns the output of a program, or `undefined` if the program fails. A program that takes too long is killed. */
export async function outputOf(
	path: string,
	args: readonly string[],
	{env, timeoutMs, most}: OutputOptions,
): Promise<Buffer | 'too_large' | undefined> {
	const child = spawn(path, args, {
		stdio: ['ignore', 'pipe', 'ignore'],
		env,
		timeout: timeoutMs,
		killSignal: 'SIGKILL',
	});
	child.on('error', () => {});
	// Node creates no pipe for a program that it could not start.
	if (child.pid === undefined) return undefined;
	const pieces: Buffer[] = [];
	let size = 0;
	child.stdout.on('data', (piece: Buffer) => {
		size += piece.length;
		if (size <= most) pieces.push(piece);
		else child.kill('SIGKILL');
	});
	try {
		// The code does not wait for the end of the pipe, because a child of the program may keep the pipe open.
		const [code] = await once(child, 'exit');
		if (size > most) return 'too_large';
		if (code !== 0) return undefined;
		await ended(child.stdout, timeoutMs);
		return size > most ? 'too_large' : Buffer.concat(pieces);
	} catch {
		// The program is missing, or the system cannot start it.
		return undefined;
	} finally {
		child.stdout.destroy();
	}
}

const mac: ClipboardPrograms = {
	copy: [['pbcopy']],
	text: [['pbpaste']],
	image: [
		{command: ['pngpaste', '-']},
		{command: ['osascript', '-e', 'get the clipboard as «class PNGf»'], decode: fromAppleScript},
	],
};

const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const wayland: ClipboardPrograms = {
	copy: [['wl-copy']],
	text: [['wl-paste', '--no-newline']],
	image: imageTypes.map(type => ({command: ['wl-paste', '--no-newline', '--type', type]})),
};

const x11: ClipboardPrograms = {
	copy: [
		['xclip', '-selection', 'clipboard'],
		['xsel', '--clipboard', '--input'],
	],
	text: [
		['xclip', '-selection', 'clipboard', '-o'],
		['xsel', '--clipboard', '--output'],
	],
	image: imageTypes.map(type => ({command: ['xclip', '-selection', 'clipboard', '-t', type, '-o']})),
};

const wsl: ClipboardPrograms = {copy: [['clip.exe']], text: [], image: []};

/** Decodes the output of AppleScript, which prints data as `«data PNGf89504E47…»`. */
function fromAppleScript(output: Buffer): Buffer | undefined {
	const hex = /«data PNGf([\dA-F]+)»/.exec(output.toString())?.[1];
	return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** `most` is the maximum number of output bytes. A program that prints more is killed. */
type OutputOptions = {readonly env: Env; readonly timeoutMs: number; readonly most: number};

/** Waits until the output of a program has been read to its end. */
async function ended(stream: NodeJS.ReadableStream, timeoutMs: number): Promise<void> {
	if (!stream.readable) return;
	await once(stream, 'end', {signal: AbortSignal.timeout(timeoutMs)}).catch(() => {});
}
