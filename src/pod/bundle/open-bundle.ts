import {createReadStream} from 'node:fs';
import {createGunzip} from 'node:zlib';
import {errorCode} from '../files/fs-error.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files} from '../session/files.ts';
import {bundleFiles} from './bundle-files.ts';
import {memorySource, type ByteSource} from './byte-source.ts';
import {maxDecodedBytes, readTar} from './tar.ts';
import {bundleTexts} from './texts.ts';

export type OpenBundle = {
	readonly entries: ReadonlyMap<string, ByteSource>;
	/** The entries as a disk. Their paths are below that of the bundle. */
	readonly files: Files;
	readonly close: () => Promise<void>;
};

export type BundleOpened =
	| {readonly ok: true; readonly bundle: OpenBundle}
	| {readonly ok: false; readonly sentence: string};

/** Opens a bundle without unpacking it. A compressed one is decoded into memory. */
export async function openBundle(path: string, most = maxDecodedBytes): Promise<BundleOpened> {
	try {
		const file = await openFile(realFiles, path);
		const {size} = await file.stat();
		const isZipped = (await readAt(file, 0, 2)).equals(gzipMagic);
		const decoded = isZipped ? await gunzip(path, most) : undefined;
		if (isZipped) await file.close();
		if (decoded === 'large' || size > most) return {ok: false, sentence: bundleTexts.tooLarge};
		if (decoded === 'damaged') return {ok: false, sentence: bundleTexts.badGzip};
		const source = decoded ?? {size, read: async (at: number, length: number) => readAt(file, at, length)};
		const read = await readTar(source);
		const close = async () => (isZipped ? undefined : file.close());
		if (read.ok) return {ok: true, bundle: {entries: read.entries, files: bundleFiles(path, read.entries), close}};
		await close();
		return read;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: failureSentence(failureOf(error), path, error)};
	}
}

async function gunzip(path: string, most: number): Promise<ByteSource | 'large' | 'damaged'> {
	const pieces: Buffer[] = [];
	let size = 0;
	const stream = createReadStream(path).pipe(createGunzip());
	try {
		for await (const piece of stream.iterator()) {
			if (!Buffer.isBuffer(piece)) continue;
			size += piece.length;
			if (size > most) return 'large';
			pieces.push(piece);
		}
	} catch {
		return 'damaged';
	}
	return memorySource(Buffer.concat(pieces));
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);
