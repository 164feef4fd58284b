/** The source of a setting's value. */
export type SettingOrigin = 'default' | 'user' | 'project' | 'flag' | 'environment';

/** A setting with its value. Values from files and from the environment are untrusted text. */
export type SettingInfo = {
	/** The keys that lead to the setting from the root of the file. */
	readonly path: readonly string[];
	/** The path of the setting as a dotted TOML key. */
	readonly key: string;
	/** The value in effect, as TOML or in words. If it is absent, the default in `fallback` applies. */
	readonly value?: string;
	readonly origin: SettingOrigin;
	/** The file, option or environment variable that sets the value. */
	readonly place?: string;
	/** The value in the user's config.toml, as TOML. */
	readonly own?: string;
	/** The possible values and the default, in words. */
	readonly type: string;
	readonly fallback: string;
	/** All possible values, as TOML, if the setting has a fixed list of them. */
	readonly choices?: readonly string[] | undefined;
	readonly about: string;
	/** When a change takes effect. */
	readonly when: 'now' | 'session' | 'start';
	/** The reason why the user cannot change the setting. */
	readonly fixed?: string;
};

/**
The built-in themes. `auto` uses the colours of the terminal, and tints of its background colour. `16-colours` is the
terminal's own palette, without tints.
*/
export const themeNames = ['auto', 'dark', 'light', '16-colours', 'high-contrast', 'colour-blind'] as const;

export type BuiltInTheme = (typeof themeNames)[number];

/** The colours of a theme. `added` and `removed` tint the lines of a diff; all others are colours of text. */
export const themeColours = [
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
	'added',
	'removed',
] as const;

export type ThemeColour = (typeof themeColours)[number];

/** A theme of the user: a built-in theme with other colours. Each colour has the form `#rrggbb`. */
export type CustomTheme = {
	readonly base: BuiltInTheme;
	readonly colours: {readonly [Name in ThemeColour]?: string};
};

export type ThemeChoice = BuiltInTheme | CustomTheme;

/** A theme that the user can choose. */
export type NamedTheme = {readonly name: string; readonly theme: ThemeChoice};

/** Returns the theme with this name. A user's theme cannot have the name of a built-in theme. */
export function themeNamed(
	name: string,
	custom: Readonly<Record<string, CustomTheme>> | undefined,
): ThemeChoice | undefined {
	const builtIn = themeNames.find(each => each === name);
	if (builtIn !== undefined) return builtIn;
	return custom !== undefined && Object.hasOwn(custom, name) ? custom[name] : undefined;
}

/** The parts of the status line, in their usual order. */
export const statusPartNames = [
	'state',
	'time',
	'tokens',
	'keys',
	'queue',
	'background',
	'children',
	'notes',
	'model',
	'context',
	'cost',
	'directory',
	'approval',
	'confined',
] as const;

export type StatusPartName = (typeof statusPartNames)[number];
