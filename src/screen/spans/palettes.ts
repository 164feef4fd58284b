/**
A built-in theme, or a theme of the user. A user's theme is a built-in theme with some other colours of the form
`#rrggbb`.
*/
export type ThemeChoice = BuiltInTheme | CustomTheme;
type BuiltInTheme = 'auto' | '16-colours' | 'dark' | 'light' | 'high-contrast' | 'colour-blind';
type CustomTheme = {
	readonly base: BuiltInTheme;
	readonly colours: {readonly [Name in ThemeColour]?: string};
};

/** The names of the colours of a theme: the colours of text, and the two tints for the lines of a diff. */
export type ThemeColour = (typeof textColours)[number] | 'added' | 'removed';

/**
The background colour of a terminal. Each part is from 0 to 255. `isAssumed`: the terminal did not report it, so it may
be wrong.
*/
export type Ground = {
	readonly red: number;
	readonly green: number;
	readonly blue: number;
	readonly isAssumed?: true;
};

/** The colours of a theme on a background. For a missing colour, the terminal's own palette is used. */
export type Palette = {
	readonly colours: CustomTheme['colours'];
	/** The background from which tints are derived. Without a background there are no tints. */
	readonly ground: Ground | undefined;
	/** Whether the background may be wrong, so that text on a tint needs its own colour. */
	readonly isAssumed?: true;
	/** Whether no text is dimmed. */
	readonly isStrong?: boolean;
};

type Colours = {readonly [Name in ThemeColour]: string};

/**
Returns the palette of a theme. `seen` is the background, if it is known. Only `auto` uses an assumed background,
because the other themes have their own background.
*/
export function paletteOf(choice: ThemeChoice, seen: Ground | undefined): Palette {
	if (typeof choice === 'object') {
		const base = paletteOf(choice.base, seen);
		return {...base, colours: {...base.colours, ...choice.colours}};
	}
	const isAssumed = seen?.isAssumed === true;
	if (choice === 'auto' && isAssumed) return {colours: {}, ground: seen, isAssumed};
	const ground = isAssumed ? undefined : seen;
	const isLightGround = ground !== undefined && isLight(ground);
	const own = isLightGround || choice === 'light' ? lightGround : darkGround;
	if (choice === 'auto') return {colours: ground === undefined ? {} : softColours(ground), ground};
	if (choice === '16-colours') return {colours: {}, ground: undefined};
	if (choice === 'dark' || choice === 'light') return {colours: palettes[choice], ground: ground ?? own};
	const variant = isLightGround ? 'light' : 'dark';
	const isStrong = choice === 'high-contrast';
	return {colours: palettes[`${choice} ${variant}`], ground: ground ?? own, ...(isStrong && {isStrong})};
}

/**
Returns a softer colour for code in sentences, if this colour is easy to read on the background. The default is magenta,
which is glaring in many palettes, and code in sentences is frequent.
*/
function softColours(ground: Ground): Palette['colours'] {
	const code = palettes[isLight(ground) ? 'light' : 'dark'].heading;
	return contrast(partsOf(code), ground) < enough ? {} : {code};
}

/** A background colour for a text, derived from the terminal's background. */
export type Tint = readonly [red: number, green: number, blue: number];

/**
Returns black or white, whichever is easier to read on a background colour. One of the two always has a contrast of at
least 4.5.
*/
export function textOn([red, green, blue]: Tint): string {
	const ground = {red, green, blue};
	const [black, white] = ['#000000', '#ffffff'] as const;
	return contrast(partsOf(black), ground) > contrast(partsOf(white), ground) ? black : white;
}

export function isLight({red, green, blue}: Ground): boolean {
	return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
}

/** Returns the parts of a colour of the form `#rrggbb`. */
export function partsOf(colour: string): Ground {
	const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
	return {red: part(1), green: part(3), blue: part(5)};
}

/** Returns the contrast of two colours, from 1 to 21, as defined in WCAG 2. */
export function contrast(one: Ground, other: Ground): number {
	const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
	return (high + 0.05) / (low + 0.05);
}

