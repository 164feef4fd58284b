import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {characterEnd, createIncrementalDecoder} from '../../../../src/pod/ground/text/decoder.ts';
import {anyText} from '../../../helpers/any-text.ts';

/**
Decodes a buffer in pieces of `step` bytes. The first piece has at least four bytes. Returns `undefined` if the buffer
is not text.
*/
function decode(bytes: Buffer, step: number): string | undefined {
	const first = Math.max(step, 4);
	const decoding = createIncrementalDecoder(bytes.subarray(0, first));
	const texts: Buffer[] = [];
	for (let at = 0; at === 0 || at < bytes.length; at += at === 0 ? first : step) {
		const text = decoding.push(bytes.subarray(at, at + (at === 0 ? first : step)));
		if (text === undefined) return undefined;
		texts.push(Buffer.from(text));
	}
	return decoding.end() ? Buffer.concat(texts).toString() : undefined;
}

function utf16(text: string, encoding: 'le' | 'be'): Buffer {
	const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
	return encoding === 'le' ? bytes : bytes.swap16();
}

const sample = 'añ日👍🏽\u2028\uFEFF𠮷\r\n';

describe.each([1, 2, 3, 5, 7, 64])('createIncrementalDecoder with chunks of %i bytes', step => {
	it.each([
		['UTF-8', Buffer.from(sample), sample],
		['UTF-8 with a BOM, which is dropped', Buffer.from(`\uFEFF${sample}`), sample],
		['two BOMs, of which one is dropped', Buffer.from('\uFEFF\uFEFFa'), '\uFEFFa'],
		['UTF-16 LE with a BOM', utf16(sample, 'le'), sample],
		['UTF-16 BE with a BOM', utf16(sample, 'be'), sample],
		['U+FFFD that the file contains', Buffer.from('a\uFFFDb'), 'a\uFFFDb'],
		['nothing', Buffer.alloc(0), ''],
	])('accepts %s', (_, bytes, text) => {
		expect(decode(bytes, step)).toBe(text);
	});

	it.each([
		['a NUL byte', Buffer.from('abcdefgh\0')],
		['Latin-1', Buffer.from([0x61, 0x62, 0x63, 0x64, 0xe9, 0x20])],
		['an overlong slash', Buffer.from([0x61, 0xc0, 0xaf, 0x61])],
		['a surrogate in UTF-8', Buffer.from([0x61, 0xed, 0xa0, 0x80])],
		['a code point above U+10FFFF', Buffer.from([0xf4, 0x90, 0x80, 0x80])],
		['a character that the end cuts', Buffer.from('abc日').subarray(0, 5)],
		['half a BOM', Buffer.from([0xef, 0xbb])],
		['a lone continuation byte', Buffer.from([0x80])],
		['UTF-16 without a BOM', Buffer.from('abc', 'utf16le')],
		['UTF-16 with half a character at its end', utf16('abc', 'le').subarray(0, 7)],
		['UTF-16 with a lone surrogate', utf16('a\uD800b', 'le')],
		['UTF-16 with U+0000', utf16('a\0b', 'be')],
		['UTF-32 LE', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
	])('rejects %s', (_, bytes) => {
		expect(decode(bytes, step)).toBeUndefined();
	});
});

it('the decoder decides the same for any chunks as for the whole', () => {
	const verdict = (bytes: Buffer): string | undefined => {
		try {
			return bytes.includes(0) ? undefined : new TextDecoder('utf-8', {fatal: true}).decode(bytes);
		} catch {
			return undefined;
		}
	};
	const bytes = fc.oneof(
		fc.uint8Array({maxLength: 24}),
		anyText({maxLength: 12}).map(text => Buffer.from(text)),
	);
	fc.assert(
		fc.property(bytes, fc.integer({min: 1, max: 9}), (array, step) => {
			const buffer = Buffer.from(array);
			fc.pre(!(buffer[0] === 0xff && buffer[1] === 0xfe) && !(buffer[0] === 0xfe && buffer[1] === 0xff));
			expect(decode(buffer, step)).toBe(verdict(buffer));
		}),
		{seed: 1, numRuns: process.env['INKPOD_TEST'] === 'long' ? 100_000 : 1000},
	);
});

it('the decoder returns the longest prefix of whole characters for every cut', () => {
	const bytes = Buffer.from(sample);
	for (let end = 0; end <= bytes.length + 1; end += 1) {
		const cut = bytes.subarray(0, characterEnd(bytes, end)).toString();
		expect(sample.startsWith(cut)).toBe(true);
		expect(cut.isWellFormed()).toBe(true);
		const next = String.fromCodePoint(sample.codePointAt(cut.length) ?? 0);
		if (cut !== sample) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(end);
	}
});
