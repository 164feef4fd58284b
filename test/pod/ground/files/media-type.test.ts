import {describe, expect, it} from 'vitest';
import {mediaType} from '../../../../src/pod/ground/files/media-type.ts';
import {gif, pdf, png} from '../../../helpers/images.ts';

const frame = [0xff, 0xc2, 0, 17, 8, 0x03, 0x20, 0x04, 0xb0, 3];
const jpeg = (...segments: number[]) => Buffer.from([0xff, 0xd8, ...segments, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

function webp(chunk: string, body: readonly number[]): Buffer {
	const bytes = Buffer.alloc(40);
	bytes.write('RIFF', 0);
	bytes.write(`WEBP${chunk}`, 8);
	bytes.set(body, 20);
	return bytes;
}

describe('mediaType', () => {
	it.each([
		['image/png', 1200, 800, png(1200, 800)],
		['image/gif', 1, 1, gif],
		['image/jpeg', 1200, 800, jpeg(...frame)],
		['image/jpeg', 1200, 800, jpeg(0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9, ...frame)],
		['image/webp', 1200, 800, webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0xb0, 0x04, 0x20, 0x03])],
		['image/webp', 1200, 800, webp('VP8L', [0x2f, 0xaf, 0xc4, 0xc7, 0x00])],
		['image/webp', 1200, 800, webp('VP8X', [0, 0, 0, 0, 0xaf, 0x04, 0, 0x1f, 0x03, 0])],
	])('reads the size of %s: %i x %i', (mime, width, height, bytes) => {
		expect(mediaType(bytes)).toEqual({kind: 'image', mime, width, height});
	});

	it('knows a document by its first bytes', () => {
		expect(mediaType(pdf())).toEqual({kind: 'document', mime: 'application/pdf'});
		expect(mediaType(Buffer.from('see %PDF-1.7'))).toBeUndefined();
	});

	it.each([
		['an empty file', Buffer.alloc(0)],
		['a text', Buffer.from('\u0089PNG is a format')],
		['a PNG without its header', png(2, 2).subarray(0, 20)],
		['a PNG without pixels', Buffer.from(png(2, 2)).fill(0, 16, 20)],
		['a JPEG without a frame', jpeg(0xff, 0xda, 0, 4)],
		['a JPEG whose segments never end', jpeg(...Array.from({length: 400}, () => [0xff, 0xe0, 0, 0]).flat())],
		['a WebP of an unknown kind', webp('VP9 ', [])],
	])('does not accept %s', (_name, bytes) => {
		expect(mediaType(bytes)).toBeUndefined();
	});

	it('reads any beginning of a file without an error', () => {
		const files = [png(3, 3), gif, jpeg(...frame), webp('VP8X', [])];
		for (const file of files)
			for (let length = 0; length < Math.min(file.length, 64); length++)
				expect(() => mediaType(file.subarray(0, length))).not.toThrow();
	});
});
