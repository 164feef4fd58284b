import fc from 'fast-check';
import {expect, it} from 'vitest';
import {isShort, makePaste, withNewlines} from '../../../src/screen/editor/chip.ts';

const lineEnds = ['\r', '\n', '\r\n', '\u2028'];

const pieces = fc
	.array(fc.constantFrom('a', ' ', 'é', '語', '👩‍👩‍👧', '\u{1F600}', '\uD800', '\uDC00', ...lineEnds), {
		maxLength: 40,
	})
	.map(all => all.join(''));

it('a pasted text gets LF as its line ending and valid characters in place of lone surrogates', () => {
	fc.assert(
		fc.property(pieces, text => {
			expect(withNewlines(text)).toBe(
				text
					.toWellFormed()
					.split(/\r\n|\r|\n/)
					.join('\n'),
			);
		}),
		{numRuns: 500, seed: 7},
	);
});

it('the chip of a paste counts its characters and its lines as an editor does', () => {
	fc.assert(
		fc.property(
			pieces.map(withNewlines).filter(content => content !== ''),
			content => {
				const lines = content.split('\n');
				expect(makePaste('3', content)).toEqual({
					type: 'paste',
					id: '3',
					chars: Array.from(content).length,
					lines: lines.length - (lines.at(-1) === '' ? 1 : 0),
					content,
				});
			},
		),
		{numRuns: 500, seed: 7},
	);
});

it('a paste of one line with 200 characters is short, but not with one more character or line', () => {
	expect(isShort('👩'.repeat(200))).toBe(true);
	expect(isShort('👩'.repeat(201))).toBe(false);
	expect(isShort('a\nb')).toBe(false);
});
