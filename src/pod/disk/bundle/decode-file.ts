import {createReadStream} from 'node:fs';
import {open} from 'node:fs/promises';
import {maxEntries, maxHistoryMarks, maxUnzippedHistory, maxUnzippedLine} from './limits.ts';
import {block, entryProblem, isZero, maxEndBytes, maxPaxBytes, readHeader} from './tar.ts';
import {bundleTexts} from './texts.ts';

/**
The decoded bytes in pieces, or the reason why there are none. `plain`: the file is not compressed. `failed`: the file
could not be read. The error is reported when the file is opened later. `sentence`: the reason why the file is not a
bundle.
*/
export type Decoded = readonly Buffer[] | 'plain' | 'large' | 'damaged' | 'failed' | {readonly sentence: string};

/**
Decodes a compressed bundle of at most `most` decoded bytes into memory. Checks the bytes during decoding, so that a
small file cannot fill the memory with something that is not a bundle. Never rejects.
*/
export async function decodeFile(path: string, most: number): Promise<Decoded> {
	try {
		return (await isZipped(path)) ? await gunzip(path, most) : 'plain';
	} catch {
		return 'failed';
	}
}

async function isZipped(path: string): Promise<boolean> {
	const file = await open(path, 'r');
	try {
		if (!(await file.stat()).isFile()) return false;
		const {buffer, bytesRead} = await file.read(Buffer.alloc(2), 0, 2, 0);
		return bytesRead === 2 && buffer.equals(gzipMagic);
	} finally {
		await file.close();
	}
}

async function gunzip(path: string, most: number): Promise<Decoded> {
	const {createGunzip} = await import('node:zlib');
	const pieces: Buffer[] = [];
	const check = createTarCheck();
	let size = 0;
	const file = createReadStream(path, {highWaterMark: readBytes});
	const stream = file.pipe(createGunzip({chunkSize: decodedBytes}));
	try {
		for await (const piece of stream.iterator()) {
			if (!Buffer.isBuffer(piece)) continue;
			size += piece.length;
			if (size > most) return 'large';
			const sentence = check(piece);
			if (sentence !== undefined) return {sentence};
			pieces.push(piece);
		}
	} catch {
		return 'damaged';
	} finally {
		file.destroy();
	}
	return pieces;
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** The size of a piece that is read, in bytes. Decoding waits for the main thread after each piece. */
const readBytes = 1_048_576;

const decodedBytes = 1_048_576;

/**
Returns a function that checks the pieces of a tar archive in order. The function returns a sentence as soon as the
archive cannot be a bundle, or as soon as reading the archive would need too much memory.
*/
function createTarCheck(): (bytes: Buffer) => string | undefined {
	const names = new Map<string, true>();
	const header = Buffer.alloc(block);
	let filled = 0;
	/**
	The remaining bytes of the current entry: of its contents, and of the padding up to the end of its last block.
	*/
	let [content, padding] = [0, 0];
	let isJson = false;
	let [json, line, marks, end] = [0, 0, 0, 0];

	function takeHeader(): string | undefined {
		if (isZero(header)) {
			end = block;
			return undefined;
		}
		const head = readHeader(header);
		if (head === undefined) return bundleTexts.badHeader(0);
		const {name, size, type} = head;
		content = size;
		padding = (block - (size % block)) % block;
		isJson = /(?:^|\/)\w{1,20}\.json$/.test(name);
		if (type === 'x') return size > maxPaxBytes ? bundleTexts.badHeader(0) : undefined;
		// The pax header of a long name is checked later, when the whole archive is read.
		const problem = names.has(name) ? undefined : entryProblem(name, type, names, maxEntries);
		names.set(name, true);
		return problem;
	}

	function takeContent(bytes: Buffer): string | undefined {
		if (!isJson) return undefined;
		json += bytes.length;
		marks += marksIn(bytes);
		const last = bytes.lastIndexOf(newline);
		line = last < 0 ? line + bytes.length : bytes.length - last;
		const isLarge = json > maxUnzippedHistory || line > maxUnzippedLine || marks > maxHistoryMarks;
		return isLarge ? bundleTexts.largeZipped : undefined;
	}

	return bytes => {
		for (let at = 0; at < bytes.length;) {
			let problem: string | undefined;
			const left = bytes.length - at;
			if (end > 0) {
				end += left;
				return end <= maxEndBytes && isZero(bytes.subarray(at)) ? undefined : bundleTexts.trailing;
			}
			if (content > 0) {
				const taken = Math.min(content, left);
				problem = takeContent(bytes.subarray(at, at + taken));
				content -= taken;
				at += taken;
			} else if (padding > 0) {
				const taken = Math.min(padding, left);
				padding -= taken;
				at += taken;
			} else {
				const taken = bytes.copy(header, filled, at, at + block - filled);
				filled = (filled + taken) % block;
				at += taken;
				if (filled === 0) problem = takeHeader();
			}
			if (problem !== undefined) return problem;
		}
		return undefined;
	};
}

/** Counts the characters after which JSON can contain an object or a value, also inside strings. */
function marksIn(bytes: Buffer): number {
	let count = 0;
	for (const byte of bytes) if (isMark[byte] === 1) count++;
	return count;
}

const newline = 0x0a;

const isMark = new Uint8Array(256);

for (const mark of '[{,:') isMark[mark.charCodeAt(0)] = 1;
