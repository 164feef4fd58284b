import {describe, expect, it} from 'vitest';
import {themeColours, type BuiltInTheme} from '../../../src/pod/protocol.ts';
import {
	assumedGround,
	contrast,
	faintColours,
	paletteOf,
	partsOf,
	type Ground,
} from '../../../src/screen/spans/palettes.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import type {Style} from '../../../src/text/span.ts';

const grey = (part: number): Ground => ({red: part, green: part, blue: part});
const [black, dark, white, paper] = [grey(0), grey(30), grey(255), grey(243)];
const fills = ['added', 'removed'];

/** Returns the colour that a painted text sets: 38 for the text, 48 for its ground. */
function colourIn(painted: string, code: 38 | 48): Ground {
	const [red = 0, green = 0, blue = 0] =
		new RegExp(`${code};2;(\\d+);(\\d+);(\\d+)`).exec(painted)?.slice(1).map(Number) ?? [];
	return {red, green, blue};
}

/** The least contrast of the colours of text. */
function least(theme: BuiltInTheme, ground: Ground): number {
	const {colours} = paletteOf(theme, ground);
	const texts = themeColours.filter(name => !fills.includes(name)).map(name => colours[name]);
	expect(texts).not.toContain(undefined);
	return Math.min(...texts.map(colour => contrast(partsOf(colour ?? ''), ground)));
}

describe('a built-in theme', () => {
	it.each([
		['dark', black, 4.5],
		['dark', dark, 4.5],
		['light', white, 4.5],
		['light', paper, 4.5],
		['high-contrast', black, 7],
		['high-contrast', dark, 7],
		['high-contrast', white, 7],
		['high-contrast', paper, 7],
		['colour-blind', black, 4.5],
		['colour-blind', dark, 4.5],
		['colour-blind', white, 4.5],
		['colour-blind', paper, 4.5],
	] as const)('is easy to read: %s on %j', (theme, ground, wanted) => {
		expect(least(theme, ground)).toBeGreaterThanOrEqual(wanted);
		expect(faintColours(theme, ground)).toEqual([]);
	});

	it.each(['dark', 'light', 'high-contrast', 'colour-blind'] as const)(
		'has readable text on its tints: %s',
		theme => {
			for (const ground of theme === 'dark'
				? [black, dark]
				: theme === 'light'
					? [white, paper]
					: [black, dark, white]) {
				const text = ground.red > 127 ? grey(31) : grey(230);
				const {paint} = createTheme(3).on(ground, theme);
				for (const style of ['user.words', 'added', 'removed', 'added.word', 'removed.word'] as const) {
					const [red = 0, green = 0, blue = 0] =
						/48;2;(\d+);(\d+);(\d+)/.exec(paint(style, 'x'))?.slice(1).map(Number) ?? [];
					expect(contrast(text, {red, green, blue})).toBeGreaterThan(4.5);
				}
			}
		},
	);

	it.each(['auto', 'dark', 'light', 'high-contrast', 'colour-blind'] as const)(
		'has matches that are easy to read and differ from the other tints: %s',
		theme => {
			for (const ground of [black, dark, grey(100), grey(127), grey(160), paper, white]) {
				const {paint} = createTheme(3).on(ground, theme);
				const tintOf = (style: Style) => colourIn(paint(style, 'x'), 48);
				for (const style of ['match', 'match.current'] as const)
					expect(contrast(colourIn(paint(style, 'x'), 38), tintOf(style))).toBeGreaterThanOrEqual(4.5);
				const parts = ({red, green, blue}: Ground) => [red, green, blue];
				for (const style of ['user.words', 'added', 'removed', 'match.current'] as const)
					expect(distance(parts(tintOf('match')), parts(tintOf(style)))).toBeGreaterThan(16);
				expect(distance(parts(tintOf('match.current')), parts(ground))).toBeGreaterThan(80);
			}
		},
	);

	it.each([black, dark, white, paper])('gives code inside of sentences a soft colour in auto: %j', ground => {
		const {code} = paletteOf('auto', ground).colours;
		expect(contrast(partsOf(code ?? ''), ground)).toBeGreaterThan(4.5);
	});

	it('leaves the palette of the terminal as it is in auto where no soft colour is easy to read', () => {
		expect(paletteOf('auto', grey(127)).colours).toEqual({});
		expect(paletteOf('auto', undefined).colours).toEqual({});
	});

	it.each([dark, white])('for the colour-blind keeps apart what failed and what passed on %j', ground => {
		const {colours} = paletteOf('colour-blind', ground);
		for (const [one, other] of [
			['ok', 'error'],
			['added', 'removed'],
			['ok', 'warn'],
		] as const) {
			const [left, right] = [partsOf(colours[one] ?? ''), partsOf(colours[other] ?? '')];
			for (const seen of [deuteranopia, protanopia])
				expect(distance(seen(left), seen(right))).toBeGreaterThan(60);
		}
	});

	it('uses only the 16 colours of the terminal: 16-colours, and auto until the terminal has answered', () => {
		for (const theme of [
			createTheme(3, {choice: '16-colours'}),
			createTheme(3).on(dark, '16-colours'),
			createTheme(3).on(assumedGround({}), '16-colours'),
			createTheme(3),
		])
			for (const style of ['error', 'code', 'added', 'user.words', 'match.current', 'syntax.string'] as const)
				expect(theme.paint(style, 'x')).not.toMatch(/[34]8;/);
	});

	it('has the tints of a dark background in auto if the terminal does not report its background', () => {
		const [known, assumed] = [createTheme(3).on(dark), createTheme(3).on(assumedGround({}))];
		for (const style of ['user.words', 'user.fill', 'added.fill', 'removed.word', 'match'] as const) {
			expect(colourIn(assumed.paint(style, 'x'), 48)).toEqual(colourIn(known.paint(style, 'x'), 48));
			const [text, tint] = [colourIn(assumed.paint(style, 'x'), 38), colourIn(assumed.paint(style, 'x'), 48)];
			expect(contrast(text, tint)).toBeGreaterThanOrEqual(4.5);
		}
		expect(assumed.paint('code', 'x')).toBe('\x1b[35mx\x1b[39m');
		expect(faintColours({base: 'auto', colours: {error: '#222222'}}, assumedGround({}))).toEqual([]);
	});

	it.each(['dark', 'light', 'high-contrast', 'colour-blind'] as const)(
		'looks in %s as without a known background if the background is assumed',
		theme => {
			for (const env of [{}, {COLORFGBG: '0;15'}])
				expect(paletteOf(theme, assumedGround(env))).toEqual(paletteOf(theme, undefined));
		},
	);

	it.each([
		[{}, false],
		[{COLORFGBG: '15;0'}, false],
		[{COLORFGBG: '0;15'}, true],
		[{COLORFGBG: '0;default;15'}, true],
		[{COLORFGBG: 'default;7'}, true],
		[{COLORFGBG: '7;8'}, false],
		[{COLORFGBG: '0;115\n'}, false],
	])('assumes the background of the variables %j, which is light: %j', (env, isLightGround) => {
		const {red, isAssumed} = assumedGround(env);
		expect([red > 127, isAssumed]).toEqual([isLightGround, true]);
	});

	it('dims nothing with high contrast, on a terminal of 16 colours, too', () => {
		for (const level of [0, 1, 2, 3] as const)
			for (const style of ['dim', 'quote', 'syntax.comment', 'syntax.meta'] as const)
				expect(createTheme(level, {choice: 'high-contrast'}).paint(style, 'x')).not.toContain('\x1b[2m');
	});

	it('follows the background: high-contrast and colour-blind have a dark and a light form', () => {
		for (const theme of ['high-contrast', 'colour-blind'] as const)
			expect(paletteOf(theme, dark).colours).not.toEqual(paletteOf(theme, white).colours);
	});
});

