import {randomUUID} from 'node:crypto';
import {readdirSync, realpathSync} from 'node:fs';
import {open, rm, type FileHandle} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {failureOf, failureSentence, fileMode, makeDir, realFiles} from '../session/files.ts';

/** The folder of a session's kept outputs. */
export function outputDir(sessionDir: string): string {
	return join(sessionDir, 'output');
}

/** The real path of that folder as a list: empty as long as no output is kept in it, and where a link stands in its place, for it would be read. */
export function keptOutputs(sessionDir: string): readonly string[] {
	try {
		const real = realpathSync(outputDir(sessionDir));
		return real === outputDir(realpathSync(sessionDir)) && readdirSync(real).length > 0 ? [real] : [];
	} catch {
		return [];
	}
}

/** Where the two outputs of a command go, through one descriptor, so that they stand in the order of writing. */
export type OutputFile = {
	readonly fd: number;
	/** In bytes, at this moment. */
	size(): Promise<number>;
	/** The bytes from `position` on, at most `length` and at most 256 KiB; the buffer is used again by the next call. */
	read(position: number, length: number): Promise<Buffer>;
	/** Drops what is beyond. */
	cut(size: number): Promise<void>;
	close(): Promise<void>;
};

export type KeptOutput = OutputFile & {readonly path: string; remove(): Promise<void>};

export type Opened<File> = {readonly ok: true; readonly output: File} | {readonly ok: false; readonly sentence: string};

/** One that is kept under its path, 0600, its folder made with 0700. */
export async function openOutput(dir: string, name: string): Promise<Opened<KeptOutput>> {
	const path = join(dir, name);
	return opened(path, async () => {
		await makeDir(realFiles, dir);
		const file = outputFile(await open(path, 'ax+', fileMode));
		return {
			...file,
			path,
			async remove() {
				await file.close();
				await rm(path, {force: true});
			},
		};
	});
}

/** One without a name, gone when it is closed. */
export async function openScratch(): Promise<Opened<OutputFile>> {
	const path = join(tmpdir(), `inkpod-${randomUUID()}`);
	return opened(path, async () => {
		const handle = await open(path, 'ax+', fileMode);
		await rm(path);
		return outputFile(handle);
	});
}

async function opened<File>(path: string, make: () => Promise<File>): Promise<Opened<File>> {
	try {
		return {ok: true, output: await make()};
	} catch (error) {
		return {ok: false, sentence: `The command was not run, its output has no place: ${failureSentence(failureOf(error), path, error)}`};
	}
}

const pieceBytes = 256 * 1024;

function outputFile(handle: FileHandle): OutputFile {
	const buffer = Buffer.allocUnsafe(pieceBytes);
	let closing: Promise<void> | undefined;
	return {
		fd: handle.fd,
		size: async () => (await handle.stat()).size,
		async read(position, length) {
			const {bytesRead} = await handle.read(buffer, 0, Math.min(length, pieceBytes), position);
			return buffer.subarray(0, bytesRead);
		},
		cut: async size => handle.truncate(size),
		close: async () => (closing ??= handle.close()),
	};
}
