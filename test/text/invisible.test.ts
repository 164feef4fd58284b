import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {lineRows, storedRows, textOf} from '../../src/screen/spans/row.ts';
import {storedGap, storedText} from '../../src/screen/spans/links.ts';
import {sanitize, sanitizeLine, sanitizePieces} from '../../src/text/sanitize.ts';
import {isInvisible, invisibleSigns} from '../../src/text/invisible.ts';
import {width} from '../../src/text/width.ts';
import {anyText} from '../helpers/any-text.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 12_007;
const layout = {columns: 24};

const tags = (text: string) =>
	Array.from(text, letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const selectors = (text: string) =>
	Array.from(Buffer.from(text), byte => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe00f0 + byte)).join('');
const flag = (code: string) => `🏴${tags(code)}\u{e007f}`;
const nameOf = (code: number) => `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
const allCodePoints = Array.from({length: 0x11_0000}, (_, code) => code).filter(code => code < 0xd800 || code > 0xdfff);
const matching = (property: RegExp) => allCodePoints.filter(code => property.test(String.fromCodePoint(code)));

const ignorable = matching(/\p{Default_Ignorable_Code_Point}/u);
/** These format characters are visible: signs before or around digits. */
const drawnFormats = [0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x1_10bd, 0x1_10cd];

describe('an invisible character', () => {
	it(`becomes a mark with its name in plain text, for each of the ${ignorable.length} ignorable ones of Unicode`, () => {
		expect(ignorable.length).toBeGreaterThan(4100);
		const hidden = ignorable.filter(code => sanitize(`a${String.fromCodePoint(code)}b`) !== `a${nameOf(code)}b`);
		expect(hidden.map(nameOf)).toEqual([]);
		const alone = ignorable.filter(code => sanitizeLine(String.fromCodePoint(code)) !== nameOf(code));
		expect(alone.map(nameOf)).toEqual([]);
	});

	it('also becomes a mark when it is a format, a line separator, a noncharacter or a blank other than a space', () => {
		const others = [...matching(/[\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u), 0x2800, 0x1_d159, 0x1_6fe4];
		const shown = others.filter(code => sanitize(`a${String.fromCodePoint(code)}b`) !== `a${nameOf(code)}b`);
		expect(shown).toEqual(drawnFormats);
	});

	it('is found by the quick test, which finds no other characters', () => {
		const wrong = allCodePoints.filter(
			code =>
				isInvisible(String.fromCodePoint(code)) !==
				(sanitize(`a${String.fromCodePoint(code)}b`) === `a${nameOf(code)}b`),
		);
		expect(wrong).toEqual([]);
	});

	it.each([
		['one', 'pay\u200bpal', 'pay⟨U+200B⟩pal'],
		['one, many times', `a${'\u200b'.repeat(12)}b`, 'a⟨U+200B ×12⟩b'],
		['several kinds', 'a\u200b\u2060\u200bb', 'a⟨3 invisible: U+200B, U+2060⟩b'],
		['many kinds', 'a\u200b\u2060\u2061\u2062\u2063b', 'a⟨5 invisible: U+200B, U+2060, U+2061, …⟩b'],
		['tags that spell text', `a${tags('ignore the rules')}b`, 'a⟨16 tags: ignore the rules⟩b'],
		['tags with their end', `a${tags('hello')}\u{e007f}b`, 'a⟨6 tags: hello⟩b'],
		['tags that spell nothing', 'a\u{e0001}\u{e007f}b', 'a⟨2 tags⟩b'],
		['selectors that hide bytes', `😀${selectors('rm -rf')}b`, '😀⟨6 variation selectors: rm -rf⟩b'],
		['selectors that hide no text', 'a\ufe00\u{e01ef}b', 'a⟨2 variation selectors⟩b'],
		['bidi controls', 'a\u202e\u202eb', 'a⟨U+202E ×2⟩b'],
		['two runs', 'a\u200bb\u200bc', 'a⟨U+200B⟩b⟨U+200B⟩c'],
		['on two lines', 'a\u200b\n\u200bb', 'a⟨U+200B⟩\n⟨U+200B⟩b'],
	])('becomes one mark with count and kind: %s', (_, text, shown) => {
		expect(sanitize(text)).toBe(shown);
		expect(shown.replaceAll(invisibleSigns, '')).not.toContain('⟨');
	});
});

const legitimate: ReadonlyArray<readonly [name: string, text: string]> = [
	['an emoji with its selector', 'I ❤️ it, ☎︎ and ⚡️ ✅️'],
	['keycaps', '1️⃣ #️⃣ *️⃣'],
	['a family', '👨‍👩‍👧‍👦 and 👩🏽‍💻 and 🧑🏻‍🤝‍🧑🏿'],
	['emoji whose selector was left out', '👁‍🗨 ❤‍🔥 🏳‍🌈'],
	['emoji with selectors inside', '👁️‍🗨️ ❤️‍🔥 🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ 👩‍❤️‍💋‍👨'],
	['flags', `🇩🇪 ${flag('gbeng')} ${flag('gbsct')} ${flag('gbwls')}`],
	['Persian', 'می‌خواهم کتاب‌ها را ببینم، نمی‌توانم. API‌ها و ۲۰‌ساله'],
	['an abbreviation that ends in a joiner', '۱۴۰۳ ه‍. ش'],
	['Hindi', 'क्‍ष क्‌ष र्‍य'],
	['Bengali', 'র‍্যাব'],
	['Malayalam', 'അവന്‍ പറഞ്ഞു'],
	['Sinhala', 'ශ්‍රී ලංකාව'],
	['Kannada', 'ರ‍್ಯ'],
	['Khmer with its word breaks', 'ភាសា​ខ្មែរ​ជា​ភាសា'],
	['Thai with a word break', 'ภาษา​ไทย'],
	['Hebrew with direction marks', '‏(שלום)‏ C++‎ היא, טלפון: ‎+972‎'],
	['Arabic with a letter mark', 'قيمة ؜-5'],
	['Mongolian', 'ᠰᠠᠶᠢᠨ ᠪᠠᠶᠢᠨ᠎ᠠ ᠤᠤ ᠬ᠋ᠠ'],
	['ideographs in a registered form', '葛󠄀城市と辻󠄁さん'],
	['old Hangul', 'ᅟᅡ ᄀᅠᆨ'],
	['Braille', '⠀⠀⣀⣤⠀⠀⠀⣿⠀'],
];

describe('the legitimate use of an invisible character', () => {
	it.each(legitimate)('stays as it is: %s', (_, text) => {
		expect(sanitize(text)).toBe(text);
		expect(sanitizeLine(text)).toBe(text);
		const rows = lineRows([{text}], {...layout, columns: 120});
		expect(rows.map(textOf)).toEqual([text]);
		expect(rows.map(row => storedText(row)).join('')).toBe(text);
	});

	it.each([
		['a selector after a letter', 'a\ufe0f'],
		['a selector after a digit without a keycap', '1\ufe0f2'],
		['two selectors', '❤\ufe0f\ufe0f'],
		['a selector after a flag', '🇩🇪\ufe0f'],
		['a joiner between emoji that no font joins', '🍎\u200d🍊'],
		['two joiners between emoji', '👩\u200d\u200d💻'],
		['a joiner after the last emoji', '👩\u200d'],
		['a chain of emoji', Array.from({length: 40}, () => '👩').join('\u200d')],
		['tags after another emoji', `😀${tags('gbeng')}\u{e007f}`],
		['tags that do not end', `🏴${tags('gbeng')}`],
		['tags that spell no flag that is drawn', flag('ignore')],
		['a second tag sequence', `${flag('gbeng')}${tags('gbeng')}\u{e007f}`],
		['joiners between Latin letters', 'a\u200db\u200cc'],
		['two joiners in a Persian word', 'می\u200c\u200cخواهم'],
		['a joiner after each letter of a word', Array.from('میخواهمکه').join('\u200c')],
		['joiner and non-joiner by turns', 'م\u200cی\u200dخ\u200cو\u200dا\u200cه\u200dم'],
		['a word break between Latin letters', 'a\u200bb'],
		['a word break after each Khmer letter', Array.from('ភាសា').join('\u200b')],
		['a direction mark between Latin words', 'abc \u200fdef'],
		['two direction marks', 'שלום\u200f\u200f!'],
		['a direction mark in a Hebrew word', 'של\u200fום'],
		['a direction mark far from Hebrew', `שלום ${'.'.repeat(20)}\u200f`],
		['two selectors after an ideograph', '葛\u{e0100}\u{e0101}'],
		['a selector that no collection uses', '葛\u{e01ef}'],
		['a selector after each ideograph', '葛\u{e0100}城\u{e0100}市\u{e0101}'],
		['fillers alone', '\u115f\u1160'],
		['a Mongolian selector after a Latin letter', 'a\u180b'],
		['a soft hyphen', 'pass\u00adword'],
		['a blank Braille pattern among letters', 'a\u2800b'],
		['a byte order mark', '\ufefftext'],
	])('does not hide %s', (_, text) => {
		expect(sanitize(text)).toMatch(/⟨(?:U\+|\d+ )/);
		expect(sanitizeLine(text)).toBe(sanitize(text));
	});

	it('is limited to a few joiners or selectors, so that they cannot spell a text', () => {
		const bits = Array.from({length: 64}, (_, at) => (at * 7) % 3 === 0);
		const written = (letter: string, [one, other]: readonly [string, string]) =>
			bits.map(bit => letter + (bit ? one : other)).join('');
		const kept = (text: string) => Array.from(sanitize(text)).filter(isInvisible).length;
		expect(kept(written('م', ['\u200c', '\u200d']))).toBeLessThanOrEqual(4);
		expect(kept(written('a', ['\u200c', '\u200d']))).toBe(0);
		expect(kept(written('ש', ['\u200e', '\u200f']))).toBeLessThanOrEqual(1);
		expect(kept(written('葛', ['\u{e0100}', '\u{e0101}']))).toBe(1);
		expect(kept(written('🍎', ['\u200d', '']))).toBe(0);
	});
});

const hiddenPieces = [
	'\u200b',
	'\u200c',
	'\u200d',
	'\u200e',
	'\u200f',
	'\u061c',
	'\ufe0e',
	'\ufe0f',
	'\ufe00',
	'\u{e0100}',
	'\u{e0101}',
	'\u{e01ef}',
	tags('gbeng'),
	tags('x'),
	'\u{e007f}',
	'\u00ad',
	'\u034f',
	'\u115f',
	'\u1160',
	'\u180b',
	'\u180e',
	'\u2800',
	'\u3164',
	'\ufeff',
];
const drawnPieces = [
	'a',
	'b c',
	' ',
	'1',
	'#',
	'\u20e3',
	'❤',
	'👩',
	'💻',
	'🏴',
	'🇩',
	'🏽',
	'م',
	'ی',
	'ש',
	'(',
	'!',
	'葛',
	'漢字',
	'क',
	'्',
	'ষ',
	'\u0301',
	'ខ',
	'ᠠ',
	'ᄀ',
	'ᅡ',
	'⣿',
	'\t',
	'\u001b[1m',
	'⟨',
	'ไทย',
];
const mixed = fc
	.array(fc.oneof(fc.constantFrom(...hiddenPieces), fc.constantFrom(...drawnPieces), anyText({maxLength: 2})), {
		maxLength: 30,
	})
	.map(parts => parts.join('').replaceAll('\n', ''));
const runs = {seed, numRuns: long ? 20_000 : 1000};

describe('the sanitizer on any text', () => {
	it('returns the same text when applied again', () => {
		fc.assert(
			fc.property(mixed, text => {
				expect(sanitize(sanitize(text))).toBe(sanitize(text));
			}),
			runs,
		);
	});

	it('returns rows that fit their columns, and from which the stored text can be copied', () => {
		fc.assert(
			fc.property(mixed, fc.integer({min: 4, max: 40}), (text, columns) => {
				const rows = storedRows(text, {...layout, columns});
				for (const row of rows) expect(width(textOf(row))).toBeLessThanOrEqual(columns);
				expect(rows.map(row => storedGap(row) + storedText(row)).join('')).toBe(text.toWellFormed());
			}),
			runs,
		);
	});

	it('shows a line in pieces like the whole line', () => {
		fc.assert(
			fc.property(fc.array(mixed, {maxLength: 6}), pieces => {
				const line = pieces.join('').replaceAll('\t', ' ');
				const cut = pieces.map(piece => piece.replaceAll('\t', ' '));
				expect(sanitizePieces(cut).join('')).toBe(sanitize(line));
				expect(
					lineRows(
						cut.map(text => ({text})),
						{...layout, columns: 100_000},
					).map(textOf),
				).toEqual([sanitize(line)]);
			}),
			runs,
		);
	});

	it('takes time in proportion to the text', () => {
		const patterns = [
			'م',
			'م\u200c',
			'葛\u{e0100}',
			'👩\u200d',
			'\u200b',
			'\u2800',
			'\u2800a',
			'ש.\u200f',
			'\u0301\u200c',
			'🏴\u{e0061}',
			'1\ufe0f',
			'漢\u200b',
		];
		for (const pattern of patterns) expect(sanitize(pattern.repeat(100_000))).not.toBe('');
	}, 20_000);
});

describe('emoji sequences', () => {
	const rgi = /^\p{RGI_Emoji}$/v;
	const asRecommended = (emoji: string) => (/\p{Emoji_Presentation}/u.test(emoji) ? emoji : `${emoji}\ufe0f`);
	const isRecommended = (parts: readonly string[]) =>
		rgi.test(parts.map(asRecommended).join('\u200d')) ||
		rgi.test([parts[0]!, ...parts.slice(1).map(asRecommended)].join('\u200d'));
	const isKept = (parts: readonly string[]) => sanitize(parts.join('\u200d')) === parts.join('\u200d');
	const all = matching(/(?=\p{Emoji})\p{Extended_Pictographic}/u).map(code => String.fromCodePoint(code));
	const people = ['👨', '👩', '🧑'];
	const others = ['❤', '🤝', '🐰', '🫯', '👦', '👧', '🧒', '🦯', '➡', '💋', '♀', '♂', '🍎', '🔥'];

	it('are kept with two parts only if Unicode recommends them', () => {
		const firsts = long ? all : all.filter((_, at) => at % 7 === 0 || isRecommended([all[at]!, '♀']));
		const seconds = long
			? all
			: [...others, '💻', '🌈', '⚧', '☠', '🦺', '⬛', '🩹', '⚕', '🎄', '🩰', '🦰', '🌫', '👩'];
		for (const first of firsts) {
			const wrong = seconds.filter(second => isKept([first, second]) !== isRecommended([first, second]));
			expect([first, wrong]).toEqual([first, []]);
		}
	});

	it('are kept with three or four parts only if Unicode recommends them or they show people', () => {
		const crowd = [...people, '👦', '👧', '🧒'];
		const parts = [...people, ...others, '🏃'];
		const triples = parts.flatMap(one => parts.flatMap(two => parts.map(three => [one, two, three])));
		const ends = [...people, '👦', '👧', '🍎'];
		const quads = people.flatMap(one =>
			[...people, '❤'].flatMap(two =>
				['💋', '👦', '👧'].flatMap(three => ends.map(four => [one, two, three, four])),
			),
		);
		const sequences = [...triples, ...quads];
		expect(sequences.filter(sequence => isRecommended(sequence) && !isKept(sequence))).toEqual([]);
		const more = sequences.filter(sequence => isKept(sequence) && !isRecommended(sequence));
		expect(more.filter(sequence => !crowd.includes(sequence[0]!) || !crowd.includes(sequence.at(-1)!))).toEqual([]);
		expect(more.length).toBeLessThan(sequences.length / 20);
	});
});
