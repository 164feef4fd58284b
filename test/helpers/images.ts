import {createHash} from 'node:crypto';
import {crc32, deflateSync} from 'node:zlib';

/** Returns a valid PNG of one colour, or of noise that does not compress (`seed`). */
export function png(width: number, height: number, {seed}: {readonly seed?: number} = {}): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8);
	const pixels = Buffer.alloc(height * (1 + width * 3), 0x7f);
	let state = seed ?? 0;
	if (seed !== undefined)
		for (let at = 0; at < pixels.length; at++) {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			pixels[at] = state >>> 24;
		}
	for (let row = 0; row < height; row++) pixels[row * (1 + width * 3)] = 0;
	const level = seed === undefined ? 9 : 0;
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(pixels, {level})),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

/** Returns a small document with binary data, as every PDF program writes it. */
export function pdf(text = 'Hello'): Buffer {
	return Buffer.concat([
		Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
		Buffer.from(`1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`),
	]);
}

/** The smallest GIF: one pixel. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export function sha256Of(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
