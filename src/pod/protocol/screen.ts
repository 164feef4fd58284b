/** The built-in themes. `auto` uses the colours of the terminal, with tints of the background that it reports. */
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

/** A theme of the user: a built-in one with other colours. Each colour has the form `#rrggbb`. */
export type CustomTheme = {
	readonly base: BuiltInTheme;
	readonly colours: {readonly [Name in ThemeColour]?: string};
};
export type ThemeChoice = BuiltInTheme | CustomTheme;

/** A theme that you can choose. */
export type NamedTheme = {readonly name: string; readonly theme: ThemeChoice};

/** Returns the theme with a name. A name of your own cannot be that of a built-in theme. */
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
