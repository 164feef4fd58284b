import {dismissAlerts, showAlert, type App} from '../app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {roomOf} from '../../view/pages/themes-rows.ts';
import {themesPage, type ThemesPage} from '../../model/pages/config-state.ts';
import type {NamedTheme} from '../../../pod/protocol.ts';
import {faintColours} from '../../spans/palettes.ts';
import {themeTexts} from '../../view/pages/themes-texts.ts';

/**
Handles a key on the themes page. Keys move in the list, and the screen previews the highlighted theme. Enter saves that
theme.
*/
export function pressOnThemes(app: App, page: ThemesPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const {themes} = page;
	const [count, room] = [themes.length, roomOf(size, themes.length)];
	const moved = moveInList(page.list, key, {keymap, count, room});
	const chosen = themes[(moved ?? withinList(page.list, count, room)).at];
	if (moved !== undefined) {
		app.dispatch({type: 'choose on page', list: moved});
		if (chosen !== undefined) app.dispatch({type: 'try theme', theme: chosen});
	} else if (keymap.action(key) !== 'submit') return false;
	else if (chosen !== undefined) void chooseTheme(app, chosen);
	return true;
}

/**
Opens the page with the themes. If `name` is not empty, uses that theme instead. Resolves with a sentence if this fails.
*/
export async function openThemes(app: App, name: string): Promise<string | undefined> {
	const {themes} = app.options;
	if (themes === undefined) return themeTexts.noThemes;
	const {list, current, hasFewColours} = themes;
	if (name === '') {
		const page = themesPage(list, app.state.display.themeName ?? current, app.state.display.theme, hasFewColours);
		app.dispatch({type: 'open page', page});
		return undefined;
	}
	const theme = list.find(each => each.name === name);
	if (theme === undefined)
		return themeTexts.unknown(
			name,
			list.map(each => each.name),
		);
	void chooseTheme(app, theme);
	return undefined;
}

/** Uses and saves a theme. The theme stays in use even if it cannot be saved. */
async function chooseTheme(app: App, chosen: NamedTheme): Promise<void> {
	const {name, theme} = chosen;
	app.dispatch({type: 'choose theme', theme: chosen});
	dismissAlerts(app);
	app.changed('now');
	const faint = faintColours(theme, app.state.terminal.ground);
	const failed = await app.options.themes?.save(name);
	if (failed !== undefined) showAlert(app, {level: 'error', text: themeTexts.notSaved(failed)});
	else if (faint.length === 0) showAlert(app, {level: 'info', text: themeTexts.saved(name)});
	else showAlert(app, {level: 'warn', text: `${themeTexts.saved(name)} ${themeTexts.faint(faint)}`});
}
