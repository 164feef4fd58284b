import {statusPartNames, themeNamed, type CustomTheme, type StatusPartName} from '../protocol/settings.ts';
import type {Bell, WrittenScreen, WrittenThemes} from './screen-schema.ts';

/**
The settings of the bell, the window title, notifications on the desktop, the mouse, the transcript in the scrollback at
the end, the lines for a screen reader, a still sign for a running turn, and the terminal's scrolling of rows (by
default used if the terminal supports it).
*/
export type ScreenConfig = {
	readonly bell: Bell;
	readonly title: boolean;
	readonly notify: boolean;
	readonly mouse: boolean;
	/** The name of the theme, which exists. The default is `auto`. */
	readonly theme?: string;
	/** The user's own themes. */
	readonly themes?: Readonly<Record<string, CustomTheme>>;
	/** The parts of the status line in their order. Absent: all of them in the usual order. */
	readonly status?: readonly StatusPartName[];
	/** The signs of the screen: all of them, or only ASCII. */
	readonly glyphs?: 'unicode' | 'ascii';
	/** Whether web addresses are links of the terminal. Absent: if it is known to take them. */
	readonly links?: boolean;
	readonly dump: boolean;
	readonly reader: boolean;
	readonly reducedMotion: boolean;
	readonly scrollRegions?: boolean;
	/** Whether the composer has vim's keys. */
	readonly vim: boolean;
};

/** Returns the settings of the screen. Unknown names are ignored: see `screenWarnings`. */
export function screenConfig(
	screen: WrittenScreen = {},
	written: WrittenThemes = {},
	composer: {readonly mode?: 'standard' | 'vim' | undefined} = {},
): ScreenConfig {
	const themes = Object.fromEntries(
		Object.entries(written).map(([name, {base = 'auto', ...colours}]) => [name, {base, colours: present(colours)}]),
	);
	const isKnown = screen.theme === undefined || themeNamed(screen.theme, themes) !== undefined;
	const status = screen.status?.flatMap(name => statusPartNames.filter(part => part === name));
	return {
		bell: screen.bell ?? 'unfocused',
		title: screen.title ?? true,
		notify: screen.notify ?? true,
		mouse: screen.mouse ?? true,
		...(screen.theme !== undefined && isKnown && {theme: screen.theme}),
		...(Object.keys(themes).length > 0 && {themes}),
		...(status !== undefined && {status: [...new Set(status)]}),
		...(screen.glyphs !== undefined && {glyphs: screen.glyphs}),
		...(screen.links !== undefined && {links: screen.links}),
		dump: screen.dump ?? false,
		reader: screen.reader ?? false,
		reducedMotion: screen.reduced_motion ?? false,
		...(screen.scroll_regions !== undefined && {scrollRegions: screen.scroll_regions}),
		vim: composer.mode === 'vim',
	};
}

function present(table: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(table).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
	);
}
