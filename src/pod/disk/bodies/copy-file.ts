import {constants} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {fileMode, makeDir, quietly, readAt, syncDir, writeAt, WrongKind, type Files, type OpenFile} from '../files.ts';

/**
Copies a regular file of a session into a new file of another one, at its length at this moment and at most `maxBytes`.
The copy is complete when it has its name, and durable. It follows no link at the end of `from`. Rejects with the
system's error, or with EFTYPE or EFBIG. Nobody else may write the new folder meanwhile.
*/
export async function copyFile(from: string, to: string, maxBytes: number, files: Files): Promise<number> {
	const source = await files.open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stat = await source.stat();
		if (!stat.isFile()) throw new WrongKind('file', from);
		if (stat.size > maxBytes) throw Object.assign(new Error(`${from} is too large`), {code: 'EFBIG'});
		await makeDir(files, dirname(to));
		await writeCopy(source, stat.size, to, files);
		return stat.size;
	} finally {
		await quietly(source.close());
	}
}

async function writeCopy(source: OpenFile, size: number, to: string, files: Files): Promise<void> {
	const unfinished = join(dirname(to), `.${basename(to)}.new`);
	const copy = await files.open(unfinished, 'wx', fileMode);
	try {
		for (let at = 0; at < size;) {
			const bytes = await readAt(source, at, Math.min(pieceBytes, size - at));
			if (bytes.length === 0) break;
			await writeAt(copy, bytes, at);
			at += bytes.length;
		}
		await copy.sync();
		await files.rename(unfinished, to);
	} finally {
		await quietly(copy.close());
		await quietly(files.unlink(unfinished));
	}
	await syncDir(files, dirname(to));
}

const pieceBytes = 1024 * 1024;