describe('a theme of the user', () => {
	const mine = {base: 'dark', colours: {error: '#ff0000', comment: '#222222', added: '#0000ff'}} as const;

	it('has the colours of its base, and its own ones', () => {
		expect(paletteOf(mine, dark).colours).toEqual({...paletteOf('dark', dark).colours, ...mine.colours});
		const {paint} = createTheme(3, {choice: mine, ground: dark});
		expect(paint('error', 'no')).toBe('\x1b[38;2;255;0;0mno\x1b[39m');
		expect(paint('added', 'x')).toBe('\x1b[48;2;24;24;75mx\x1b[49m');
	});

	it('keeps the colours of the terminal that it does not name, if its base is auto', () => {
		const {paint} = createTheme(3, {choice: {base: 'auto', colours: {error: '#ff0000'}}});
		expect([paint('error', 'x'), paint('ok', 'x')]).toEqual(['\x1b[38;2;255;0;0mx\x1b[39m', '\x1b[32mx\x1b[39m']);
	});

	it('names the colours that are hard to read', () => {
		expect(faintColours(mine, dark)).toEqual(['error', 'comment']);
		expect(faintColours({base: 'auto', colours: {error: '#ff0000'}}, undefined)).toEqual([]);
	});

	it('has no colours of its own on a terminal with 16 colours', () => {
		expect(createTheme(1, {choice: mine}).paint('error', 'no')).toBe('\x1b[31mno\x1b[39m');
	});
});

/** How a colour looks without green or red cones (Viénot, Brettel and Mollon 1999), in linear light. */
const simulate = (rows: ReadonlyArray<readonly [number, number, number]>) => (colour: Ground) => {
	const [r, g, b] = [colour.red, colour.green, colour.blue].map(part => (part / 255) ** 2.2) as [
		number,
		number,
		number,
	];
	return rows.map(([x, y, z]) => 255 * Math.max(0, x * r + y * g + z * b) ** (1 / 2.2));
};
const deuteranopia = simulate([
	[0.29275, 0.70725, 0],
	[0.29275, 0.70725, 0],
	[-0.02234, 0.02234, 1],
]);
const protanopia = simulate([
	[0.11238, 0.88762, 0],
	[0.11238, 0.88762, 0],
	[0.00401, -0.00401, 1],
]);

function distance(one: readonly number[], other: readonly number[]): number {
	return Math.hypot(...one.map((part, index) => part - (other[index] ?? 0)));
}
