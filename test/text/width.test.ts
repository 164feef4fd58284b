import * as fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import {cut, cutAtWord, fit, steps, width} from '../../src/text/width.ts';
import {anyText} from '../helpers/any-text.ts';
import {createVirtualScreen} from '../helpers/virtual-screen.ts';
import {cpuTime} from '../helpers/cpu-time.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 20_240_611;

/** Every terminal draws these alike, xterm.js included. */
const agreed = [
	'a',
	'hello, world',
	'naïve café',
	'e\u0301',
	'o\u0302\u0323',
	'漢字かな交じり文',
	'ｱｲｳ',
	'カ\u3099',
	'각',
	'Ａｂ',
	'㈱①∀',
	'…─│└→✔',
	'עברית',
	'العربية',
	'ไทย',
	'ส้ำ',
	'क्षि',
	'नि',
	'a\u200bb',
	'x\u200dy',
	'\ue0b0',
	'「」、。',
	'¥£€',
];

/** These take two cells in current terminals. xterm.js without its unicode addon knows Unicode 6 and disagrees. */
const emoji = [
	'👍',
	'👍🏽',
	'👨‍👩‍👧',
	'❤️',
	'1️⃣',
	'🇯🇵',
	'🫠',
	'⌚',
	'🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
];

describe('width', () => {
	it.each(agreed)('equals the terminal’s cursor position after %j', async text => {
		const screen = createVirtualScreen(60, 2);
		await screen.write(text);
		expect(screen.cursor().column).toBe(width(text));
		screen.dispose();
	});

	it.each(emoji)('is two cells for %j', text => {
		expect(width(text)).toBe(2);
	});

	it('agrees with string-width on normal text of many scripts', () => {
		const piece = fc.constantFrom(...agreed.filter(text => !['ส้ำ', 'क्षि'].includes(text)), ...emoji, ' ', '\n');
		fc.assert(
			fc.property(fc.array(piece), pieces => {
				const text = pieces.join(' ');
				expect(width(text)).toBe(stringWidth(text));
			}),
			{seed, numRuns: long ? 5000 : 200},
		);
	});
});

describe('the steps of a text', () => {
	it('cover any text, and their cells add up to its width or more', () => {
		fc.assert(
			fc.property(anyText({maxLength: 40}), text => {
				let at = 0;
				for (const step of steps(text)) {
					expect(step.from).toBe(at);
					expect(step.end).toBeGreaterThan(at);
					at = step.end;
				}
				expect(at).toBe(text.length);
			}),
			{seed, numRuns: long ? 20_000 : 500},
		);
	});
});

describe('cut', () => {
	it('returns text that fits unchanged', () => {
		expect(cut('漢字', 4, '…')).toBe('漢字');
	});

	it('keeps whole clusters and adds the mark when text does not fit', () => {
		expect(cut('漢字漢字', 5, '…')).toBe('漢字…');
		expect(cut('漢字漢字', 6, '…')).toBe('漢字…');
		expect(cut('ab👨‍👩‍👧cd', 4, '…')).toBe('ab…');
		expect(cut('abe\u0301f', 3)).toBe('abe\u0301');
		expect(cut('abc', 0, '…')).toBe('');
	});

	it('never exceeds the columns or splits a character', () => {
		fc.assert(
			fc.property(
				fc.string({unit: 'grapheme', maxLength: 30}),
				fc.integer({min: 0, max: 20}),
				(text, columns) => {
					const shown = cut(text, columns, '…');
					expect(width(shown)).toBeLessThanOrEqual(columns);
					expect(shown.isWellFormed()).toBe(true);
					expect(fit(text, columns)).toBeLessThanOrEqual(text.length);
				},
			),
			{seed, numRuns: long ? 20_000 : 500},
		);
	});

	it('examines only the beginning of a line of a million characters', () => {
		const line = '漢e\u0301'.repeat(500_000);
		const start = cpuTime();
		for (let round = 0; round < 100; round++) cut(line, 80, '…');
		expect(cpuTime() - start).toBeLessThan(10_000);
	});
});

describe('cutAtWord', () => {
	it.each([
		['Review the changes', 18, 'Review the changes'],
		['Review the changes', 14, 'Review the…'],
		['Review the changes', 11, 'Review the…'],
		['Review the changes', 10, 'Review…'],
		['Review the changes', 1, '…'],
		['Review the changes', 0, ''],
		['internationalisation', 10, 'internati…'],
		['a internationalisation', 10, 'a interna…'],
		['変更をレビューする', 10, '変更をレ…'],
		['変更をreviewする', 10, '変更を…'],
	])('shows %s at %i columns as %s', (text, columns, shown) => {
		expect(cutAtWord(text, columns)).toBe(shown);
		expect(width(shown)).toBeLessThanOrEqual(columns);
	});
});
