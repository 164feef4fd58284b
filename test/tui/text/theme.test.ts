import {describe, expect, it} from 'vitest';
import {colourLevel, createTheme} from '../../../src/tui/text/theme.ts';

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
