import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, openFile, readAt, realFiles, type Files} from '../files.ts';
import {bundleFiles} from './bundle-files.ts';
import {joinedSource, type ByteSource} from './byte-source.ts';
import {decodeFile, type Decoded} from './decode-file.ts';
import {maxDecodedBytes, maxUnzippedBytes} from './limits.ts';
import {readTar} from './tar.ts';
import {bundleTexts} from './texts.ts';

export type OpenBundle = {
	readonly entries: ReadonlyMap<string, ByteSource>;
	/** The entries as a read-only file system. Their paths are below the path of the bundle. */
	readonly files: Files;
	readonly close: () => Promise<void>;
};

type BundleOpened = {readonly ok: true; readonly bundle: OpenBundle} | {readonly ok: false; readonly sentence: string};

type OpenBundleOptions = {
	/** The maximum size of a bundle, in bytes. */
	readonly most?: number;
	/** The result of `decodeFile`, if the caller has already begun to decode the file. */
	readonly decoding?: Promise<Decoded> | undefined;
};

/** Opens a bundle without unpacking it to the disk. A compressed bundle is decoded into memory. */
export async function openBundle(
	path: string,
	{most = maxDecodedBytes, decoding = decodeFile(path, Math.min(most, maxUnzippedBytes))}: OpenBundleOptions = {},
): Promise<BundleOpened> {
	try {
		const decoded = await decoding;
		if (decoded === 'large') return {ok: false, sentence: bundleTexts.largeZipped};
		if (decoded === 'damaged') return {ok: false, sentence: bundleTexts.badGzip};
		if (decoded === 'plain' || decoded === 'failed') return await openPlain(path, most);
		if ('sentence' in decoded) return {ok: false, sentence: decoded.sentence};
		return await entriesOf(path, joinedSource(decoded), async () => {});
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: failureSentence(failureOf(error), path, error)};
	}
}

async function openPlain(path: string, most: number): Promise<BundleOpened> {
	const file = await openFile(realFiles, path);
	const {size} = await file.stat();
	const close = async () => file.close();
	if (size <= most) return entriesOf(path, {size, read: async (at, length) => readAt(file, at, length)}, close);
	await close();
	return {ok: false, sentence: bundleTexts.tooLarge};
}

async function entriesOf(path: string, source: ByteSource, close: () => Promise<void>): Promise<BundleOpened> {
	const read = await readTar(source);
	if (read.ok) return {ok: true, bundle: {entries: read.entries, files: bundleFiles(path, read.entries), close}};
	await close();
	return read;
}
