import fc from 'fast-check';
import {expect, it} from 'vitest';
import {inertLine, inertText, stderrText} from '../../../src/pod/mcp/inert-text.ts';
import {anyText} from '../../helpers/any-text.ts';

it('inertText keeps lines and emoji, and removes characters that are invisible or move the cursor', () => {
	expect(inertText('a\r\nb\u001b[2Jc\u202ed\u{e0041}\ue000 👩‍👩‍👧', 99)).toBe('a\nb [2Jc d \ue000 👩‍👩‍👧');
	expect(inertText('👍👍👍', 2)).toBe('👍👍…');
	expect(inertLine('a\n\tb', 9)).toBe('a b');
	expect(stderrText(Buffer.from('é\u001b[31mred\u001b[0m\n').subarray(1))).toBe('red');
});

it('inertText returns an inert text of the maximum length for any text', () => {
	fc.assert(
		fc.property(anyText({maxLength: 60}), fc.integer({min: 0, max: 40}), (text, max) => {
			const shown = inertText(text, max);
			expect(shown).not.toMatch(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}]/u);
			expect(Array.from(shown).length).toBeLessThanOrEqual(max + 1);
			expect(shown.isWellFormed()).toBe(true);
		}),
		{seed: 20_261_121, numRuns: process.env['INKPOD_TEST'] === 'long' ? 20_000 : 300},
	);
});
