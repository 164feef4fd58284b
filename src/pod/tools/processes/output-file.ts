import {en} from '../../../language/index.ts';
import {randomUUID} from 'node:crypto';
import {existsSync, readdirSync, realpathSync} from 'node:fs';
import {open, rm, type FileHandle} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, recordedFailure, fileMode, makeDir, realFiles} from '../../disk/files.ts';
import {sessionId} from '../../disk/paths.ts';

/** Returns the folder of a session's kept outputs. */
export function outputDir(sessionDir: string): string {
	return join(sessionDir, outputFolder);
}

/**
Returns a list with the real path of the session's output folder. The list is empty if there is no output, or if a link
replaces the folder.
*/
export function keptOutputs(sessionDir: string): readonly string[] {
	try {
		const real = realpathSync(outputDir(sessionDir));
		return real === outputDir(realpathSync(sessionDir)) && readdirSync(real).length > 0 ? [real] : [];
	} catch {
		return [];
	}
}

/**
Returns the path of this session's output file that has the same name as a file in the output folder of any session. The
history of a fork or of a copied folder contains output paths of the original session.
*/
export function ownOutput(sessionDir: string, path: string): string | undefined {
	const folder = dirname(path);
	if (basename(folder) !== outputFolder || !sessionId.test(basename(dirname(folder)))) return undefined;
	if (!isOutputName(basename(path))) return undefined;
	const [dir] = keptOutputs(sessionDir);
	const own = dir === undefined ? undefined : join(dir, basename(path));
	return own !== undefined && existsSync(own) ? own : undefined;
}

const outputFolder = 'output';

/**
The file that receives both outputs of a command. Both outputs share one descriptor, so they stay in the order in which
they were written.
*/
export type OutputFile = {
	readonly fd: number;
	/** Returns the current size in bytes. */
	size(): Promise<number>;
	/** Reads bytes from `position` on, at most `length` and at most 256 KiB. The next call reuses the same buffer. */
	read(position: number, length: number): Promise<Buffer>;
	/** Truncates the file to a size. */
	cut(size: number): Promise<void>;
	close(): Promise<void>;
};

export type KeptOutput = OutputFile & {readonly path: string; remove(): Promise<void>};

type Opened<File> = {readonly ok: true; readonly output: File} | {readonly ok: false; readonly sentence: string};

/**
Opens a new output file, which is kept until `remove` is called. The file has mode 0600 and its folder 0700. An earlier
output of the same id remains unchanged.
*/
export async function openOutput(dir: string, id: string): Promise<Opened<KeptOutput>> {
	return opened(join(dir, outputName(id, 1)), async () => {
		await makeDir(realFiles, dir);
		const {path, handle} = await openNew(dir, id);
		const file = outputFile(handle);
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

/** Creates a file with the first unused file name of an id. */
async function openNew(dir: string, id: string): Promise<{readonly path: string; readonly handle: FileHandle}> {
	for (let attempt = 1; ; attempt++) {
		const path = join(dir, outputName(id, attempt));
		try {
			return {path, handle: await open(path, 'ax+', fileMode)};
		} catch (error) {
			if (errorCode(error) !== 'EEXIST' || attempt >= maxAttempts) throw error;
		}
	}
}

/** The maximum number of outputs of one call. */
const maxAttempts = 1000;

/** Opens a file without a name. It disappears when it is closed. */
export async function openScratch(): Promise<Opened<OutputFile>> {
	const path = join(tmpdir(), `inkpod-${randomUUID()}`);
	return opened(path, async () => {
		const handle = await open(path, 'ax+', fileMode);
		await rm(path);
		return outputFile(handle);
	});
}

/**
Tells whether an id can name a file. A history from another person may contain any id, and an id must not lead out of
the folder.
*/
export function isFileId(id: string): boolean {
	return /^\w{1,64}$/.test(id);
}

/** Returns the file name of an id that has the highest number among these names. */
export function lastOutputName(id: string, names: ReadonlySet<string>): string | undefined {
	if (!isFileId(id)) return undefined;
	let last: string | undefined;
	for (let attempt = 1; names.has(outputName(id, attempt)); attempt++) last = outputName(id, attempt);
	return last;
}

/** Tells whether a file name is the name of an output file. */
export function isOutputName(name: string): boolean {
	return /^\w{1,64}(?:-\d{1,4})?\.txt$/.test(name);
}

async function opened<File>(path: string, make: () => Promise<File>): Promise<Opened<File>> {
	try {
		return {ok: true, output: await make()};
	} catch (error) {
		const why = recordedFailure(failureOf(error), path, error);
		return {ok: false, sentence: en`The command was not run, because its output cannot be saved: ${why}`};
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

/**
Returns the file name for a call's output. Each run of the call has its own name: `<item id>.txt`, then `<item
id>-2.txt`.
*/
function outputName(id: string, attempt: number): string {
	return `${id}${attempt === 1 ? '' : `-${attempt}`}.txt`;
}
