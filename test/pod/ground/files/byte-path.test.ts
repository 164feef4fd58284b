import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decodePath, encodePath, readablePath} from '../../../../src/pod/ground/files/byte-path.ts';

const bytesOf = (path: string) => Buffer.from(encodePath(path));
const anyBytes = fc
	.array(
		fc.oneof(fc.constantFrom(0x2f, 0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xb3, 0xbf, 0xf0, 0xff), fc.nat(255)),
	)
	.map(list => Buffer.from(list));

describe('the string of a path', () => {
	it('leads to the same bytes, whatever they are', () => {
		fc.assert(fc.property(anyBytes, bytes => bytesOf(decodePath(bytes)).equals(bytes)));
	});

	it('is the usual one for UTF-8', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), text => {
				expect(decodePath(Buffer.from(text))).toBe(text);
				expect(encodePath(text)).toBe(text);
			}),
		);
	});

	it('is the only one that leads to its bytes', () => {
		const anyText = fc.array(fc.constantFrom('a', '/', 'é', '\udcc3', '\udca9', '\udcff', '\ud83d', '\u{1f44d}'));
		fc.assert(
			fc.property(anyText, parts => {
				const path = parts.join('');
				const encoded = encodePath(path);
				if (typeof encoded !== 'string') expect(decodePath(encoded)).toBe(path);
			}),
		);
		expect(encodePath('/a\udcc3\udca9')).toBe('/a\udcc3\udca9');
	});

	it('is readable: each byte is shown in hex', () => {
		expect(readablePath(decodePath(Buffer.from([0x2f, 0xff, 0xc3, 0xa9, 0xe9])))).toBe(String.raw`/\xffé\xe9`);
	});
});
