import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {width} from '../../src/text/width.ts';
import {anyText} from '../helpers/any-text.ts';
import {createVirtualScreen} from '../helpers/virtual-screen.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 15_001;

describe('sanitize', () => {
	it.each([
		['an escape sequence', '\u001b[31mred', '␛[31mred'],
		['OSC 52 with BEL', '\u001b]52;c;AAAA\u0007', '␛]52;c;AAAA␇'],
		['an 8-bit CSI', '\u009b2J', '⟨9b⟩2J'],
		['NUL, DEL and backspace', 'a\u0000\u007f\b', 'a␀␡␈'],
		['a carriage return', 'rm -rf /\rls', 'rm -rf /␍ls'],
		['tabs', 'a\tb\n\tc', 'a   b\n    c'],
		['a tab after wide characters', '漢字\tx', '漢字    x'],
		['a bidi override', 'a\u202eb', 'a⟨U+202E⟩b'],
		['a line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
		['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
		['invisible tag characters', 'a\u{e0041}b', 'a⟨U+E0041⟩b'],
		[
			'a flag made of tags',
			'🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
			'🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
		],
		['a mark without a letter', 'a\n\u0301b', 'a\n◌\u0301b'],
	])('shows %s inert', (_, text, shown) => {
		expect(sanitize(text)).toBe(shown);
	});

	it('returns the same string when nothing needs to change', () => {
		const text = 'plain text\nと日本語 👨‍👩‍👧 e\u0301';
		expect(sanitize(text)).toBe(text);
	});

	const hostile = fc
		.array(
			fc.oneof(
				anyText({maxLength: 5}),
				fc.constantFrom(
					'\u001b',
					'\u009b',
					'\u0090',
					']',
					'[',
					'\u0007',
					'\r',
					'\t',
					'6n',
					'2J',
					'0;t',
					'\u202e',
					'\ud800',
					'P$q',
					'漢',
				),
			),
			{maxLength: 20},
		)
		.map(parts => parts.join(''));

	it('returns only printable characters and newlines, and is idempotent', () => {
		fc.assert(
			fc.property(hostile, text => {
				const shown = sanitize(text);
				expect(shown).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$/);
				expect(shown.isWellFormed()).toBe(true);
				expect(sanitize(shown)).toBe(shown);
				expect(shown.split('\n').length).toBe(text.split('\n').length);
				expect(sanitizeLine(text)).not.toContain('\n');
			}),
			{seed, numRuns: long ? 20_000 : 500},
		);
	});

	it('makes any text safe for a terminal, which sends no reply and keeps its title', async () => {
		await fc.assert(
			fc.asyncProperty(hostile, async text => {
				const screen = createVirtualScreen(80, 4);
				const shown = sanitizeLine(text);
				await screen.write(shown);
				expect(screen.answers).toEqual([]);
				expect(screen.titles).toEqual([]);
				const narrow = /^[\u0000-\u00ff⟨⟩\u2400-\u243f]*$/.test(shown) && width(shown) < 80;
				expect(narrow ? screen.cursor().column : width(shown)).toBe(width(shown));
				screen.dispose();
			}),
			{seed, numRuns: long ? 1000 : 60},
		);
	});
});

describe('sanitizeLine', () => {
	it.each([
		['a newline and a tab', 'a\n\tb', 'a␊␉b'],
		['zero-width characters', 'pay\u200bpal\u2060.ts\ufeff', 'pay⟨U+200B⟩pal⟨U+2060⟩.ts⟨U+FEFF⟩'],
		['bidi marks', 'a\u200fb', 'a⟨U+200F⟩b'],
		['a joiner outside an emoji', 'a\u200db', 'a⟨U+200D⟩b'],
		['a Hangul filler', 'a\u3164b', 'a⟨U+3164⟩b'],
		['an emoji sequence', '👩🏽‍💻❤️.md', '👩🏽‍💻❤️.md'],
	])('shows %s', (_, text, shown) => {
		expect(sanitizeLine(text)).toBe(shown);
	});
});
