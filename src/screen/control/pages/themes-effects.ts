import type {NamedTheme} from '../../../pod/protocol.ts';
import {dismissAlerts, showAlert, type App} from '../app.ts';
import type {Effects} from '../effect-types.ts';
import {faintColours} from '../../spans/palettes.ts';
import {themesPage} from '../../model/pages/themes-state.ts';
import {themeTexts} from '../../view/pages/themes-texts.ts';

export const themesEffects: Effects = {
	'try theme': app => app.changed('now'),
	'theme saved': app => app.changed('now'),
	'choose theme': (app, {theme}) => void save(app, theme),
};

/** Opens the page with the themes, or uses the named one. Resolves with a sentence when this fails. */
export async function openThemes(app: App, name: string): Promise<string | undefined> {
	const {themes} = app.options;
	if (themes === undefined) return themeTexts.noThemes;
	const {list, current, hasFewColours} = themes;
	if (name === '') {
		const page = themesPage(list, app.state.themeName ?? current, app.state.theme, hasFewColours);
		app.dispatch({type: 'open page', page});
		return undefined;
	}
	const theme = list.find(each => each.name === name);
	if (theme === undefined)
		return themeTexts.unknown(
			name,
			list.map(each => each.name),
		);
	app.dispatch({type: 'choose theme', theme});
	return undefined;
}

/** The theme stays in use even if it cannot be saved. */
async function save(app: App, {name, theme}: NamedTheme): Promise<void> {
	dismissAlerts(app);
	app.changed('now');
	const faint = faintColours(theme, app.state.ground);
	const failed = await app.options.themes?.save(name);
	if (failed !== undefined) showAlert(app, {level: 'error', text: themeTexts.notSaved(failed)});
	else if (faint.length === 0) showAlert(app, {level: 'info', text: themeTexts.saved(name)});
	else showAlert(app, {level: 'warn', text: `${themeTexts.saved(name)} ${themeTexts.faint(faint)}`});
}
