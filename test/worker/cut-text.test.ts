import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cutText} from '../../src/worker/index.ts';

test('a text that fits, is whole', () => {
	expect(cutText('añ', 3)).toEqual({text: 'añ', dropped: 0});
});

test('a cut inside a character, falls before it', () => {
	expect(cutText('a😀b', 3)).toEqual({text: 'a', dropped: 5});
});

test('any cut of any text, is a prefix within the limit without a broken character', () => {
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
