import {describe, expect, it} from 'vitest';
import {colourLevel, createTheme} from '../../../src/screen/spans/theme.ts';

describe('the words of the user', () => {
	it('have a tint near the background that the terminal named, and are bold without one', () => {
		const theme = createTheme(3);
		const dark = theme.on({red: 0, green: 0, blue: 0});
		expect(dark.paint('user.words', 'hi')).toBe('\x1b[48;2;28;28;28mhi\x1b[49m');
		expect(dark.paint('user.fill', '  ')).toBe('\x1b[48;2;28;28;28m  \x1b[49m');
		const light = theme.on({red: 255, green: 255, blue: 255});
		expect(light.paint('user.words', 'hi')).toBe('\x1b[48;2;237;237;237mhi\x1b[49m');
		expect(theme.on({red: 0, green: 0, blue: 0})).toBe(dark);
		for (const plain of [theme, createTheme(1).on({red: 0, green: 0, blue: 0}), createTheme(0)]) {
			expect(plain.paint('user.words', 'hi')).toBe('\x1b[1mhi\x1b[22m');
			expect(plain.paint('user.fill', '  ')).toBe('  ');
		}
	});
});

describe('a match', () => {
	it('has a ground and a text of its own on a known background, and the current one an amber ground', () => {
		const theme = createTheme(3);
		for (const ground of [
			{red: 0, green: 0, blue: 0},
			{red: 255, green: 255, blue: 255},
		]) {
			const {paint} = theme.on(ground);
			expect(paint('match.current', 'x')).toBe('\x1b[48;2;255;184;48m\x1b[38;2;0;0;0mx\x1b[39m\x1b[49m');
			expect(paint('match', 'x')).toMatch(/^\x1b\[48;2;\d+;\d+;\d+m\x1b\[38;2;(0;0;0|255;255;255)mx/);
		}
	});

	it('is underlined and the current one yellow on a terminal with 16 colours or an unknown background', () => {
		for (const {paint} of [createTheme(3), createTheme(1), createTheme(1).on({red: 0, green: 0, blue: 0})]) {
			expect(paint('match.current', 'x')).toBe('\x1b[30m\x1b[43mx\x1b[49m\x1b[39m');
			expect(paint('match', 'x')).toBe('\x1b[4mx\x1b[24m');
		}
	});
});

describe('painted text', () => {
	it('begins and ends each coloured style', () => {
		expect(createTheme(3).paint('error', 'no')).toBe('\x1b[31mno\x1b[39m');
		expect(createTheme(1).paint('plain', 'no')).toBe('no');
	});

	it('keeps attributes but no colour codes when colours are off', () => {
		const {paint} = createTheme(0);
		expect(paint('selection', 'x')).toBe('\x1b[7mx\x1b[27m');
		expect(paint('ok', 'x')).toBe('x');
		for (const style of [
			'accent',
			'user',
			'error',
			'heading',
			'link',
			'chip',
			'match',
			'match.current',
			'syntax.keyword',
		] as const) {
			expect(paint(style, 'x')).not.toMatch(/\x1b\[(?:3[0-8]|4[0-8]|9\d|10\d)/);
		}
	});

	it('continues the outer style after an inner one', () => {
		const {paint} = createTheme(3);
		expect(paint('error', `a${paint('ok', 'b')}c`)).toBe('\x1b[31ma\x1b[32mb\x1b[39m\x1b[31mc\x1b[39m');
	});
});

it.each([
	[{NO_COLOR: '1'}, 3, 0],
	[{NO_COLOR: ''}, 3, 3],
	[{NO_COLOR: '1', FORCE_COLOR: '2'}, 2, 2],
	[{}, 1, 1],
] as const)('the theme with %j and the detected level %d uses the level %d', (env, detected, level) => {
	expect(colourLevel(env, detected)).toBe(level);
});
