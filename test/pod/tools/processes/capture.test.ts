import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createCapture} from '../../../../src/pod/tools/processes/capture.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_122);

/** Captures the chunks. Returns the text that was shown and the kept output. */
function captured(chunks: readonly Uint8Array[], maxBytes: number) {
	const capture = createCapture(maxBytes);
	const shown = chunks.map(chunk => capture.add(chunk)).join('');
	return {shown, ...capture.end()};
}

/** Cuts at the given places, even inside a character. */
function cutAt(bytes: Buffer, places: readonly number[]): Uint8Array[] {
	const edges = [0, ...places.map(place => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
	return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

describe('the output of a command', () => {
	it.each([
		['nothing', '', '', 'text'],
		['a text without a last newline', 'one', 'one', 'text'],
		['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\ufffd\ufffdb', 'broken_text'],
		['a character that the end cuts', Buffer.from('語').subarray(0, 2), '\ufffd', 'broken_text'],
		['a NUL byte', 'a\0b', 'a\ufffdb', 'binary'],
		['a byte order mark and escape sequences', '\ufeff\u001b[31mred', '\ufeff\u001b[31mred', 'text'],
		['the replacement character itself', '\ufffd', '\ufffd', 'text'],
	])('is kept and classified: %s', (_name, bytes, text, content) => {
		const {shown: _shown, ...kept} = captured([Buffer.from(bytes)], 100);
		expect(kept).toEqual({
			text,
			bytes: Buffer.byteLength(text),
			totalBytes: Buffer.byteLength(text),
			truncated: false,
			content,
		});
	});

	it('over the limit has its beginning, its end, and the missing amount between them', () => {
		const {shown, ...kept} = captured([Buffer.from('0123456789abcdefghij')], 10);
		expect(shown).toBe('0123456789');
		expect(kept).toEqual({
			text: '01234\n[...truncated, 10 bytes of 20 dropped here]\nfghij',
			bytes: 10,
			totalBytes: 20,
			truncated: true,
			content: 'text',
		});
	});

	it('over the limit has a note with the first omitted line', () => {
		const capture = createCapture(20);
		capture.add(Buffer.from('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n'));
		expect(capture.isFull()).toBe(true);
		expect(
			capture.end(({dropped, total, line, content}) => `<${[dropped, total, line, content].join(' ')}>`).text,
		).toBe('1\n2\n3\n4\n5\n<4 24 6 text>\n8\n9\n10\n11\n');
	});

	it('has U+FFFD for each NUL byte, also in incomplete characters', () => {
		const byte = fc.constantFrom(0, 0x61, 0x80, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f);
		fc.assert(
			fc.property(fc.array(byte, {maxLength: 40}), fc.array(fc.nat(), {maxLength: 4}), (values, places) => {
				const bytes = Buffer.from(values);
				const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes).replaceAll('\0', '\ufffd');
				expect(captured(cutAt(bytes, places), 1000).text).toBe(text);
			}),
			{seed},
		);
	});

	it('is binary when a NUL byte follows invalid text, however the pieces are cut', () => {
		for (const cut of [1, 2, 3]) {
			const bytes = Buffer.from([0xff, 0x61, 0x00, 0x62]);
			expect(captured([bytes.subarray(0, cut), bytes.subarray(cut)], 100).content).toBe('binary');
		}
	});

	it(`is shown from its start and kept on character boundaries in any pieces (seed ${seed})`, () => {
		const words = fc
			.array(fc.constantFrom('a', 'é', '語', '👍🏽', '\n', 'word '), {maxLength: 40})
			.map(list => list.join(''));
		fc.assert(
			fc.property(
				words,
				fc.array(fc.nat(), {maxLength: 8}),
				fc.integer({min: 1, max: 60}),
				(text, places, cap) => {
					const {shown, ...kept} = captured(cutAt(Buffer.from(text), places), cap);
					expect(text.startsWith(shown)).toBe(true);
					expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(cap);
					expect(kept.totalBytes).toBe(Buffer.byteLength(text));
					if (kept.totalBytes <= cap) expect([kept.text, shown, kept.truncated]).toEqual([text, text, false]);
					else {
						const [head, tail] = kept.text.split(/\n?\[\.\.\.truncated, \d+ bytes of \d+ dropped here\]\n/);
						expect(text.startsWith(head!)).toBe(true);
						expect(text.endsWith(tail!)).toBe(true);
						expect(kept.text).not.toContain('\ufffd');
						expect(kept.bytes).toBeLessThanOrEqual(cap);
						expect(kept.bytes).toBeGreaterThan(cap - 14);
					}
				},
			),
			{seed},
		);
	});

	it.each([
		['text', 'a line of output that says very little\n'.repeat(1700)],
		['NUL', '\0'.repeat(65_536)],
	])('is consumed within seconds and not stored when it has 100 MB of %s', (_what, text) => {
		const chunk = Buffer.from(text);
		const capture = createCapture(51_200);
		const begun = cpuTime();
		let bytes = 0;
		let peak = 0;
		const before = process.memoryUsage().arrayBuffers;
		for (; bytes < 100_000_000; bytes += chunk.length) {
			capture.add(chunk);
			peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
		}
		const kept = capture.end();
		// U+FFFD has three bytes.
		expect(kept).toMatchObject({totalBytes: text.startsWith('\0') ? 3 * bytes : bytes, truncated: true});
		expect(cpuTime() - begun).toBeLessThan(20_000);
		expect(Buffer.byteLength(kept.text)).toBeLessThan(52_000);
		expect(peak).toBeLessThan(80_000_000);
	});
});
