import type {NamedTheme, ThemeChoice} from '../../../pod/protocol.ts';
import type {ListState} from './list.ts';

/** The page on which you choose a theme. The screen shows the chosen entry at once. */
export type ThemesPage = {
	readonly kind: 'themes';
	readonly themes: readonly NamedTheme[];
	/** The name of the theme that is in use. */
	readonly current: string;
	readonly list: ListState;
	/** The theme that closing the page brings back. */
	readonly before: ThemeChoice | undefined;
	/** Whether the terminal shows its own colours in every theme. */
	readonly hasFewColours?: boolean | undefined;
};

/** Opens with the theme in use chosen. */
export function themesPage(
	themes: readonly NamedTheme[],
	current: string,
	before: ThemeChoice | undefined,
	hasFewColours?: boolean,
): ThemesPage {
	const at = Math.max(
		0,
		themes.findIndex(({name}) => name === current),
	);
	return {kind: 'themes', themes, current, list: {at, top: 0}, before, hasFewColours};
}
