import {Chalk, supportsColor} from 'chalk';
import type {ChalkInstance} from 'chalk';
import {glyphSets, type GlyphSet} from './glyphs.ts';
import type {Style} from '../../text/span.ts';
import {takesLinks} from './links.ts';
import {
	isLight,
	paletteOf,
	partsOf,
	textOn,
	type Ground,
	type Palette,
	type ThemeChoice,
	type ThemeColour,
	type Tint,
} from './palettes.ts';

export type {Ground} from './palettes.ts';

/**
The colour levels. Level 0 has only attributes (bold, dim, underline, inverse), which NO_COLOR allows. Level 1 has 16
colours, level 2 has 256 colours, and level 3 has true colour.
*/
type ColourLevel = 0 | 1 | 2 | 3;

export type Theme = {
	readonly level: ColourLevel;
	/** Returns the text in a style. The result sets and resets its own style, and can be nested. */
	readonly paint: (style: Style, text: string) => string;
	/** The set of signs. Only painting replaces signs, so the text for search and copying stays unchanged. */
	readonly glyphs: GlyphSet;
	/** Whether web addresses are painted as links of the terminal. */
	readonly links: boolean;
	/** Returns the theme for a background and a choice of colours. The same arguments return the same theme object. */
	readonly on: (ground: Ground | undefined, choice?: ThemeChoice) => Theme;
};

/** `ground` is the background, if the terminal reported it. `choice` is the choice of colours, by default `auto`. */
type ThemeOptions = {
	readonly glyphs?: GlyphSet | undefined;
	readonly links?: boolean | undefined;
	readonly ground?: Ground | undefined;
	readonly choice?: ThemeChoice | undefined;
};

/**
Creates a theme for a colour level. `auto` uses only the 16 colours of the user's palette, so it suits both light and
dark terminals. As soon as the background is known, some texts have a tint that is derived from it. On the tint of an
assumed background, the text has its own colour, so it is easy to read if the background is different. The other themes
need 256 colours. With fewer colours, all themes use the user's palette.
*/
export function createTheme(level: ColourLevel, options: ThemeOptions = {}): Theme {
	const {glyphs = 'unicode', links = false, ground, choice = 'auto'} = options;
	const chalk = new Chalk({level: level === 0 ? 1 : level});
	const palette = paletteOf(choice, ground);
	const tints = level < 2 || palette.ground === undefined ? undefined : tintsOf(palette.ground, palette);
	const made = new Map<Style, ChalkInstance>();
	const others = new Map<ThemeChoice, Map<string, Theme>>();
	const theme: Theme = {
		level,
		glyphs,
		links,
		paint(style, text) {
			let look = made.get(style);
			if (look === undefined) made.set(style, (look = makeLook(style, {chalk, level, palette, tints})));
			return look(text);
		},
		on(next = ground, wanted = choice) {
			if (wanted === choice && (next === ground || level < 2)) return theme;
			const name = next === undefined ? '' : Object.values(next).join(' ');
			const byGround = others.get(wanted) ?? new Map<string, Theme>();
			const known = byGround.get(name) ?? createTheme(level, {...options, ground: next, choice: wanted});
			others.set(wanted, byGround.set(name, known));
			return known;
		},
	};
	return theme;
}

type LookFacts = {
	readonly chalk: ChalkInstance;
	readonly level: ColourLevel;
	readonly palette: Palette;
	readonly tints: Tints | undefined;
};

function makeLook(style: Style, {chalk, level, palette, tints}: LookFacts): ChalkInstance {
	const {colour, mono, tinted, hasOwnText} = looks[style];
	const role = roles[style];
	const isDimmed = role?.name === 'muted' || role?.name === 'comment';
	const own = role === undefined || level < 2 ? undefined : palette.colours[role.name];
	const tint = tinted === undefined ? undefined : tints?.[tinted];
	if (own !== undefined && role !== undefined) {
		const look = (role.as ?? plain)(chalk).hex(own);
		return tint === undefined ? look : look.bgRgb(...tint);
	}
	const needsText = hasOwnText === true || palette.isAssumed === true;
	if (tint !== undefined) return needsText ? chalk.bgRgb(...tint).hex(textOn(tint)) : chalk.bgRgb(...tint);
	if (palette.isStrong === true && isDimmed) return (role?.as ?? plain)(chalk);
	return (level === 0 ? mono : colour)(chalk);
}

