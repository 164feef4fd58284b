import {
	closeSync,
	constants,
	fdatasync,
	existsSync,
	fstatSync,
	ftruncateSync,
	lstatSync,
	openSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {fileMode, quietly, realFiles, ShortWrite, syncDir} from '../files.ts';

/**
The open log of streamed text. Writes are synchronous, because the text must be in the file before any client gets it.
Every function throws or rejects with the system's error.
*/
export type StreamFile = {
	/** Writes all bytes at a position. */
	write(bytes: Uint8Array, position: number): void;
	/** Empties the file. */
	empty(): void;
	/** Makes the file and its name durable. */
	sync(): Promise<void>;
	/** Closes the file. With `remove` it also removes it, unless another process has replaced it. */
	close(remove: boolean): void;
};

export type OpenStreamFile = (path: string) => StreamFile;

/** Returns the path of a session's log of streamed text. */
export function streamPath(dir: string): string {
	return join(dir, 'stream.log');
}

/**
Creates the log of a session whose lock is ours. Anything that has its name is a leftover and is removed. So a process
that has lost the lock writes to a file without a name, and no link is followed.
*/
export const openStreamFile: OpenStreamFile = path => {
	const fd = createNew(path);
	let isNamed = false;
	return {
		write: (bytes, position) => writeAll(fd, bytes, position),
		empty: () => ftruncateSync(fd),
		async sync() {
			await datasync(fd);
			if (!isNamed) await syncDir(realFiles, dirname(path));
			isNamed = true;
		},
		close(remove) {
			const own = fstatSync(fd);
			closeSync(fd);
			// Its folder may have been removed, or replaced by a file.
			const found = remove && existsSync(path) ? lstatSync(path, {throwIfNoEntry: false}) : undefined;
			if (isSameFile(own, found)) unlinkSync(path);
		},
	};
};

/** Removes a log whose text is in history. */
export async function removeStreamFile(path: string): Promise<void> {
	await quietly(realFiles.unlink(path));
}

const datasync = promisify(fdatasync);

function createNew(path: string): number {
	try {
		return openSync(path, newFile, fileMode);
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') throw error;
		unlinkSync(path);
		return openSync(path, newFile, fileMode);
	}
}

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The system writes fewer bytes when the disk gets full. A second write then finds the reason. */
function writeAll(fd: number, bytes: Uint8Array, position: number): void {
	const taken = writeSync(fd, bytes, 0, bytes.length, position);
	if (taken === bytes.length) return;
	writeSync(fd, bytes, taken, bytes.length - taken, position + taken);
	throw new ShortWrite(taken, bytes.length);
}