function luminance({red, green, blue}: Ground): number {
	const [r = 0, g = 0, b = 0] = [red, green, blue].map(part => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The minimum contrast at which small text is easy to read (WCAG 2, AA). */
const enough = 4.5;

/** Returns the text colours of a theme that are hard to read on a background. */
export function faintColours(choice: ThemeChoice, ground: Ground | undefined): readonly ThemeColour[] {
	const {colours, ground: behind, isAssumed} = paletteOf(choice, ground);
	if (behind === undefined || isAssumed === true) return [];
	return textColours.filter(name => {
		const colour = colours[name];
		return colour !== undefined && contrast(partsOf(colour), behind) < enough;
	});
}

/**
Returns the background to assume if the terminal does not report it. `COLORFGBG` may name it, and otherwise a dark
background is assumed. rxvt, Konsole and others set this variable, such as `0;15` for black text on white.
*/
export function assumedGround(env: Readonly<Record<string, string | undefined>>): Ground {
	const isLightGround = /;(?:7|15)$/.test(env['COLORFGBG'] ?? '');
	return {...(isLightGround ? lightGround : darkGround), isAssumed: true};
}

/** The assumed backgrounds if the terminal does not report its background. */
const darkGround: Ground = {red: 30, green: 30, blue: 30};
const lightGround: Ground = {red: 255, green: 255, blue: 255};

type PaletteName = 'dark' | 'light' | `${'high-contrast' | 'colour-blind'} ${'dark' | 'light'}`;

/**
The colours of the built-in themes. Each colour has a contrast of at least 4.5 on its background, or 7 in the themes
with high contrast. The themes for the colour-blind use blue and orange instead of green and red.
*/
const palettes: {readonly [Name in PaletteName]: Colours} = {
	dark: named(
		'#9aa4b2 #56c8d8 #7ab7ff #ff8a80 #f2c55c #7ddb8a #8ab4f8 #6fd3e0 #e3a5f0 #d3a6ff #8ab4f8',
		'#d8a0ff #9fdc8f #9aa4b2 #6fd3e0 #8ab4f8 #7fd7c4 #7fd7c4 #ff9e8f #2ea043 #f85149',
	),
	light: named(
		'#59636e #006d7a #0550ae #b3181d #7d4e00 #116329 #0550ae #005f73 #8a2b9b #6639ba #0550ae',
		'#7a28a8 #116329 #59636e #005f73 #0550ae #0b5d57 #0b5d57 #a12622 #2ea043 #f85149',
	),
	'high-contrast dark': named(
		'#d0d0d0 #5fe7ff #9fcbff #ffa39e #ffd866 #8bf09a #a6ccff #7fe9ff #f2b8ff #e0c0ff #a6ccff',
		'#e6b3ff #a8f0a0 #d0d0d0 #7fe9ff #a6ccff #96eedd #96eedd #ffb3a8 #2ea043 #f85149',
	),
	'high-contrast light': named(
		'#3b3b3b #004a54 #003e8a #8b0000 #5a3700 #0a4a1c #003e8a #00454f #65107a #4a1f8f #003e8a',
		'#5a1590 #0a4a1c #3b3b3b #00454f #003e8a #05453f #05453f #7d1410 #2ea043 #f85149',
	),
	'colour-blind dark': named(
		'#9aa4b2 #6fcbf5 #8cc4ff #ff9f40 #f5e663 #56b4e9 #8cc4ff #7fd4f7 #e8b5d8 #e8b5d8 #8cc4ff',
		'#e8b5d8 #7cc4f0 #9aa4b2 #f5e663 #8cc4ff #9fd8f5 #9fd8f5 #ffb870 #1f6fd0 #e07a1f',
	),
	'colour-blind light': named(
		'#545c66 #00607a #00458a #9a3d00 #6b5200 #005a9c #00458a #00566e #7a2e66 #7a2e66 #00458a',
		'#7a2e66 #005a9c #545c66 #6b5200 #00458a #00566e #00566e #9a3d00 #3b82d6 #e08a2e',
	),
};

/** Returns the colours by name. The colours in the two lists are in the order of `themeColours`. */
function named(first: string, second: string): Colours {
	const [
		muted = '',
		accent = '',
		user = '',
		error = '',
		warn = '',
		ok = '',
		info = '',
		path = '',
		code = '',
		heading = '',
		link = '',
	] = first.split(' ');
	const [
		keyword = '',
		string = '',
		comment = '',
		number = '',
		title = '',
		type = '',
		attribute = '',
		variable = '',
		added = '',
		removed = '',
	] = second.split(' ');
	return {
		...{muted, accent, user, error, warn, ok, info, path, code, heading, link},
		...{keyword, string, comment, number, title, type, attribute, variable, added, removed},
	};
}

const textColours = [
	'muted',
	'accent',
	'user',
	'error',
	'warn',
	'ok',
	'info',
	'path',
	'code',
	'heading',
	'link',
	'keyword',
	'string',
	'comment',
	'number',
	'title',
	'type',
	'attribute',
	'variable',
] as const;
