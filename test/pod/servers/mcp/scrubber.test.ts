import fc from 'fast-check';
import {expect, it} from 'vitest';
import {hasUndrawn, inertLine, inertText, stderrText} from '../../../../src/pod/servers/mcp/scrubber.ts';
import {anyText} from '../../../helpers/any-text.ts';

it('inertText keeps lines and emoji, and removes characters that are invisible or move the cursor', () => {
	expect(inertText('a\r\nb\u001b[2Jc\u202ed\u{e0041}\ue000 👩‍👩‍👧', 99)).toBe('a\nb [2Jc d \ue000 👩‍👩‍👧');
	expect(inertText('👍👍👍', 2)).toBe('👍👍…');
	expect(inertLine('a\n\tb', 9)).toBe('a b');
	expect(stderrText(Buffer.from('é\u001b[31mred\u001b[0m\n').subarray(1))).toBe('red');
});

it.each([
	['zero width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg'],
	['direction marks', 'a\u200eb\u200fc\u202ad\u202ee\u2066f\u2069g\u061ch'],
	['tags', 'a\u{e0001}b\u{e0041}c\u{e007f}d'],
	['variation selectors', 'a\ufe00b\ufe0fc\u{e0100}d\u{e01ef}e\u180bf'],
	['fillers and blank signs', 'a\u3164b\uffa0c\u115fd\u1160e\u2800f\u034fg\u17b4h\u{1d159}i\u{16fe4}j'],
	['separators and noncharacters', 'a\u2028b\u2029c\ufdd0d\uffffe\u{1ffff}f'],
	['reserved characters that may be ignored', 'a\u2065b\ufff0c\u{e0fff}d'],
	['a joiner that belongs to no emoji', 'a\u200d👩\u200d b\u200d'],
])('inertText removes %s', (_, text) => {
	expect(hasUndrawn(text)).toBe(true);
	const shown = inertText(text, 99);
	expect(shown).toMatch(/^[\x20-\x7e👩]+$/u);
	expect(hasUndrawn(shown)).toBe(false);
});

it('inertText keeps an emoji, without the selector for its colours', () => {
	expect(inertText('❤️ 👩‍❤️‍👨 👨🏽‍🚀', 99)).toBe('❤ 👩‍❤‍👨 👨🏽‍🚀');
	expect(hasUndrawn('❤️ 👩‍❤️‍👨 👨🏽‍🚀 é 日本')).toBe(false);
});

it('inertText returns an inert text of the maximum length for any text', () => {
	fc.assert(
		fc.property(anyText({maxLength: 60}), fc.integer({min: 0, max: 40}), (text, max) => {
			const shown = inertText(text, max);
			expect(shown).not.toMatch(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{DI}]/u);
			expect(shown).not.toMatch(/(?<!\p{ExtPict}\p{EMod}?)\u200d|\u200d(?!\p{ExtPict})/u);
			expect(Array.from(shown).length).toBeLessThanOrEqual(max + 1);
			expect(shown.isWellFormed()).toBe(true);
		}),
		{seed: 20_261_121, numRuns: process.env['INKPOD_TEST'] === 'long' ? 20_000 : 300},
	);
});
