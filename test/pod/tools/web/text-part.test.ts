import {describe, expect, it} from 'vitest';
import {parseByteRange, partOf} from '../../../../src/pod/tools/web/text-part.ts';

describe('a range of bytes', () => {
	it.each([
		['0-', {first: 0}],
		['16384-', {first: 16384}],
		[' 10 - 20 ', {first: 10, last: 20}],
		['20-10', undefined],
		['10', undefined],
		['-10', undefined],
		['a-b', undefined],
		['1-9999999999', undefined],
	])('%s is read', (text, range) => {
		expect(parseByteRange(text)).toEqual(range);
	});
});

describe('the parts of a text', () => {
	it('contain every character once, however they are cut', () => {
		const text = Buffer.from(`${'äöü€😀 word\n'.repeat(50)}${'x'.repeat(300)}`);
		for (const size of [16, 17, 100, 255, 4096]) {
			const bodies: string[] = [];
			let first = 0;
			for (;;) {
				const part = partOf(text, {first}, size);
				if (part === undefined) throw new Error('past the end');
				expect(Buffer.byteLength(part.body)).toBeLessThanOrEqual(size);
				const isNewlineSkipped = part.next - part.first > Buffer.byteLength(part.body);
				bodies.push(part.body + (isNewlineSkipped ? '\n' : ''));
				if (!part.isCut) break;
				expect(part.next).toBeGreaterThan(first);
				first = part.next;
			}
			expect(bodies.join('')).toBe(text.toString());
		}
	});

	it('stay within their range, and the end is known', () => {
		const text = Buffer.from('0123456789');
		expect(partOf(text, {first: 2, last: 4}, 100)).toEqual({body: '234', first: 2, next: 5, isCut: true});
		expect(partOf(text, {first: 8, last: 99}, 100)).toEqual({body: '89', first: 8, next: 10, isCut: false});
		expect(partOf(text, {first: 10}, 100)).toBeUndefined();
		expect(partOf(Buffer.alloc(0), {first: 0}, 100)).toEqual({body: '', first: 0, next: 0, isCut: false});
	});
});