/**
The tints for a background. They are for emphasised texts (`near`), for the lines and words of a diff, and for matches
of a search.
*/
type Tints = {readonly [Name in TintName]: Tint};
type TintName = 'near' | 'added' | 'added.word' | 'removed' | 'removed.word' | 'match' | 'match.current';

/**
Returns the tints for a background. `near` is a little lighter than a dark background, or a little darker than a light
background.
*/
function tintsOf(ground: Ground, {colours}: Palette): Tints {
	const toward = (other: Ground, share: number): Tint => [
		mixed(ground.red, other.red, share),
		mixed(ground.green, other.green, share),
		mixed(ground.blue, other.blue, share),
	];
	const added = partsOf(colours.added ?? '#2ea043');
	const removed = partsOf(colours.removed ?? '#f85149');
	return {
		near: isLight(ground) ? toward(partsOf('#000000'), 0.07) : toward(partsOf('#ffffff'), 0.11),
		added: toward(added, 0.2),
		'added.word': toward(added, 0.45),
		removed: toward(removed, 0.18),
		'removed.word': toward(removed, 0.42),
		match: isLight(ground) ? toward(partsOf('#3f62b0'), 0.3) : toward(partsOf('#8fb0ff'), 0.4),
		'match.current': amber,
	};
}

/** The background of the current match. It is conspicuous on any background of the terminal. */
const amber: Tint = [255, 184, 48];

function mixed(from: number, to: number, share: number): number {
	return Math.round(from + (to - from) * share);
}

/**
Returns the theme for the environment, at the level that chalk detects. `INKPOD_GLYPHS` and `INKPOD_LINKS` have
priority over the configuration.
*/
export function detectTheme(
	env: NodeJS.ProcessEnv,
	configured: Pick<ThemeOptions, 'glyphs' | 'links' | 'choice'> = {},
): Theme {
	const level = colourLevel(env, supportsColor === false ? 0 : supportsColor.level);
	const wanted = env['INKPOD_GLYPHS'];
	const glyphs = glyphSets.find(set => set === wanted) ?? configured.glyphs;
	return createTheme(level, {
		...(glyphs && {glyphs}),
		links: takesLinks(env, configured.links),
		choice: configured.choice,
	});
}

/** Returns the colour level for the environment. NO_COLOR turns colours off, unless FORCE_COLOR is set. */
export function colourLevel(env: NodeJS.ProcessEnv, detected: ColourLevel): ColourLevel {
	const no = env['NO_COLOR'];
	const forced = env['FORCE_COLOR'];
	return no !== undefined && no !== '' && (forced === undefined || forced === '') ? 0 : detected;
}

/**
The look of a style. `mono` is used without colours. `tinted` is the tint that replaces `colour` and `mono` if the
background is known. With `hasOwnText`, the text on the tint is black or white, whichever is easier to read.
*/
type Look = {
	readonly colour: (chalk: ChalkInstance) => ChalkInstance;
	readonly mono: (chalk: ChalkInstance) => ChalkInstance;
	readonly tinted?: TintName;
	readonly hasOwnText?: true;
};

const look = (colour: Look['colour'], mono: Look['mono'] = plain): Look => ({colour, mono});
const both = (attribute: Look['colour']): Look => ({colour: attribute, mono: attribute});

