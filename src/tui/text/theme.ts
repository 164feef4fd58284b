import {Chalk, supportsColor} from 'chalk';
import type {ChalkInstance} from 'chalk';

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
	| 'error'
	| 'warn'
	| 'ok'
	| 'info'
	| 'chip'
	| 'chip.failed'
	| 'path'
	| 'code'
	| 'heading'
	| 'added'
	| 'removed'
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
};

/**
Creates a theme for a colour level. It uses only the 16 colours of the user's palette, so it suits both light and dark
terminals.
*/
export function createTheme(level: ColourLevel): Theme {
	const chalk = new Chalk({level: level === 0 ? 1 : level});
	const make = (style: Style) => (level === 0 ? looks[style].mono : looks[style].colour)(chalk);
	const made = new Map<Style, ChalkInstance>();
	return {
		level,
		paint(style, text) {
			let look = made.get(style);
			if (look === undefined) made.set(style, (look = make(style)));
			return look(text);
		},
	};
}

/** Returns the theme for the environment, at the level that chalk detects. */
export function detectTheme(env: NodeJS.ProcessEnv): Theme {
	return createTheme(colourLevel(env, supportsColor === false ? 0 : supportsColor.level));
}

/** Returns the colour level for the environment. NO_COLOR removes colours unless FORCE_COLOR names a level. */
export function colourLevel(env: NodeJS.ProcessEnv, detected: ColourLevel): ColourLevel {
	const no = env['NO_COLOR'];
	const forced = env['FORCE_COLOR'];
	return no !== undefined && no !== '' && (forced === undefined || forced === '') ? 0 : detected;
}

type Look = {
	readonly colour: (chalk: ChalkInstance) => ChalkInstance;
	readonly mono: (chalk: ChalkInstance) => ChalkInstance;
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
	code: look(chalk => chalk.yellow),
	heading: look(
		chalk => chalk.bold.magenta,
		chalk => chalk.bold,
	),
	added: look(chalk => chalk.green),
	removed: look(chalk => chalk.red),
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
	'syntax.number': look(chalk => chalk.yellow),
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
