import stringWidth from 'string-width';
import {expect, onTestFinished, it} from 'vitest';
import {createScreen} from '../helpers/screen.ts';
import {cellMask, traitsOf, width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const codePoints = Array.from({length: 0x11_00_00}, (_, code) => code).filter(
	code => code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff),
);
const having = (property: RegExp) =>
	codePoints.map(code => String.fromCodePoint(code)).filter(text => property.test(text));

const keycaps = Array.from('0123456789#*', key => `${key}\ufe0f\u20e3`);
const flags = ['AD', 'BR', 'DE', 'EU', 'FR', 'GB', 'IN', 'JP', 'KR', 'NG', 'UN', 'US', 'ZW'].map(name =>
	Array.from(name, letter => String.fromCodePoint(0x1f1a5 + letter.charCodeAt(0))).join(''),
);
const toned = having(/(?=\p{Emoji_Modifier_Base})\p{Emoji_Presentation}/u).flatMap(base =>
	['🏻', '🏽', '🏿'].map(tone => base + tone),
);
const presented = having(/(?=\p{Emoji})\p{Extended_Pictographic}/u)
	.map(base => `${base}\ufe0f`)
	.filter(text => /^\p{RGI_Emoji}$/v.test(text));
const joined = ['👨‍👩‍👧', '👩‍💻', '🧑🏽‍🚀', '🏳️‍🌈', '👨‍👩‍👧‍👦', '❤️‍🔥', '🐻‍❄️', '🧑‍🤝‍🧑'];

it('every code point has the same width as in string-width', () => {
	// The short run tests a part, since string-width takes twenty seconds for all code points.
	const looked = long ? codePoints : codePoints.filter((_, at) => at % 29 === 0);
	const wrong = looked.filter(code => (traitsOf(code) & cellMask) !== stringWidth(String.fromCodePoint(code)));
	expect(wrong).toEqual([]);
});

it('an emoji of any sequence has two cells and moves the terminal’s cursor by two', async () => {
	const all = [...keycaps, ...flags, ...toned, ...presented, ...joined];
	expect(all.length).toBeGreaterThan(500);
	expect(all.filter(text => width(text) !== 2)).toEqual([]);
	const rows = wrap(all.join(' '), 90);
	const screen = createScreen(100, rows.length);
	onTestFinished(() => screen.terminal.dispose());
	await screen.write(rows.join('\r\n'));
	const ends = rows.map((_, row) =>
		screen.cells(row).reduce((end, cell, at) => (cell.text.trim() === '' ? end : at + cell.width), 0),
	);
	expect(ends).toEqual(rows.map(text => width(text)));
});
