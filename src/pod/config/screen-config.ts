import {statusPartNames, themeNamed, type CustomTheme, type StatusPartName} from '../protocol/settings.ts';
import type {Bell, WrittenScreen, WrittenThemes} from './screen-schema.ts';

/**
The settings of the screen. `notify` allows desktop notifications. `dump` leaves the transcript in the scrollback when
inkpod exits. `reader` prints lines for a screen reader. `reducedMotion` stops the animation of a running turn.
`scrollRegions` lets the terminal scroll rows (by default if the terminal supports it).
*/
export type ScreenConfig = {
	readonly bell: Bell;
	readonly title: boolean;
	readonly notify: boolean;
	readonly mouse: boolean;
	/** The name of an existing theme. The default is `auto`. */
	readonly theme?: string;
	/** The user's own themes. */
	readonly themes?: Readonly<Record<string, CustomTheme>>;
	/** The parts of the status line in their order. By default, all parts in the usual order. */
	readonly status?: readonly StatusPartName[];
	/** The symbols that the screen may use: all of Unicode, or only ASCII. */
	readonly glyphs?: 'unicode' | 'ascii';
	/**
	Whether web addresses are terminal hyperlinks (OSC 8). By default, they are hyperlinks if the terminal is known to
	support hyperlinks.
	*/
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
