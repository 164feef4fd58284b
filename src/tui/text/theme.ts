import {Chalk, supportsColor} from 'chalk';
import type {ChalkInstance} from 'chalk';
import {glyphSets, type GlyphSet} from './glyphs.ts';
import {takesLinks} from './colours/links.ts';

/** The name of a text's meaning, such as an error. Only this file defines how a style looks. */
export type Style =
	| 'plain'
	| 'dim'
	| 'bold'
	| 'italic'
	| 'underline'
	| 'strike'
	| 'inverse'
	| 'accent'
	| 'user'
	| 'user.words'
	| 'user.fill'
	| 'error'
	| 'warn'
	| 'ok'
	| 'info'
	| 'chip'
	| 'chip.failed'
	| 'path'
	| 'code'
	| 'heading'
	| 'heading.1'
	| 'heading.2'
	| 'heading.3'
	| 'heading.4'
	| 'added'
	| 'removed'
	| 'added.fill'
	| 'removed.fill'
	| 'added.word'
	| 'removed.word'
	| 'link'
	| 'quote'
	| 'selection'
	| 'match'
	| 'match.current'
	| 'syntax.keyword'
	| 'syntax.string'
	| 'syntax.comment'
	| 'syntax.number'
	| 'syntax.title'
	| 'syntax.type'
	| 'syntax.attribute'
	| 'syntax.variable'
	| 'syntax.meta'
	| OutputStyle;

/** The colours that a command gave its own output. */
type OutputStyle = `output.${'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'}`;

/**
The colour levels: 0 has only attributes (bold, dim, underline, inverse), which NO_COLOR allows. 1 has 16 colours, 2 has
256, and 3 has true colour.
*/
export type ColourLevel = 0 | 1 | 2 | 3;

export type Theme = {
	readonly level: ColourLevel;
	/**
	Returns the text with its opening and closing SGR sequences. The result is complete in itself and can be nested.
	*/
	readonly paint: (style: Style, text: string) => string;
	/** The set of signs. Only painting replaces them, so what you copy and search stays as it is. */
	readonly glyphs: GlyphSet;
	/** Whether web addresses are links of the terminal. */
	readonly links: boolean;
	/** Returns the theme for a background. The same background returns the same theme. */
	readonly on: (ground: Ground | undefined) => Theme;
};

/** `ground`: the background, if the terminal named it. */
export type ThemeOptions = {
	readonly glyphs?: GlyphSet | undefined;
	readonly links?: boolean | undefined;
	readonly ground?: Ground;
};

/** The background of a terminal, each part from 0 to 255. */
export type Ground = {readonly red: number; readonly green: number; readonly blue: number};

/**
Creates a theme for a colour level. It uses only the 16 colours of the user's palette, so it suits both light and dark
terminals. Once the terminal has named its background, some texts have a tint that is derived from it.
*/
export function createTheme(level: ColourLevel, options: ThemeOptions = {}): Theme {
	const {glyphs = 'unicode', links = false, ground} = options;
	const chalk = new Chalk({level: level === 0 ? 1 : level});
	const tints = level < 2 || ground === undefined ? undefined : tintsOf(ground);
	const make = (style: Style) => {
		const {colour, mono, tinted} = looks[style];
		if (tinted !== undefined && tints !== undefined) return chalk.bgRgb(...tints[tinted]);
		return (level === 0 ? mono : colour)(chalk);
	};
	const made = new Map<Style, ChalkInstance>();
	const others = new Map<string, Theme>();
	const theme: Theme = {
		level,
		glyphs,
		links,
		paint(style, text) {
			let look = made.get(style);
			if (look === undefined) made.set(style, (look = make(style)));
			return look(text);
		},
		on(next) {
			if (next === undefined || level < 2) return theme;
			const name = `${next.red} ${next.green} ${next.blue}`;
			const known = others.get(name) ?? createTheme(level, {...options, ground: next});
			others.set(name, known);
			return known;
		},
	};
	return theme;
}

/** The tints for a background: for texts that stand out, and for the lines and words of a diff. */
type Tints = {readonly [Name in 'near' | 'added' | 'added.word' | 'removed' | 'removed.word']: Tint};
type Tint = readonly [red: number, green: number, blue: number];

/** Returns tints of a background, a little lighter on a dark one, and a little darker on a light one. */
function tintsOf(ground: Ground): Tints {
	const isLight = 0.299 * ground.red + 0.587 * ground.green + 0.114 * ground.blue > 127;
	const toward = (other: Tint, share: number): Tint => [
		mixed(ground.red, other[0], share),
		mixed(ground.green, other[1], share),
		mixed(ground.blue, other[2], share),
	];
	return {
		near: isLight ? toward([0, 0, 0], 0.07) : toward([255, 255, 255], 0.11),
		added: toward([46, 160, 67], 0.2),
		'added.word': toward([46, 160, 67], 0.45),
		removed: toward([248, 81, 73], 0.18),
		'removed.word': toward([248, 81, 73], 0.42),
	};
}

function mixed(from: number, to: number, share: number): number {
	return Math.round(from + (to - from) * share);
}

/**
Returns the theme for the environment, at the level that chalk detects. `INKPOD_GLYPHS` and `INKPOD_LINKS` have
priority over the configuration.
*/
export function detectTheme(env: NodeJS.ProcessEnv, configured: Pick<ThemeOptions, 'glyphs' | 'links'> = {}): Theme {
	const level = colourLevel(env, supportsColor === false ? 0 : supportsColor.level);
	const wanted = env['INKPOD_GLYPHS'];
	const glyphs = glyphSets.find(set => set === wanted) ?? configured.glyphs;
	return createTheme(level, {...(glyphs && {glyphs}), links: takesLinks(env, configured.links)});
}

/** Returns the colour level for the environment. NO_COLOR removes colours unless FORCE_COLOR names a level. */
export function colourLevel(env: NodeJS.ProcessEnv, detected: ColourLevel): ColourLevel {
	const no = env['NO_COLOR'];
	const forced = env['FORCE_COLOR'];
	return no !== undefined && no !== '' && (forced === undefined || forced === '') ? 0 : detected;
}

/** `tinted` names the tint that replaces the other two when the background is known. */
type Look = {
	readonly colour: (chalk: ChalkInstance) => ChalkInstance;
	readonly mono: (chalk: ChalkInstance) => ChalkInstance;
	readonly tinted?: keyof Tints;
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
	code: {...look(chalk => chalk.magenta), tinted: 'near'},
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
	match: both(chalk => chalk.inverse),
	'match.current': both(chalk => chalk.bold.underline.inverse),
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

function plain(chalk: ChalkInstance): ChalkInstance {
	return chalk.visible;
}