const looks: {readonly [Name in Style]: Look} = {
	plain: both(plain),
	dim: both(chalk => chalk.dim),
	bold: both(chalk => chalk.bold),
	italic: both(chalk => chalk.italic),
	underline: both(chalk => chalk.underline),
	strike: both(chalk => chalk.strikethrough),
	inverse: both(chalk => chalk.inverse),
	accent: look(
		chalk => chalk.cyan,
		chalk => chalk.bold,
	),
	user: look(
		chalk => chalk.bold.blue,
		chalk => chalk.bold,
	),
	'user.words': {...both(chalk => chalk.bold), tinted: 'near'},
	'user.fill': {...both(plain), tinted: 'near'},
	error: look(
		chalk => chalk.red,
		chalk => chalk.bold,
	),
	warn: look(
		chalk => chalk.yellow,
		chalk => chalk.bold,
	),
	ok: look(chalk => chalk.green),
	info: look(chalk => chalk.blue),
	chip: look(
		chalk => chalk.cyan.underline,
		chalk => chalk.underline,
	),
	'chip.failed': look(
		chalk => chalk.red.strikethrough,
		chalk => chalk.strikethrough,
	),
	path: look(chalk => chalk.cyan),
	code: look(chalk => chalk.magenta),
	'heading.1': look(
		chalk => chalk.bold.underline.magenta,
		chalk => chalk.bold.underline,
	),
	'heading.2': look(
		chalk => chalk.bold.magenta,
		chalk => chalk.bold,
	),
	'heading.3': look(
		chalk => chalk.bold,
		chalk => chalk.underline,
	),
	'heading.4': both(chalk => chalk.italic),
	heading: look(
		chalk => chalk.bold.magenta,
		chalk => chalk.bold,
	),
	added: {...look(chalk => chalk.green), tinted: 'added'},
	removed: {...look(chalk => chalk.red), tinted: 'removed'},
	'added.fill': {...both(plain), tinted: 'added'},
	'removed.fill': {...both(plain), tinted: 'removed'},
	'added.word': {
		...look(
			chalk => chalk.green.underline,
			chalk => chalk.underline,
		),
		tinted: 'added.word',
	},
	'removed.word': {
		...look(
			chalk => chalk.red.underline,
			chalk => chalk.underline,
		),
		tinted: 'removed.word',
	},
	link: look(
		chalk => chalk.blue.underline,
		chalk => chalk.underline,
	),
	quote: look(
		chalk => chalk.dim.italic,
		chalk => chalk.italic,
	),
	selection: both(chalk => chalk.inverse),
	match: {...both(chalk => chalk.underline), tinted: 'match', hasOwnText: true},
	'match.current': {
		...look(
			chalk => chalk.black.bgYellow,
			chalk => chalk.bold.underline.inverse,
		),
		tinted: 'match.current',
		hasOwnText: true,
	},
	'syntax.keyword': look(chalk => chalk.magenta),
	'syntax.string': look(chalk => chalk.green),
	'syntax.comment': look(
		chalk => chalk.dim,
		chalk => chalk.dim,
	),
	'syntax.number': look(chalk => chalk.cyan),
	'syntax.title': look(chalk => chalk.blue),
	'syntax.type': look(chalk => chalk.cyan),
	'syntax.attribute': look(chalk => chalk.cyan),
	'syntax.variable': look(chalk => chalk.red),
	'syntax.meta': look(chalk => chalk.dim),
	'output.red': look(chalk => chalk.red),
	'output.green': look(chalk => chalk.green),
	'output.yellow': look(chalk => chalk.yellow),
	'output.blue': look(chalk => chalk.blue),
	'output.magenta': look(chalk => chalk.magenta),
	'output.cyan': look(chalk => chalk.cyan),
};

/** Returns the name of the theme colour of a style. The two styles for the lines of a diff have tints. */
export function colourName(style: Style): ThemeColour | undefined {
	return style === 'added' || style === 'removed' ? style : roles[style]?.name;
}

/** The theme colour of each style, and the style's other attributes (`as`). */
const roles: {readonly [Name in Style]?: {readonly name: ThemeColour; readonly as?: Look['colour']}} = {
	dim: {name: 'muted'},
	accent: {name: 'accent'},
	user: {name: 'user', as: chalk => chalk.bold},
	error: {name: 'error'},
	warn: {name: 'warn'},
	ok: {name: 'ok'},
	info: {name: 'info'},
	chip: {name: 'accent', as: chalk => chalk.underline},
	'chip.failed': {name: 'error', as: chalk => chalk.strikethrough},
	path: {name: 'path'},
	code: {name: 'code'},
	heading: {name: 'heading', as: chalk => chalk.bold},
	'heading.1': {name: 'heading', as: chalk => chalk.bold.underline},
	'heading.2': {name: 'heading', as: chalk => chalk.bold},
	link: {name: 'link', as: chalk => chalk.underline},
	quote: {name: 'muted', as: chalk => chalk.italic},
	'syntax.keyword': {name: 'keyword'},
	'syntax.string': {name: 'string'},
	'syntax.comment': {name: 'comment'},
	'syntax.number': {name: 'number'},
	'syntax.title': {name: 'title'},
	'syntax.type': {name: 'type'},
	'syntax.attribute': {name: 'attribute'},
	'syntax.variable': {name: 'variable'},
	'syntax.meta': {name: 'muted'},
};

function plain(chalk: ChalkInstance): ChalkInstance {
	return chalk.visible;
}
