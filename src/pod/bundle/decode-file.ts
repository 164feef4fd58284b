import {createReadStream} from 'node:fs';
import {open} from 'node:fs/promises';

/** `plain`: the file is not compressed. `failed`: it could not be read, which opening it reports. */
export type Decoded = Buffer | 'plain' | 'large' | 'damaged' | 'failed';

/** Decodes a compressed bundle into memory, at most `most` bytes. Never rejects. */
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
	let size = 0;
	const stream = createReadStream(path, {highWaterMark: readBytes}).pipe(createGunzip({chunkSize: decodedBytes}));
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
	return Buffer.concat(pieces);
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);
/** Most bundles are decoded in one piece. After each piece, the decoding waits for the main thread. */
const readBytes = 1_048_576;
const decodedBytes = 4_194_304;
