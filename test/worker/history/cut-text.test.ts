import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cutText} from '../../../src/worker/index.ts';

describe('cutText', () => {
	it('keeps a text that fits', () => {
		expect(cutText('añ', 3)).toEqual({text: 'añ', dropped: 0});
	});

	it('cuts before a character that does not fit', () => {
		expect(cutText('a😀b', 3)).toEqual({text: 'a', dropped: 5});
	});

	it('returns a prefix within the limit, without broken characters, for any text', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), fc.nat(40), (text, max) => {
				const cut = cutText(text, max);
				expect(text.startsWith(cut.text)).toBe(true);
				expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(max);
				expect(Buffer.byteLength(cut.text) + cut.dropped).toBe(Buffer.byteLength(text));
			}),
			{seed: 7, verbose: 1},
		);
	});
});
