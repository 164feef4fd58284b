import {setImmediate as nextTurn} from 'node:timers/promises';
import {createDecoder, restNeeded, type Decoded, type Decoder, type Refusal} from './decode.ts';
import {readAt, type OpenFile} from '../files.ts';

/**
Decodes an open file at its current length, in pieces. It buffers only one piece or the longest line. It yields to the
event loop every few milliseconds.
*/
export async function decodeFile(file: OpenFile): Promise<Decoded | Refusal> {
	const {size} = await file.stat();
	const decoder = createDecoder();
	let window = Buffer.allocUnsafe(Math.max(1, Math.min(size, pieceBytes)));
	for (let read = 0, filled = 0; !decoder.isOver();) {
		const {bytesRead} = await file.read(window, filled, Math.min(window.length - filled, size - read), read);
		read = bytesRead === 0 ? size : read + bytesRead;
		filled += bytesRead;
		const taken = await takeLines(decoder, window.subarray(0, filled), read >= size);
		window.copyWithin(0, taken, filled);
		filled -= taken;
		if (filled === window.length) window = Buffer.concat([window], window.length * 2);
	}
	return decoder.finish(await readAt(file, decoder.end(), Math.min(restNeeded, Math.max(0, size - decoder.end()))));
}

/** Decodes all complete lines. Returns their length in bytes. */
async function takeLines(decoder: Decoder, bytes: Buffer, isEnd: boolean): Promise<number> {
	let at = 0;
	for (let until = performance.now() + sliceMs; ;) {
		const taken = decoder.take(bytes.subarray(at), isEnd);
		if (taken === 0) return at;
		at += taken;
		if (performance.now() < until) continue;
		await nextTurn();
		until = performance.now() + sliceMs;
	}
}

/** The size of a piece in bytes. */
const pieceBytes = 524_288;
/** The maximum number of milliseconds of decoding without a pause. */
const sliceMs = 4;
