import {createReadStream} from 'node:fs';
import {open} from 'node:fs/promises';
import {createTarCheck} from './tar-check.ts';

/**
The bytes in pieces. `plain`: the file is not compressed. `failed`: it could not be read, which opening it reports.
`sentence`: why it is not a bundle.
*/
export type Decoded = readonly Buffer[] | 'plain' | 'large' | 'damaged' | 'failed' | {readonly sentence: string};

/**
Decodes a compressed bundle into memory, at most `most` bytes. It is checked while it is decoded, so that a small file
cannot fill the memory with something that is not a bundle. Never rejects.
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
/** After each piece, the decoding waits for the main thread. */
const readBytes = 1_048_576;
const decodedBytes = 1_048_576;
