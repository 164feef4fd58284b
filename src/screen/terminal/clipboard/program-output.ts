import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Env} from '../program.ts';

/** `most`: a program that prints more bytes is killed. */
type OutputOptions = {readonly env: Env; readonly timeoutMs: number; readonly most: number};

/** Returns what a program prints, or `undefined` if it fails or takes too long. It is killed then. */
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
	// Node makes no pipe for a program that it could not start.
	if (child.pid === undefined) return undefined;
	const pieces: Buffer[] = [];
	let size = 0;
	child.stdout.on('data', (piece: Buffer) => {
		size += piece.length;
		if (size <= most) pieces.push(piece);
		else child.kill('SIGKILL');
	});
	try {
		// A program that left a child behind keeps the pipe open, so the end of the pipe is not waited for.
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

/** Waits until a program's output was read to its end. */
async function ended(stream: NodeJS.ReadableStream, timeoutMs: number): Promise<void> {
	if (!stream.readable) return;
	await once(stream, 'end', {signal: AbortSignal.timeout(timeoutMs)}).catch(() => {});
}
