import {t} from '../../../language/index.ts';

/** The texts of the themes page. */
export const themeTexts = {
	title: t`Theme`,
	hints: [t`Esc undo`, t`Enter use and save`, t`↑↓ try`],
	current: t`in use`,
	own: t`yours`,
	about: {
		auto: t`the colours of your terminal, and tints of its background`,
		dark: t`for a dark background`,
		light: t`for a light background`,
		'16-colours': t`only the 16 colours of your terminal`,
		'high-contrast': t`strong colours, nothing dimmed`,
		'colour-blind': t`blue and orange in place of green and red`,
	},
	unknown: (name: string, names: readonly string[]) =>
		t`Unknown theme "${name}": use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`,
	faint: (colours: readonly string[]) => t`Hard to read on this background: ${colours.join(', ')}.`,
	fewColours: t`This terminal has few colours, so every theme uses the colours of the terminal.`,
	noThemes: t`Themes are not available here.`,
	saved: (name: string) => t`Theme: ${name}. Saved in your config.toml.`,
	notSaved: (why: string) => t`The theme is not saved: ${why}`,
	sample: {
		you: t`Why does the test fail?`,
		heading: t`The cause`,
		text: t`The total ignores`,
		file: 'src/cart.ts',
		removed: 'return total;',
		added: 'return total - discount;',
		states: {ok: t`passed`, warn: t`approval needed`, error: t`failed`},
		quiet: t`quiet text`,
	},
} as const;
